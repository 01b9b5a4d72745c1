"""Pages of systems, papers, results, and the places that figures were taken from; the public log and its feeds."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from registry.accounts.access import is_editor
from registry.catalog.access import get_visible_collection
from registry.core.columns import list_file
from registry.core.forms import AsOfForm, PageForm, QueryForm, asked
from registry.core.http import MEDIA_TYPES, as_download, leads_to, moved, negotiated, site_address
from registry.core.kept import kept_for_strangers
from registry.core.metadata import atom_response, set_signposts
from registry.core.pages import section_about
from registry.core.templatetags.formatting import as_query
from registry.journal.chain import heads_file
from registry.journal.models import Entry, EntryQuerySet
from registry.results import access, queries
from registry.results.exports import coins, highwire, paper_bibtex, paper_csl, paper_key, paper_linked_data, ris_of
from registry.results.feeds import LOG_COLUMNS, events_feed, feed_entries, log_cells, log_entries
from registry.results.forms import AsOfPageForm, LogForm
from registry.results.models import Paper, Result, System
from registry.results.services.gathering import n_gathered
from registry.results.services.merging import merged_by
from registry.results.services.undoing import n_undoable

RESULTS_PER_PAGE = 25
ENTRIES_PER_PAGE = 25
BOARDS_PER_PAGE = 25
ENTRIES_PER_FEED = 50
ENTRIES_PER_FILE = 1000


def by_number(request: HttpRequest, kind: str, pk: str, rest: str) -> HttpResponse:
    """Redirect an address with the number of a system or paper to that with its slug: pages, files and the API's."""
    start, _, _ = request.path.rpartition(f"{pk}{rest}")
    return moved(request, f"{start}{access.get_by_number(kind, int(pk)).slug}{quote(rest, safe='/')}")


@require_safe
@leads_to(json="api:system-detail")
@kept_for_strangers
def system_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a system with everything recorded about it, ended results included."""
    return _thing_page(request, "results/system_detail.html", access.get_visible_system(slug))


@require_safe
@leads_to(
    json="api:paper-detail",
    bib="results:paper-citation bib",
    ris="results:paper-citation ris",
    **{"csl.json": "results:paper-citation json"},
)
@kept_for_strangers
def paper_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a paper with the results that it prints, ended results included."""
    return _thing_page(request, "results/paper_detail.html", access.get_visible_paper(slug))


@require_safe
@kept_for_strangers
def paper_citation(request: HttpRequest, slug: str, suffix: str) -> HttpResponse:
    """Send a paper as BibTeX, RIS or CSL-JSON."""
    asked(QueryForm(request.GET))
    paper = access.get_visible_paper(slug)
    if paper.merged_into:
        return redirect("results:paper-citation", paper.merged_into.slug, suffix)
    write, media_type = _CITATIONS[suffix]
    return as_download(write(paper), f"{media_type}; charset=utf-8", f"{paper_key(paper.slug)}.{suffix}")


#: The writer and the media type of each format of citations, by suffix.
_CITATIONS: dict[str, tuple[Callable[[Paper], str], str]] = {
    "bib": (paper_bibtex, MEDIA_TYPES["bib"]),
    "ris": (lambda paper: ris_of(paper_csl(paper)[0]), MEDIA_TYPES["ris"]),
    "json": (lambda paper: json.dumps(paper_csl(paper), ensure_ascii=False, indent=2) + "\n", MEDIA_TYPES["csl.json"]),
}


def _thing_page(request: HttpRequest, template: str, thing: System | Paper) -> HttpResponse:
    """Show a system or paper, today or as known at the end of a day; one that is merged leads to the other."""
    form = asked(AsOfPageForm(request.GET))
    moment = form.moment
    if other := queries.what_it_is(thing, moment):
        return redirect(other.get_absolute_url() + as_query(form.query))
    results = thing.results.for_listing(moment)
    if moment and isinstance(thing, System):
        queries.under_names(thing, queries.names_at(moment))
    # Most have a single page, so reading its rows counts them.
    first = list(results[:RESULTS_PER_PAGE])
    page = form.cut(first if len(first) < RESULTS_PER_PAGE else results, RESULTS_PER_PAGE)
    if moment:
        page.object_list = queries.as_known(page.object_list, moment)
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
    # A paper is cited by its own address if it has one; its terms are not ours to state.
    return set_signposts(
        render(request, template, context),
        cite_as=thing.persistent or address,
        kind="ScholarlyArticle",
        described_by={f"{address.rstrip('/')}.{suffix}": kind for suffix, (_, kind) in _CITATIONS.items()},
        authors=[f"https://orcid.org/{orcid}" for orcid in thing.author_orcids],
        licence="",
    )


