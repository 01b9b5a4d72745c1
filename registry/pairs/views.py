"""Pages that compare systems topic by topic."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry.catalog.models import Leaderboard
from registry.core.forms import QueryForm
from registry.core.http import json_response, kept_response, moved
from registry.core.views import bad_request
from registry.leaderboards.access import get_visible_leaderboard
from registry.pairs.documents import pairs_document
from registry.pairs.execution_documents import executions_document
from registry.pairs.forms import FamilyForm, PairForm
from registry.pairs.pair_documents import pair_document
from registry.pairs.presentation import pair_context, pairs_context, topic_context, topics_context
from registry.pairs.queries import comparisons_version, read_two
from registry.pairs.topic_documents import topic_document, topics_document


@require_safe
def pairs(request: HttpRequest, collection: str, measure: str, suffix: str = "") -> HttpResponse:
    """All pairs of systems of a leaderboard, as a grid or as JSON."""

    def answer(board: Leaderboard, form: FamilyForm) -> tuple[Any, Callable[[], dict[str, Any]]]:
        document = pairs_document(board, form.chosen_test, form.chosen_correction)
        return document, lambda: pairs_context(document, form)

    return _answer(request, "pairs", (collection, measure), (), suffix, FamilyForm(request.GET), answer)


@require_safe
def pair(
    request: HttpRequest, collection: str, measure: str, first: int, second: int, suffix: str = ""
) -> HttpResponse:
    """Two systems on the same topics, as a page or as JSON."""

    def answer(board: Leaderboard, form: PairForm) -> tuple[Any, Callable[[], dict[str, Any]]]:
        matrix = read_two(board, first, second) if first != second else None
        if matrix is None:
            raise Http404(f"Results {first} and {second} are not two of {board} with scores on every topic.")
        document = pair_document(board, matrix, form.cleaned_data["margin"])
        return document, lambda: pair_context(document)

    return _answer(request, "pair", (collection, measure), (first, second), suffix, PairForm(request.GET), answer)


@require_safe
def topics(request: HttpRequest, collection: str, measure: str, suffix: str = "") -> HttpResponse:
    """The topics of a leaderboard: which are hard, which split the systems; as a page or as JSON."""

    def answer(board: Leaderboard, form: QueryForm) -> tuple[Any, Callable[[], dict[str, Any]]]:
        document = topics_document(board)
        return document, lambda: topics_context(document)

    return _answer(request, "topics", (collection, measure), (), suffix, QueryForm(request.GET), answer)


@require_safe
def topic(request: HttpRequest, collection: str, measure: str, label: str, suffix: str = "") -> HttpResponse:
    """One topic of a leaderboard: how its systems do on it, and how it orders them; as a page or as JSON."""

    def answer(board: Leaderboard, form: QueryForm) -> tuple[Any, Callable[[], dict[str, Any]]]:
        document = topic_document(board, label)
        if document is None:
            raise Http404(f"{board} has no scores of two systems on a topic {label}.")
        return document, lambda: topic_context(document)

    return _answer(request, "topic", (collection, measure), (label,), suffix, QueryForm(request.GET), answer)


@require_safe
def executions(request: HttpRequest, collection: str, measure: str, suffix: str = "") -> HttpResponse:
    """Systems that were executed several times, against the others; as a page or as JSON."""

    def answer(board: Leaderboard, form: PairForm) -> tuple[Any, Callable[[], dict[str, Any]]]:
        document = executions_document(board, form.cleaned_data["margin"])
        return document, dict

    return _answer(request, "executions", (collection, measure), (), suffix, PairForm(request.GET), answer)


def _answer(
    request: HttpRequest,
    page: str,
    names: tuple[str, str],
    parts: tuple[int | str, ...],
    suffix: str,
    form: Any,
    answer: Callable[[Leaderboard, Any], tuple[Any, Callable[[], dict[str, Any]]]],
) -> HttpResponse:
    """The page, kept until what it shows changes; its canonical address for other names of the leaderboard."""
    board = get_visible_leaderboard(*names)
    canonical = (board.collection.slug, board.measure.name)
    if canonical != names:
        address = f"pairs:{page}-{suffix}" if suffix else f"pairs:{page}"
        return moved(request, reverse(address, args=[*canonical, *parts]))
    if not form.is_valid():
        return bad_request(request, form)

    def build() -> HttpResponse:
        document, context = answer(board, form)
        if suffix:
            return json_response(msgspec.to_builtins(document))
        return render(request, f"pairs/{page}.html", {"board": board, "document": document, "form": form} | context())

    asked = sorted((name, str(value)) for name, value in form.cleaned_data.items())
    key = f"{page} {suffix} {parts} {asked} {comparisons_version(board)}"
    return kept_response(request, key=key, build=build)
