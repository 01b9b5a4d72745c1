"""Pages that show suites and what was found about the means over their members."""

from dataclasses import replace

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from registry.core.columns import list_file
from registry.core.forms import PageForm, QueryForm
from registry.core.http import kept_response, negotiated, site_address
from registry.core.views import bad_request
from registry.leaderboards.access import get_visible_suite, get_visible_suite_record
from registry.leaderboards.exports import files as exports
from registry.leaderboards.exports.badges import snippet
from registry.leaderboards.exports.pictures import PICTURES, for_everybody, picture_response
from registry.leaderboards.forms import FileForm
from registry.leaderboards.presentation import suite_context
from registry.leaderboards.queries import registry_version
from registry.leaderboards.snapshot_drawings import drawings_of
from registry.leaderboards.suite_documents import (
    SUITE_LIST_COLUMNS,
    suite_address,
    suite_cells,
    suite_document,
    suite_summary,
)
from registry.leaderboards.suite_queries import (
    listed_members,
    members_state,
    suite_boards,
    suites_version,
    suites_without_mean,
)
from registry.leaderboards.suite_records import suite_record_cells

SYSTEMS_PER_PAGE = 100
MEMBERS_PER_PAGE = 100


@require_safe
@negotiated("csv", "json")
def suite_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """The suites whose mean people quote, each with its finding; then those whose mean is not judged."""
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)

    def build() -> HttpResponse:
        suites, lists = list(map(suite_summary, suite_boards())), suites_without_mean()
        if suffix:
            cells = [*map(suite_cells, suites), *map(suite_record_cells, lists)]
            return list_file("suites", SUITE_LIST_COLUMNS, cells, suffix)
        return render(request, "leaderboards/suite_list.html", {"suites": suites, "lists": lists})

    return kept_response(request, key=f"suites {suffix} {registry_version()}", build=build)


@require_safe
def suite_first(request: HttpRequest, slug: str) -> HttpResponse:
    """The suite under the measure of its members; where their mean is not judged, the list of them."""
    suite = get_visible_suite_record(slug)
    if suite.is_average:
        return redirect(suite_address(*get_visible_suite(slug).names))
    form = PageForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)

    def build() -> HttpResponse:
        members = suite.members.filter(part_of=None).select_related("collection", "measure")
        page = Paginator(members, MEMBERS_PER_PAGE).get_page(form.number)
        listed = listed_members(page.object_list)
        drawings = drawings_of([one.board for one in listed if one.board])
        context = {
            "suite": suite,
            "page": page,
            "members": [(one, drawings.get(one.board.pk) if one.board else None) for one in listed],
            "has_drawings": bool(drawings),
        }
        return render(request, "leaderboards/suite_members.html", context)

    return kept_response(request, key=f"suite list {slug} {form.number} {registry_version()}", build=build)


@require_safe
@negotiated("json", "csv", "tex", "bib", "md")
def suite_detail(request: HttpRequest, slug: str, measure: str, suffix: str = "") -> HttpResponse:
    """One suite as a page, or in one of its formats."""
    board = get_visible_suite(slug, measure)
    if board.measure.name != measure:
        return redirect(suite_address(*board.names, suffix), permanent=True)
    form = _form_of(suffix)(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    site = site_address()
    number = form.number if isinstance(form, PageForm) else 1
    top = form.n_rows if isinstance(form, FileForm) else None
    key = f"suite {suffix} {site} {number} {top} {board.names} {members_state(board).version} {suites_version()}"

    def build() -> HttpResponse:
        document = suite_document(board)
        if suffix in PICTURES:
            return picture_response(document, document, suffix)
        if suffix:
            document = replace(document, results=document.results[:top])
            return exports.with_links(exports.leaderboard_file(document, suffix, site), document)
        page = Paginator(document.results, SYSTEMS_PER_PAGE).get_page(number)
        context = suite_context(document) | {"document": document, "page": page}
        context["card"] = f"{site}{document.url}card.png"
        if document.verdict:
            context["badge"] = snippet(document, site, document.url)
        return exports.with_links(render(request, "leaderboards/suite_detail.html", context), document)

    response = kept_response(request, key=key, build=build)
    return for_everybody(response) if suffix in PICTURES else response


def _form_of(suffix: str) -> type[QueryForm]:
    """What the address of a suite's page, or of one of its formats, may ask for; pictures show all of it."""
    if suffix in PICTURES:
        return QueryForm
    return FileForm if suffix else PageForm
