"""Figures as Plotly JSON. Colours are left to the page, which knows whether it is light or dark."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from analysis.best import maximum_distribution
from analysis.boards import EqualMeans
from registry.leaderboards.documents import BoardDocument
from registry.leaderboards.drawings import Drawing, draw

_MAX_BINS = 40


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
    figure = go.Figure(layout=_layout(document, top))
    _add_bars(figure, bars)
    curve = _maximum_curve(bounds, top)
    _add_maximum_curve(figure, curve, bounds.n_effective_results)
    _add_interval(figure, bounds)
    _add_line(figure, "adjusted mean", bounds.adjusted_mean, top, meta="adjusted", dash="dash")
    _add_line(figure, "best result", bounds.best, top, meta="best", dash="solid")
    drawing = draw(bars, curve, bounds)
    return Figure(str(figure.to_json()), drawing, tuple(bar for bar in bars if bar[2]), len(values))


def _add_bars(figure: go.Figure, bars: list[tuple[float, float, int]]) -> None:
    figure.add_bar(
        x=[round((low + high) / 2, 6) for low, high, _ in bars],
        y=[count for _, _, count in bars],
        width=bars[0][1] - bars[0][0],
        name="results",
        meta="results",
        customdata=[f"{low:.4g} to {high:.4g}" for low, high, _ in bars],
        hovertemplate="%{y} results from %{customdata}<extra></extra>",
    )


def _maximum_curve(bounds: EqualMeans, height: float) -> tuple[list[float], list[float]]:
    """The density of the maximum around the adjusted mean, scaled to the height of the bars: scores and heights."""
    sign = 1.0 if bounds.higher_is_better else -1.0
    maximum = maximum_distribution(
        bounds.n_effective_results, mean=sign * bounds.adjusted_mean, sd=bounds.standard_error
    )
    x = np.linspace(float(maximum.ppf(0.0005)), float(maximum.ppf(0.9995)), 120)
    density = maximum.pdf(x)
    return (sign * x).round(6).tolist(), (density / density.max() * height).round(4).tolist()


def _add_maximum_curve(figure: go.Figure, curve: tuple[list[float], list[float]], n_systems: int) -> None:
    figure.add_scatter(
        x=curve[0],
        y=curve[1],
        mode="lines",
        fill="tozeroy",
        name=f"best of {n_systems} equal systems",
        meta="maximum",
        hoverinfo="skip",
    )


def _add_interval(figure: go.Figure, bounds: EqualMeans) -> None:
    figure.add_scatter(
        x=sorted((bounds.lower, bounds.upper)),
        y=[0, 0],
        mode="lines",
        line={"width": 9},
        name="range they cover",
        meta="interval",
        hovertemplate="%{x:.4f}<extra>end of the range</extra>",
    )


def _add_line(figure: go.Figure, name: str, x: float, top: float, *, meta: str, dash: str) -> None:
    figure.add_scatter(
        x=[x, x],
        y=[0, top],
        mode="lines",
        line={"dash": dash, "width": 2},
        name=name,
        meta=meta,
        hovertemplate=f"{name} %{{x:.4f}}<extra></extra>",
    )


def _layout(document: BoardDocument, height: float) -> dict[str, Any]:
    measure = document.measure
    return {
        "template": None,
        "bargap": 0.04,
        "height": 360,
        "margin": {"l": 48, "r": 12, "t": 8, "b": 44},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "xaxis": {"title": {"text": measure["name"]}, "zeroline": False},
        "yaxis": {"title": {"text": "results"}, "range": [0, height * 1.08], "zeroline": False},
    }
