"""Pages that show suites and what was found about the means over their members."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import conditional_page, require_safe

from registry.catalog.models import Leaderboard
from registry.core.documents import API, DocumentPage, as_json, as_lists
from registry.core.forms import PageForm, QueryForm, asked
from registry.core.http import leads_to, site_address
from registry.core.kept import kept_response
from registry.core.metadata import atom_response
from registry.leaderboards.access import get_visible_suite, get_visible_suite_record
from registry.leaderboards.documents.suite_shapes import SuiteDocument, SuiteList, SuiteRowDocument
from registry.leaderboards.documents.suites import suite_document, suite_list
from registry.leaderboards.drawings.plumb_line import why_aside
from registry.leaderboards.exports import files as exports
from registry.leaderboards.exports.metadata import suite_events
from registry.leaderboards.exports.pictures import PICTURES
from registry.leaderboards.forms import FileForm, SuiteFileForm, SuiteForm, TrainingForm
from registry.leaderboards.models import SuiteAnalysis
from registry.leaderboards.pages import suite_context
from registry.leaderboards.queries.suites import (
    SuiteBoard,
    listed_members,
    means_over_parts,
    members_state,
    suite_boards,
    suites_version,
)
from registry.leaderboards.services import awaited_of_suites
from registry.leaderboards.table import MOST_ASIDE, aside_of
from registry.leaderboards.traits import facts_of
from registry.leaderboards.versions import registry_version
from registry.leaderboards.views.boards import FORMATS
from registry.results.models import Result

SYSTEMS_PER_PAGE = 14
MEMBERS_PER_PAGE = 100

SUITE_LIST_COLUMNS = ("suite", "measure", "name", "n_members", "finding", "snapshot", "url")


def suite_cells(document: SuiteList) -> list[tuple[str | int, ...]]:
    """Return the suites as rows of a file, those whose mean is not judged below the others."""
    judged = [
        (
            result.suite.slug,
            result.measure["name"],
            result.suite.name,
            result.n_members,
            result.headline.sentence if result.headline else "",
            result.snapshot.id if result.snapshot else "",
            result.url,
        )
        for result in document.results
    ]
    others = [(row.suite.slug, "", row.suite.name, row.n_members, "", "", row.url) for row in document.lists]
    return [*judged, *others]


def _list_context(_: None, document: SuiteList, form: QueryForm) -> dict[str, Any]:
    analyses = SuiteAnalysis.objects.filter(snapshot__isnull=False).select_related("suite", "measure")
    standings = {(analysis.suite.slug, analysis.measure.name): analysis.standings for analysis in analyses}
    rows = [(result, standings.get((result.suite.slug, result.measure["name"]))) for result in document.results]
    waiting = [result for result in document.results if not result.headline]
    return {"judged": [row for row in rows if row[0].headline], "waiting": waiting}


SUITES = DocumentPage(
    template="leaderboards/suite_list.html",
    lay_out=_list_context,
    meaning="The suites whose mean people quote, with their headline; and those whose mean is not judged.",
    document=SuiteList,
    find=lambda: None,
    form=QueryForm,
    version=lambda _: registry_version(),
    describe=lambda _, form: suite_list(),
    awaits=lambda _, document: awaited_of_suites(
        suite_boards([result.suite.slug for result in document.results if result.analysis.is_behind])
    ),
    formats=as_lists("suites", SUITE_LIST_COLUMNS, suite_cells, "csv", "json") | {API: as_json},
)


@require_safe
@leads_to(json="api:suite-record")
def suite_first(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the suite under the measure of its members; where their mean is not judged, the list of them."""
    suite = get_visible_suite_record(slug)
    if suite.is_average:
        return redirect(get_visible_suite(slug).get_absolute_url())
    form = asked(PageForm(request.GET))

    def build() -> HttpResponse:
        members = suite.members.filter(part_of=None).select_related("collection", "measure")
        page = form.cut(members, MEMBERS_PER_PAGE)
        listed = listed_members(page.object_list)
        context = {
            "suite": suite,
            "page": page,
            "members": [(member, _standings(member.board)) for member in listed],
            "means": means_over_parts(suite),
        }
        return render(request, "leaderboards/suite_members.html", context)

    return kept_response(request, key=f"suite list {slug} {form.number} {registry_version()}", build=build)


def _standings(board: Leaderboard | None) -> dict[str, Any]:
    analysis = getattr(board, "analysis", None)
    return analysis.standings if analysis else {}


def _read_form(board: SuiteBoard, query: QueryDict, suffix: str) -> QueryForm:
    """Return what the address of a suite's page, or of one of its formats, may ask for; pictures show all of it."""
    if suffix in PICTURES:
        return TrainingForm(query)
    return SuiteFileForm(query) if suffix else SuiteForm(query)


def _describe(board: SuiteBoard, form: QueryForm) -> SuiteDocument:
    document = suite_document(board, form.cleaned_data["training"])
    return replace(document, results=document.results[: form.n_rows]) if isinstance(form, FileForm) else document


def _page_context(board: SuiteBoard, document: SuiteDocument, form: QueryForm) -> dict[str, Any]:
    assert isinstance(form, SuiteForm)
    context = suite_context(document, form.cleaned_data["rule"])
    complete = [row for row in document.results if row.rank]
    verdict = document.verdict
    aside = {row.id for row in complete if verdict and row.may_be_best is None and why_aside(verdict, row) != "open"}
    out = [row for row in complete if row.is_held_back or row.id in aside]
    ids, without = {row.id for row in out}, document.results[len(complete) :]
    ranked = [row for row in complete if row.id not in ids]
    page = form.cut(ranked, SYSTEMS_PER_PAGE)
    context |= {"page": page, "systems": list(_with_facts(page.object_list)), "query": form.query}
    context |= {
        "n_others": len(ranked) - len(page.object_list),
        "aside": aside_of(document, out),
        "aside_systems": list(_with_facts(out[:MOST_ASIDE])),
    }
    context["incomplete"] = list(_with_facts(without[:MOST_ASIDE]))
    return context


def _with_facts(rows: Iterable[SuiteRowDocument]) -> Iterator[tuple[SuiteRowDocument, bool | None, int | None]]:
    """Yield each row with whether its weights are open, and its parameters."""
    of_row = {row.id: next(filter(None, row.results), None) for row in rows}
    facts = facts_of(Result.objects.filter(pk__in=filter(None, of_row.values())))
    for row in rows:
        is_open, n_parameters, _ = facts.get(of_row[row.id] or 0, (None, None, None))
        yield row, is_open, n_parameters


SUITE = DocumentPage(
    template="leaderboards/suite_detail.html",
    meaning="One suite: which system has the best mean over its collections, and all systems in pages.",
    document=SuiteDocument,
    names=("suite", "measure"),
    find=get_visible_suite,
    canonical=lambda board, form: board.names,
    form=QueryForm,
    read=_read_form,
    version=lambda board: (site_address(), members_state(board).version, suites_version()),
    describe=_describe,
    lay_out=_page_context,
    formats=FORMATS,
    finish=exports.with_links,
    awaits=lambda board, document: awaited_of_suites([board]) if document.analysis.is_behind else (),
)


@conditional_page
@require_safe
def suite_feed(request: HttpRequest, suite: str, measure: str) -> HttpResponse:
    """Return the results that came and went on the members of a suite, and its new analyses, as Atom."""
    asked(QueryForm(request.GET))
    board = get_visible_suite(suite, measure)
    return atom_response(request, title=str(board), page=board.get_absolute_url(), entries=suite_events(board.suite))
