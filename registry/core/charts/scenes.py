"""Values of an axis as places, and a drawing as shapes and words at these: what a template writes as SVG."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.figures import Axis, Panel, Series


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where an axis goes."""

    low: float
    high: float
    is_log: bool = False

    def place(self, value: float) -> float:
        """Return how far a value is from the lower end, of the whole."""
        low, high = self.low, self.high
        if self.is_log:
            low, high, value = math.log10(low), math.log10(high), math.log10(value)
        return (value - low) / (high - low)

    def ticks(self, n_at_most: int) -> list[float]:
        """Return round numbers within it, at equal distances: a 1, 2 or 5 with zeros."""
        if not self.is_log:
            raw = (self.high - self.low) / n_at_most
            power = 10.0 ** math.floor(math.log10(raw))
            step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))
            first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
            return [round(step * number, 12) for number in range(first, last + 1)]
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = (1, 2, 5) if len(powers) <= 3 else (1,)
        return [step * 10.0**power for power in powers for step in steps if self.low <= step * 10.0**power <= self.high]


def scales_of(panels: Sequence[Panel], x: Axis, y: Axis | None) -> tuple[Scale, Scale | None]:
    """Return the scales of the lower and the left axis, which all panels share."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for panel in panels:
        for line in panel.series:
            xs += line.x
            ys += [*line.y, *line.low, *line.high]
            if line.mark == "columns":
                xs += [line.x[0] - 0.5, line.x[-1] + 0.5]
                ys += [] if line.low else [0.0]
        for rule in panel.rules:
            (xs if rule.axis == "x" else ys).extend((rule.at, rule.to))
        if panel.plumb:
            xs += [panel.plumb.at, panel.plumb.to, panel.plumb.low, panel.plumb.high]
    return _scale(x, xs), _scale(y, ys) if y else None


def _scale(axis: Axis, reached: Sequence[float | None]) -> Scale:
    values = [value for value in reached if value is not None]
    low = min(values) if axis.low is None else axis.low
    high = max(values) if axis.high is None else axis.high
    if high <= low:
        low, high = (low / 2, low * 2) if axis.is_log else (low - 0.5, low + 0.5)
    return Scale(low, high, axis.is_log)


@dataclass(frozen=True, slots=True)
class Shape:
    """A path; ``kind`` is how it looks, in classes of the style sheet, and ``title`` what it is.

    Of dots with names, ``trace`` says of which series of the description that *Explore* reads, from which point on.
    """

    kind: str
    path: str
    title: str = ""
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A text: where it begins, has its middle or ends, and its foot; in units of the scene."""

    text: str
    x: float
    y: float
    kind: str = "note"
    anchor: str = "start"
    dx: float = 0.0


@dataclass(frozen=True, slots=True)
class Size:
    """A form of drawings: all lengths are pixels, but those across of a fluid one, which are thousandths.

    A fluid drawing is stretched to the width that there is, without its words; others are for screens as wide as
    ``screen`` says. ``most`` is the largest height of a swarm, ``least`` the smallest. A pixel may take ``unit`` units:
    a fluid drawing may be as narrow as a third of its own.
    """

    width: float
    left: float = 0.0
    right: float = 0.0
    names: float = 0.0
    height: float = 250.0
    n_ticks: int = 5
    radius: float = 3.0
    least: float = 70.0
    most: float = 260.0
    screen: str = ""
    unit: float = 1.0
    is_fluid: bool = False
    is_bare: bool = False


def kind_of(line: Series) -> str:
    """Return how a series looks, in classes of the style sheet."""
    marks = {"is-highlighted": line.is_highlighted, "dashed": line.is_dashed, "hollow": line.is_hollow}
    return " ".join((line.style, *(mark for mark, is_so in marks.items() if is_so)))


#: For charts on any page; ``names`` is the room for names at the right.
FLUID = Size(1000.0, left=90.0, right=20.0, names=230.0, unit=3.0, is_fluid=True)
WIDE = Size(1178.0, left=52.0, right=14.0, names=270.0, height=200.0, n_ticks=8, radius=4.0, screen="wide-drawing")
MIDDLE = Size(740.0, left=48.0, right=14.0, names=216.0, height=220.0, n_ticks=6, radius=3.6, screen="middle-drawing")
NARROW = Size(358.0, left=38.0, right=14.0, names=96.0, height=260.0, n_ticks=4, radius=3.2, screen="narrow-drawing")
ON_PAGES = (WIDE, MIDDLE, NARROW)


@dataclass(frozen=True, slots=True)
class Scene:
    """A drawing in one size; ``top`` and ``foot`` are the ends of its field."""

    size: Size
    height: float
    top: float
    foot: float
    shapes: tuple[Shape, ...]
    words: tuple[Words, ...]

    @property
    def placed(self) -> list[tuple[Words, str]]:
        """Return the words with their places across as an SVG has them."""
        unit = "%" if self.size.is_fluid else ""
        return [(text, f"{round(text.x / 10 if unit else text.x, 2):g}{unit}") for text in self.words]


#: For cards, which are shown small: drawn small and enlarged.
CARD = Size(800.0, n_ticks=8, radius=3.2, most=105.0)
#: For strips in tables, of dots that have names.
STRIP = Size(330.0, left=6.0, radius=2.7, least=0.0, most=30.0, screen="strip", is_bare=True)
CLAIM = Size(320.0, left=6.0, radius=5.0, least=0.0, most=20.0, screen="strip", is_bare=True)
