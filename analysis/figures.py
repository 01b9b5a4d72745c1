"""Charts as data: which series stand on which axes, with which names. Whoever draws them decides how they look."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Mark = Literal["line", "curve", "area", "steps", "points", "spans", "bars", "columns", "swarm"]
#: ``measured`` is grey, or the colour of the site where it is highlighted; ``projected`` is dashed.
Style = Literal["aside", "measured", "projected", "other", "muted", "ink"]
#: Significant digits that are kept of what is drawn.
_DIGITS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """An axis: what it counts, in which unit. Ends are those of the data where they are not given; ``ticks`` are places
    with their labels where round numbers won't do (names of collections, say)."""

    label: str
    is_log: bool = False
    low: float | None = None
    high: float | None = None
    ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Points that belong together, in the units of the axes; a ``y`` of None breaks a line.

    A line has dots and a curve has none; an area is a curve that is filled, and steps rise upright. Of bars ``x`` are
    the edges, one more than ``y``; columns are one unit wide and stand on 0, or reach from ``low`` to ``high``. Of
    spans only ``low`` to ``high`` is drawn. A swarm has no ``y``: its dots stand on each other. Elsewhere ``low`` and
    ``high`` are a band about lines and curves, and intervals of points. A name is written at the right end of lines
    and curves. ``labels`` name each point. ``is_scaled``: its ``x`` is multiplied by the figure's factor. Swarms with
    a ``lane`` hang below the axis, those of one lane together, under these words.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    labels: tuple[str, ...] = ()
    mark: Mark = "line"
    style: Style = "measured"
    is_highlighted: bool = False
    is_dashed: bool = False
    is_hollow: bool = False
    is_square: bool = False
    is_scaled: bool = False
    lane: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A line across the drawing at a value of one axis, with its name; a band where it goes on ``to`` another."""

    name: str
    at: float
    axis: Literal["x", "y"] = "y"
    to: float | None = None
    style: Style = "other"
    is_dashed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Words at a place of the lower axis, above or below the field, on a line of their own.

    Those of a band stand at its head, those of the head at the left of it, those of a bar before it, and those of a
    lane, whose words are ``lane``, above its dots.
    ``y`` is what a line leads to from words above. At an ``edge`` words stand there
    and not at ``x``. ``looks`` is a size of type.
    """

    text: str
    x: float
    y: float | None = None
    place: Literal["above", "band", "head", "bar", "below", "mark", "lane"] = "above"
    edge: Literal["", "left", "right"] = ""
    looks: str = "note"
    lane: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plumb:
    """A weight on a line: from above one value of the lower axis it hangs down to another, on a bar from ``low`` to
    ``high``. None for ``to``: there is the bar alone."""

    at: float
    to: float | None
    name: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The distance of two values, below the axis, in words."""

    low: float
    high: float
    text: str
    is_strong: bool = False


Kind = Literal["number", "pvalue", "text", "address"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table: decimals of its numbers, or whether it has p-values, texts, or addresses on this site."""

    name: str
    digits: int = 0
    kind: Kind = "number"

    @property
    def is_number(self) -> bool:
        """Say whether it stands to the right."""
        return self.kind in ("number", "pvalue")


def columns_of(*names: str, digits: int = 0, kind: Kind = "number") -> tuple[Column, ...]:
    """Return columns of one kind, side by side."""
    return tuple(Column(name=name, digits=digits, kind=kind) for name in names)


Cell = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The content of one drawing, or one table: ``data`` says of what, with how many of it.

    Of a table the first cell of a row names it.
    """

    data: str
    series: tuple[Series, ...] = ()
    rules: tuple[Rule, ...] = ()
    notes: tuple[Note, ...] = ()
    plumb: Plumb | None = None
    spans: tuple[Span, ...] = ()
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """A number that readers may change: the ``x`` of series that are scaled are multiplied by it."""

    label: str
    default: float
    low: float
    high: float


def series(
    name: str,
    x: Iterable[float],
    y: Iterable[float | None],
    *,
    low: Iterable[float | None] = (),
    high: Iterable[float | None] = (),
    labels: Iterable[str] = (),
    mark: Mark = "line",
    style: Style = "measured",
    is_highlighted: bool = False,
    is_dashed: bool = False,
    is_hollow: bool = False,
    is_scaled: bool = False,
) -> Series:
    """Return a series of plain numbers, with as many digits as can be seen.

    Raises
    ------
    ValueError
        If there are not as many of each as the mark needs, or a number is not finite.
    """
    xs, (ys, lows, highs) = _plain(x), (_plain(values) for values in (y, low, high))
    wanted, names = len(ys) + (mark == "bars"), tuple(labels)
    lengths = (len(lows), len(highs), len(names))
    if len(xs) != wanted or any(length not in (0, len(ys)) for length in lengths) or None in xs:
        raise ValueError(f"{name}: {len(xs)} x, {len(ys)} y, {len(lows)} low and {len(highs)} high don't fit together")
    return Series(
        name=name, x=tuple(value for value in xs if value is not None), y=ys, low=lows, high=highs, labels=names,
        mark=mark, style=style, is_highlighted=is_highlighted, is_dashed=is_dashed, is_hollow=is_hollow,
        is_scaled=is_scaled,
    )  # fmt: skip


def _plain(values: Iterable[float | None]) -> tuple[float | None, ...]:
    return tuple(None if value is None else _rounded(float(value)) for value in values)


def _rounded(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} can't be drawn")
    return float(f"{value:.{_DIGITS}g}")


def scaled(panel: Panel, factor: float) -> Panel:
    """Return the panel with its scaled series multiplied."""
    multiplied = (
        replace(line, x=tuple(_rounded(factor * x) for x in line.x)) if line.is_scaled else line
        for line in panel.series
    )
    return replace(panel, series=tuple(multiplied))
