"""What happened on a leaderboard, a suite or anywhere: results that came and went, analyses that were made anew."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from registry.catalog.models import Leaderboard
from registry.core.feeds import FeedEntry
from registry.curation.suites.models import Suite
from registry.leaderboards.models import Snapshot
from registry.results.feeds import MAX_ENTRIES, newest_first, result_events
from registry.results.models import Result


def leaderboard_events(leaderboard: Leaderboard) -> list[FeedEntry]:
    """The last events, the newest first."""
    events = result_events(Result.objects.filter(leaderboard=leaderboard))
    return newest_first([*events, *_analyses(leaderboard=leaderboard)])


def suite_events(suite: Suite) -> list[FeedEntry]:
    """The last events on the members of a suite, and its own analyses, the newest first."""
    board = {name: OuterRef(f"leaderboard__{name}") for name in ("collection", "measure")}
    members = suite.members.filter(**board)
    events = result_events(Result.objects.filter(Exists(members)), names_board=True)
    return newest_first([*events, *_analyses(suite=suite)])


def site_events() -> list[FeedEntry]:
    """The last results that came or went anywhere, the newest first."""
    return result_events(Result.objects.all(), names_board=True)


def _analyses(**of: Leaderboard | Suite) -> Iterator[FeedEntry]:
    for one in Snapshot.objects.filter(**of).only("pk", "created_at").order_by("-created_at")[:MAX_ENTRIES]:
        yield FeedEntry(f"Analysed: snapshot {one.pk}", one.get_absolute_url(), one.created_at, "registry", text="")