@require_safe
@leads_to(
    json="api:result-detail",
    **{suffix: f"leaderboards:result-citation {suffix}" for suffix in ("bib", "ris", "csl.json")},
)
@kept_for_strangers
def result_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a result as printed, with its source and its history; what was superseded or withdrawn stays.

    As of an earlier day it is the version of that day, as known then, with the history until then.
    """
    form = asked(AsOfForm(request.GET))
    moment = form.moment
    result, versions = access.get_result_at(access.get_visible_result(pk), moment)
    if result.pk != pk:
        return redirect(result.get_absolute_url() + as_query(form.query))
    for version in versions:
        version.leaderboard = result.leaderboard
    entries = queries.entries_of_versions(versions)
    if moment:
        entries = entries.filter(recorded_at__lte=moment)
    context = {
        "result": result,
        "day": form.day,
        "query": form.query,
        "may_edit": not moment and access.may_correct(request.user, result),
        "may_withdraw": not moment and access.may_withdraw(request.user, result),
        "versions": versions,
        "entries": log_entries(entries[:ENTRIES_PER_PAGE], versions),
    }
    return render(request, "results/result_detail.html", context)


@require_safe
@kept_for_strangers
def source_detail(request: HttpRequest, name: str) -> HttpResponse:
    """Show a source: its state and terms, what was taken from it and when, and what was left out."""
    form = asked(PageForm(request.GET))
    source = access.get_visible_source(name)
    boards = Result.objects.standing().filter(source=source.name).by_leaderboard()
    context = {
        "source": source,
        "counts": Result.objects.filter(source=source.name).summary(),
        "page": form.cut(boards, BOARDS_PER_PAGE),
        "section": section_about("sources", source.name),
    }
    return render(request, "results/source_detail.html", context)


@require_safe
def result_feed(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the events of a result, as Atom."""
    result = access.get_visible_result(pk)
    versions = Result.objects.versions_of(result)
    return _log_feed(
        request, queries.entries_of_versions(versions), f"Result {pk}: {result}", result.get_absolute_url()
    )


@conditional_page
@require_safe
def system_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the results of a system that came and went, as Atom."""
    return events_feed(request, access.get_visible_system(slug))


@conditional_page
@require_safe
def paper_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the results of a paper that came and went, as Atom."""
    return events_feed(request, access.get_visible_paper(slug))


@require_safe
@negotiated("csv", "json")
def log_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """Show every change of the public record, the newest first, as a page, a file or Atom."""
    title, page = "Plumbline: changes of the record", reverse("results:log-list")
    return _log_page(request, Entry.objects.public(), title, page, suffix)


@require_safe
@negotiated("csv", "json")
def collection_log(request: HttpRequest, name: str, suffix: str = "") -> HttpResponse:
    """Show the changes of a collection's results."""
    collection = get_visible_collection(name)
    if collection.slug != name and suffix != "atom":
        return redirect("results:collection-log", collection.slug, permanent=True)
    title, page = f"{collection}: changes of the record", reverse("results:collection-log", args=[collection.slug])
    return _log_page(request, queries.entries_of_collection(collection), title, page, suffix, collection=collection)


@require_safe
def entry_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an entry of the log, with the results that it recorded and ended."""
    entry = access.get_visible_entry(pk)
    recorded, ended = entry.recorded_results.for_listing(), entry.ended_results.for_listing()
    context = {
        "entry": log_entries([entry])[0],
        "ended": ended[:RESULTS_PER_PAGE],
        "n_ended": ended.count(),
        "n_undoable": is_editor(request.user) and n_undoable(entry),
        "n_gathered": is_editor(request.user) and n_gathered(entry),
        "merged": merged_by(entry) if is_editor(request.user) else None,
    }
    page = asked(PageForm(request.GET)).cut(recorded, RESULTS_PER_PAGE)
    return render(request, "results/entry_detail.html", context | {"page": page})


def _log_page(
    request: HttpRequest, entries: EntryQuerySet, title: str, page: str, suffix: str, **context: Any
) -> HttpResponse:
    if suffix == "atom":
        return _log_feed(request, entries, title, page)
    form = asked(LogForm(request.GET))
    if suffix:
        start = (form.number - 1) * ENTRIES_PER_FILE
        listed = form.narrow(entries)[start : start + ENTRIES_PER_FILE]
        return list_file("log", LOG_COLUMNS, map(log_cells, listed), suffix)
    shown = form.cut(form.narrow(entries), ENTRIES_PER_PAGE)
    context |= {"page": shown, "query": form.query, "entries": log_entries(shown)}
    context["feed"] = f"{page.rstrip('/')}.atom{as_query(form.query)}"
    return render(request, "results/log_list.html", context)


@conditional_page
@require_safe
def heads(request: HttpRequest) -> HttpResponse:
    """Send the signed heads of the chain of seals, a plain file to keep elsewhere."""
    response = HttpResponse(heads_file(site_address()), content_type="text/plain; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


def _log_feed(request: HttpRequest, entries: EntryQuerySet, title: str, page: str) -> HttpResponse:
    form = asked(LogForm(request.GET))
    shown = form.narrow(entries)[:ENTRIES_PER_FEED]
    return atom_response(request, title=title, page=page, entries=feed_entries(shown))
