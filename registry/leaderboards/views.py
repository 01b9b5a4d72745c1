"""Pages that show leaderboards and what was found about them."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from analysis.boards import METHODS
from registry.accounts.access import is_editor
from registry.catalog.access import get_visible_collection
from registry.catalog.densities import describe_density
from registry.catalog.models import Collection, Leaderboard
from registry.catalog.relatives import group_relatives, relatives_of
from registry.core.columns import list_file
from registry.core.document_pages import DocumentPage, Writer, as_json, as_lists
from registry.core.feeds import atom_response
from registry.core.forms import PageForm, QueryForm, asked
from registry.core.http import json_response, kept_response, leads_to, must_exist, negotiated, site_address
from registry.core.pages import read_method, section_about
from registry.core.services import hurry_jobs
from registry.core.signposts import set_collection, set_signposts
from registry.core.templatetags.formatting import as_query
from registry.leaderboards.access import get_visible_leaderboard
from registry.leaderboards.calibration import calibration_context
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.documents.shapes import BoardDocument
from registry.leaderboards.exports import files as exports
from registry.leaderboards.exports.badges import snippet
from registry.leaderboards.exports.croissant import collection_data
from registry.leaderboards.exports.feeds import leaderboard_events, site_events
from registry.leaderboards.exports.linked_data import board_linked_data, collection_linked_data
from registry.leaderboards.exports.pictures import PICTURES, for_everybody, picture_response
from registry.leaderboards.forms import (
    CollectionListFilter,
    FileSelectionForm,
    PagedSelectionForm,
    Selection,
    SelectionForm,
)
from registry.leaderboards.method_changes import MethodsChange, methods_change
from registry.leaderboards.presentation import page_context
from registry.leaderboards.queries import analysed_leaderboards, leaderboards_of, read_shown
from registry.leaderboards.resolving import KNOWN_BY, RESOLVING_COLUMNS, collection_columns, resolving_cells
from registry.leaderboards.results_table import found_results, table_context
from registry.leaderboards.scoreboard import SCOREBOARD_COLUMNS, Scoreboard, scoreboard, scoreboard_rows
from registry.leaderboards.services import awaited_analyses
from registry.leaderboards.snapshot_drawings import drawings_of
from registry.leaderboards.suite_queries import suite_boards_of
from registry.leaderboards.traits import leader_and_best_open
from registry.leaderboards.versions import read_board_version, registry_version
from registry.leaderboards.wording import STRENGTH

COLLECTIONS_PER_PAGE = 25
CHANGES_PER_PAGE = 100


@require_safe
@negotiated("csv", "json")
def collection_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """Collections with results, or those without any, narrowed down: as a page, or all of them as a file."""
    lacking, some = Collection.objects.without_results(), Collection.objects.with_results()
    found = CollectionListFilter(request.GET, queryset=lacking if request.GET.get("results") else some)
    form = asked(found.form)
    query = {name: str(value) for name, value in form.cleaned_data.items() if value}

    def build() -> HttpResponse:
        if suffix:
            return list_file("collections", RESOLVING_COLUMNS, map(resolving_cells, form.narrow(found.qs)), suffix)
        page = form.cut(form.narrow(found.qs), COLLECTIONS_PER_PAGE)
        context = {"query": query, "page": page, "facets": found.facets(), "n_lacking": lacking.count()}
        context |= {"columns": collection_columns(query.get("sort", "")), "known_by": KNOWN_BY}
        return render(request, "leaderboards/collection_list.html", context)

    return kept_response(request, key=f"collections {suffix} {registry_version()} {sorted(query.items())}", build=build)


@require_safe
@leads_to(json="api:collection-detail", **{"croissant.json": "leaderboards:collection-croissant"})
def collection_detail(request: HttpRequest, name: str) -> HttpResponse:
    """One collection with its leaderboards."""
    collection = get_visible_collection(name)
    if collection.slug != name:
        return redirect(collection, permanent=True)
    asked(QueryForm(request.GET))
    leaderboards = list(leaderboards_of(collection))
    hurry_jobs(awaited_analyses(board.pk for board in leaderboards if not hasattr(board, "analysis")))
    drawings = drawings_of(leaderboards)
    context = {
        "collection": collection,
        "leaderboards": [(board, drawings.get(board.pk)) for board in leaderboards],
        "has_drawings": bool(drawings),
        "linked_data": collection_linked_data(collection, collection.other_names, leaderboards),
    }
    response = render(request, "leaderboards/collection_detail.html", context)
    address = collection.get_absolute_url()
    return set_signposts(
        response,
        cite_as=address,
        kind="Dataset",
        described_by={
            f"{address.rstrip('/')}.croissant.json": "application/ld+json",
            reverse("api:collection-detail", args=[collection.slug]): "application/json",
        },
        items={f"{board.get_absolute_url().rstrip('/')}.csv": "text/csv" for board in leaderboards},
    )


@require_safe
def collection_about(request: HttpRequest, name: str) -> HttpResponse:
    """What is known of one collection, and who looks after it."""
    collection = get_visible_collection(name)
    if collection.slug != name:
        return redirect("leaderboards:collection-about", collection.slug, permanent=True)
    asked(QueryForm(request.GET))
    context = {
        "collection": collection,
        "suites": suite_boards_of(collection),
        "density": describe_density(collection),
        "relatives": group_relatives(relatives_of(collection)),
        "may_edit": is_editor(request.user),
    }
    return render(request, "leaderboards/collection_about.html", context)


class FoundBoard:
    """A leaderboard under its names, with the version of all that is shown of it, which is read first."""

    def __init__(self, collection: str, measure: str) -> None:
        self.version = read_board_version(collection, measure)
        found = None if self.version else get_visible_leaderboard(collection, measure)
        #: What it is called; None where it was asked for by these names.
        self.names = found.names if found else None

    @property
    def id(self) -> int | None:
        return self.version.id if self.version else None

    @cached_property
    def board(self) -> Leaderboard:
        """Read once an answer is made."""
        assert self.version is not None
        return read_shown(self.version.id)


def _read_form(found: FoundBoard, query: QueryDict, suffix: str) -> SelectionForm:
    kind: type[SelectionForm] = FileSelectionForm if suffix else PagedSelectionForm
    if suffix in PICTURES:
        kind = SelectionForm
    return kind(query, leaderboard_id=found.id) if query and found.id else _nothing_asked(kind)


@cache
def _nothing_asked(kind: type[SelectionForm]) -> SelectionForm:
    """The form of an address without choices, as most are: read once."""
    return kind(QueryDict())


def _writer(suffix: str) -> Writer:
    def write(found: object, document: exports.Table, form: QueryForm) -> HttpResponse:
        if suffix in PICTURES:
            return picture_response(document, document, suffix)
        return exports.leaderboard_file(document, suffix, site_address())

    return write


#: Of leaderboards and of suites.
FORMATS = {suffix: _writer(suffix) for suffix in (*exports.MEDIA_TYPES, *PICTURES)}


def _page_context(found: FoundBoard, document: BoardDocument, form: SelectionForm) -> dict[str, Any]:
    selection, site = form.selection(), site_address()
    rows = found_results(document, selection.q)
    if selection.traits:
        # Those asked for first: they may be few, and far down.
        rows = sorted(rows, key=lambda row: row.can_be_best is None)
    page = Paginator(rows, selection.rows).get_page(selection.page)
    context = page_context(document, selection) | table_context(document, selection, list(page.object_list))
    context |= {"board": found.board, "selection": selection, "page": page}
    context["has_best_open"] = bool(context["trait_fields"] and leader_and_best_open(found.board))
    context["card"] = f"{site}{document.url}card.png{as_query(document.selection)}"
    if document.verdict and not document.selection:
        context["badge"] = snippet(document, site, document.url)
    context["linked_data"] = board_linked_data(document, context["formats"])
    return context


LEADERBOARD = DocumentPage(
    template="leaderboards/leaderboard_detail.html",
    meaning="One leaderboard: how good its best result is, and its results in pages.",
    document=BoardDocument,
    names=("collection", "measure"),
    find=FoundBoard,
    canonical=lambda found, form: found.names,
    form=SelectionForm,
    read=_read_form,
    # Formats name the site in what they cite, pages in what they offer for other sites.
    version=lambda found: (site_address(), found.version, METHODS.version),
    describe=lambda found, form: leaderboard_document(found.board, form.selection()),
    lay_out=_page_context,
    formats=FORMATS,
    finish=exports.with_links,
    awaits=lambda found, document: awaited_analyses([found.board.pk]) if document.analysis.is_behind else (),
)


def pictured(board: DocumentPage[Any, Any]) -> Callable[..., HttpResponse]:
    """A view of a leaderboard or suite as a picture, for other sites to show."""

    @require_safe
    def view(request: HttpRequest, suffix: str, **names: str) -> HttpResponse:
        return for_everybody(board.answer(request, {**names}, suffix))

    return view


@conditional_page
@require_safe
def leaderboard_feed(request: HttpRequest, collection: str, measure: str) -> HttpResponse:
    """Results that came and went on one leaderboard, and its new analyses, as Atom."""
    asked(QueryForm(request.GET))
    board = get_visible_leaderboard(collection, measure)
    return atom_response(request, title=str(board), page=board.get_absolute_url(), entries=leaderboard_events(board))


CHANGE_COLUMNS = (
    *("collection", "name", "measure", "url", "best_before", "best", "worth_before", "worth"),
    *("n_set_before", "n_set", "evidence_before", "evidence", "snapshot_before", "snapshot", "why"),
)


def _change_rows(document: MethodsChange) -> list[tuple[object, ...]]:
    return [
        (
            *(one.collection, one.name, one.measure, one.url, one.before.best, one.after.best),
            *(one.before.corrected, one.after.corrected, one.before.n_members, one.after.n_members),
            *(one.before.evidence, one.after.evidence, one.snapshot_before, one.snapshot, "; ".join(one.why)),
        )
        for one in document.boards
    ]


SCOREBOARD = DocumentPage(
    template="leaderboards/scoreboard.html",
    meaning="How kept verdicts fared against what came to be known beside them or later.",
    document=Scoreboard,
    find=lambda: None,
    form=PageForm,
    version=lambda one: registry_version(),
    describe=lambda one, form: scoreboard(),
    lay_out=lambda one, document, form: {"page": form.cut(document.verdicts, CHANGES_PER_PAGE)},
    formats={"json": as_json} | as_lists("scoreboard", SCOREBOARD_COLUMNS, scoreboard_rows, "csv"),
)
METHOD_CHANGES = DocumentPage(
    template="leaderboards/method_changes.html",
    meaning="What a version of the methods changed: the verdicts that say something else, before and after.",
    document=MethodsChange,
    names=("version",),
    find=lambda version: must_exist(methods_change(version), f"Methods {version} replaced no analysis on this site."),
    form=PageForm,
    version=None,
    describe=lambda found, form: found,
    lay_out=lambda found, document, form: {
        "page": form.cut(document.boards, CHANGES_PER_PAGE),
        "why": section_about("changes", f"Version {document.version}"),
    },
    formats={"json": as_json} | as_lists("method-changes", CHANGE_COLUMNS, _change_rows, "csv"),
)


@conditional_page
@require_safe
def site_feed(request: HttpRequest) -> HttpResponse:
    """Results that came and went anywhere, as Atom."""
    asked(QueryForm(request.GET))
    return atom_response(request, title="Plumbline: results", page=reverse("home:home"), entries=site_events())


@require_safe
def collection_croissant(request: HttpRequest, name: str) -> HttpResponse:
    """The leaderboards of a collection as data, in the words of Croissant."""
    asked(QueryForm(request.GET))
    collection = get_visible_collection(name)
    if collection.slug != name:
        return redirect("leaderboards:collection-croissant", collection.slug, permanent=True)
    response = json_response(collection_data(collection, list(leaderboards_of(collection))))
    response["Content-Type"] = exports.MEDIA_TYPES["croissant.json"]
    page = collection.get_absolute_url()
    return set_collection(response, page, page)


@require_safe
def calibration_detail(request: HttpRequest) -> HttpResponse:
    """How often verdicts held where the truth is known: the method page, with the whole table."""
    document = must_exist(read_method("calibration"), "This copy has no documents.")
    context = {"document": document, "body": document.html.partition("</h1>")[2], **calibration_context()}
    return render(request, "leaderboards/calibration.html", context)


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Every piece in every state; real verdicts, one for each kind of evidence and one with a caution."""
    asked(QueryForm(request.GET))

    def build() -> HttpResponse:
        return render(request, "leaderboards/style.html", {"verdicts": style_verdicts()})

    return kept_response(request, key=f"style {METHODS.version} {registry_version()}", build=build)


def style_verdicts() -> list[tuple[str, dict[str, Any]]]:
    boards = analysed_leaderboards()
    kinds: list[tuple[str, dict[str, object]]]
    kinds = [(f"Evidence: {kind}", {"analysis__headline__evidence": kind}) for kind in STRENGTH]
    kinds.append(("A caution at the best", {"analysis__headline__left_out": "highest"}))
    found = []
    for name, wanted in kinds:
        board = boards.filter(**wanted).first()
        if board is not None:
            document = leaderboard_document(board, Selection())
            found.append((name, page_context(document, Selection()) | {"document": document}))
    return found
