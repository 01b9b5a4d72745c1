"""The large drawings of a page as HTML, those of snapshots, and the strips of scores in rows of tables.

A change anywhere may make a page anew; what it draws is kept for as long as the leaderboard says the same."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from analysis.best import maximum_distribution
from analysis.boards import BoardInputs, EqualMeans, Findings, SuiteSnapshot
from analysis.figures import Axis, Panel, Rule, series
from registry.core.charts import Chart, draw_forms
from registry.core.charts.scenes import FLUID
from registry.core.documents import document_of
from registry.core.templatetags.formatting import as_query
from registry.leaderboards.documents.rows import Marks, ranks_of
from registry.leaderboards.documents.shapes import BoardDocument, SnapshotDocument
from registry.leaderboards.documents.suite_shapes import SuiteSnapshotDocument
from registry.leaderboards.documents.suites import suite_rows
from registry.leaderboards.drawings.over_years import OverYears, over_years
from registry.leaderboards.drawings.plumb_line import Drawn, DrawnRow, DrawnSnapshot, Mark, SnapshotRow, plumb_line
from registry.leaderboards.verification import Stored
from registry.results.models import Result

#: The file with what `described` returns, below the address of its page.
DESCRIBED = "figure.json"

_MAX_BINS = 40
#: A drawing is found by what it shows; the time only bounds how long an unused one takes up memory.
_KEEP_SECONDS = 24 * 3600


def draw_distribution(document: BoardDocument, bounds: EqualMeans | None) -> dict[str, Any] | None:
    """Return the distribution of the results that count and pass the reader's filters, with the numbers behind it: of
    each bar with results its ends, and how many these are; None without an analysis."""
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
    chart = draw_forms([(panel, x, FLUID)], y, name="figure", text=text)
    return {"chart": chart, "bins": [row for row in bins if row[2]], "n_results": len(values)}


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
    """Return plumb line, figure of equal systems, and drawing over the years; each blank where there is none."""
    elsewhere = years_elsewhere(document)
    key = hashlib.sha256(msgspec.json.encode((document, bounds, elsewhere))).hexdigest()
    drawings = caches["figures"].get(key)
    if drawings is None:
        source = f"{document.url}{DESCRIBED}{as_query(document.selection)}"
        figure, years = draw_distribution(document, bounds), _over_years(document, elsewhere)
        context = {"document": document, "decimals": document.measure["decimals"], "source": source, "bounds": bounds}
        context |= {"figure": figure, "drawing": years}
        drawings = {
            "plumb_line": draw_plumb_line(document, source=source),
            "figure": render_to_string("leaderboards/_figure.html", context) if figure else "",
            "years": render_to_string("leaderboards/_over_years.html", context) if years else "",
        }
        caches["figures"].set(key, drawings, _KEEP_SECONDS)
    return {name: mark_safe(html) for name, html in drawings.items()}  # as templates set them


def draw_plumb_line(document: Drawn, row: str = "result", marks: Sequence[Mark] = (), source: str = "") -> str:
    """Return the plumb line of a verdict with its rows, as HTML; blank where there is nothing to draw.

    ``source`` is the address of ``described``, of which a drawing with marks has nothing.
    """
    source = "" if marks else source
    chart = plumb_line(document, marks, row, has_labels=not source)
    return render_to_string("core/_chart.html", {"chart": chart, "source": source}) if chart else ""


def described(document: Drawn, row: str) -> bytes:
    """Return what *Explore* and names on dots read of the page's large drawings, as JSON by the name of each."""
    charts = [plumb_line(document, (), row)]
    if isinstance(document, BoardDocument) and (drawing := _over_years(document, years_elsewhere(document))):
        charts.append(drawing.chart)
    return described_charts(charts)


def described_charts(charts: Sequence[Chart | None]) -> bytes:
    """Return what *Explore* reads of these charts, as JSON by the name of each."""
    shown = (chart for chart in charts if chart)
    return msgspec.json.encode(
        {chart.name: {"digest": chart.digest, "figure": msgspec.Raw(chart.plotly.encode())} for chart in shown}
    )


