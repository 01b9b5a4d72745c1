"""Results that came and went, as entries of feeds."""

from django.http import HttpRequest, HttpResponse

from registry.core.forms import QueryForm, asked
from registry.core.metadata import FeedEntry, atom_response
from registry.results.models import End, Model, Paper, Result, System
from registry.results.querysets import ResultQuerySet

#: A feed shows so many entries.
MAX_ENTRIES = 50


def result_events(results: ResultQuerySet, *, names_board: bool = False) -> list[FeedEntry]:
    """The last times that any of the results was recorded or ended, the newest first; where, if that is not plain."""
    results = results.select_related("system", "paper", "leaderboard__measure", "leaderboard__collection")
    recorded = results.select_related("recorded_by__actor").order_by("-recorded_at", "-pk")[:MAX_ENTRIES]
    ended = results.filter(ended_at__isnull=False).select_related("ended_by__actor").order_by("-ended_at", "-pk")
    events = [
        *(_recorded(result, names_board) for result in recorded),
        *(_ended(result, end, names_board) for result in ended[:MAX_ENTRIES] if (end := result.end)),
    ]
    return newest_first(events)


def events_feed(request: HttpRequest, thing: System | Paper | Model) -> HttpResponse:
    """Results of a system, paper or model that came and went, as Atom."""
    asked(QueryForm(request.GET))
    if not isinstance(thing, Model):
        thing = thing.merged_into or thing
    events = result_events(Result.objects.about(thing))
    return atom_response(request, title=str(thing), page=thing.get_absolute_url(), entries=events)


def newest_first(events: list[FeedEntry]) -> list[FeedEntry]:
    """The events of a feed, as many as it shows."""
    return sorted(events, key=lambda event: event.at, reverse=True)[:MAX_ENTRIES]


def _titled(result: Result, what: str, names_board: bool) -> str:
    where = f", on {result.leaderboard}" if names_board else ""
    return f"{what}: {result.system}, {result.shown}{where}"


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
        # The same page as when it was recorded, but another event: feeds tell entries apart by their address.
        path=f"{result.get_absolute_url()}#ended",
        at=end.at,
        author=end.entry.actor_name,
        text=end.entry.reason,
    )
