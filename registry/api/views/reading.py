"""What programs can read. The answers are the documents of the apps, as the pages show them."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from django.db.models import F, QuerySet
from django.forms import Form
from django.http import Http404, HttpResponse
from django.urls import reverse
from django_filters import FilterSet
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.views import APIView

from registry.api import serializers
from registry.api.bodies import MAX_BODY_BYTES
from registry.api.errors import InvalidParameters
from registry.api.filters import CollectionListFilter, LeaderboardListFilter, MeasureListFilter
from registry.api.forms import AsOfPagedForm, SearchForm
from registry.api.paging import PagedForm, Window, page_address, paged, paged_of
from registry.api.schema import description, reads
from registry.catalog.documents import (
    collection_document,
    describe_leaderboard,
    measure_document,
)
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.catalog.relatives import relatives_of
from registry.core.forms import AsOfForm, QueryForm
from registry.core.http import absolute_address, json_response, kept_response, moved
from registry.curation.lineage.documents import KnownOfSystem, describe_statement, system_facts
from registry.curation.lineage.training import statements_on
from registry.journal.queries import last_entry_id
from registry.leaderboards.access import (
    get_visible_collection,
    get_visible_measure,
    get_visible_snapshot,
)
from registry.leaderboards.documents import (
    leaderboard_summary,
)
from registry.leaderboards.queries import (
    registry_version,
    summarised_leaderboards,
)
from registry.leaderboards.suite_documents import any_snapshot_document
from registry.results.access import get_version_at, get_visible_paper, get_visible_result, get_visible_system
from registry.results.documents import PageOfResults, describe_result, paper_document, result_document, system_document
from registry.results.models import Result
from registry.results.queries import as_known, names_at, under_names, what_it_is
from registry.results.querysets import ResultQuerySet
from registry.search.documents import FoundDocument, describe_thing
from registry.search.queries import index_version, page_of, read_search
from registry.tools.check.best_of import best_of_document
from registry.tools.check.documents import check_document, describe_check
from registry.tools.check.forms import BestOfForm, CheckForm
from registry.tools.compare.documents import compare_document
from registry.tools.compare.forms import CompareForm
from registry.tools.pairs.mean_documents import topic_mean

VERSION = "1"

Document = Mapping[str, object]
AnyForm = TypeVar("AnyForm", bound=Form)


class OpenView(APIView):
    """An address that anybody may read, with or without an account."""

    most_bytes = MAX_BODY_BYTES
    authentication_classes = ()
    permission_classes = ()
    http_method_names = ["get", "head"]


class ReadView(OpenView, Generic[AnyForm]):
    """Such an address, whose query a form reads."""

    form_class: type[AnyForm]
    query: AnyForm

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.query = self.read_query(request)
        if not self.query.is_valid():
            raise InvalidParameters(self.query)

    def read_query(self, request: Request) -> AnyForm:
        """The form that reads the address's query."""
        return self.form_class(request.GET)

    def kept(self, build: Callable[[], Document]) -> HttpResponse:
        """The document, kept until anything in the registry changes."""
        address = absolute_address(self.request, self.request.get_full_path())
        key = f"api {address} {registry_version()} {last_entry_id()}"
        return kept_response(self.request, key=key, build=lambda: json_response(build()))

    def moved(self, name: str, *names: str | int) -> HttpResponse:
        """A redirect to the address with canonical names, or to what this was merged into."""
        return moved(self.request, reverse(name, args=names))


class PlainView(ReadView[QueryForm]):
    """An address that takes no parameters."""

    form_class = QueryForm


class Index(PlainView):
    """Where everything is."""

    @reads("get_index", serializers.Index)
    def get(self, request: Request) -> HttpResponse:
        def build() -> Document:
            paths = description()["paths"]
            addresses = {one["operationId"]: path for path, methods in paths.items() for one in methods.values()}
            documentation = reverse("core:document-detail", args=["api"])
            return {"version": VERSION, "documentation": documentation, "addresses": addresses}

        return self.kept(build)


class Schema(PlainView):
    """This description."""

    @reads("get_schema", OpenApiTypes.OBJECT)
    def get(self, request: Request) -> HttpResponse:
        return self.kept(description)


