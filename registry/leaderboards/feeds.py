"""What happened on one leaderboard: results that came and went, analyses that were made anew."""

from registry.catalog.models import Leaderboard
from registry.core.feeds import FeedEntry
from registry.leaderboards.models import Snapshot
from registry.results.models import Result

#: Of each kind; a feed shows the last ones of all kinds together.
_MOST = 50


def leaderboard_events(leaderboard: Leaderboard) -> list[FeedEntry]:
    """The last events, the newest first."""
    results = Result.objects.filter(leaderboard=leaderboard).select_related("system", "paper")
    recorded = results.select_related("recorded_by__actor").order_by("-recorded_at", "-pk")[:_MOST]
    ended = results.filter(ended_at__isnull=False).select_related("ended_by__actor").order_by("-ended_at", "-pk")
    snapshots = Snapshot.objects.filter(leaderboard=leaderboard).only("pk", "created_at").order_by("-created_at")
    events = [
        *(_recorded(result) for result in recorded),
        *(_ended(result) for result in ended[:_MOST]),
        *(_analysed(snapshot) for snapshot in snapshots[:_MOST]),
    ]
    return sorted(events, key=lambda event: event.at, reverse=True)[:_MOST]


def _recorded(result: Result) -> FeedEntry:
    return FeedEntry(
        title=f"Recorded: {result.system}, {result.printed}",
        path=result.get_absolute_url(),
        at=result.recorded_at,
        author=result.recorded_by.actor_name,
        text=f"{result.get_role_display()}, {result.paper or result.source}",
    )


def _ended(result: Result) -> FeedEntry:
    return FeedEntry(
        title=f"{result.get_ending_display().capitalize()}: {result.system}, {result.printed}",
        # The same page as when it was recorded, but another event: feeds tell entries apart by their address.
        path=f"{result.get_absolute_url()}#ended",
        at=result.ended_at,
        author=result.ended_by.actor_name,
        text=result.ended_by.reason,
    )


def _analysed(snapshot: Snapshot) -> FeedEntry:
    return FeedEntry(
        title=f"Analysed: snapshot {snapshot.pk}",
        path=snapshot.get_absolute_url(),
        at=snapshot.created_at,
        author="registry",
        text="",
    )
