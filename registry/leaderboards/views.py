"""Pages that show leaderboards and what was found about them."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from analysis.boards import METHODS
from registry.catalog.models import Collection, Leaderboard
from registry.core.feeds import atom_response
from registry.core.forms import QueryForm
from registry.core.http import absolute_address, as_download, kept_response
from registry.core.pages import read_method
from registry.core.views import bad_request
from registry.leaderboards import exports
from registry.leaderboards.access import get_visible_collection, get_visible_leaderboard, get_visible_snapshot
from registry.leaderboards.calibration import calibration_context
from registry.leaderboards.documents import BoardDocument, leaderboard_document, snapshot_document
from registry.leaderboards.feeds import leaderboard_events
from registry.leaderboards.forms import CollectionListFilter, PagedSelectionForm, Selection, SelectionForm
from registry.leaderboards.models import Analysis
from registry.leaderboards.presentation import page_context, snapshot_context
from registry.leaderboards.queries import (
    analysed_leaderboards,
    latest_results,
    leaderboards_of,
    read_board_version,
    registry_counts,
    registry_version,
)
from registry.leaderboards.suite_queries import suite_boards_of
from registry.leaderboards.suite_views import suite_snapshot
from registry.leaderboards.verification import is_readable, topic_scores_of

RESULTS_PER_PAGE = 300
COLLECTIONS_PER_PAGE = 50


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, search, the busiest leaderboards, the latest results."""

    def build() -> HttpResponse:
        context = {"counts": registry_counts(), "busiest": analysed_leaderboards()[:8], "latest": latest_results(8)}
        return render(request, "leaderboards/home.html", context)

    return kept_response(request, key=f"home {registry_version()}", build=build)


@require_safe
def collection_list(request: HttpRequest) -> HttpResponse:
    """Collections, searched and narrowed down by suite and language."""
    found = CollectionListFilter(request.GET, queryset=Collection.objects.with_results())
    if not found.is_valid():
        return bad_request(request, found.form)
    query = {name: str(value) for name, value in found.form.cleaned_data.items() if value}

    def build() -> HttpResponse:
        page = Paginator(found.qs, COLLECTIONS_PER_PAGE).get_page(found.form.number)
        context = {"query": query, "page": page, "facets": found.facets()}
        return render(request, "leaderboards/collection_list.html", context)

    return kept_response(request, key=f"collections {registry_version()} {sorted(query.items())}", build=build)


@require_safe
def collection_detail(request: HttpRequest, name: str) -> HttpResponse:
    """One collection with its leaderboards."""
    collection = get_visible_collection(name)
    if collection.slug != name:
        return redirect(collection, permanent=True)
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    aliases = collection.aliases.order_by("alias").values_list("alias", flat=True)
    context = {
        "collection": collection,
        "aliases": aliases,
        "leaderboards": leaderboards_of(collection),
        "suites": suite_boards_of(collection),
    }
    return render(request, "leaderboards/collection_detail.html", context)


@require_safe
def leaderboard_detail(request: HttpRequest, collection: str, measure: str, suffix: str = "") -> HttpResponse:
    """One leaderboard as a page, or in one of its formats."""
    version = read_board_version(collection, measure)
    if version is None:
        return _to_canonical(request, collection, measure, suffix)
    selection = Selection()
    if request.GET:
        form = (SelectionForm if suffix else PagedSelectionForm)(request.GET)
        if not form.is_valid():
            return bad_request(request, form)
        selection = form.selection()
    # Formats name the site in what they cite; pages don't.
    site = absolute_address(request, "") if suffix else ""
    key = f"leaderboard {suffix} {site} {version} {METHODS.version} {selection.key}"

    def build() -> HttpResponse:
        board = Leaderboard.objects.with_names().get(pk=version.id)
        document = leaderboard_document(board, selection)
        if suffix:
            return exports.with_links(exports.leaderboard_file(document, suffix, site), document)
        return exports.with_links(_leaderboard_page(request, board, document, selection), document)

    return kept_response(request, key=key, build=build)


