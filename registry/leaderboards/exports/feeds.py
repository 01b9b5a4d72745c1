"""What happened on one leaderboard: results that came and went, analyses that were made anew."""

from registry.catalog.models import Leaderboard
from registry.core.feeds import FeedEntry
from registry.leaderboards.models import Snapshot
from registry.results.feeds import MAX_ENTRIES, newest_first, result_events
from registry.results.models import Result


def leaderboard_events(leaderboard: Leaderboard) -> list[FeedEntry]:
    """The last events, the newest first."""
    snapshots = Snapshot.objects.filter(leaderboard=leaderboard).only("pk", "created_at").order_by("-created_at")
    analysed = [_analysed(snapshot) for snapshot in snapshots[:MAX_ENTRIES]]
    return newest_first([*result_events(Result.objects.filter(leaderboard=leaderboard)), *analysed])


def _analysed(snapshot: Snapshot) -> FeedEntry:
    return FeedEntry(
        title=f"Analysed: snapshot {snapshot.pk}",
        path=snapshot.get_absolute_url(),
        at=snapshot.created_at,
        author="registry",
        text="",
    )
