"""Figures as Plotly JSON. Colours are left to the page, which knows whether it is light or dark."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.best import maximum_distribution
from analysis.boards import EqualMeans
from registry.leaderboards.documents.shapes import BoardDocument
from registry.leaderboards.drawings.equal_means import Drawing, draw

_MAX_BINS = 40

Trace = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure for the page's script, as a drawing for those who run none, and with the numbers behind it.

    ``bins`` are the lower end, the upper end and the number of results of each bar that has any.
    """

    plotly: str
    drawing: Drawing
    bins: tuple[tuple[float, float, int], ...]
    n_results: int


def distribution_figure(document: BoardDocument, bounds: EqualMeans | None) -> Figure | None:
    """The distribution of a leaderboard's results; None where there is no analysis.

    Bars are the results that count and pass the reader's filters. Over them stand the distribution of the maximum that
    as many results of the adjusted mean would have, that mean, and the interval of values that are not extreme around
    it.
    """
    values = [row.value for row in document.results if row.is_counted]
    if bounds is None or not values:
        return None
    counts, edges = np.histogram(values, bins=min(_MAX_BINS, max(8, round(len(values) ** 0.5 * 2))))
    bars = list(zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True))
    top = float(counts.max())
    curve = _maximum_curve(bounds, top)
    equal, ends = f"best of {bounds.n_effective_results} equal systems", sorted((bounds.lower, bounds.upper))
    at_ends = {"hovertemplate": "%{x:.4f}<extra>end of the range</extra>"}
    traces = [
        _bars(bars),
        _line(equal, "maximum", curve, {"fill": "tozeroy"}, {"hoverinfo": "skip"}),
        _line("range they cover", "interval", (ends, [0, 0]), {"line": {"width": 9}}, at_ends),
        _upright("adjusted mean", "adjusted", bounds.adjusted_mean, top, "dash"),
        _upright("best result", "best", bounds.best, top, "solid"),
    ]
    plotly = json.dumps({"data": traces, "layout": _layout(document, top)}, separators=(",", ":"), allow_nan=False)
    return Figure(plotly, draw(bars, curve, bounds), tuple(bar for bar in bars if bar[2]), len(values))


def _bars(bars: list[tuple[float, float, int]]) -> Trace:
    return {
        "type": "bar",
        "x": [round((low + high) / 2, 6) for low, high, _ in bars],
        "y": [count for _, _, count in bars],
        "width": bars[0][1] - bars[0][0],
        "name": "results",
        "meta": "results",
        "customdata": [f"{low:.4g} to {high:.4g}" for low, high, _ in bars],
        "hovertemplate": "%{y} results from %{customdata}<extra></extra>",
    }


def _maximum_curve(bounds: EqualMeans, height: float) -> tuple[list[float], list[float]]:
    """The density of the maximum around the adjusted mean, scaled to the height of the bars: scores and heights."""
    sign = 1.0 if bounds.higher_is_better else -1.0
    maximum = maximum_distribution(
        bounds.n_effective_results, mean=sign * bounds.adjusted_mean, sd=bounds.standard_error
    )
    x = np.linspace(float(maximum.ppf(0.0005)), float(maximum.ppf(0.9995)), 120)
    density = maximum.pdf(x)
    return (sign * x).round(6).tolist(), (density / density.max() * height).round(4).tolist()


def _line(name: str, meta: str, points: tuple[list[float], list[float]], look: Trace, said: Trace) -> Trace:
    """A line through these points, with how it looks and what is said where a pointer is on it."""
    x, y = points
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", **look, "name": name, "meta": meta, **said}


def _upright(name: str, meta: str, x: float, top: float, dash: str) -> Trace:
    said = {"hovertemplate": f"{name} %{{x:.4f}}<extra></extra>"}
    return _line(name, meta, ([x, x], [0, top]), {"line": {"dash": dash, "width": 2}}, said)


def _layout(document: BoardDocument, height: float) -> dict[str, Any]:
    return {
        "bargap": 0.04,
        "height": 360,
        "margin": {"l": 48, "r": 12, "t": 8, "b": 44},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "hovermode": "closest",
        "hoverlabel": {"align": "left"},
        "xaxis": _axis(document.measure["name"]),
        "yaxis": _axis("results") | {"range": [0, height * 1.08]},
    }


def _axis(title: str) -> dict[str, Any]:
    return {"title": {"text": title, "standoff": 15}, "zeroline": False, "automargin": True}