@conditional_page
@require_safe
def leaderboard_feed(request: HttpRequest, collection: str, measure: str) -> HttpResponse:
    """Results that came and went on one leaderboard, and its new analyses, as Atom."""
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    board = get_visible_leaderboard(collection, measure)
    return atom_response(request, title=str(board), page=board.get_absolute_url(), entries=leaderboard_events(board))


def _to_canonical(request: HttpRequest, collection: str, measure: str, suffix: str) -> HttpResponse:
    board = get_visible_leaderboard(collection, measure)
    address = leaderboard_address(board, suffix)
    query = request.META["QUERY_STRING"]
    return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)


def leaderboard_address(board: Leaderboard, suffix: str = "") -> str:
    """The canonical address of a leaderboard, or of one of its formats."""
    names = [board.collection.slug, board.measure.name]
    if suffix:
        return reverse("leaderboards:leaderboard-format", args=[*names, suffix])
    return reverse("leaderboards:leaderboard-detail", args=names)


def _leaderboard_page(
    request: HttpRequest, board: Leaderboard, document: BoardDocument, selection: Selection
) -> HttpResponse:
    page = Paginator(document.results, RESULTS_PER_PAGE).get_page(selection.page)
    context = page_context(document, selection, list(page.object_list))
    context |= {"board": board, "document": document, "selection": selection, "page": page}
    return render(request, "leaderboards/leaderboard_detail.html", context)


@require_safe
def snapshot_topic_scores(request: HttpRequest, snapshot_id: str) -> HttpResponse:
    """The topic scores that entered a snapshot: topic, then a column for each result id."""
    snapshot = get_visible_snapshot(snapshot_id)
    topic_scores = topic_scores_of(snapshot) if is_readable(snapshot) else None
    if topic_scores is None:
        raise Http404(f"No topic scores entered the snapshot {snapshot.pk}.")
    name = f"plumbline-{snapshot.pk}-topic-scores.csv"
    return as_download(exports.topic_scores_csv(topic_scores), "text/csv; charset=utf-8", name)


@require_safe
def snapshot_detail(request: HttpRequest, snapshot_id: str, suffix: str = "") -> HttpResponse:
    """One snapshot: what was found, from which inputs, by which methods, and how to cite it."""
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    snapshot = get_visible_snapshot(snapshot_id)
    if suffix == "json":
        # To the byte, so that the id can be checked with sha256sum; and it never changes.
        kept = {"Cache-Control": "public, max-age=31536000, immutable"}
        return HttpResponse(snapshot.content, content_type="application/json", headers=kept)
    if snapshot.suite is not None:
        return suite_snapshot(request, snapshot, suffix)
    document = snapshot_document(snapshot)
    citation = exports.snapshot_bibtex(document, absolute_address(request, snapshot.get_absolute_url()))
    if suffix == "bib":
        response = as_download(citation, "application/x-bibtex; charset=utf-8", f"plumbline-{snapshot.pk}.bib")
    else:
        is_current = Analysis.objects.filter(leaderboard=snapshot.leaderboard_id, snapshot=snapshot).exists()
        context = snapshot_context(document, snapshot)
        context |= {"snapshot": snapshot, "document": document, "bibtex": citation, "is_current": is_current}
        context["sentences"] = exports.snapshot_sentences(document)
        response = render(request, "leaderboards/snapshot_detail.html", context)
    response["Cache-Control"] = "no-cache"
    return exports.with_links(response, document)


@require_safe
def calibration_detail(request: HttpRequest) -> HttpResponse:
    """How often verdicts held where the truth is known: the method page, with the whole table."""
    document = read_method("calibration")
    if document is None:
        raise Http404("This copy has no documents.")
    context = {"document": document, "body": document.html.partition("</h1>")[2], **calibration_context()}
    return render(request, "leaderboards/calibration.html", context)
