"""Pages that show suites and what was found about the means over their members."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from registry.catalog.documents import describe_measure
from registry.core.forms import PageForm, QueryForm
from registry.core.http import absolute_address, as_download, kept_response
from registry.core.views import bad_request
from registry.leaderboards import exports
from registry.leaderboards.access import get_visible_measure, get_visible_suite
from registry.leaderboards.models import Snapshot, SuiteAnalysis
from registry.leaderboards.queries import registry_version
from registry.leaderboards.suite_documents import suite_address, suite_document, suite_snapshot_document, suite_summary
from registry.leaderboards.suite_presentation import suite_context, suite_snapshot_context
from registry.leaderboards.suite_queries import members_state, suite_boards, suites_version
from registry.leaderboards.verification import measure_of

SYSTEMS_PER_PAGE = 100


@require_safe
def suite_list(request: HttpRequest) -> HttpResponse:
    """The suites whose mean people quote, each with its finding."""
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)

    def build() -> HttpResponse:
        return render(request, "leaderboards/suite_list.html", {"suites": list(map(suite_summary, suite_boards()))})

    return kept_response(request, key=f"suites {registry_version()} {suites_version()}", build=build)


@require_safe
def suite_first(request: HttpRequest, slug: str) -> HttpResponse:
    """The suite under the measure of its members."""
    return redirect(suite_address(*get_visible_suite(slug).names))


@require_safe
def suite_detail(request: HttpRequest, slug: str, measure: str, suffix: str = "") -> HttpResponse:
    """One suite as a page, or in one of its formats."""
    board = get_visible_suite(slug, measure)
    if board.measure.name != measure:
        return redirect(suite_address(*board.names, suffix), permanent=True)
    form = QueryForm(request.GET) if suffix else PageForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    site = absolute_address(request, "") if suffix else ""
    number = form.number if isinstance(form, PageForm) else 1
    key = f"suite {suffix} {site} {number} {board.names} {members_state(board).version} {suites_version()}"

    def build() -> HttpResponse:
        document = suite_document(board)
        if suffix:
            return exports.with_links(exports.leaderboard_file(document, suffix, site), document)
        page = Paginator(document.results, SYSTEMS_PER_PAGE).get_page(number)
        context = suite_context(document) | {"document": document, "page": page}
        return exports.with_links(render(request, "leaderboards/suite_detail.html", context), document)

    return kept_response(request, key=key, build=build)


def suite_snapshot(request: HttpRequest, snapshot: Snapshot, suffix: str) -> HttpResponse:
    """One snapshot of a suite: what was found, from which inputs, by which methods, and how to cite it."""
    document = suite_snapshot_document(snapshot, describe_measure(get_visible_measure(measure_of(snapshot))))
    citation = exports.snapshot_bibtex(document, absolute_address(request, snapshot.get_absolute_url()))
    if suffix == "bib":
        response = as_download(citation, "application/x-bibtex; charset=utf-8", f"plumbline-{snapshot.pk}.bib")
    else:
        context = suite_snapshot_context(document, snapshot)
        context |= {"snapshot": snapshot, "document": document, "bibtex": citation}
        context["is_current"] = SuiteAnalysis.objects.filter(suite=snapshot.suite, snapshot=snapshot).exists()
        context["sentences"] = exports.snapshot_sentences(document)
        response = render(request, "leaderboards/suite_snapshot_detail.html", context)
    response["Cache-Control"] = "no-cache"
    return exports.with_links(response, document)
