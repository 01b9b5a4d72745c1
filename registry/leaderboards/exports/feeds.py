"""What happened on a leaderboard, a suite or anywhere: results that came and went, analyses that were made anew."""

from django.db.models import Exists, OuterRef

from registry.catalog.models import Leaderboard
from registry.core.feeds import FeedEntry
from registry.curation.suites.models import Suite
from registry.leaderboards.models import Snapshot
from registry.results.feeds import MAX_ENTRIES, newest_first, result_events
from registry.results.models import Result


def leaderboard_events(leaderboard: Leaderboard) -> list[FeedEntry]:
    """The last events, the newest first."""
    snapshots = Snapshot.objects.filter(leaderboard=leaderboard).only("pk", "created_at").order_by("-created_at")
    analysed = [_analysed(snapshot) for snapshot in snapshots[:MAX_ENTRIES]]
    return newest_first([*result_events(Result.objects.filter(leaderboard=leaderboard)), *analysed])


def suite_events(suite: Suite) -> list[FeedEntry]:
    """The last events on the members of a suite, and its own analyses, the newest first."""
    board = {name: OuterRef(f"leaderboard__{name}") for name in ("collection", "measure")}
    members = suite.members.filter(**board)
    snapshots = Snapshot.objects.filter(suite=suite).only("pk", "created_at").order_by("-created_at")
    analysed = [_analysed(snapshot) for snapshot in snapshots[:MAX_ENTRIES]]
    return newest_first([*result_events(Result.objects.filter(Exists(members)), names_board=True), *analysed])


def site_events() -> list[FeedEntry]:
    """The last results that came or went anywhere, the newest first."""
    return result_events(Result.objects.all(), names_board=True)


def _analysed(snapshot: Snapshot) -> FeedEntry:
    return FeedEntry(
        title=f"Analysed: snapshot {snapshot.pk}",
        path=snapshot.get_absolute_url(),
        at=snapshot.created_at,
        author="registry",
        text="",
    )
