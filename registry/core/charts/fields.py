"""Layout of a field with two axes: lines, dots, boxes and bands, rules, and names beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from analysis.figures import Axis, Note, Panel, Rule, Series
from registry.core.charts.scenes import Scale, Scene, Shape, Size, Words, kind_of

#: Pixels above a field without words there, below it, and between two lines of text.
_TOP, _BELOW, _LINE = 24.0, 51.0, 13.0
#: The largest width of a character, and the gap between names.
_CHARACTER, _GAP = 7.5, 8.0
#: The filled share of a column, and the height of the flattest box.
_FILLED, _FLATTEST = 0.86, 2.0
#: Marks of series whose name stands at their end.
_NAMED_AT_END = ("line", "curve", "area", "steps")


@dataclass(frozen=True, slots=True)
class Field:
    """The room between the axes."""

    size: Size
    x: Scale
    y: Scale
    top: float
    foot: float
    end: float

    def across(self, value: float) -> float:
        """Return where a value of the lower axis stands."""
        return round(self.size.left + (self.end - self.size.left) * self.x.place(value), 1)

    def down(self, value: float) -> float:
        """Return where a value of the left axis stands."""
        return round(self.top + self.size.height * (1 - self.y.place(value)), 1)


def lay_out_field(panels: Sequence[Panel], x: Axis, y: Axis, size: Size, scales: tuple[Scale, Scale]) -> Scene:
    """Return the drawing of the first panel; names stand at its right, where any of the panels has some: of lines, and
    where there is room for it of rules."""
    panel, numbers = panels[0], _ticks(y, scales[1])
    has_names = any(
        any(line.name and line.mark in _NAMED_AT_END for line in shown.series)
        or (not size.is_fluid and any(rule.name and rule.axis == "y" for rule in shown.rules))
        for shown in panels
    )
    # At the left, leave room for the longest number of the axis.
    longest = max((len(label) for _, label in numbers), default=0)
    size = replace(size, left=max(size.left, size.unit * _CHARACTER * longest + 10.0))
    end = size.width - (size.names if has_names else size.right)
    above = [note for note in panel.notes if note.place == "above"]
    rows = _rows(above, scales[0], size.left, end) if above else []
    top = 16.0 * (max(rows) + 1) + _GAP if above else _TOP
    field = Field(size, *scales, top, top + size.height, end)
    shapes = [
        *(Shape("grid", f"M{size.left:g} {field.down(at):g}H{end:g}") for at, _ in numbers),
        *(_ruled(rule, field) for rule in panel.rules if rule.to is not None),
        *(shape for line in panel.series for shape in _shapes(line, field)),
        *(_ruled(rule, field) for rule in panel.rules if rule.to is None),
        *(
            Shape("lead", f"M{field.across(note.x):g} {_foot(row, field):g}V{field.down(note.y):g}")
            for note, row in zip(above, rows, strict=True)
            if note.y is not None
        ),
    ]
    words = [
        *([Words(y.label, 0.0, 12.0, "axis-name")] if y.label else []),
        *(Words(label, size.left - 10, field.down(at) + 4, "tick", "end") for at, label in numbers),
        *_below(x, field),
        *(
            Words(note.text, field.across(note.x), _foot(row, field), note.looks, dx=3.0)
            for note, row in zip(above, rows, strict=True)
        ),
        *_named_rules(panel.rules, field),
        *_names(panel, field),
    ]
    return Scene(size, field.foot + _BELOW, top, field.foot, tuple(shapes), tuple(words))


def _ticks(axis: Axis, scale: Scale, n_at_most: int = 5) -> Sequence[tuple[float, str]]:
    ticks = axis.ticks or [(value, f"{value:.6g}".replace("-", "−")) for value in scale.ticks(n_at_most)]
    return [(value, label) for value, label in ticks if -1e-9 <= scale.place(value) <= 1 + 1e-9]


def _below(axis: Axis, field: Field) -> Iterator[Words]:
    """Yield the numbers of the lower axis, as far as there is room for them, and its name."""
    reached = -_GAP
    for at, label in _ticks(axis, field.x, field.size.n_ticks):
        middle, half = field.across(at), field.size.unit * _CHARACTER * len(label) / 2
        if middle - half >= reached + (0 if field.size.is_fluid else _GAP):
            is_inside = middle + half <= field.size.width
            place, anchor = (middle, "middle") if is_inside else (field.size.width, "end")
            yield Words(label, place, field.foot + 18, "tick", anchor)
            reached = middle + half
    if axis.label:
        yield Words(axis.label, (field.size.left + field.end) / 2, field.foot + 42, "axis-name", "middle")


def _ruled(rule: Rule, field: Field) -> Shape:
    """Return a line across the field, or a band."""
    place = field.across if rule.axis == "x" else field.down
    start, end, left, top, foot = place(rule.at), rule.to, field.size.left, field.top, field.foot
    if end is None:
        path = f"M{start:g} {top:g}V{foot:g}" if rule.axis == "x" else f"M{left:g} {start:g}H{field.end:g}"
        return Shape(f"rule {rule.style}{'' if rule.is_dashed else ' whole'}", path)
    if rule.axis == "x":
        return Shape(f"across {rule.style}", f"M{start:g} {top:g}V{foot:g}H{place(end):g}V{top:g}z")
    return Shape(f"across {rule.style}", f"M{left:g} {start:g}V{place(end):g}H{field.end:g}V{start:g}z")


def _named_rules(rules: Sequence[Rule], field: Field) -> Iterator[Words]:
    """Yield names of upright rules beside their heads, one below the other; in fluid drawings also names of others."""
    upright = [rule for rule in rules if rule.axis == "x" and rule.name]
    for place, rule in enumerate(upright):
        at = field.across(rule.at)
        anchor, dx = ("end", -4.0) if field.x.place(rule.at) > 0.5 else ("start", 4.0)
        yield Words(rule.name, at, field.top + 10 + _LINE * place, f"rule-name {rule.style}", anchor, dx)
    if field.size.is_fluid:
        for rule in rules:
            if rule.axis == "y" and rule.name:
                foot = min(field.down(rule.at) + _LINE, field.foot - 4)
                yield Words(rule.name, field.size.left + 10, foot, f"rule-name {rule.style}")


def _names(panel: Panel, field: Field) -> Iterator[Words]:
    """Yield names of lines at their ends, from the top, moved down where they would overlap; each name once."""
    named: dict[str, tuple[float, str]] = {}
    for line in panel.series:
        last = next((y for y in reversed(line.y) if y is not None), None)
        if last is not None and line.name and line.mark in _NAMED_AT_END:
            named[line.name] = field.down(last), kind_of(line)
    ends = [(at, name, kind) for name, (at, kind) in named.items()]
    if not field.size.is_fluid:
        ends += [(field.down(rule.at), rule.name, rule.style) for rule in panel.rules if rule.axis == "y" and rule.name]
    step = _LINE if field.size.is_fluid else 16.0
    lowest, reached = field.foot + 4, -step
    for place, (at, name, kind) in enumerate(sorted(ends)):
        reached = max(at + 4, reached + step) if place else at + 4
        reached = min(reached, lowest - step * (len(ends) - 1 - place))
        # A name too long for the room at the right stands within the field, above its line.
        room = (field.size.width - field.end) / field.size.unit
        is_within = field.size.is_fluid and len(name) * _CHARACTER > room
        anchor, dx, up = ("end", -4.0, _GAP) if is_within else ("start", 8.0, 0.0)
        yield Words(name, field.end, round(reached - up, 1), f"series-name {kind}", anchor, dx)


def _rows(notes: Sequence[Note], scale: Scale, left: float, end: float) -> list[int]:
    """Return how many lines above the field each note stands, so that neither notes nor the lines from them meet.

    A note reaches to the right of its own line: it stands above all later ones whose line it would meet.
    """
    xs = [left + (end - left) * scale.place(note.x) for note in notes]
    rows = [0] * len(xs)
    for place in reversed(range(len(xs))):
        reach = xs[place] + _CHARACTER * len(notes[place].text) + _GAP
        rows[place] = 1 + max((rows[later] for later in range(place + 1, len(xs)) if xs[later] < reach), default=-1)
    return rows


def _foot(row: int, field: Field) -> float:
    return field.top - _GAP - 16.0 * row


def _shapes(line: Series, field: Field) -> Iterator[Shape]:
    kind = kind_of(line)
    if line.mark == "bars":
        between = zip(pairwise([field.across(x) for x in line.x]), line.y, strict=True)
        boxes = (box(start, end - start, field.down(y), field.foot) for (start, end), y in between if y)
        yield Shape(f"boxes {kind}", "".join(boxes))
        return
    if line.mark == "columns":
        yield from _columns(line, field, kind)
        return
    points = [(field.across(x), None if y is None else field.down(y)) for x, y in zip(line.x, line.y, strict=True)]
    ends = [
        (at, field.down(low), field.down(high))
        for (at, _), low, high in zip(points, line.low, line.high, strict=False)
        if low is not None and high is not None
    ]
    if ends:
        if line.mark in ("points", "spans"):
            yield Shape(f"span {kind}", "".join(f"M{x:g} {low:g}V{high:g}" for x, low, high in ends))
        else:
            lower, upper = [f"{x:g} {low:g}" for x, low, _ in ends], [f"{x:g} {high:g}" for x, _, high in ends]
            yield Shape(f"band {kind}", f"M{'L'.join([*lower, *reversed(upper)])}z")
    if line.mark == "area":
        yield Shape(f"filled {kind}", f"{_path(points)}V{field.foot:g}H{points[0][0]:g}z")
    if line.mark in ("line", "curve", "area"):
        yield Shape(f"line {kind}", _path(points))
    if line.mark == "steps":
        (first, height), *rest = ((x, y) for x, y in points if y is not None)
        yield Shape(f"line {kind}", f"M{first:g} {height:g}" + "".join(f"H{x:g}V{y:g}" for x, y in rest))
    if line.mark in ("line", "points"):
        # Moves from dot to dot are shorter than places.
        drawn = [(0.0, 0.0), *((x, y) for x, y in points if y is not None)]
        moves = [f"m{round(x - x0, 1):g} {round(y - y0, 1):g}h0" for (x0, y0), (x, y) in pairwise(drawn)]
        yield Shape(f"dots {kind}", "".join(moves))


def box(x: float, width: float, top: float, foot: float) -> str:
    """Return a rectangle as a path; two values may be the wrong way round."""
    return f"M{x:g} {foot:g}V{top:g}H{round(x + width, 1):g}V{foot:g}z"


def _columns(line: Series, field: Field, kind: str) -> Iterator[Shape]:
    """Yield columns from 0, or from ``low`` to ``high``: each by itself where it has a name."""
    unit = field.across(field.x.low + 1) - field.size.left
    width = round(_FILLED * unit, 1)
    boxes: list[tuple[str, str]] = []
    for place, (x, y) in enumerate(zip(line.x, line.y, strict=True)):
        low, high = (line.low[place], line.high[place]) if line.low else (0.0, y)
        if low is None or high is None:
            continue
        top, foot = sorted((field.down(low), field.down(high)))
        path = box(round(field.across(x) - width / 2, 1), width, top, max(foot, top + _FLATTEST))
        boxes.append((path, line.labels[place] if line.labels else ""))
    if line.labels:
        yield from (Shape(f"boxes {kind}", path, label) for path, label in boxes)
    elif boxes:
        yield Shape(f"boxes {kind}", "".join(path for path, _ in boxes))


def _path(points: Sequence[tuple[float, float | None]]) -> str:
    steps, is_broken = [], True
    for x, y in points:
        if y is not None:
            steps.append(f"{'M' if is_broken else 'L'}{x:g} {y:g}")
        is_broken = y is None
    return "".join(steps)
