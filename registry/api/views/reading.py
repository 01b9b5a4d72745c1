"""Documents that programs can read and no page shows in the same way."""

from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import msgspec
from django.db.models import F
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request
from typing_extensions import TypedDict

from registry.api.forms import (
    AsOfPagedForm,
    LeaderboardForm,
    PagedForm,
    SearchForm,
    SystemsForm,
    page_address,
    paged_of,
)
from registry.api.schema import description, reads
from registry.api.shapes import describe, paged, schema_of
from registry.api.views.documents import OpenView, public
from registry.catalog.access import get_visible_collection
from registry.catalog.documents import CollectionDocument, collection_document
from registry.catalog.models import Collection
from registry.catalog.relatives import Relative, relatives_of
from registry.core.documents import API, DocumentPage
from registry.core.forms import AsOfForm, QueryForm, asked
from registry.core.http import absolute_address, json_response, must_exist
from registry.core.kept import kept_response
from registry.core.messages import say
from registry.curation.lineage.documents import KnownOfSystem, describe_statement, system_facts
from registry.curation.lineage.training import statements_of
from registry.leaderboards.access import get_visible_snapshot, get_visible_suite_record
from registry.leaderboards.documents.boards import leaderboard_summary
from registry.leaderboards.documents.shapes import BoardSummary, SnapshotDocument
from registry.leaderboards.documents.suite_shapes import SuiteRecord, SuiteSnapshotDocument
from registry.leaderboards.documents.suites import any_snapshot_document, suite_record
from registry.leaderboards.queries.boards import summarised_leaderboards
from registry.leaderboards.views.boards import LEADERBOARD
from registry.leaderboards.views.suites import SUITE
from registry.results import documents
from registry.results.access import get_result_at, get_visible_paper, get_visible_result, get_visible_system
from registry.results.models import Paper, System
from registry.results.queries import as_known, names_at, under_names, what_it_is
from registry.search.documents import FoundDocument, ThingDocument, describe_thing
from registry.search.queries import index_version, page_of, read_search
from registry.tools.check.documents import BestOfDocument, CheckDocument, best_of_document, check_document
from registry.tools.check.forms import BestOfForm, CheckForm

VERSION = "1"


class IndexDocument(TypedDict):
    """Where everything is; fill in the parts in braces."""

    version: str
    documentation: str
    addresses: dict[str, str]


class CollectionAnswer(CollectionDocument):
    """A collection with its relatives and leaderboards."""

    relatives: Annotated[list[Relative], "Collections that share topics, documents or judgements, nearest first."]
    leaderboards: Annotated[list[BoardSummary], "Those with results, those with the most counted results first."]


class SystemAnswer(documents.SystemDocument, KnownOfSystem, documents.PageOfResults):
    """A system with everything recorded about it."""


class PaperAnswer(documents.PaperDocument, documents.PageOfResults):
    """A paper with the results that it prints."""


SNAPSHOT_SHAPES = schema_of(
    describe("SnapshotOfLeaderboard", SnapshotDocument), describe("SnapshotOfSuite", SuiteSnapshotDocument)
)

_public = partial(DocumentPage, version=public)
#: Answers that depend on nothing but the question, or on so much that nothing of them is kept.
_computed = partial(DocumentPage, find=lambda: None, version=None)


def _page_of_rows(subject: object, document: Any, form: PagedForm) -> HttpResponse:
    window = form.window
    token = window.next_token(document.count)
    return json_response(msgspec.to_builtins(replace(document, next_page=token, results=window.cut(document.results))))


LEADERBOARD_IN_PAGES = replace(
    LEADERBOARD,
    form=LeaderboardForm,
    # Under other names the query is left to the canonical address.
    read=lambda board, query, suffix: LeaderboardForm(query if board.id else None, leaderboard_id=board.id),
    formats={API: _page_of_rows},
)
SUITE_IN_PAGES = replace(SUITE, form=SystemsForm, read=None, formats={API: _page_of_rows})


def _index(_: object, form: QueryForm) -> IndexDocument:
    paths = description()["paths"]
    addresses = {method["operationId"]: path for path, methods in paths.items() for method in methods.values()}
    documentation = reverse("core:document-detail", args=["api"])
    return {"version": VERSION, "documentation": documentation, "addresses": addresses}


INDEX = _public(meaning="Where everything is.", document=IndexDocument, find=lambda: None, describe=_index)
SCHEMA = _public(meaning="This description.", document=dict, find=lambda: None, describe=lambda _, form: description())


def _check(_: object, form: CheckForm) -> CheckDocument:
    query, board = form.cleaned_data, form.board
    return must_exist(
        check_document(board, query["score"], query["baseline"], query["tried"] or 1),
        say("check-no-place", board=str(board)),
    )


