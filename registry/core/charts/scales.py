"""Values of an axis as places from 0 to 1, and the round numbers that stand beside it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.figures import Axis, Panel


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where an axis goes."""

    low: float
    high: float
    is_log: bool = False

    def place(self, value: float) -> float:
        """Return how far a value is from the lower end, of the whole."""
        low, high, at = (math.log10(end) if self.is_log else end for end in (self.low, self.high, value))
        return (at - low) / (high - low)

    def ticks(self, n_at_most: int) -> list[float]:
        """Return round numbers within it."""
        if not self.is_log:
            return round_numbers(self.low, self.high, n_at_most)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = (1, 2, 5) if len(powers) <= 3 else (1,)
        return [step * 10.0**power for power in powers for step in steps if self.low <= step * 10.0**power <= self.high]


def round_numbers(low: float, high: float, n_at_most: int) -> list[float]:
    """Return round numbers between two others, at equal distances: a 1, 2 or 5 with zeros."""
    raw = (high - low) / n_at_most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(step * number, 12) for number in range(first, last + 1)]


def x_scale(axis: Axis, panels: Sequence[Panel]) -> Scale:
    """Return the scale of the lower axis, which all panels share."""
    return _scale(axis, [value for panel in panels for value in _xs(panel)])


def y_scale(axis: Axis, panels: Sequence[Panel]) -> Scale:
    """Return the scale of the left axis, which all panels share."""
    return _scale(axis, [value for panel in panels for value in _ys(panel)])


def _xs(panel: Panel) -> Iterator[float]:
    for line in panel.series:
        yield from line.x
        if line.mark == "columns":
            yield from (line.x[0] - 0.5, line.x[-1] + 0.5)
    yield from _ends(panel, "x")
    if panel.plumb:
        yield from (
            end for end in (panel.plumb.at, panel.plumb.to, panel.plumb.low, panel.plumb.high) if end is not None
        )


def _ys(panel: Panel) -> Iterator[float]:
    for line in panel.series:
        yield from (value for values in (line.y, line.low, line.high) for value in values if value is not None)
        if line.mark == "columns" and not line.low:
            yield 0.0
    yield from _ends(panel, "y")


def _ends(panel: Panel, axis: str) -> Iterator[float]:
    for rule in panel.rules:
        if rule.axis == axis:
            yield from (end for end in (rule.at, rule.to) if end is not None)


def _scale(axis: Axis, values: Sequence[float]) -> Scale:
    low = min(values) if axis.low is None else axis.low
    high = max(values) if axis.high is None else axis.high
    if high <= low:
        low, high = (low / 2, low * 2) if axis.is_log else (low - 0.5, low + 0.5)
    return Scale(low, high, axis.is_log)
