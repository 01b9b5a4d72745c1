"""Which results came to the sets of those that may be the best, or left them, within a week."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from django.db.models import OuterRef, Subquery

from analysis.boards import Snapshot as StoredStudy
from registry.catalog.models import Leaderboard
from registry.leaderboards.models import Snapshot
from registry.leaderboards.queries.boards import analysed_leaderboards
from registry.leaderboards.verification import read_kept

WEEK = timedelta(days=7)
#: Of so many leaderboards, those of most results, snapshots are compared.
MOST_BOARDS = 20


@dataclass(frozen=True, slots=True)
class Move:
    """What a week did to the set of one leaderboard."""

    leaderboard: Leaderboard
    come: Annotated[tuple[str, ...], "Systems that may be the best now and might not before, by name."]
    gone: Annotated[tuple[str, ...], "Systems that might be the best before and may not now, by name."]
    n_before: int
    n_after: int


@dataclass(frozen=True, slots=True)
class NamedVerdict:
    """Which results a snapshot says may be the best, by name and team."""

    candidates: frozenset[str]
    methods_version: str


def moves_of_the_week(now: datetime) -> list[Move]:
    """Leaderboards whose set has other members than a week before ``now``, those of most results first.

    Results alone move a set here: where other methods analysed it since, nothing is said of it.
    """
    start = now - WEEK
    of_board = Snapshot.objects.filter(leaderboard=OuterRef("pk"))
    earlier = of_board.filter(created_at__lte=start).order_by("-created_at").values("pk")[:1]
    boards = analysed_leaderboards().filter(analysis__snapshot__created_at__gt=start)
    boards = boards.annotate(earlier=Subquery(earlier)).filter(earlier__isnull=False)
    return [move for board in boards[:MOST_BOARDS] if (move := _move(board, board.earlier))]


def _move(board: Leaderboard, earlier: str) -> Move | None:
    before, after = read_verdict(earlier), read_verdict(board.analysis.snapshot_id)
    if not (before and after) or before.methods_version != after.methods_version:
        return None
    come, gone = after.candidates - before.candidates, before.candidates - after.candidates
    if not (come or gone):
        return None
    return Move(board, tuple(sorted(come)), tuple(sorted(gone)), len(before.candidates), len(after.candidates))


def read_verdict(snapshot_id: str | None) -> NamedVerdict | None:
    """Return what a snapshot says of the best; None without one, and of one made by an earlier release."""
    snapshot = Snapshot.objects.filter(pk=snapshot_id).first()
    stored = read_kept(snapshot, StoredStudy) if snapshot else None
    if stored is None:
        return None
    rows, shown = {row.id: row for row in stored.inputs.rows}, stored.findings.verdict.shown
    members = [rows[pk] for pk in shown.set.members] if shown.set else []
    names = (f"{row.system} ({row.team})" if row.team else row.system for row in members)
    return NamedVerdict(frozenset(names), stored.methods.version)
