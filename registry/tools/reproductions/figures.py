"""Papers computed again, each kept in a file that ships: what is drawn, on which axes, beside which printed numbers."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

Mark = Literal["line", "curve", "points", "bars"]
Style = Literal["measured", "projected", "other"]
#: Significant digits that are kept of what is drawn.
_DIGITS = 5

FOUND = Path(__file__).with_name("found")

#: Papers by their name in the address, in the order of the list.
SLUGS = ("carterette-2015", "sanderson-zobel-2005", "cormack-lynam-2006", "jayasinghe-2014", "zobel-principles")


@dataclass(frozen=True, slots=True)
class Line:
    """One number of a paper.

    ``printed`` is the number as the paper has it, in its digits; None where it prints none (a figure) or none that can
    be read here. ``recomputed`` is in the same unit; None where the data for it do not ship. ``unit`` is empty or
    "%". ``why`` says in a sentence why the two differ, or what is missing.
    """

    what: str
    printed: str | None
    recomputed: float | None
    digits: int
    unit: str = ""
    why: str = ""

    @property
    def difference(self) -> float | None:
        """Recomputed less printed."""
        return None if self.printed is None or self.recomputed is None else self.recomputed - float(self.printed)

    @property
    def is_as_printed(self) -> bool:
        """Whether both are the same number in the digits that the paper prints."""
        decimals = len((self.printed or "").partition(".")[2])
        return self.difference is not None and round(self.recomputed or 0.0, decimals) == float(self.printed or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """What an axis counts, in which unit. Ends are those of the data where they are not given; ``ticks`` are places
    with their labels where round numbers won't do (names of collections, say)."""

    label: str
    is_log: bool = False
    low: float | None = None
    high: float | None = None
    ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Points that belong together, in the units of the axes; a ``y`` of None breaks a line.

    A line has dots and a curve has none; of bars ``x`` are the edges, one more than ``y``. ``low`` and ``high``, where
    given, are as long as ``y``: a band about lines and curves, intervals of points. A name is written at the right end
    of lines and curves; without one nothing is. ``is_scaled``: its ``x`` is multiplied by the figure's factor.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    mark: Mark = "line"
    style: Style = "measured"
    is_highlighted: bool = False
    is_scaled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A line across the drawing at a value of one axis, with its name."""

    name: str
    at: float
    axis: Literal["x", "y"] = "y"


Kind = Literal["number", "pvalue", "text", "address"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table: decimals of its numbers, or whether it has p-values, texts, or addresses on this site."""

    name: str
    digits: int = 0
    kind: Kind = "number"

    @property
    def is_number(self) -> bool:
        """Whether it stands to the right."""
        return self.kind in ("number", "pvalue")


def columns_of(*names: str, digits: int = 0, kind: Kind = "number") -> tuple[Column, ...]:
    """Columns of one kind, side by side."""
    return tuple(Column(name=name, digits=digits, kind=kind) for name in names)


Cell = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What one drawing, or one table, shows: ``data`` says of what, with how many of it.

    Of a table the first cell of a row names it.
    """

    data: str
    series: tuple[Series, ...] = ()
    rules: tuple[Rule, ...] = ()
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure, table or section of a paper, with an address of its own.

    ``name`` is the paper's, ``title`` the finding here, ``caption`` says what is drawn, of how much, and why it differs
    from what is printed. ``panel`` is the paper's design computed again; None where the data can't be had, and then
    ``missing`` says who has them. ``methods`` are pages of docs/methods, which lead to where they are at work.
    """

    slug: str
    name: str
    title: str
    caption: str
    panel: Panel | None = None
    missing: str = ""
    x: Axis | None = None
    y: Axis | None = None
    lines: tuple[Line, ...] = ()
    methods: tuple[str, ...] = ()
    factor: Factor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """A paper with its figures, tables and sections in its order; ``short`` is how it is called in passing."""

    slug: str
    authors: str
    title: str
    venue: str
    doi: str | None
    summary: str
    methods: tuple[str, ...]
    short: str
    figures: tuple[Figure, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """Of all figures."""
        return tuple(line for one in self.figures for line in one.lines)

    @property
    def n_compared(self) -> int:
        """How many numbers stand beside a printed one."""
        return sum(line.difference is not None for line in self.lines)

    @property
    def n_as_printed(self) -> int:
        """How many of them are the same in the digits of the paper."""
        return sum(line.is_as_printed for line in self.lines)

    @property
    def n_missing(self) -> int:
        """How many were not computed again."""
        return sum(line.recomputed is None for line in self.lines)


def series(
    name: str,
    x: Iterable[float],
    y: Iterable[float | None],
    *,
    low: Iterable[float | None] = (),
    high: Iterable[float | None] = (),
    mark: Mark = "line",
    style: Style = "measured",
    is_highlighted: bool = False,
    is_scaled: bool = False,
) -> Series:
    """A series of plain numbers, with as many digits as can be seen.

    Raises
    ------
    ValueError
        If there are not as many of each as the mark needs, or a number is not finite.
    """
    xs, (ys, lows, highs) = _plain(x), (_plain(values) for values in (y, low, high))
    wanted = len(ys) + (mark == "bars")
    if len(xs) != wanted or any(len(ends) not in (0, len(ys)) for ends in (lows, highs)) or None in xs:
        raise ValueError(f"{name}: {len(xs)} x, {len(ys)} y, {len(lows)} low and {len(highs)} high don't fit together")
    return Series(
        name=name, x=tuple(one for one in xs if one is not None), y=ys, low=lows, high=highs, mark=mark, style=style,
        is_highlighted=is_highlighted, is_scaled=is_scaled,
    )  # fmt: skip


def _plain(values: Iterable[float | None]) -> tuple[float | None, ...]:
    return tuple(None if value is None else _rounded(float(value)) for value in values)


def _rounded(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} can't be drawn")
    return float(f"{value:.{_DIGITS}g}")


def scaled(panel: Panel, factor: float) -> Panel:
    """The panel with its scaled series multiplied."""
    by = (replace(one, x=tuple(_rounded(factor * x) for x in one.x)) if one.is_scaled else one for one in panel.series)
    return replace(panel, series=tuple(by))


def figure_of(figures: Sequence[Figure], slug: str) -> Figure | None:
    """The figure with this name in its address."""
    return next((one for one in figures if one.slug == slug), None)


@cache
def reproductions() -> dict[str, Reproduction]:
    """What ``manage.py reproduce_papers`` wrote, by the name in the address."""
    files = {slug: FOUND / f"{slug}.json" for slug in SLUGS}
    return {
        slug: msgspec.json.decode(path.read_bytes(), type=Reproduction) for slug, path in files.items() if path.exists()
    }


def write_reproduction(found: Reproduction) -> None:
    """Keep what was found in the file that ships."""
    (FOUND / f"{found.slug}.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