class ListView(ReadView[PagedForm]):
    """A list in pages, narrowed down by a filter set."""

    filterset_class: ClassVar[type[FilterSet]]

    def read_query(self, request: Request) -> PagedForm:
        self.filterset = self.filterset_class(request.GET, queryset=self.get_queryset())
        form: PagedForm = self.filterset.form
        return form

    def get_queryset(self) -> QuerySet[Any]:
        """All there are to choose from."""
        raise NotImplementedError

    def listed(self, describe: Callable[[Any], Document]) -> HttpResponse:
        """The page asked for of the rows that pass the filters."""
        return self.kept(
            lambda: paged(self.query.window, self.filterset.qs, describe, partial(page_address, self.request))
        )


class Search(ReadView[SearchForm]):
    """Everything that goes by a text or has words that begin like its words, the best first."""

    form_class = SearchForm

    @reads("list_found", serializers.Found, query=SearchForm)
    def get(self, request: Request) -> HttpResponse:
        address = absolute_address(request, request.get_full_path())
        key = f"api {address} {index_version()}"
        return kept_response(request, key=key, build=lambda: json_response(self._build()))

    def _build(self) -> Document:
        window: Window = self.query.window
        kind = self.query.cleaned_data["kind"]
        search = read_search(self.query.cleaned_data["q"])
        n = search.counts.get(kind, 0) if kind else search.n
        found = page_of(search, kind, window.start, window.size)
        pages = paged_of(window, n, [describe_thing(one) for one in found], partial(page_address, self.request))
        said: FoundDocument = {"searched_for": search.said, "is_corrected": search.is_corrected, "kinds": search.counts}
        return {**said, **pages}


class Check(ReadView[CheckForm]):
    """What a leaderboard says of a score that is not on it: could it be the best, and is its baseline weak?"""

    form_class = CheckForm

    @reads("get_check", serializers.Check, query=CheckForm)
    def get(self, request: Request) -> HttpResponse:
        given, board = self.query.cleaned_data, self.query.board
        document = check_document(board, given["score"], given["baseline"], given["tried"] or 1)
        if document is None:
            raise Http404(f"No comparable result is recorded on {board}, so there is nothing to compare with.")
        return json_response(describe_check(describe_leaderboard(board), document))


class BestOf(ReadView[BestOfForm]):
    """How good the best of many equally good systems looks by chance alone, from a summary of them."""

    form_class = BestOfForm

    @reads("get_best_of", serializers.BestOf, query=BestOfForm)
    def get(self, request: Request) -> HttpResponse:
        return json_response(msgspec.to_builtins(best_of_document(self.query.cleaned_data)))


class Compare(ReadView[CompareForm]):
    """Systems on every leaderboard that two or more of them share, and which differences can be told apart."""

    form_class = CompareForm

    @reads("get_compare", serializers.Compare, query=CompareForm)
    def get(self, request: Request) -> HttpResponse:
        return json_response(msgspec.to_builtins(compare_document(self.query.systems)))


class CollectionList(ListView):
    """Collections that have results, those with the most leaderboards first."""

    filterset_class = CollectionListFilter

    def get_queryset(self) -> QuerySet[Collection]:
        return Collection.objects.with_results().select_related("density").prefetch_related("aliases")

    @reads("list_collections", serializers.CollectionList, query=CollectionListFilter)
    def get(self, request: Request) -> HttpResponse:
        return self.listed(collection_document)


class CollectionDetail(PlainView):
    """One collection with its leaderboards; by slug or alias."""

    @reads("get_collection", serializers.CollectionDetail, by_name=True)
    def get(self, request: Request, collection: str) -> HttpResponse:
        found = get_visible_collection(collection)
        if found.slug != collection:
            return self.moved("api:collection-detail", found.slug)
        boards = summarised_leaderboards().filter(collection=found)
        boards = boards.order_by(F("analysis__n_counted").desc(nulls_last=True), "measure__name")
        return self.kept(
            lambda: (
                {
                    **collection_document(found),
                    "relatives": relatives_of(found),
                    "leaderboards": [msgspec.to_builtins(leaderboard_summary(board)) for board in boards],
                }
            )
        )


class MeasureList(ListView):
    """Measures."""

    filterset_class = MeasureListFilter

    def get_queryset(self) -> QuerySet[Measure]:
        return Measure.objects.prefetch_related("aliases")

    @reads("list_measures", serializers.MeasureList, query=MeasureListFilter)
    def get(self, request: Request) -> HttpResponse:
        return self.listed(measure_document)


