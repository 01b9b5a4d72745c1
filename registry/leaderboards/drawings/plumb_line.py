"""The plumb line: every result a dot on the score axis, the set, the printed best, and a line to what it is worth.

Drawn on the server as boxes, dots and texts in pixels, in three widths for pages and one for cards; on pages type is
scaled by a tenth at most.
"""

from bisect import bisect, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from django.utils.safestring import SafeString, mark_safe

from analysis.boards import Evidence, Verdict
from analysis.readers.text import shorten
from registry.catalog.documents import MeasureBrief
from registry.leaderboards.drawings.canvas import round_numbers
from registry.leaderboards.words import AMONG, OF_RESULTS, VIEWS, Words

_SIDE = 14.0
_TOP, _BOTTOM = 62.0, 68.0
#: Room for a mark below the axis, each in a row of its own.
_MARK_HEIGHT = 24.0
#: Nearly as wide is a character of a label at most: by the sizes and weights of figure.css, in a wide face.
_CHARACTER = {"printed": 11.0, "who": 8.0, "worth": 9.6, "caution": 8.6, "mark": 9.6, "beyond": 8.0, "tick": 8.4}
#: Between a label below the axis and what it belongs to.
_GAP = {"worth": 14.0, "mark": 8.0}
_EDGE = 2.0
#: Half as wide is the weight at the end of the line.
_BOB = 5.0


@dataclass(frozen=True, slots=True)
class Size:
    """A form of the drawing; ``margins`` is how many of them below the best it begins, other lengths are pixels."""

    width: float
    margins: float
    radius: float
    max_stack: float = 260.0
    n_ticks: int = 8
    longest_name: int = 70
    min_stack: float = 70.0


WIDE = Size(1120.0, margins=4.6, radius=4.0)
MIDDLE = Size(736.0, margins=4.0, radius=3.6, n_ticks=6, longest_name=60)
NARROW = Size(358.0, margins=3.3, radius=3.2, n_ticks=4, longest_name=40)
#: Those of a page, of which each screen shows one.
ON_PAGES = (WIDE, MIDDLE, NARROW)
#: For cards, which are shown small: drawn small and enlarged.
CARD = Size(800.0, margins=4.6, radius=3.2, max_stack=105.0, longest_name=60)
#: For rows of tables, without words, at half of this size.
SMALL = Size(240.0, margins=4.6, radius=2.4, max_stack=26.0, min_stack=40.0)


class DrawnRow(Protocol):
    """What the drawing needs of a row; ``rank`` and ``value`` are None where it does not compete."""

    @property
    def id(self) -> int: ...
    @property
    def rank(self) -> int | None: ...
    @property
    def system(self) -> str: ...
    @property
    def value(self) -> float | None: ...
    @property
    def can_be_best(self) -> bool | None: ...
    @property
    def can_be_best_unflagged(self) -> bool | None: ...
    @property
    def is_original(self) -> bool: ...


class Drawn(Protocol):
    """A verdict with the rows that it is about."""

    @property
    def verdict(self) -> Verdict | None: ...
    @property
    def measure(self) -> MeasureBrief: ...
    @property
    def results(self) -> Sequence[DrawnRow]: ...


@dataclass(frozen=True, slots=True)
class Dot:
    """One result."""

    x: float
    y: float
    radius: float
    kind: str


@dataclass(frozen=True, slots=True)
class Label:
    """A text at a place; ``anchor`` is "start", "middle" or "end"."""

    x: float
    y: float
    text: str
    anchor: str
    kind: str

    @property
    def reach(self) -> tuple[float, float]:
        """From where to where it goes at most."""
        length = _CHARACTER[self.kind] * len(self.text)
        before = {"start": 0.0, "middle": length / 2, "end": length}[self.anchor]
        return self.x - before, self.x - before + length


