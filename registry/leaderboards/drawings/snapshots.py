"""Snapshots as their figures draw them: verdicts with the rows that they were found from."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.cache import caches
from django.template.loader import render_to_string

from analysis.boards import BoardInputs, Findings, SuiteSnapshot, Verdict
from analysis.boards import Snapshot as BoardSnapshot
from registry.catalog.documents import MeasureBrief, describe_measure
from registry.catalog.models import Leaderboard
from registry.core.charts.scenes import SMALL
from registry.core.documents import document_of
from registry.core.http import KEEP_SECONDS
from registry.leaderboards.documents.rows import Marks, ranks_of
from registry.leaderboards.documents.shapes import SnapshotDocument
from registry.leaderboards.documents.suite_shapes import SuiteSnapshotDocument
from registry.leaderboards.documents.suites import suite_rows
from registry.leaderboards.drawings.plumb_line import DrawnRow, plumb_scene
from registry.leaderboards.models import Snapshot
from registry.leaderboards.verification import Stored, read_kept


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
    results: Sequence[DrawnRow]


def drawn_snapshot(document: SnapshotDocument | SuiteSnapshotDocument, stored: Stored | None) -> DrawnSnapshot:
    """What the figure of a snapshot draws."""
    rows: Sequence[DrawnRow] = ()
    if isinstance(stored, SuiteSnapshot):
        rows = suite_rows(stored.inputs, stored.findings)
    elif stored:
        rows = _rows(stored.inputs, stored.findings)
    return DrawnSnapshot(document.verdict, document.measure, rows)


def drawings_of(boards: Iterable[Leaderboard]) -> dict[int, str]:
    """Small drawings of the snapshots that stand, by leaderboard; measure and analysis are at hand."""
    analysed = {one.pk: one for one in boards if hasattr(one, "analysis")}
    drawn = small_drawings([(one.analysis.snapshot_id, describe_measure(one.measure)) for one in analysed.values()])
    return {pk: drawn[one.analysis.snapshot_id] for pk, one in analysed.items() if one.analysis.snapshot_id in drawn}


def small_drawings(snapshots: Sequence[tuple[str | None, MeasureBrief]]) -> dict[str, str]:
    """The drawings of snapshots, under these measures, for rows of a table: SVG by id; none of those without a verdict.

    A snapshot never changes, so what was drawn once is kept; the others are read in one query.
    """
    measures = {pk: measure for pk, measure in snapshots if pk}
    kept = caches["drawings"].get_many([_key(pk, measure) for pk, measure in measures.items()])
    found = {pk: kept.get(_key(pk, measure)) for pk, measure in measures.items()}
    for snapshot in Snapshot.objects.filter(pk__in=[pk for pk, svg in found.items() if svg is None]):
        measure = measures[snapshot.pk]
        svg = found[snapshot.pk] = _small_drawing(snapshot, measure)
        caches["drawings"].set(_key(snapshot.pk, measure), svg, KEEP_SECONDS)
    return {pk: svg for pk, svg in found.items() if svg}


def _key(pk: str, measure: MeasureBrief) -> str:
    return hashlib.sha256(f"{pk} {sorted(measure.items())}".encode()).hexdigest()


def _small_drawing(snapshot: Snapshot, measure: MeasureBrief) -> str:
    """Blank where there is nothing to draw."""
    stored = read_kept(snapshot, BoardSnapshot)
    if stored is None:
        return ""
    drawn = DrawnSnapshot(stored.findings.verdict, measure, _rows(stored.inputs, stored.findings))
    scene = plumb_scene(drawn, SMALL)
    return render_to_string("core/_scene.html", {"scene": scene, "text": ""}) if scene else ""


def _rows(inputs: BoardInputs, found: Findings) -> list[SnapshotRow]:
    marks = Marks(found.verdict)
    competing = {result for family in found.families for result in family.results}
    rows = [row for row in inputs.rows if row.id in competing]
    ranks = ranks_of(inputs, found)
    return [
        document_of(
            SnapshotRow,
            row,
            rank=ranks[row.id],
            can_be_best=marks.can_be_best(row.id),
            can_be_best_unflagged=marks.can_be_best_unflagged(row.id),
        )
        for row in rows
    ]
