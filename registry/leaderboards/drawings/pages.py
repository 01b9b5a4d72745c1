"""The large drawings of a page as HTML, and the small ones of snapshots for rows of tables.

A change anywhere may make a page anew; what it draws is kept for as long as the leaderboard says the same."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from analysis.best import maximum_distribution
from analysis.boards import BoardInputs, EqualMeans, Findings, SuiteSnapshot, Verdict
from analysis.boards import Snapshot as BoardSnapshot
from analysis.figures import Axis, Panel, Rule, series
from registry.catalog.documents import MeasureBrief, describe_measure
from registry.catalog.models import Leaderboard
from registry.core.charts import Chart, draw
from registry.core.charts.scenes import SMALL
from registry.core.documents import document_of
from registry.leaderboards.documents.rows import Marks, ranks_of
from registry.leaderboards.documents.shapes import BoardDocument, SnapshotDocument
from registry.leaderboards.documents.suite_shapes import SuiteSnapshotDocument
from registry.leaderboards.documents.suites import suite_rows
from registry.leaderboards.drawings.over_years import over_years
from registry.leaderboards.drawings.plumb_line import Drawn, DrawnRow, Mark, plumb_line, plumb_scene
from registry.leaderboards.models import Snapshot
from registry.leaderboards.verification import Stored, read_kept

_MAX_BINS = 40
#: A drawing is found by what it shows; the time only bounds how long an unused one takes up memory.
_KEEP_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Distribution:
    """The chart with the numbers behind it: of each bar with results its ends, and how many these are."""

    chart: Chart
    bins: tuple[tuple[float, float, int], ...]
    n_results: int


def draw_distribution(document: BoardDocument, bounds: EqualMeans | None) -> Distribution | None:
    """Return the distribution of the results that count and pass the reader's filters; None without an analysis."""
    values = [row.value for row in document.results if row.is_counted]
    if bounds is None or not values:
        return None
    counts, edges = np.histogram(values, bins=min(_MAX_BINS, max(8, round(len(values) ** 0.5 * 2))))
    panel = Panel(
        data=f"{len(values)} results",
        series=(
            series("results", edges, counts, mark="bars"),
            series(
                f"best of {bounds.n_effective_results} equal systems", *_maximum(bounds, float(counts.max())),
                mark="area", style="other",
            ),
        ),
        rules=(
            Rule(name="range they cover", at=bounds.lower, to=bounds.upper, axis="x", style="measured"),
            Rule(name="adjusted mean", at=bounds.adjusted_mean, axis="x"),
            Rule(name="best result", at=bounds.best, axis="x", style="ink", is_dashed=False),
        ),
    )  # fmt: skip
    x, y = Axis(label=document.measure["name"]), Axis(label="results", low=0, high=1.08 * float(counts.max()))
    text = "Distribution of the results, with the distribution of the best of as many equal systems over it"
    bins = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    return Distribution(
        draw(panel, x, y, name="figure", text=text), tuple(row for row in bins if row[2]), len(values)
    )  # fmt: skip


def _maximum(bounds: EqualMeans, height: float) -> tuple[list[float], list[float]]:
    """Return the density of the maximum around the adjusted mean, as high as the bars: scores and heights."""
    sign = 1.0 if bounds.higher_is_better else -1.0
    maximum = maximum_distribution(
        bounds.n_effective_results, mean=sign * bounds.adjusted_mean, sd=bounds.standard_error
    )
    x = np.linspace(float(maximum.ppf(0.0005)), float(maximum.ppf(0.9995)), 120)
    density = maximum.pdf(x)
    return (sign * x).tolist(), (density / density.max() * height).tolist()


def page_drawings(document: BoardDocument, bounds: EqualMeans | None) -> dict[str, SafeString]:
    """The plumb line, the figure of equal systems and the drawing over the years; each blank where there is none."""
    key = hashlib.sha256(msgspec.json.encode((document, bounds))).hexdigest()
    found = caches["figures"].get(key)
    if found is None:
        plumb = draw_plumb_line(document)
        found = {"plumb_line": plumb, "figure": _figure(document, bounds), "years": _years(document)}
        caches["figures"].set(key, found, _KEEP_SECONDS)
    return {name: mark_safe(html) for name, html in found.items()}  # as templates set them


def draw_plumb_line(document: Drawn, row: str = "result", marks: Sequence[Mark] = ()) -> str:
    """Return the plumb line of a verdict with its rows, as HTML; blank where there is nothing to draw."""
    chart = plumb_line(document, marks, row)
    return render_to_string("core/_chart.html", {"chart": chart}) if chart else ""


def _figure(document: BoardDocument, bounds: EqualMeans | None) -> str:
    figure = draw_distribution(document, bounds)
    decimals = document.measure["decimals"]
    context = {"document": document, "bounds": bounds, "figure": figure, "decimals": decimals}
    return render_to_string("leaderboards/_figure.html", context) if figure else ""


def _years(document: BoardDocument) -> str:
    drawing = None if {"role", "run_type", "provenance"} & document.selection.keys() else over_years(document)
    context = {"drawing": drawing, "document": document, "decimals": document.measure["decimals"]}
    return render_to_string("leaderboards/_over_years.html", context) if drawing else ""


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
        caches["drawings"].set(_key(snapshot.pk, measure), svg, _KEEP_SECONDS)
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
            can_be_best=marks.can_be_best.get(row.id),
            can_be_best_unflagged=marks.can_be_best_unflagged.get(row.id),
        )
        for row in rows
    ]
