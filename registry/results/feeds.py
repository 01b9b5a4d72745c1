"""The public log in words, and feeds: of the log, and of results that came and went."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from typing_extensions import TypedDict

from registry.catalog.models import Collection
from registry.core.forms import QueryForm, asked
from registry.core.metadata import FeedEntry, atom_response
from registry.core.templatetags.formatting import number_of
from registry.journal.models import Entry
from registry.results.models import End, Model, Paper, Result, System
from registry.results.querysets import ResultQuerySet

#: The most entries that a feed shows.
MAX_ENTRIES = 50


def result_events(results: ResultQuerySet, *, names_board: bool = False) -> list[FeedEntry]:
    """Return the last times that results were recorded or ended, the newest first; perhaps with their boards."""
    results = results.select_related("system", "paper", "leaderboard__measure", "leaderboard__collection")
    recorded = results.select_related("recorded_by__actor").order_by("-recorded_at", "-pk")[:MAX_ENTRIES]
    ended = results.filter(ended_at__isnull=False).select_related("ended_by__actor").order_by("-ended_at", "-pk")
    events = [
        *(_recorded(result, names_board) for result in recorded),
        *(_ended(result, end, names_board) for result in ended[:MAX_ENTRIES] if (end := result.end)),
    ]
    return newest_first(events)


def events_feed(request: HttpRequest, thing: System | Paper | Model) -> HttpResponse:
    """Answer with the results of a system, paper or model that came and went, as Atom."""
    asked(QueryForm(request.GET))
    if not isinstance(thing, Model):
        thing = thing.merged_into or thing
    events = result_events(Result.objects.about(thing))
    return atom_response(request, title=str(thing), page=thing.get_absolute_url(), entries=events)


def newest_first(events: list[FeedEntry]) -> list[FeedEntry]:
    """Return the newest events, as many as a feed shows."""
    return sorted(events, key=lambda event: event.at, reverse=True)[:MAX_ENTRIES]


def _titled(result: Result, event: str, names_board: bool) -> str:
    where = f", on {result.leaderboard}" if names_board else ""
    return f"{event}: {result.system}, {result.shown}{where}"


def _recorded(result: Result, names_board: bool) -> FeedEntry:
    return FeedEntry(
        title=_titled(result, "Recorded", names_board),
        path=result.get_absolute_url(),
        at=result.recorded_at,
        author=result.recorded_by.actor_name,
        text=f"{result.get_role_display()}, {result.paper or result.source}",
    )


def _ended(result: Result, end: End, names_board: bool) -> FeedEntry:
    return FeedEntry(
        title=_titled(result, result.get_ending_display().capitalize(), names_board),
        # Feeds tell entries apart by their address, and the page is that of the event of recording.
        path=f"{result.get_absolute_url()}#ended",
        at=end.at,
        author=end.entry.actor_name,
        text=end.entry.reason,
    )


class ChangeShown(TypedDict):
    """A value that an entry changed, before and after."""

    name: str
    before: Any
    after: Any


class LogEntry(TypedDict):
    """An entry of the public log in words, with the address of what it is about; blank where that has no page."""

    id: int
    url: str
    at: datetime
    actor: str
    action: str
    what: str
    subject: str
    subject_url: str
    reason: str
    changes: list[ChangeShown]


def log_entries(entries: Iterable[Entry], results: Iterable[Result] = ()) -> list[LogEntry]:
    """Return the entries in words, with the name and address of each subject; ``results`` are at hand, with names."""
    listed = list(entries)
    subjects = _subjects(listed, {result.pk: result for result in results})
    return [_in_words(entry, *subjects.get((entry.subject_type, entry.subject_id), ("", ""))) for entry in listed]


def _subjects(entries: Sequence[Entry], results: dict[int, Result]) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the names and addresses of what the entries are about, by kind and id.

    A submission is named by what it put on record: the first result, and how many more.
    """
    ids: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        ids[entry.subject_type].add(entry.subject_id)
    things: list[System | Paper] = [
        *System.objects.filter(pk__in=ids["system"]),
        *Paper.objects.filter(pk__in=ids["paper"]),
    ]
    subjects = {
        (thing._meta.model_name or "", str(thing.pk)): (str(thing), thing.get_absolute_url()) for thing in things
    }
    for collection in Collection.objects.filter(slug__in=ids["collection"]):
        subjects["collection", collection.slug] = str(collection), ""
    for past in log_entries(Entry.objects.public().filter(pk__in=ids["entry"])) if ids["entry"] else ():
        subjects["entry", str(past["id"])] = f"{past['what']}: {past['subject']}", past["url"]
    published = [entry.pk for entry in entries if entry.subject_type == "submission"]
    recorded = Result.objects.filter(recorded_by__in=published)
    firsts = list(recorded.order_by().values_list("recorded_by__subject_id").annotate(Min("pk"), Count("pk")))
    named = {*map(int, ids["result"]), *(first for _, first, _ in firsts)}
    results |= Result.objects.for_listing().in_bulk(named - results.keys())
    for pk, result in results.items():
        subjects["result", str(pk)] = f"{result} on {result.leaderboard}", result.get_absolute_url()
    for submission, first, n in firsts:
        more = f" and {number_of(n - 1, 'other', 'others')}" if n > 1 else ""
        subjects["submission", submission] = subjects["result", str(first)][0] + more, ""
    return subjects


def _in_words(entry: Entry, subject: str, address: str) -> LogEntry:
    before, after = entry.before or {}, entry.after or {}
    if entry.subject_type == "collection":
        address = reverse("leaderboards:collection-detail", args=[entry.subject_id])
    return {
        "id": entry.pk,
        "url": entry.get_absolute_url(),
        "at": entry.recorded_at,
        "actor": entry.actor_name,
        "action": entry.action,
        "what": " ".join(entry.action.split(".")[1:]).replace("_", " "),
        "subject": subject or f"{entry.subject_type} {entry.subject_id}",
        "subject_url": address,
        "reason": entry.reason,
        "changes": [
            {"name": name.replace("_", " "), "before": before.get(name), "after": after.get(name)}
            for name in dict.fromkeys([*before, *after])
        ],
    }


def feed_entries(entries: Iterable[Entry]) -> list[FeedEntry]:
    """Return entries of the public log as a feed has them."""
    listed = list(entries)
    return [_feed_entry(entry, shown) for entry, shown in zip(listed, log_entries(listed), strict=True)]


def _feed_entry(entry: Entry, shown: LogEntry) -> FeedEntry:
    changes = "; ".join(f"{change['name']}: {change['before']} → {change['after']}" for change in shown["changes"])
    return FeedEntry(
        title=f"{shown['what']}: {shown['subject']}",
        path=shown["url"],
        at=entry.recorded_at,
        author=entry.actor_name,
        text=". ".join(filter(None, [entry.reason.rstrip("."), changes])),
    )


LOG_COLUMNS = ("id", "at", "actor", "action", "subject", "reason", "url")


def log_cells(entry: Entry) -> tuple[Any, ...]:
    """Return an entry as a row of a file."""
    at, subject = entry.recorded_at.isoformat(timespec="seconds"), f"{entry.subject_type} {entry.subject_id}"
    return (entry.pk, at, entry.actor_name, entry.action, subject, entry.reason, entry.get_absolute_url())
