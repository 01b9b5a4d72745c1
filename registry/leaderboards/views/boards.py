"""Pages that show leaderboards and what was found about them, and their feeds."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from analysis.boards import METHODS
from registry.catalog.models import Leaderboard
from registry.core.documents import DocumentPage, Writer
from registry.core.forms import QueryForm, asked
from registry.core.http import site_address
from registry.core.metadata import atom_response
from registry.core.templatetags.formatting import score
from registry.leaderboards.access import get_visible_leaderboard
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.documents.shapes import BoardDocument
from registry.leaderboards.exports import files as exports
from registry.leaderboards.exports.metadata import leaderboard_events, site_events
from registry.leaderboards.exports.pictures import PICTURES, for_everybody, picture_response
from registry.leaderboards.forms import FileSelectionForm, PagedSelectionForm, SelectionForm
from registry.leaderboards.pages import page_context
from registry.leaderboards.queries.boards import RecordedRows, read_rows, read_shown
from registry.leaderboards.services import awaited_analyses
from registry.leaderboards.table import found_results, rows_on_page, table_context
from registry.leaderboards.traits import facts_of, leader_and_best_open
from registry.leaderboards.versions import read_board_version
from registry.results.models import Result


class ShownBoard:
    """A leaderboard under its names, with the version of all that is shown of it, which is read first."""

    def __init__(self, collection: str, measure: str) -> None:
        self.version = read_board_version(collection, measure)
        board = None if self.version else get_visible_leaderboard(collection, measure)
        #: What it is called; None where it was asked for by these names.
        self.names = board.names if board else None
        self.id: int | None = self.version[0] if self.version else None

    @cached_property
    def board(self) -> Leaderboard:
        """Read once an answer is made."""
        assert self.id is not None
        return read_shown(self.id)

    @cached_property
    def recorded(self) -> RecordedRows:
        """Return what stands on it, read once for the document and the page."""
        return read_rows(self.board)


def _read_form(shown: ShownBoard, query: QueryDict, suffix: str) -> SelectionForm:
    kind: type[SelectionForm] = FileSelectionForm if suffix else PagedSelectionForm
    if suffix in PICTURES:
        kind = SelectionForm
    return kind(query, leaderboard_id=shown.id) if query and shown.id else _nothing_asked(kind)


@cache
def _nothing_asked(kind: type[SelectionForm]) -> SelectionForm:
    """Return the form of an address without choices, as most are: read once."""
    return kind(QueryDict())


def _writer(suffix: str) -> Writer:
    def write(shown: object, document: exports.Table, form: QueryForm) -> HttpResponse:
        if suffix in PICTURES:
            return picture_response(document, document, suffix)
        return exports.leaderboard_file(document, suffix, site_address())

    return write


#: Of leaderboards and of suites.
FORMATS = {suffix: _writer(suffix) for suffix in (*exports.MEDIA_TYPES, *PICTURES)}


def _page_context(shown: ShownBoard, document: BoardDocument, form: SelectionForm) -> dict[str, Any]:
    selection = form.selection()
    ranked, aside = found_results(document, selection.q)
    page = Paginator(ranked, rows_on_page(document, selection)).get_page(selection.page)
    context = page_context(document, selection)
    rows, recorded = list(page.object_list), shown.recorded
    whose = [(row.id, row.system_id, row.model) for row in recorded.facts.values()]
    facts = facts_of(Result.objects.for_leaderboard(recorded.leaderboard), whose=whose)
    context |= table_context(document, selection, rows, aside, facts)
    others = ranked[page.end_index() :]
    context |= {
        "n_others": len(ranked) - len(rows),
        "next_score": score(others[0].value, document.measure["decimals"]) if others else "",
        "side": "high" if document.measure["higher_is_better"] else "low",
    }
    context |= {"board": shown.board, "selection": selection, "page": page}
    context["has_best_open"] = context["has_traits"] and leader_and_best_open(recorded, facts) is not None
    return context


LEADERBOARD = DocumentPage(
    template="leaderboards/leaderboard_detail.html",
    meaning="One leaderboard: how good its best result is, and its results in pages.",
    document=BoardDocument,
    names=("collection", "measure"),
    find=ShownBoard,
    canonical=lambda shown, form: shown.names,
    form=SelectionForm,
    read=_read_form,
    # Formats name the site in what they cite, pages in what they offer for other sites.
    version=lambda shown: (site_address(), shown.version, METHODS.version),
    describe=lambda shown, form: leaderboard_document(shown.board, form.selection(), lambda _: shown.recorded),
    lay_out=_page_context,
    formats=FORMATS,
    finish=exports.with_links,
    awaits=lambda shown, document: awaited_analyses([shown.board.pk]) if document.analysis.is_behind else (),
)


def pictured(board: DocumentPage[Any, Any]) -> Callable[..., HttpResponse]:
    """Return a view of a leaderboard or suite as a picture, for other sites to show."""

    @require_safe
    def view(request: HttpRequest, suffix: str, **names: str) -> HttpResponse:
        return for_everybody(board.answer(request, {**names}, suffix))

    return view


@conditional_page
@require_safe
def leaderboard_feed(request: HttpRequest, collection: str, measure: str) -> HttpResponse:
    """Return the results that came and went on one leaderboard, and its new analyses, as Atom."""
    asked(QueryForm(request.GET))
    board = get_visible_leaderboard(collection, measure)
    return atom_response(request, title=str(board), page=board.get_absolute_url(), entries=leaderboard_events(board))


@conditional_page
@require_safe
def site_feed(request: HttpRequest) -> HttpResponse:
    """Return the results that came and went anywhere, as Atom."""
    asked(QueryForm(request.GET))
    return atom_response(request, title="Plumbline: results", page=reverse("home:home"), entries=site_events())
