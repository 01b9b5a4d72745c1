"""What the systems of a leaderboard do topic by topic, as the pages of the leaderboard show it."""

from collections.abc import Callable

import msgspec
from django.http import Http404, HttpResponse
from rest_framework.request import Request

from registry.api import serializers
from registry.api.schema import reads
from registry.api.views.reading import AnyForm, ReadView
from registry.catalog.models import Leaderboard
from registry.core.forms import QueryForm
from registry.core.http import json_response, kept_response
from registry.leaderboards.access import get_visible_leaderboard
from registry.pairs.documents import pairs_document
from registry.pairs.execution_documents import executions_document
from registry.pairs.forms import FamilyForm, PairForm
from registry.pairs.pair_documents import pair_document
from registry.pairs.queries import comparisons_version, read_two
from registry.pairs.topic_documents import topic_document, topics_document


class ComparisonView(ReadView[AnyForm]):
    """Something about a leaderboard's topic scores; by names or aliases."""

    name: str

    def answer(
        self, names: tuple[str, str], parts: tuple[int | str, ...], build: Callable[[Leaderboard], object]
    ) -> HttpResponse:
        """The document, kept until what it is about changes; or where it is under canonical names."""
        board = get_visible_leaderboard(*names)
        canonical = (board.collection.slug, board.measure.name)
        if canonical != names:
            return self.moved(f"api:{self.name}", *canonical, *parts)
        asked = sorted((name, str(value)) for name, value in self.query.cleaned_data.items())
        key = f"api {self.name} {parts} {asked} {comparisons_version(board)}"
        return kept_response(self.request, key=key, build=lambda: json_response(msgspec.to_builtins(build(board))))


class Pairs(ComparisonView[FamilyForm]):
    """All pairs of systems of a leaderboard, judged together by a test and a correction."""

    form_class = FamilyForm
    name = "leaderboard-pairs"

    @reads("get_pairs", serializers.Pairs, query=FamilyForm, by_name=True)
    def get(self, request: Request, collection: str, measure: str) -> HttpResponse:
        query = self.query
        return self.answer(
            (collection, measure), (), lambda board: pairs_document(board, query.chosen_test, query.chosen_correction)
        )


class Pair(ComparisonView[PairForm]):
    """Two results of a leaderboard by five tests, and by topic; `first` and `second` are their ids."""

    form_class = PairForm
    name = "leaderboard-pair"

    @reads("get_pair", serializers.Pair, query=PairForm, by_name=True)
    def get(self, request: Request, collection: str, measure: str, first: int, second: int) -> HttpResponse:
        def build(board: Leaderboard) -> object:
            matrix = read_two(board, first, second) if first != second else None
            if matrix is None:
                raise Http404(f"Results {first} and {second} are not two of {board} with scores on every topic.")
            return pair_document(board, matrix, self.query.cleaned_data["margin"])

        return self.answer((collection, measure), (first, second), build)


class Topics(ComparisonView[QueryForm]):
    """The topics of a leaderboard: which are hard, which split the systems, what scores vary with."""

    form_class = QueryForm
    name = "leaderboard-topics"

    @reads("get_topics", serializers.Topics, by_name=True)
    def get(self, request: Request, collection: str, measure: str) -> HttpResponse:
        return self.answer((collection, measure), (), topics_document)


class Topic(ComparisonView[QueryForm]):
    """One topic of a leaderboard, by its label: how the systems do on it, and how it orders them."""

    form_class = QueryForm
    name = "leaderboard-topic"

    @reads("get_topic", serializers.Topic, by_name=True)
    def get(self, request: Request, collection: str, measure: str, label: str) -> HttpResponse:
        def build(board: Leaderboard) -> object:
            document = topic_document(board, label)
            if document is None:
                raise Http404(f"{board} has no scores of two systems on a topic {label}.")
            return document

        return self.answer((collection, measure), (label,), build)


class Executions(ComparisonView[PairForm]):
    """Systems that were executed several times, against the others."""

    form_class = PairForm
    name = "leaderboard-executions"

    @reads("get_executions", serializers.Executions, query=PairForm, by_name=True)
    def get(self, request: Request, collection: str, measure: str) -> HttpResponse:
        margin = self.query.cleaned_data["margin"]
        return self.answer((collection, measure), (), lambda board: executions_document(board, margin))
