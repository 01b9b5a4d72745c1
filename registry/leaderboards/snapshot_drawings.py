"""Snapshots as their figures draw them: verdicts with the rows that they were found from."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.boards import BoardInputs, Findings, Verdict, read_snapshot, read_suite_snapshot
from registry.catalog.documents import MeasureBrief, describe_measure
from registry.catalog.models import Leaderboard
from registry.leaderboards.documents import SnapshotDocument, competition_ranks
from registry.leaderboards.models import Snapshot
from registry.leaderboards.plumb_line import SMALL, PlumbLine, Row, plumb_lines
from registry.leaderboards.suite_documents import SuiteSnapshotDocument, suite_rows
from registry.leaderboards.verification import is_readable


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """A result that competes, by what was found then."""

    id: int
    rank: int
    system: str
    value: float
    can_be_best: bool | None
    can_be_best_unflagged: bool | None
    is_original: bool


@dataclass(frozen=True, slots=True)
class DrawnSnapshot:
    """A verdict with its rows; none of a snapshot by an earlier release, which alone can read it."""

    verdict: Verdict | None
    measure: MeasureBrief
    results: Sequence[Row]


def drawn_snapshot(document: SnapshotDocument | SuiteSnapshotDocument, snapshot: Snapshot) -> DrawnSnapshot:
    """What the figure of the snapshot draws."""
    rows: Sequence[Row] = ()
    if is_readable(snapshot) and isinstance(document, SuiteSnapshotDocument):
        means = read_suite_snapshot(snapshot.content)
        rows = suite_rows(means.inputs, means.findings)
    elif is_readable(snapshot):
        stored = read_snapshot(snapshot.content)
        rows = _rows(stored.inputs, stored.findings)
    return DrawnSnapshot(document.verdict, document.measure, rows)


def small_drawings(boards: Sequence[Leaderboard]) -> dict[int, PlumbLine]:
    """The drawings of leaderboards for rows of a table, by id, in one query; none of those without a verdict.

    For leaderboards with measure and analysis at hand.
    """
    analysed = {one.pk: one.analysis.snapshot_id for one in boards if hasattr(one, "analysis")}
    snapshots = Snapshot.objects.in_bulk([pk for pk in analysed.values() if pk])
    found = {}
    for board in boards:
        snapshot = snapshots.get(analysed.get(board.pk) or "")
        if snapshot and is_readable(snapshot):
            stored = read_snapshot(snapshot.content)
            rows = _rows(stored.inputs, stored.findings)
            drawn = DrawnSnapshot(stored.findings.verdict, describe_measure(board.measure), rows)
            if lines := plumb_lines(drawn, sizes=(SMALL,)):
                found[board.pk] = lines[0]
    return found


def _rows(inputs: BoardInputs, found: Findings) -> list[SnapshotRow]:
    verdict = found.verdict
    best, other = verdict.set, verdict.best_unflagged
    competing = {result for family in found.families for result in family.results}
    judged = {one.result for one in best.distances} if best else set()
    unflagged = other.set.members if other and other.set else None
    rows = [row for row in inputs.rows if row.id in competing]
    ranks = competition_ranks((row.id, row.value) for row in rows)
    return [
        SnapshotRow(
            id=row.id,
            rank=ranks[row.id],
            system=row.system,
            value=row.value,
            can_be_best=row.id in best.members if best and row.id in judged else None,
            can_be_best_unflagged=None if unflagged is None else row.id in unflagged,
            is_original=row.is_original,
        )
        for row in rows
    ]