@dataclass(frozen=True, slots=True)
class Band:
    """What can't be told from the best, from ``x`` on; ``is_sure`` is False where its edge is predicted."""

    x: float
    width: float
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A score that does not stand on the board, with what it is called."""

    value: float
    text: str


@dataclass(frozen=True, slots=True)
class PlumbLine:
    """Everything that one drawing shows, in pixels; ``marks`` are places on the axis with their labels."""

    width: float
    height: float
    top: float
    axis: float
    dots: tuple[Dot, ...]
    band: Band | None
    best: float
    worth: float | None
    ticks: tuple[Label, ...]
    labels: tuple[Label, ...]
    marks: tuple[tuple[float, Label], ...] = ()

    @property
    def band_height(self) -> float:
        """From the top of the drawing to the axis."""
        return self.axis - self.top

    @property
    def circles(self) -> SafeString:
        """The dots as elements of the drawing, in one text: set one by one, their numbers took a fourth of a page."""
        return mark_safe(  # numbers, and kinds of our own
            "".join(f'<circle class="{dot.kind}" cx="{dot.x}" cy="{dot.y}" r="{dot.radius}"/>' for dot in self.dots)
        )

    @property
    def paths(self) -> dict[str, str]:
        """The dots by whether they can be the best, each colour as one path: for drawings of which a page has many."""
        found: dict[str, str] = {}
        for kind, x, y in dict.fromkeys((dot.kind.split()[0], round(dot.x), round(dot.y)) for dot in self.dots):
            found[kind] = f"{found.get(kind, '')}M{x} {y}h0"
        return found

    @property
    def bob(self) -> str:
        """The weight at the end of the line, as the points of a polygon."""
        x, y = self.worth or 0.0, self.axis
        return f"{x - 5},{y} {x + 5},{y} {x + 3.5},{y + 12} {x},{y + 19} {x - 3.5},{y + 12}"


def plumb_lines(
    document: Drawn, marks: Sequence[Mark] = (), words: Words = OF_RESULTS, sizes: Sequence[Size] = ON_PAGES
) -> tuple[PlumbLine, ...]:
    """The drawing in these sizes, with marks below the axis; none for a board without a verdict."""
    ranked = sorted((row.rank, place) for place, row in enumerate(document.results) if row.rank is not None)
    rows = [document.results[place] for _, place in ranked]
    if document.verdict is None or len(rows) < 2:
        return ()
    return tuple(_draw(document.verdict, document.measure, rows, size, marks, words) for size in sizes)


def describe(document: Drawn, words: Words = OF_RESULTS) -> str:
    """What the drawing shows, for those who do not see it."""
    verdict, decimals = document.verdict, document.measure["decimals"]
    assert verdict is not None
    other, shown = verdict.best_unflagged, verdict.shown
    said = [f"Scores of {verdict.tries.n_results} {words.many}; {words.prints} {verdict.best.value:.{decimals}f}"]
    said[0] += AMONG[verdict.view]
    if other and other.result != verdict.best.result:
        said.append(f"held back; the best that is not {words.has} {other.value:.{decimals}f}")
    if shown.corrected:
        said.append(f"probably worth about {shown.corrected.value:.{shown.corrected.decimals}f}")
    if shown.set and shown.set.margin is not None:
        within = f"within {shown.set.margin:.{decimals}f} of it"
        n = shown.set.n_members
        said.append(f"{n} lie {within} and can’t be told from it" if n > 1 else f"no other lies {within}")
    elif shown.set:
        n = shown.set.n_members
        said.append(f"{n} can’t be told from it" if n > 1 else "every other is ruled out")
    return ", ".join(said) + "."


def _draw(
    verdict: Verdict,
    measure: MeasureBrief,
    rows: Sequence[DrawnRow],
    size: Size,
    marks: Sequence[Mark],
    words: Words,
) -> PlumbLine:
    shown, held_back, width = verdict.shown, verdict.held_back, size.width
    margin = shown.set.margin if shown.set else None
    sign = 1.0 if measure["higher_is_better"] else -1.0
    ends = [_far_end(verdict, margin, rows, size, sign), _value(rows[0]), *(mark.value for mark in marks)]
    # Where lower is better the best stands at the left: the axis is never turned round.
    low, high = min(ends), max(ends)
    pad = 0.06 * (high - low)
    start, end = (low, high + pad) if sign > 0 else (low - pad, high)

    def across(value: float) -> float:
        return round(_SIDE + (width - 2 * _SIDE) * (value - start) / (end - start), 1)

    near = [row for row in rows if start - 1e-12 <= _value(row) <= end + 1e-12]
    radius = size.radius
    places = _swarm([across(_value(row)) for row in near], radius)
    stack = max(height for _, height in places) + 2 * radius
    squeeze = min(1.0, size.max_stack / stack)
    height_of_dots = max(size.min_stack, min(stack, size.max_stack) + 30)
    axis = _TOP + height_of_dots
    dots = tuple(
        Dot(x, round(axis - radius - 2 - height * squeeze, 1), radius, _kind(row, verdict, held_back))
        for row, (x, height) in zip(near, places, strict=True)
    )
    at_best = across(shown.value)
    worth = None if shown.corrected is None else across(shown.corrected.value)
    # What hangs down from the axis would cover a number there.
    hanging = [*([] if worth is None else [worth]), *(across(mark.value) for mark in marks)]
    ticks = [
        _tick(across(value), axis + 20, f"{value:.6g}", width)
        for value in round_numbers(start, end, size.n_ticks)
        if start <= value <= end
    ]
    return PlumbLine(
        width=width,
        height=axis + _BOTTOM + _MARK_HEIGHT * (len(marks) + 0.3 * bool(marks)),
        top=_TOP - 8,
        axis=axis,
        dots=dots,
        band=None if margin is None else _band(at_best, across(shown.value - sign * margin), verdict.evidence),
        best=at_best,
        worth=worth,
        ticks=tuple(one for one in ticks if not _is_covered(one, hanging)),
        labels=tuple(_labels(measure, verdict, rows, size, axis, across, len(rows) - len(near), words, dots)),
        marks=tuple(_mark(across(mark.value), mark, axis, place, width) for place, mark in enumerate(marks)),
    )


def _mark(x: float, mark: Mark, axis: float, place: int, width: float) -> tuple[float, Label]:
    y = axis + _BOTTOM + _MARK_HEIGHT * (place + 0.9)
    return x, _beside(x, round(y, 1), mark.text, "mark", width)


def _is_covered(label: Label, hanging: Sequence[float]) -> bool:
    low, high = label.reach
    return any(low - _BOB < x < high + _BOB for x in hanging)


def _tick(x: float, y: float, text: str, width: float) -> Label:
    """A number below its place on the axis, or a few pixels beside it where it would reach over the edge."""
    half = _CHARACTER["tick"] * len(text) / 2
    return Label(round(min(max(x, half), width - half), 1), y, text, "middle", "tick")


def _beside(x: float, y: float, text: str, kind: str, width: float) -> Label:
    """A label at that side of x where there is more room; where it is too long for that side, as far in as it needs."""
    gap = _GAP.get(kind, 0.0)
    label = Label(x - gap, y, text, "end", kind) if x > width / 2 else Label(x + gap, y, text, "start", kind)
    low, high = label.reach
    if low < _EDGE or high > width - _EDGE:
        is_before, length = label.anchor == "end", high - low
        at = min(width - _EDGE, _EDGE + length) if is_before else max(_EDGE, width - _EDGE - length)
        label = Label(round(at, 1), y, text, label.anchor, kind)
    return label


def _value(row: DrawnRow) -> float:
    assert row.value is not None, "only rows that compete are drawn"
    return row.value


def _far_end(verdict: Verdict, margin: float | None, rows: Sequence[DrawnRow], size: Size, sign: float) -> float:
    """The score at which the drawing begins: some margins from the best, or where the bulk begins."""
    best = verdict.shown.value
    distances = sorted(max(0.0, sign * (best - _value(row))) for row in rows)
    reach = margin or max((sign * (best - _value(row)) for row in rows if _may(row, verdict)), default=0.0)
    median, bulk, last = distances[len(distances) // 2], distances[int(0.9 * (len(distances) - 1))], distances[-1]
    wanted = max(reach * size.margins, 1.15 * median) if reach > 0.0 else 1.05 * bulk
    return best - sign * (min(wanted, 1.03 * last) or last or 1e-3)


def _swarm(xs: Sequence[float], radius: float) -> list[tuple[float, float]]:
    """Exact x, and the lowest free height for each, so that no two dots overlap."""
    placed: list[tuple[float, float]] = []
    found = []
    for x in xs:
        around = placed[bisect(placed, (x - 2 * radius - 1,)) : bisect(placed, (x + 2 * radius + 1,))]
        near = sorted(height for other, height in around if abs(other - x) < 2 * radius)
        height = 0.0
        for other in near:
            if other - height >= 2 * radius:
                break
            height = max(height, other + 2 * radius)
        insort(placed, (x, height))
        found.append((x, round(height, 1)))
    return found


def _may(row: DrawnRow, verdict: Verdict) -> bool | None:
    return row.can_be_best if verdict.best_unflagged is None else row.can_be_best_unflagged


def _kind(row: DrawnRow, verdict: Verdict, held_back: frozenset[int]) -> str:
    kind = {True: "may", False: "out", None: "open" if verdict.view == "all" else "aside"}[_may(row, verdict)]
    if row.id in held_back:
        kind = "flagged"
    return kind if row.is_original else f"{kind} rerun"


def _band(at_best: float, at_edge: float, evidence: Evidence) -> Band:
    is_sure = not evidence.kind.startswith("predicted")
    return Band(min(at_best, at_edge), round(abs(at_best - at_edge), 1), is_sure)


def _labels(
    measure: MeasureBrief,
    verdict: Verdict,
    rows: Sequence[DrawnRow],
    size: Size,
    axis: float,
    across: Callable[[float], float],
    n_beyond: int,
    words: Words,
    dots: Sequence[Dot],
) -> Iterator[Label]:
    decimals, is_higher, shown = measure["decimals"], measure["higher_is_better"], verdict.shown
    at_best, width = across(shown.value), size.width
    said = f"best {words.score}" if verdict.best_unflagged is None else "best not held back"
    leader = next((row for row in rows if row.id == verdict.best.result), rows[0])
    short = f"best, {VIEWS[verdict.view]}" if verdict.best_unflagged is None else said
    texts = [f"{text} {shown.value:.{decimals}f}" for text in (f"{said}{AMONG[verdict.view]}", short)]
    fits = _CHARACTER["printed"] * len(texts[0]) < width - 2 * _EDGE
    yield _beside(at_best, 22, texts[0 if fits else 1], "printed", width)
    named = next((row for row in rows if row.id == shown.result), None)
    if named:
        yield _beside(at_best, 40, shorten(named.system, size.longest_name), "who", width)
    if leader.id != shown.result:
        text = f"{_value(leader):.{decimals}f}, held back"
        label = _beside(across(_value(leader)), 0.0, text, "caution", width)
        below = [dot.y for dot in dots if label.reach[0] <= dot.x <= label.reach[1]]
        yield replace(label, y=max(_TOP, min([axis - 20, *below]) - 10))
    if shown.corrected:
        worth = f"probably worth about {shown.corrected.value:.{shown.corrected.decimals}f}"
        yield _beside(across(shown.corrected.value), axis + 44, worth, "worth", width)
    if n_beyond:
        side = "start" if is_higher else "end"
        where, text = (_EDGE, f"◂ {n_beyond} lower") if is_higher else (width - _EDGE, f"{n_beyond} higher ▸")
        yield Label(where, axis + 62, text, side, "beyond")
