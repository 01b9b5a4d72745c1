"""What equal systems would have shown, as boxes and lines: there at once, without a script, at any width."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.boards import EqualMeans
from registry.leaderboards.drawings.canvas import (
    HEIGHT,
    LEFT_PERCENT,
    SPAN_PERCENT,
    TOP,
    WIDTH,
    Box,
    Tick,
    round_numbers,
)

_INTERVAL_THICKNESS = 9.0


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything that the page draws, in the units of the canvas."""

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
