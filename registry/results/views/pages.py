"""Pages of systems, papers, results, and the places that figures were taken from."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from registry.accounts.access import is_editor
from registry.core.forms import AsOfForm, PageForm, QueryForm, asked
from registry.core.http import MEDIA_TYPES, as_download, leads_to, moved, site_address
from registry.core.kept import kept_for_strangers
from registry.core.metadata import set_signposts
from registry.core.pages import section_about
from registry.core.templatetags.formatting import as_query
from registry.results.access import (
    get_by_number,
    get_result_at,
    get_visible_paper,
    get_visible_result,
    get_visible_source,
    get_visible_system,
    may_correct,
    may_withdraw,
)
from registry.results.documents import log_entries
from registry.results.exports import coins, highwire, paper_bibtex, paper_csl, paper_key, paper_linked_data, ris_of
from registry.results.forms import AsOfPageForm
from registry.results.models import Paper, Result, System
from registry.results.queries import as_known, entries_of_versions, names_at, under_names, what_it_is
from registry.results.querysets import ResultQuerySet

RESULTS_PER_PAGE = 25
ENTRIES_PER_PAGE = 25
BOARDS_PER_PAGE = 25


def by_number(request: HttpRequest, kind: str, pk: str, rest: str) -> HttpResponse:
    """Return where a system or paper stands that was called by its number: its page, what is beside it, the API's
    answer."""
    start, _, _ = request.path.rpartition(f"{pk}{rest}")
    return moved(request, f"{start}{get_by_number(kind, int(pk)).slug}{quote(rest, safe='/')}")


@require_safe
@leads_to(json="api:system-detail")
@kept_for_strangers
def system_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """A system with everything recorded about it, ended results included."""
    return _thing_page(request, "results/system_detail.html", get_visible_system(slug))


@require_safe
@leads_to(
    json="api:paper-detail",
    bib="results:paper-citation bib",
    ris="results:paper-citation ris",
    **{"csl.json": "results:paper-citation json"},
)
@kept_for_strangers
def paper_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """A paper with the results that it prints, ended results included."""
    return _thing_page(request, "results/paper_detail.html", get_visible_paper(slug))


@require_safe
@kept_for_strangers
def paper_citation(request: HttpRequest, slug: str, suffix: str) -> HttpResponse:
    """A paper as BibTeX, RIS or CSL-JSON."""
    asked(QueryForm(request.GET))
    paper = get_visible_paper(slug)
    if paper.merged_into:
        return redirect("results:paper-citation", paper.merged_into.slug, suffix)
    write, media_type = _CITATIONS[suffix]
    return as_download(write(paper), f"{media_type}; charset=utf-8", f"{paper_key(paper.slug)}.{suffix}")


#: By suffix, what writes a paper in a format, and the media type of that.
_CITATIONS: dict[str, tuple[Callable[[Paper], str], str]] = {
    "bib": (paper_bibtex, MEDIA_TYPES["bib"]),
    "ris": (lambda paper: ris_of(paper_csl(paper)[0]), MEDIA_TYPES["ris"]),
    "json": (lambda paper: json.dumps(paper_csl(paper), ensure_ascii=False, indent=2) + "\n", MEDIA_TYPES["csl.json"]),
}


def _thing_page(request: HttpRequest, template: str, thing: System | Paper) -> HttpResponse:
    """A system or paper, today or as it was known at the end of a day; one that is merged leads to the other."""
    form = asked(AsOfPageForm(request.GET))
    moment = form.moment
    if other := what_it_is(thing, moment):
        return redirect(other.get_absolute_url() + as_query(form.query))
    results = thing.results.for_listing(moment)
    if moment and isinstance(thing, System):
        under_names(thing, names_at(moment))
    # Most have one page, whose rows are counted as they are read.
    first = list(results[:RESULTS_PER_PAGE])
    page = form.cut(first if len(first) < RESULTS_PER_PAGE else results, RESULTS_PER_PAGE)
    if moment:
        page.object_list = as_known(page.object_list, moment)
    context: dict[str, Any] = {
        str(thing._meta.model_name): thing,
        "page": page,
        "day": form.day,
        "query": form.query,
        "may_edit": is_editor(request.user) and not moment,
    }
    if not isinstance(thing, Paper):
        return render(request, template, context)
    address, data = thing.get_absolute_url(), paper_linked_data(thing, site_address())
    context["signposts"] = {"json_ld": data, "highwire": highwire(thing), "coins": coins(thing)}
    # A paper is cited by its own address where it has one; its terms are not ours to say.
    return set_signposts(
        render(request, template, context),
        cite_as=thing.persistent or address,
        kind="ScholarlyArticle",
        described_by={f"{address.rstrip('/')}.{suffix}": kind for suffix, (_, kind) in _CITATIONS.items()},
        authors=[f"https://orcid.org/{orcid}" for orcid in thing.author_orcids],
        licence="",
    )


def with_results(request: HttpRequest, template: str, results: ResultQuerySet, context: dict[str, Any]) -> HttpResponse:
    """The template with one page of the results."""
    form = asked(PageForm(request.GET))
    page = form.cut(results, RESULTS_PER_PAGE)
    return render(request, template, context | {"page": page})


@require_safe
@leads_to(
    json="api:result-detail",
    **{suffix: f"leaderboards:result-citation {suffix}" for suffix in ("bib", "ris", "csl.json")},
)
@kept_for_strangers
def result_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """A result as printed, with its source and its history; what was superseded or withdrawn stays.

    As of an earlier day, the version of that day: as it was known, with the history until then.
    """
    form = asked(AsOfForm(request.GET))
    moment = form.moment
    result, versions = get_result_at(get_visible_result(pk), moment)
    if result.pk != pk:
        return redirect(result.get_absolute_url() + as_query(form.query))
    for version in versions:
        version.leaderboard = result.leaderboard
    entries = entries_of_versions(versions)
    if moment:
        entries = entries.filter(recorded_at__lte=moment)
    context = {
        "result": result,
        "day": form.day,
        "query": form.query,
        "may_edit": not moment and may_correct(request.user, result),
        "may_withdraw": not moment and may_withdraw(request.user, result),
        "versions": versions,
        "entries": log_entries(entries[:ENTRIES_PER_PAGE], versions),
    }
    return render(request, "results/result_detail.html", context)


@require_safe
@kept_for_strangers
def source_detail(request: HttpRequest, name: str) -> HttpResponse:
    """Return what was taken from one place, in which state, under which terms, when, and what was left out."""
    form = asked(PageForm(request.GET))
    source = get_visible_source(name)
    boards = Result.objects.standing().filter(source=source.name).by_leaderboard()
    context = {
        "source": source,
        "counts": Result.objects.filter(source=source.name).summary(),
        "page": form.cut(boards, BOARDS_PER_PAGE),
        "section": section_about("sources", source.name),
    }
    return render(request, "results/source_detail.html", context)