class MeasureDetail(PlainView):
    """One measure; by name or alias."""

    @reads("get_measure", serializers.MeasureFull, by_name=True)
    def get(self, request: Request, measure: str) -> HttpResponse:
        found = get_visible_measure(measure)
        if found.name != measure:
            return self.moved("api:measure-detail", found.name)
        return self.kept(lambda: measure_document(found))


class LeaderboardList(ListView):
    """Leaderboards with the headline of their analysis; by default those that carry one."""

    filterset_class = LeaderboardListFilter

    def get_queryset(self) -> QuerySet[Leaderboard]:
        return summarised_leaderboards()

    @reads("list_leaderboards", serializers.LeaderboardList, query=LeaderboardListFilter)
    def get(self, request: Request) -> HttpResponse:
        return self.listed(lambda board: msgspec.to_builtins(leaderboard_summary(board)))


class SnapshotDetail(PlainView):
    """One analysis of a leaderboard, or of a suite, as it can be cited, with all it rests on."""

    @reads("get_snapshot", serializers.AnySnapshot)
    def get(self, request: Request, id: str) -> HttpResponse:
        snapshot = get_visible_snapshot(id)
        return self.kept(lambda: msgspec.to_builtins(any_snapshot_document(snapshot)))


class WithResults(ReadView[AsOfPagedForm]):
    """Something with results, in pages; today or as it was known at the end of a day."""

    form_class = AsOfPagedForm

    def page_of(self, results: ResultQuerySet) -> PageOfResults:
        window: Window = self.query.window
        moment = self.query.moment
        listed = results.for_listing(moment)
        page = list(window.cut(listed))
        # A page that is not full is the last, unless it begins behind the end.
        n_results = window.start + len(page) if 0 < len(page) < window.size else listed.count()
        shown = [describe_result(result) for result in (as_known(page, moment) if moment else page)]
        return {"count": n_results, "next_page": window.next_token(n_results), "results": shown}


class SystemDetail(WithResults):
    """One system with everything recorded about it."""

    @reads("get_system", serializers.System, query=AsOfPagedForm, by_name=True)
    def get(self, request: Request, id: int) -> HttpResponse:
        system, moment = get_visible_system(id), self.query.moment
        if other := what_it_is(system, moment):
            return self.moved("api:system-detail", other.pk)
        if moment:
            under_names(system, names_at(moment))

        def build() -> Document:
            known: KnownOfSystem = {
                "facts": system_facts(system, moment=moment),
                "training": [describe_statement(one) for one in statements_on([system.pk], moment=moment)],
            }
            return {**system_document(system), **known, **self.page_of(system.results.all())}

        return self.kept(build)


class PaperDetail(WithResults):
    """One paper with the results that it prints."""

    @reads("get_paper", serializers.Paper, query=AsOfPagedForm, by_name=True)
    def get(self, request: Request, id: int) -> HttpResponse:
        paper = get_visible_paper(id)
        if other := what_it_is(paper, self.query.moment):
            return self.moved("api:paper-detail", other.pk)
        return self.kept(lambda: {**paper_document(paper), **self.page_of(paper.results.all())})


class ResultDetail(ReadView[AsOfForm]):
    """One result with its history. What was withdrawn or superseded stays, with the reason."""

    form_class = AsOfForm

    @reads("get_result", serializers.ResultDetail, query=AsOfForm)
    def get(self, request: Request, id: int) -> HttpResponse:
        result, moment = get_visible_result(id), self.query.moment
        build = partial(self._as_known, result, moment) if moment else partial(self._today, result)
        return self.kept(build)

    def _today(self, result: Result) -> Document:
        return _found(result, Result.objects.versions_of(result), None)

    def _as_known(self, result: Result, moment: datetime) -> Document:
        """The version of that moment, with the history until then."""
        versions = list(Result.objects.versions_of(result))
        then = get_visible_result(get_version_at(result, versions, moment).pk)
        known = [version for version in versions if version.recorded_at <= moment]
        (as_it_was,) = as_known([then], moment)
        return _found(as_it_was, as_known(known, moment), moment)


def _found(result: Result, versions: Iterable[Result], moment: datetime | None) -> Document:
    mean = topic_mean(result, moment)
    return {**result_document(result, versions), "topic_mean": msgspec.to_builtins(mean)}
