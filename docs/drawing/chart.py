"""Small charts as SVG text: the same bytes for the same numbers, readable on light and dark ground.

Plain text is written instead of calling a plotting library, because a picture has to follow the reader's colour scheme,
to stay small, and to come out the same on every machine.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import log10

WIDTH = 520
_RIGHT, _TOP, _BOTTOM, _ROW = 24, 44, 50, 22
_FONT = 15
#: Widths of letters in units of the type size: those of wide sans-serif types, so that words fit with any.
_WIDTHS = dict.fromkeys("ijl.,:;' |", 0.32) | dict.fromkeys("+→±≤≥@%<>=", 0.84) | dict.fromkeys("frt-()/", 0.42)
_LOWER, _UPPER = 0.61, 0.7

_LIGHT = {
    "ink": "#1c1d1a",
    "muted": "#5a5c55",
    "line": "#d9d9cf",
    "grey": "#8a8c83",
    "blue": "#0072b2",
    "orange": "#b84a00",
}
_DARK = {
    "ink": "#e8e8e3",
    "muted": "#a6a89f",
    "line": "#383c40",
    "grey": "#85898d",
    "blue": "#56b4e9",
    "orange": "#f0a04b",
}
_GROUND = ("#fdfdfb", "#16181a")


def _rules(colours: dict[str, str], ground: str) -> str:
    fills = "".join(f".f-{name}{{fill:{colour}}}.s-{name}{{stroke:{colour}}}" for name, colour in colours.items())
    return f".ground{{fill:{ground}}}text{{stroke:{ground}}}{fills}"


_STYLE = (
    f"text{{font:{_FONT}px system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;paint-order:stroke;"
    "stroke-width:5px;stroke-linejoin:round}"
    ".heading{font-weight:600}.line,.dots,.rings{fill:none}.dots{stroke-linecap:round}"
    f"{_rules(_LIGHT, _GROUND[0])}@media(prefers-color-scheme:dark){{{_rules(_DARK, _GROUND[1])}}}"
)


@dataclass(frozen=True)
class Axis:
    """Numbers along one side: what they are, in which unit, from where to where, and which are printed."""

    label: str
    low: float
    high: float
    ticks: Sequence[float]
    form: str = "{:g}"
    log: bool = False

    def place(self, value: float) -> float:
        """Return where a number lies between the ends: 0 to 1."""
        low, high, at = (log10(x) for x in (self.low, self.high, value)) if self.log else (self.low, self.high, value)
        return (at - low) / (high - low)


class Chart:
    """A picture of two axes. What is drawn is given in the numbers of the axes; rows count from 0 at the top."""

    def __init__(self, heading: str, x: Axis, y: Axis | Sequence[str], *, height: int = 320, left: int = 58) -> None:
        self.x, self.y, self.left = x, y, left
        self.height = height if isinstance(y, Axis) else _TOP + _BOTTOM + _ROW * len(y)
        self._marks: list[str] = []
        self._texts: list[str] = []
        self._heading = heading
        self._write(12, 25, heading, "ink", "start", "heading")
        self._draw_axes()

    def _draw_axes(self) -> None:
        foot = self.height - _BOTTOM
        for tick in self.x.ticks:
            at = self._across(tick)
            self._marks.append(f'<path class="line s-line" d="M{_n(at)} {_TOP - 4}V{_n(foot)}"/>')
            self._write(at, foot + 19, self.x.form.format(tick), "muted", "middle")
        middle = min((self.left + WIDTH - _RIGHT) / 2, WIDTH - 4 - _long(self.x.label) / 2)
        self._write(middle, self.height - 9, self.x.label, "muted", "middle")
        if isinstance(self.y, Axis):
            for tick in self.y.ticks:
                at = self._down(tick)
                self._marks.append(f'<path class="line s-line" d="M{self.left} {_n(at)}H{WIDTH - _RIGHT}"/>')
                self._write(self.left - 8, at + 5, self.y.form.format(tick), "muted", "end")
            self._write(12, _TOP + 1, self.y.label, "muted", "start")
            return
        for row, name in enumerate(self.y):
            self._write(self.left - 10, self._down(row) + 5, name, "ink", "end")

    def _across(self, x: float) -> float:
        return self.left + self.x.place(x) * (WIDTH - _RIGHT - self.left)

    def _down(self, y: float) -> float:
        if isinstance(self.y, Axis):
            return self.height - _BOTTOM - self.y.place(y) * (self.height - _BOTTOM - _TOP - 14)
        return _TOP + _ROW * (y + 0.5)

    def _path(self, xs: Sequence[float], ys: Sequence[float]) -> str:
        return "M" + "L".join(f"{_n(self._across(x))} {_n(self._down(y))}" for x, y in zip(xs, ys, strict=True))

    def line(
        self, xs: Sequence[float], ys: Sequence[float], colour: str = "blue", *, dashed: bool = False, width: float = 2
    ) -> None:
        """A line through the points."""
        dashes = ' stroke-dasharray="6 4"' if dashed else ""
        self._marks.append(
            f'<path class="line s-{colour}" stroke-width="{_n(width)}"{dashes} d="{self._path(xs, ys)}"/>'
        )

    def area(self, xs: Sequence[float], lows: Sequence[float], highs: Sequence[float], colour: str = "blue") -> None:
        """The ground between two lines."""
        outline = self._path([*xs, *reversed(xs)], [*lows, *reversed(highs)])
        self._marks.append(f'<path class="f-{colour}" fill-opacity="0.18" d="{outline}Z"/>')

    def stretch(self, low: float, high: float, colour: str = "blue") -> None:
        """The ground between two places of the axis along the foot, from top to foot."""
        ends = (self.y.low, self.y.high) if isinstance(self.y, Axis) else (-0.5, len(self.y) - 0.5)
        self.area([low, high], [ends[0]] * 2, [ends[1]] * 2, colour)

    def points(
        self, xs: Sequence[float], ys: Sequence[float], colour: str = "blue", *, hollow: bool = False, size: float = 8
    ) -> None:
        """Dots, or rings."""
        places = [(self._across(x), self._down(y)) for x, y in zip(xs, ys, strict=True)]
        if hollow:
            radius = _n(size / 2 - 0.75)
            rings = "".join(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{radius}"/>' for x, y in places)
            self._marks.append(f'<g class="rings s-{colour}" stroke-width="1.5">{rings}</g>')
        else:
            dots = "".join(f"M{_n(x)} {_n(y)}h0" for x, y in places)
            self._marks.append(f'<path class="dots s-{colour}" stroke-width="{_n(size)}" d="{dots}"/>')

    def interval(
        self, low: float, high: float, row: float, colour: str = "blue", *, width: float = 3, at: float | None = None
    ) -> None:
        """A bar from low to high in a row, with a dot where the estimate is."""
        self.line([low, high], [row, row], colour, width=width)
        if at is not None:
            self.points([at], [row], colour, size=9)

    def bar(self, row: float, value: float, colour: str = "blue", *, start: float = 0.0) -> None:
        """A thick bar in a row."""
        self.line([start, value], [row, row], colour, width=12)

    def rule(
        self, *, x: float | None = None, y: float | None = None, colour: str = "muted", dashed: bool = True
    ) -> None:
        """A line through the whole picture at one number."""
        if x is not None:
            ends = (self.y.low, self.y.high) if isinstance(self.y, Axis) else (-0.5, len(self.y) - 0.5)
            self.line([x, x], ends, colour, dashed=dashed, width=1.5)
        if y is not None:
            self.line([self.x.low, self.x.high], [y, y], colour, dashed=dashed, width=1.5)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        colour: str = "ink",
        *,
        anchor: str = "start",
        dx: float = 0,
        dy: float = 5,
    ) -> None:
        """Words at a place, moved by dx to the right and dy down."""
        self._write(self._across(x) + dx, self._down(y) + dy, words, colour, anchor)

    def _write(self, x: float, y: float, words: str, colour: str, anchor: str, kind: str = "") -> None:
        words = re.sub(r"(?<!\S)-(?=[\d.])", "−", words)
        long = _long(words)
        start = x - {"start": 0, "middle": long / 2, "end": long}[anchor]
        if start < 0 or start + long > WIDTH:
            raise ValueError(f"{words!r} runs out of the picture: {start:.0f} to {start + long:.0f} of {WIDTH}")
        colour = "muted" if colour == "grey" else colour  # Grey is for marks: too pale to be read.
        style = f"f-{colour} {kind}".strip()
        self._texts.append(
            f'<text x="{_n(x)}" y="{_n(y)}" class="{style}" text-anchor="{anchor}">{escape(words, quote=False)}</text>'
        )

    def svg(self) -> str:
        """The picture."""
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{self.height}"'
            f' viewBox="0 0 {WIDTH} {self.height}">',
            f"<title>{escape(self._heading, quote=False)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect class="ground" width="{WIDTH}" height="{self.height}"/>',
            *self._marks,
            *self._texts,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"


def _long(words: str) -> float:
    return _FONT * sum(_WIDTHS.get(one, _UPPER if one.isupper() or one.isdigit() else _LOWER) for one in words)


def _n(value: float) -> str:
    """A coordinate to a tenth, which hides what floating point does on another machine."""
    return f"{round(value, 1) + 0.0:g}"
