"""The figure of a leaderboard as boxes and lines: there at once, without a script, at any width.

The drawing is an inner picture, stretched to the width that there is, with texts around it that are not stretched.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.boards import EqualMeans

#: Size of the inner picture in its own units; upright, one unit is one pixel.
WIDTH, HEIGHT = 1000.0, 300.0

#: Where the inner picture stands in the drawing: percent of its width from the left, and pixels from the top.
LEFT_PERCENT, SPAN_PERCENT, TOP = 9.0, 89.0, 24.0

_INTERVAL_THICKNESS = 9.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the inner picture."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A number on an axis: percent from the left on the lower axis, pixels from the top on the left one."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything that the page draws, in the units above."""

    bars: tuple[Box, ...]
    curve: str
    interval: Box
    adjusted: float
    best: float
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


def draw(
    bars: Sequence[tuple[float, float, int]], curve: tuple[Sequence[float], Sequence[float]], bounds: EqualMeans
) -> Drawing:
    """The drawing of bars (from, to, number), of a curve over them, and of the bounds of one scale.

    The curve's heights are in units of the bars.
    """
    xs, heights = curve
    interval = sorted((bounds.lower, bounds.upper))
    low = min(bars[0][0], *xs, interval[0], bounds.adjusted_mean)
    high = max(bars[-1][1], *xs, interval[1], bounds.best)
    top = 1.08 * max(n for _, _, n in bars)

    def across(value: float) -> float:
        return round(WIDTH * (value - low) / (high - low), 1)

    def down(value: float) -> float:
        return round(HEIGHT * (1 - value / top), 1)

    def box(start: float, end: float, height: float) -> Box:
        y = round(HEIGHT - height, 1)
        return Box(across(start), y, round(across(end) - across(start), 1), round(HEIGHT - y, 1))

    return Drawing(
        bars=tuple(box(start, end, HEIGHT * n / top) for start, end, n in bars if n),
        curve=" ".join(f"{across(x)},{down(y)}" for x, y in zip(xs, heights, strict=True)),
        interval=box(interval[0], interval[1], _INTERVAL_THICKNESS),
        adjusted=across(bounds.adjusted_mean),
        best=across(bounds.best),
        x_ticks=tuple(Tick(_percent(across(x)), f"{x:.6g}") for x in round_numbers(low, high, 5)),
        y_ticks=tuple(Tick(TOP + down(n), f"{n:g}") for n in round_numbers(0, top, 5) if n == round(n)),
    )


def _percent(x: float) -> float:
    return round(LEFT_PERCENT + SPAN_PERCENT * x / WIDTH, 2)


def round_numbers(low: float, high: float, n_at_most: int) -> list[float]:
    """Round numbers between two others, at equal distances: a 1, 2 or 5 with zeros."""
    raw = (high - low) / n_at_most
    power = 10.0 ** np.floor(np.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    return [round(float(step * number), 12) for number in range(first, last + 1)]
