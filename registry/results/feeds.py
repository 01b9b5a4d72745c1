"""Results that came and went, as entries of feeds."""

from registry.core.feeds import FeedEntry
from registry.results.models import End, Result
from registry.results.querysets import ResultQuerySet

#: A feed shows so many entries.
MAX_ENTRIES = 50


def result_events(results: ResultQuerySet) -> list[FeedEntry]:
    """The last times that any of the results was recorded or ended, the newest first."""
    results = results.select_related("system", "paper", "leaderboard__measure")
    recorded = results.select_related("recorded_by__actor").order_by("-recorded_at", "-pk")[:MAX_ENTRIES]
    ended = results.filter(ended_at__isnull=False).select_related("ended_by__actor").order_by("-ended_at", "-pk")
    events = [
        *(_recorded(result) for result in recorded),
        *(_ended(result, end) for result in ended[:MAX_ENTRIES] if (end := result.end)),
    ]
    return newest_first(events)


def newest_first(events: list[FeedEntry]) -> list[FeedEntry]:
    """The events of a feed, as many as it shows."""
    return sorted(events, key=lambda event: event.at, reverse=True)[:MAX_ENTRIES]


def _recorded(result: Result) -> FeedEntry:
    return FeedEntry(
        title=f"Recorded: {result.system}, {result.shown}",
        path=result.get_absolute_url(),
        at=result.recorded_at,
        author=result.recorded_by.actor_name,
        text=f"{result.get_role_display()}, {result.paper or result.source}",
    )


def _ended(result: Result, end: End) -> FeedEntry:
    return FeedEntry(
        title=f"{result.get_ending_display().capitalize()}: {result.system}, {result.shown}",
        # The same page as when it was recorded, but another event: feeds tell entries apart by their address.
        path=f"{result.get_absolute_url()}#ended",
        at=end.at,
        author=end.entry.actor_name,
        text=end.entry.reason,
    )
