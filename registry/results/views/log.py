"""The public log, as pages and as Atom."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from registry.accounts.access import is_editor
from registry.catalog.access import get_visible_collection
from registry.core.columns import list_file
from registry.core.forms import asked
from registry.core.http import negotiated, site_address
from registry.core.metadata import atom_response
from registry.core.templatetags.formatting import as_query
from registry.journal.chain import heads_file
from registry.journal.models import Entry
from registry.journal.querysets import EntryQuerySet
from registry.results.access import get_visible_entry, get_visible_paper, get_visible_result, get_visible_system
from registry.results.documents import LOG_COLUMNS, feed_entries, log_cells, log_entries
from registry.results.feeds import events_feed
from registry.results.forms import LogForm
from registry.results.models import Result
from registry.results.queries import entries_of_collection, entries_of_versions
from registry.results.services.gathering import n_gathered
from registry.results.services.merging import merged_by
from registry.results.services.undoing import n_undoable
from registry.results.views.pages import ENTRIES_PER_PAGE, RESULTS_PER_PAGE, with_results

ENTRIES_PER_FEED = 50
ENTRIES_PER_FILE = 1000


@require_safe
def result_feed(request: HttpRequest, pk: int) -> HttpResponse:
    """Return what happened to one result, as Atom."""
    result = get_visible_result(pk)
    versions = Result.objects.versions_of(result)
    return _log_feed(request, entries_of_versions(versions), f"Result {pk}: {result}", result.get_absolute_url())


@conditional_page
@require_safe
def system_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Results of one system that came and went, as Atom."""
    return events_feed(request, get_visible_system(slug))


@conditional_page
@require_safe
def paper_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Results of one paper that came and went, as Atom."""
    return events_feed(request, get_visible_paper(slug))


@require_safe
@negotiated("csv", "json")
def log_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """Every change of the public record, the newest first: a page, a file or Atom."""
    title, page = "Plumbline: changes of the record", reverse("results:log-list")
    return _log_page(request, Entry.objects.public(), title, page, suffix)


@require_safe
@negotiated("csv", "json")
def collection_log(request: HttpRequest, name: str, suffix: str = "") -> HttpResponse:
    """The changes of one collection's results."""
    collection = get_visible_collection(name)
    if collection.slug != name and suffix != "atom":
        return redirect("results:collection-log", collection.slug, permanent=True)
    title, page = f"{collection}: changes of the record", reverse("results:collection-log", args=[collection.slug])
    return _log_page(request, entries_of_collection(collection), title, page, suffix, collection=collection)


@require_safe
def entry_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One entry of the log, with the results that it recorded and ended."""
    entry = get_visible_entry(pk)
    recorded, ended = entry.recorded_results.for_listing(), entry.ended_results.for_listing()
    context = {
        "entry": log_entries([entry])[0],
        "ended": ended[:RESULTS_PER_PAGE],
        "n_ended": ended.count(),
        "n_undoable": is_editor(request.user) and n_undoable(entry),
        "n_gathered": is_editor(request.user) and n_gathered(entry),
        "merged": merged_by(entry) if is_editor(request.user) else None,
    }
    return with_results(request, "results/entry_detail.html", recorded, context)


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
    """The signed heads of the chain of seals, a plain file to keep elsewhere."""
    response = HttpResponse(heads_file(site_address()), content_type="text/plain; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


def _log_feed(request: HttpRequest, entries: EntryQuerySet, title: str, page: str) -> HttpResponse:
    form = asked(LogForm(request.GET))
    shown = form.narrow(entries)[:ENTRIES_PER_FEED]
    return atom_response(request, title=title, page=page, entries=feed_entries(shown))
