"""Leaderboards that earlier methods analysed, for tests of what newer ones make of them."""

import msgspec

from registry.catalog.models import Leaderboard
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.studies import analyse_leaderboard

#: The content of a snapshot of an earlier release, which this one does not read.
OLD = '{"format": "plumbline-snapshot-0", "methods": {"version": "1"}}'


def analysed_by_earlier_methods(board: Leaderboard, **headline: object) -> Snapshot:
    """Return the snapshot that stands, by methods 1, of a headline that differs so from what is found now."""
    analysis = analyse_leaderboard(board.pk)
    old = Snapshot.objects.create(pk=f"{board.pk:024d}", leaderboard=board, content=OLD)
    Analysis.objects.create(
        leaderboard=board,
        snapshot=old,
        results_version=board.results_version,
        methods_version="1",
        headline=msgspec.to_builtins(analysis.headline) | headline,
    )
    return old
