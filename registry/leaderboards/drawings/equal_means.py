"""The distribution of a leaderboard's results, with what the best of as many equal systems would have shown."""

from dataclasses import dataclass

import numpy as np

from analysis.best import maximum_distribution
from analysis.boards import EqualMeans
from analysis.figures import Axis, Panel, Rule, series
from registry.core.charts import Chart, draw
from registry.leaderboards.documents.shapes import BoardDocument

_MAX_BINS = 40


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
