"""Who may see what of leaderboards: everything published is public, so this finds or answers 404."""

from django.http import Http404

from registry.catalog.access import get_visible_collection, get_visible_measure, get_visible_pair
from registry.catalog.models import Leaderboard
from registry.leaderboards.models import Snapshot

__all__ = ["get_visible_collection", "get_visible_leaderboard", "get_visible_measure", "get_visible_snapshot"]


def get_visible_leaderboard(collection: str, measure: str) -> Leaderboard:
    """The leaderboard of this collection and measure, each by any of its names."""
    found = get_visible_pair(collection, measure)
    board = Leaderboard.objects.with_names().filter(collection=found[0], measure=found[1]).first()
    if board is None:
        raise Http404(f"No results are recorded for {found[0].slug} under {found[1].name}.")
    return board


def get_visible_snapshot(snapshot_id: str) -> Snapshot:
    """The snapshot with this id."""
    snapshot = Snapshot.objects.select_related("leaderboard__collection", "leaderboard__measure").filter(pk=snapshot_id)
    if not snapshot:
        raise Http404(f"No snapshot has the id {snapshot_id}.")
    return snapshot[0]
