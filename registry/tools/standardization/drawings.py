"""A dot for each collection on the scale of its reference systems, the best first."""

from collections.abc import Sequence
from dataclasses import dataclass

from registry.leaderboards.drawings.canvas import (
    HEIGHT,
    LEFT_PERCENT,
    SPAN_PERCENT,
    WIDTH,
    Box,
    Tick,
    round_numbers,
)
from registry.tools.standardization.across import MeanOverCollections, SystemUnderMeasure, YearUnderMeasure

#: Half the width of the emptiest scale that is drawn, in standard deviations.
_LEAST = 1.0


@dataclass(frozen=True, slots=True)
class Dot:
    """One collection: percent from the left, pixels from the top, and what it is."""

    x: float
    y: float
    label: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class ScaleDrawing:
    """Dots, the stretches that belong to them (quartiles), the interval of the mean, and where z is 0."""

    dots: tuple[Dot, ...]
    spans: tuple[Box, ...]
    mean: float | None
    interval: Box | None
    zero: float
    ticks: tuple[Tick, ...]


def draw_system(group: SystemUnderMeasure) -> ScaleDrawing:
    """A dot for each result."""
    points = [(one.z, f"{one.name}: z {one.z:+.2f}", one.is_reference) for one in group.results]
    return _draw(points, [], group.mean)


def draw_year(group: YearUnderMeasure) -> ScaleDrawing:
    """A dot for the median of each collection, with a line from quartile to quartile."""
    points = [(one.median, f"{one.name}: median z {one.median:+.2f}", one.is_own_scale) for one in group.collections]
    return _draw(points, [(one.lower_quartile, one.upper_quartile) for one in group.collections], group.mean)


def _draw(
    points: Sequence[tuple[float, str, bool]], spans: Sequence[tuple[float, float]], mean: MeanOverCollections | None
) -> ScaleDrawing:
    values = [*(z for z, _, _ in points), *(end for span in spans for end in span)]
    values += [mean.low, mean.high] if mean else []
    low, high = min(-_LEAST, *values), max(_LEAST, *values)
    step = HEIGHT / len(points)

    def across(z: float) -> float:
        return (z - low) / (high - low)

    def percent(z: float) -> float:
        return round(LEFT_PERCENT + SPAN_PERCENT * across(z), 2)

    def box(start: float, end: float, y: float, height: float) -> Box:
        x = WIDTH * across(start)
        return Box(round(x, 1), round(y, 1), round(WIDTH * across(end) - x, 1), height)

    return ScaleDrawing(
        dots=tuple(
            Dot(percent(z), round((place + 0.5) * step, 1), label, is_own)
            for place, (z, label, is_own) in enumerate(points)
        ),
        spans=tuple(box(*span, (place + 0.5) * step - 0.5, 1.0) for place, span in enumerate(spans)),
        mean=percent(mean.z) if mean else None,
        interval=box(mean.low, mean.high, 0.0, HEIGHT) if mean else None,
        zero=percent(0.0),
        ticks=tuple(Tick(percent(z), f"{z:g}") for z in round_numbers(low, high, 6)),
    )
