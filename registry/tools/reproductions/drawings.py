"""A panel as lines, dots and boxes: there at once, without a script, at any width.

As the figure of a leaderboard: an inner picture that is stretched, with texts around it that are not. Panels that are
drawn together have the same axes.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from registry.leaderboards.drawings.canvas import Tick, round_numbers
from registry.tools.reproductions.figures import Axis, Figure, Panel, Rule, Series

#: Size of the inner picture in its own units; upright, one unit is one pixel.
WIDTH, HEIGHT = 1000.0, 250.0
#: Where it stands: percent from the left, and how wide with and without names at its right; pixels from the top.
LEFT, SPAN, SPAN_BESIDE_NAMES, TOP = 9.0, 89.0, 68.0, 24.0
#: Pixels between two lines of text.
_LINE = 13.0
_MOST_TICKS = 5


@dataclass(frozen=True, slots=True)
class Shape:
    """A path of the inner picture; ``kind`` is how it looks, in classes of the style sheet."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Name:
    """A text at the right of the drawing, ``at`` pixels from the top."""

    text: str
    at: float
    kind: str


@dataclass(frozen=True, slots=True)
class Across:
    """A rule with its name: percent from the left of an upright one, pixels from the top of another."""

    name: str
    axis: str
    at: float


@dataclass(frozen=True, slots=True)
class PanelDrawing:
    """Everything that the page draws of one panel."""

    shapes: tuple[Shape, ...]
    names: tuple[Name, ...]
    rules: tuple[Across, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    span: float

    @property
    def end(self) -> float:
        """Percent from the left where the inner picture ends."""
        return LEFT + self.span

    @property
    def middle(self) -> float:
        """Percent from the left of its middle."""
        return LEFT + self.span / 2

    @property
    def beside(self) -> float:
        """Percent from the left where names begin."""
        return self.end + 1.5


@dataclass(frozen=True, slots=True)
class _Scale:
    """Values of an axis as places from 0 to 1."""

    low: float
    high: float
    is_log: bool

    def place(self, value: float) -> float:
        low, high, at = (math.log10(one) if self.is_log else one for one in (self.low, self.high, value))
        return (at - low) / (high - low)

    def ticks(self) -> list[float]:
        if not self.is_log:
            return round_numbers(self.low, self.high, _MOST_TICKS)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = (1, 2, 5) if len(powers) <= 3 else (1,)
        return [step * 10.0**power for power in powers for step in steps if self.low <= step * 10.0**power <= self.high]


def draw_panels(figure: Figure, panels: Sequence[Panel]) -> list[PanelDrawing]:
    """The drawings of panels of one figure, on the same axes; of tables, and of figures without axes, none."""
    drawn = [one for one in panels if one.series]
    if figure.x is None or figure.y is None or not drawn:
        return []
    x = _scale(figure.x, [value for one in drawn for value in _xs(one)])
    y = _scale(figure.y, [value for one in drawn for value in _ys(one)])
    has_names = any(_is_named(one) for panel in drawn for one in panel.series)
    return [_draw(figure, panel, x, y, SPAN_BESIDE_NAMES if has_names else SPAN) for panel in drawn]


def _xs(panel: Panel) -> Iterator[float]:
    for one in panel.series:
        yield from one.x
    yield from (rule.at for rule in panel.rules if rule.axis == "x")


def _ys(panel: Panel) -> Iterator[float]:
    for one in panel.series:
        yield from (value for values in (one.y, one.low, one.high) for value in values if value is not None)
    yield from (rule.at for rule in panel.rules if rule.axis == "y")


def _scale(axis: Axis, values: Sequence[float]) -> _Scale:
    low = min(values) if axis.low is None else axis.low
    high = max(values) if axis.high is None else axis.high
    if high <= low:
        low, high = (low / 2, low * 2) if axis.is_log else (low - 0.5, low + 0.5)
    return _Scale(low, high, axis.is_log)


def _is_named(one: Series) -> bool:
    return bool(one.name) and one.mark in ("line", "curve")


def _draw(figure: Figure, panel: Panel, x: _Scale, y: _Scale, span: float) -> PanelDrawing:
    def across(value: float) -> float:
        return round(WIDTH * x.place(value), 1)

    def down(value: float) -> float:
        return round(HEIGHT * (1 - y.place(value)), 1)

    def percent(value: float) -> float:
        return round(LEFT + span * x.place(value), 2)

    def rule(one: Rule) -> Across:
        return Across(one.name, one.axis, percent(one.at) if one.axis == "x" else TOP + down(one.at))

    return PanelDrawing(
        shapes=tuple(shape for one in panel.series for shape in _shapes(one, across, down)),
        names=_names(panel.series, down),
        rules=tuple(map(rule, panel.rules)),
        x_ticks=tuple(Tick(percent(at), label) for at, label in _ticks(figure.x, x)),
        y_ticks=tuple(Tick(TOP + down(at), label) for at, label in _ticks(figure.y, y)),
        span=span,
    )


def _ticks(axis: Axis | None, scale: _Scale) -> Iterable[tuple[float, str]]:
    if axis and axis.ticks:
        return axis.ticks
    return [(value, f"{value:.6g}") for value in scale.ticks()]


Placing = Callable[[float], float]


def _shapes(one: Series, across: Placing, down: Placing) -> Iterator[Shape]:
    kind = f"{one.style} is-highlighted" if one.is_highlighted else one.style
    if one.mark == "bars":
        yield Shape(f"bars {kind}", _bars(one, across, down))
        return
    points = [(across(x), None if y is None else down(y)) for x, y in zip(one.x, one.y, strict=True)]
    ends = [
        (at, down(low), down(high))
        for (at, _), low, high in zip(points, one.low, one.high, strict=False)
        if low is not None and high is not None
    ]
    if ends:
        yield _band(ends, kind) if one.mark != "points" else _intervals(ends, kind)
    if one.mark != "points":
        yield Shape(f"line {kind}", _line(points))
    if one.mark != "curve":
        yield Shape(f"dots {kind}", "".join(f"M{x:g} {y:g}h0" for x, y in points if y is not None))


def _bars(one: Series, across: Placing, down: Placing) -> str:
    boxes = zip(pairwise(one.x), one.y, strict=True)
    return "".join(
        f"M{across(start):g} {HEIGHT:g}V{down(height):g}H{across(end):g}V{HEIGHT:g}z"
        for (start, end), height in boxes
        if height
    )


def _band(ends: Sequence[tuple[float, float, float]], kind: str) -> Shape:
    lower = [f"{x:g} {low:g}" for x, low, _ in ends]
    upper = [f"{x:g} {high:g}" for x, _, high in reversed(ends)]
    return Shape(f"band {kind}", f"M{'L'.join([*lower, *upper])}z")


def _intervals(ends: Sequence[tuple[float, float, float]], kind: str) -> Shape:
    return Shape(f"interval-line {kind}", "".join(f"M{x:g} {low:g}V{high:g}" for x, low, high in ends))


def _line(points: Sequence[tuple[float, float | None]]) -> str:
    steps, is_broken = [], True
    for x, y in points:
        if y is not None:
            steps.append(f"{'M' if is_broken else 'L'}{x:g} {y:g}")
        is_broken = y is None
    return "".join(steps)


def _names(shown: Sequence[Series], down: Placing) -> tuple[Name, ...]:
    """Names of lines at their ends, from the top, below each other where they would overlap."""
    ends = sorted(
        (TOP + down(last), one.name, f"{one.style} is-highlighted" if one.is_highlighted else one.style)
        for one in shown
        if _is_named(one) and (last := next((y for y in reversed(one.y) if y is not None), None)) is not None
    )
    lowest = TOP + HEIGHT + 4
    places: list[float] = []
    for place, (at, _, _) in enumerate(ends):
        room = lowest - _LINE * (len(ends) - 1 - place)
        at = max(at + 4, places[-1] + _LINE) if places else at + 4
        places.append(round(min(at, room), 1))
    return tuple(Name(text, at, kind) for at, (_, text, kind) in zip(places, ends, strict=True))