CHECK = _computed(
    meaning="What a leaderboard says of a score that is not on it, or of a baseline: tied for first, or weak?",
    document=CheckDocument,
    form=CheckForm,
    describe=_check,
)
BEST_OF = _computed(
    meaning="How good the best of many equally good systems looks by chance alone, from a summary of them.",
    document=BestOfDocument,
    form=BestOfForm,
    describe=lambda _, form: best_of_document(form.cleaned_data),
)


def _collection(collection: Collection, form: QueryForm) -> CollectionAnswer:
    boards = summarised_leaderboards().filter(collection=collection)
    boards = boards.order_by(F("analysis__n_counted").desc(nulls_last=True), "measure__name")
    return {
        **collection_document(collection),
        "relatives": relatives_of(collection),
        "leaderboards": list(map(leaderboard_summary, boards)),
    }


COLLECTION = _public(
    meaning="One collection with its leaderboards; by slug or alias.",
    document=CollectionAnswer,
    names=("collection",),
    find=get_visible_collection,
    canonical=lambda collection, form: (collection.slug,),
    describe=_collection,
)
SUITE_RECORD = _public(
    meaning="One suite with its collections, whether or not people quote their mean.",
    document=SuiteRecord,
    names=("suite",),
    find=get_visible_suite_record,
    describe=lambda suite, form: suite_record(suite),
)
SNAPSHOT = _public(
    meaning="One analysis of a leaderboard, or of a suite, as it can be cited, with all it rests on.",
    document=object,
    names=("id",),
    find=get_visible_snapshot,
    describe=lambda snapshot, form: any_snapshot_document(snapshot),
)


def _page_of(thing: System | Paper, form: AsOfPagedForm) -> documents.PageOfResults:
    """Return results of a system or paper; today or as they were known at the end of a day."""
    window, moment = form.window, form.moment
    listed = thing.results.for_listing(moment)
    page = list(window.cut(listed))
    # A page that is not full is the last, unless it begins behind the end.
    n_results = window.start + len(page) if 0 < len(page) < window.size else listed.count()
    shown = [documents.describe_result(result) for result in (as_known(page, moment) if moment else page)]
    return {"count": n_results, "next_page": window.next_token(n_results), "results": shown}


def _system(system: System, form: AsOfPagedForm) -> SystemAnswer:
    moment = form.moment
    if moment:
        under_names(system, names_at(moment))
    return {
        **documents.system_document(system),
        "facts": system_facts(system, moment=moment),
        "training": [describe_statement(statement) for statement in statements_of(system, moment=moment)],
        **_page_of(system, form),
    }


def _what_it_is(thing: System | Paper, form: AsOfPagedForm) -> tuple[str]:
    other = what_it_is(thing, form.moment if form.is_valid() else None)
    return ((other or thing).slug,)


_with_results = partial(_public, names=("slug",), canonical=_what_it_is, form=AsOfPagedForm)
SYSTEM = _with_results(
    meaning="One system with everything recorded about it.",
    document=SystemAnswer,
    find=get_visible_system,
    describe=_system,
)
PAPER = _with_results(
    meaning="One paper with the results that it reports.",
    document=PaperAnswer,
    find=get_visible_paper,
    describe=lambda paper, form: {**documents.paper_document(paper), **_page_of(paper, form)},
)


RESULT = _public(
    meaning="One result with its history. What was withdrawn or superseded stays, with the reason.",
    document=documents.ResultWithHistory,
    names=("id",),
    find=get_visible_result,
    form=AsOfForm,
    describe=lambda result, form: documents.result_document(*get_result_at(result, form.moment)),
)


class Search(OpenView):
    """Everything with this name, or with words that begin like its words, the best matches first."""

    @reads(
        "list_found", schema_of(paged("Found", describe("FoundThing", ThingDocument), FoundDocument)), query=SearchForm
    )
    def get(self, request: Request) -> HttpResponse:
        form = asked(SearchForm(request.GET))

        def build() -> HttpResponse:
            window, kind = form.window, form.cleaned_data["kind"]
            search = read_search(form.cleaned_data["q"])
            n = search.counts.get(kind, 0) if kind else search.n
            things = [describe_thing(thing) for thing in page_of(search, kind, window.start, window.size)]
            facts = {"searched_for": search.searched_for, "is_corrected": search.is_corrected, "kinds": search.counts}
            return json_response(facts | paged_of(window, n, things, partial(page_address, request)))

        key = f"api {absolute_address(request, request.get_full_path())} {index_version()}"
        return kept_response(request, key=key, build=build)