def years_elsewhere(document: BoardDocument) -> dict[int, int]:
    """Return the years of papers and models of the results of a leaderboard that have none of their own."""
    undated = [row.id for row in document.results if row.year is None and row.rank is not None]
    return Result.objects.filter(pk__in=undated).years_elsewhere() if undated else {}


def _over_years(document: BoardDocument, elsewhere: dict[int, int]) -> OverYears | None:
    is_part = bool({"role", "run_type", "provenance"} & document.selection.keys())
    return None if is_part else over_years(document, elsewhere)


def drawn_snapshot(document: SnapshotDocument | SuiteSnapshotDocument, stored: Stored | None) -> DrawnSnapshot:
    """Return what the figure of a snapshot draws."""
    rows: Sequence[DrawnRow] = ()
    if isinstance(stored, SuiteSnapshot):
        rows = suite_rows(stored.inputs, stored.findings)
    elif stored:
        rows = competing_rows(stored.inputs, stored.findings)
    return DrawnSnapshot(document.verdict, document.measure, rows)


def competing_rows(inputs: BoardInputs, findings: Findings) -> list[DrawnRow]:
    """Return the results that compete, as an analysis found them."""
    marks, means = Marks(findings.verdict), inputs.means
    ranks = ranks_of(inputs, findings, means)
    return [
        document_of(
            SnapshotRow,
            row,
            rank=ranks[row.id],
            mean=means[row.id],
            can_be_best=marks.can_be_best.get(row.id),
            can_be_best_unflagged=marks.can_be_best_unflagged.get(row.id),
        )
        for row in inputs.rows
        if row.id in ranks
    ]


#: Of strips in rows of tables: how wide they are, and how high a bar is at least and at most; pixels.
_WIDTH, _LEAST, _MOST = 130.0, 2.5, 20.0


def draw_strip(standings: Mapping[str, Any] | Literal[""] | None) -> SafeString | str:
    """Return an SVG of the scores, from low to high, those tied for first apart; blank without any."""
    standings = standings or {}
    columns = standings.get("columns")
    if not columns:
        return ""
    tied = standings.get("tied_columns") or [0] * len(columns)
    low, high = standings.get("band") or (0.0, 0.0)
    others = [n - m for n, m in zip(columns, tied, strict=True)]
    scale = (_MOST - _LEAST) / max(max(columns), 1)
    return format_html(
        '<svg class="strip" viewBox="0 0 130 24" width="130" height="24" aria-hidden="true">'
        '<path class="band" d="M{} 0H{}V23H{}Z"/><path class="out" d="{}"/><path class="may" d="{}"/>'
        '<path class="foot" d="M0 23.5H130"/></svg>',
        f"{low * _WIDTH:g}", f"{high * _WIDTH:g}", f"{low * _WIDTH:g}",
        _bars(others, [0] * len(columns), scale), _bars(tied, others, scale),
    )  # fmt: skip


def _bars(columns: Sequence[int], below: Sequence[int], scale: float) -> str:
    """Return the outline of bars that stand on others; a single score is as high as can be seen."""
    width = _WIDTH / len(columns)
    return "".join(
        f"M{place * width:.1f} {23.0 - foot:.1f}v-{_LEAST + n * scale:.1f}h{width - 0.2:.1f}v{_LEAST + n * scale:.1f}z"
        for place, (n, under) in enumerate(zip(columns, below, strict=True))
        if n
        for foot in [_LEAST + under * scale if under else 0.0]
    )


def draw_scores(scores: Sequence[float | None]) -> SafeString:
    """Return an SVG of the scores of a system on the data sets of a benchmark, a dot each, from 0 to 1."""
    dots = "".join(f"M{4 + (_WIDTH - 8) * min(max(score, 0.0), 1.0):.0f} 6h0" for score in scores if score is not None)
    return format_html(
        '<svg class="strip dots" viewBox="0 0 130 12" width="130" height="12" aria-hidden="true">'
        '<path class="foot" d="M4 6H126"/><path class="one" d="{}"/></svg>',
        dots,
    )
