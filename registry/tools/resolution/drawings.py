"""The figures of a study as lines: there at once, without a script, at any width.

Drawn as the figure of a leaderboard is: an inner picture that is stretched, with texts around it that are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.reliability import CollectionResolution, DesignRates
from registry.leaderboards.drawings.canvas import (
    HEIGHT,
    LEFT_PERCENT,
    SPAN_PERCENT,
    TOP,
    WIDTH,
    Tick,
    round_numbers,
)
from registry.tools.resolution.documents import ComparedMeasures
from registry.tools.resolution.reversals import LEAST_COMPARED


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the inner picture; ``kind`` is how it looks."""

    kind: str
    points: str


@dataclass(frozen=True, slots=True)
class Mark:
    """An upright line with words beside it; ``anchor`` is where these begin or end."""

    at: float
    words_at: float
    anchor: str
    label: str
    down: float


@dataclass(frozen=True, slots=True)
class LineDrawing:
    """Everything that the page draws."""

    lines: tuple[Line, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    marks: tuple[Mark, ...] = ()


Points = Sequence[tuple[float, float]]


def draw_sizes(found: CollectionResolution) -> LineDrawing:
    """Rates of reversed orders by number of topics: all pairs, and significant ones."""
    lines: list[tuple[str, Points]] = []
    for design in found.designs:
        for kind, rates in (("every", design.every), ("significant", design.significant)):
            points = [(float(one.n_topics), one.estimate) for one in rates if one.estimate is not None]
            lines.append((f"{kind} {design.design}", points))
    return _draw(lines, low=0.0)


def draw_differences(found: CollectionResolution, marks: Sequence[tuple[float, str]] = ()) -> LineDrawing:
    """Rates of reversed orders by the difference on the first set: the middles of the classes that count; with marks
    at differences, each with words."""
    lines = [(f"every {design.design}", _middles(design)) for design in found.designs]
    return _draw(lines, low=0.0, marks=marks)


def draw_profiles(found: CollectionResolution) -> LineDrawing:
    """Rates of reversed orders by how much a pair differed, among its own splits."""
    return _draw(
        [(f"every {design.design}", list(enumerate(design.profile, start=1))) for design in found.designs], low=1.0
    )


def draw_effort(compared: ComparedMeasures) -> LineDrawing:
    """Rates of two measures by effort, in topics judged to depth 100."""
    lines: list[tuple[str, Points]] = [
        ("every", [(one.n_topics, one.deep) for one in compared.rates if one.deep is not None]),
        (
            "significant",
            [(one.n_topics * compared.share_high, one.shallow) for one in compared.rates if one.shallow is not None],
        ),
    ]
    return _draw(lines, low=0.0)


def _middles(design: DesignRates) -> Points:
    return [
        ((one.low + one.high) / 2, one.rate)
        for one in design.by_difference
        if one.high is not None and one.rate is not None and one.n_compared >= LEAST_COMPARED
    ]


def _draw(lines: Sequence[tuple[str, Points]], *, low: float, marks: Sequence[tuple[float, str]] = ()) -> LineDrawing:
    shown = [(kind, points) for kind, points in lines if points]
    high = max([*(x for _, points in shown for x, _ in points), *(1.1 * at for at, _ in marks)], default=1.0)
    top = max(0.05, 1.05 * max((y for _, points in shown for _, y in points), default=0.0))

    def across(x: float) -> float:
        return round(WIDTH * (x - low) / (high - low), 1)

    def down(y: float) -> float:
        return round(HEIGHT * (1 - y / top), 1)

    return LineDrawing(
        lines=tuple(Line(kind, " ".join(f"{across(x)},{down(y)}" for x, y in points)) for kind, points in shown),
        x_ticks=tuple(
            Tick(round(LEFT_PERCENT + SPAN_PERCENT * across(x) / WIDTH, 2), f"{x:.6g}")
            for x in round_numbers(low, high, 5)
        ),
        y_ticks=tuple(Tick(TOP + down(y), f"{100 * y:g}") for y in round_numbers(0, top, 5)),
        marks=tuple(_mark(across(at) / WIDTH, label, place) for place, (at, label) in enumerate(marks)),
    )


def _mark(share: float, label: str, place: int) -> Mark:
    """Words stand on the side with more room, each a line below those before."""
    at, side = LEFT_PERCENT + SPAN_PERCENT * share, 1 if share < 0.5 else -1
    return Mark(round(at, 2), round(at + side, 2), "start" if side > 0 else "end", label, TOP + 14 + 20 * place)
