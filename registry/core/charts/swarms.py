"""Where things stand on a field with one axis: a dot for each value, on each other, with words above and below."""

from bisect import bisect, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from analysis.figures import Axis, Note, Panel, Plumb, Series
from registry.core.charts.scales import Scale
from registry.core.charts.scenes import Scene, Shape, Size, Words, kind_of

#: At either side; above and below a field with words; above and below one without.
_SIDE, _TOP, _BELOW, _BARE_TOP, _BARE_BELOW = 14.0, 62.0, 68.0, 8.0, 22.0
#: Room for a mark below the axis, each in a row of its own.
_MARK_HEIGHT = 24.0
#: Nearly as wide is a character at most: by the sizes and weights of figure.css, in a wide face.
_CHARACTER = {"strong": 11.0, "who": 8.0, "worth": 9.6, "caution": 8.6, "mark": 9.6, "beyond": 8.0, "tick": 8.4}
#: Between words below the axis and what they belong to.
_GAP = {"worth": 14.0, "mark": 8.0}
_EDGE = 2.0
#: Half as wide is the weight at the end of the line.
_BOB = 5.0
#: The feet of words above and below.
_ABOVE, _UNDER, _AT_EDGE = (22.0, 40.0), 44.0, 62.0


class _Across:
    """Places of values across."""

    def __init__(self, size: Size, scale: Scale) -> None:
        self.size, self.scale = size, scale
        self.side = size.left if size.is_bare else _SIDE

    def __call__(self, value: float) -> float:
        return round(self.side + (self.size.width - 2 * self.side) * self.scale.place(value), 1)


def lay_out_swarm(panel: Panel, axis: Axis, size: Size, scale: Scale) -> Scene:
    """Return the drawing of a panel whose series are swarms."""
    across = _Across(size, scale)
    panel = _within(panel, scale)
    heights = stack_heights(panel, across, size.radius)
    stack = max((height for of_series in heights for height in of_series), default=0.0) + 2 * size.radius
    squeeze = min(1.0, size.most / stack)
    has_lines = bool(panel.plumb or panel.rules)
    top = _TOP if not size.is_bare else _BARE_TOP if has_lines else 0.0
    foot = top + max(size.least, min(stack, size.most) + (30 if has_lines and size.least else 6))
    head = max(0.0, top - 8)
    marks = [note for note in panel.notes if note.place == "mark"]
    below = _MARK_HEIGHT * (len(marks) + 0.3 * bool(marks)) + (0 if size.is_bare else _BELOW)
    feet = [[round(foot - size.radius - 2 - height * squeeze, 1) for height in of_series] for of_series in heights]
    labels = [] if size.is_bare else list(_labels(panel, across, foot, feet))
    shapes = [
        *_bands(panel, across, head, foot),
        Shape("axis", f"M0 {foot:g}H{size.width:g}"),
        *(shape for line, ys in zip(panel.series, feet, strict=True) for shape in _dots(line, ys, across, size)),
        *_posts(panel, across, head, foot),
        *(_plumb(panel.plumb, across, head, foot) if panel.plumb else ()),
        *(_mark(across(note.x), foot, place, head) for place, note in enumerate(marks)),
    ]
    hanging = [across(note.x) for note in marks] + ([across(panel.plumb.to)] if panel.plumb else [])
    words = [] if size.is_bare else [*_ticks(scale, across, foot + 20, hanging), *labels]
    height = foot + below + (_BARE_BELOW if size.is_bare and panel.plumb else 1.0 if size.is_bare else 0.0)
    return Scene(size, round(height, 1), head, foot, tuple(shapes), tuple(words))


def words_fit(text: str, kind: str, size: Size) -> bool:
    """Say whether words of a kind are no wider than a drawing."""
    return _CHARACTER[kind] * len(text) < size.width - 2 * _EDGE


def _within(panel: Panel, scale: Scale) -> Panel:
    """Return the panel without the dots that lie beyond its axis."""
    kept = []
    for line in panel.series:
        places = [at for at, x in enumerate(line.x) if -1e-9 <= scale.place(x) <= 1 + 1e-9]
        labels = tuple(line.labels[at] for at in places) if line.labels else ()
        kept.append(replace(line, x=tuple(line.x[at] for at in places), y=(None,) * len(places), labels=labels))
    return replace(panel, series=tuple(kept))


def stack_heights(panel: Panel, place: Callable[[float], float], radius: float) -> list[list[float]]:
    """Return the lowest free height of each dot, series by series, so that no two overlap: from the right."""
    order = sorted((-place(x), number, at) for number, line in enumerate(panel.series) for at, x in enumerate(line.x))
    heights = [[0.0] * len(line.x) for line in panel.series]
    placed: list[tuple[float, float]] = []
    for minus_x, number, at in order:
        x = -minus_x
        around = placed[bisect(placed, (x - 2 * radius, -1.0)) : bisect(placed, (x + 2 * radius, -1.0))]
        height = 0.0
        for other in sorted(height for near, height in around if abs(near - x) < 2 * radius):
            if other - height >= 2 * radius:
                break
            height = max(height, other + 2 * radius)
        insort(placed, (x, height))
        heights[number][at] = round(height, 1)
    return heights


def _dots(line: Series, ys: Sequence[float], across: _Across, size: Size) -> Iterator[Shape]:
    kind, radius = f"dot {kind_of(line)}", size.radius
    paths = [_square(across(x), y, radius) if line.is_square else _disc(across(x), y, radius)
             for x, y in zip(line.x, ys, strict=True)]  # fmt: skip
    if size.is_bare and line.labels:
        yield from (Shape(kind, path, name) for path, name in zip(paths, line.labels, strict=True))
    elif paths:
        yield Shape(kind, "".join(dict.fromkeys(paths)))


def _disc(x: float, y: float, radius: float) -> str:
    half = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{round(x - radius, 1):g} {y:g}{half} {2 * radius:g} 0{half}-{2 * radius:g} 0"


def _square(x: float, y: float, radius: float) -> str:
    return f"M{round(x - radius, 1):g} {round(y - radius, 1):g}h{2 * radius:g}v{2 * radius:g}h-{2 * radius:g}z"


def _bands(panel: Panel, across: _Across, head: float, foot: float) -> Iterator[Shape]:
    for rule in panel.rules:
        if rule.to is not None:
            start, end = sorted((across(rule.at), across(rule.to)))
            kind = f"across {rule.style}{' dashed' if rule.is_dashed else ''}"
            yield Shape(kind, f"M{start:g} {foot:g}V{head:g}H{end:g}V{foot:g}z")


def _posts(panel: Panel, across: _Across, head: float, foot: float) -> Iterator[Shape]:
    for rule in panel.rules:
        if rule.to is None:
            yield Shape(f"post {rule.style}", f"M{across(rule.at):g} {head:g}V{foot:g}")


def _plumb(plumb: Plumb, across: _Across, head: float, foot: float) -> Iterator[Shape]:
    at, to = across(plumb.at), across(plumb.to)
    yield Shape("cord", f"M{at:g} {head:g}H{to:g}V{foot:g}")
    yield Shape("bob", f"M{round(to - _BOB, 1):g} {foot:g}h10l-1.5 12l-3.5 7l-3.5-7z")


def _mark(x: float, foot: float, place: int, head: float) -> Shape:
    return Shape("mark-line", f"M{x:g} {head:g}V{_mark_foot(foot, place):g}")


def _mark_foot(foot: float, place: int) -> float:
    return round(foot + _BELOW + _MARK_HEIGHT * (place + 0.9), 1)


def _ticks(scale: Scale, across: _Across, y: float, hanging: Sequence[float]) -> Iterator[Words]:
    """Numbers below their places, a few pixels aside at the edge, and none where something hangs down."""
    width = across.size.width
    for value in scale.ticks(across.size.n_ticks):
        text = f"{value:.6g}"
        half = _CHARACTER["tick"] * len(text) / 2
        x = round(min(max(across(value), half), width - half), 1)
        if not any(x - half - _BOB < at < x + half + _BOB for at in hanging):
            yield Words(text, x, y, "tick", "middle")


def _labels(panel: Panel, across: _Across, foot: float, feet: Sequence[Sequence[float]]) -> Iterator[Words]:
    above, marks = iter(_ABOVE), 0
    for note in panel.notes:
        if note.place == "above":
            yield _beside(across(note.x), next(above), note, across.size.width)
        elif note.place == "below":
            yield _beside(across(note.x), foot + (_AT_EDGE if note.edge else _UNDER), note, across.size.width)
        elif note.place == "mark":
            yield _beside(across(note.x), _mark_foot(foot, marks), note, across.size.width)
            marks += 1
        else:
            words = _beside(across(note.x), 0.0, note, across.size.width)
            low, high = _reach(words)
            dots = [y for line, ys in zip(panel.series, feet, strict=True)
                    for x, y in zip(line.x, ys, strict=True) if low <= across(x) <= high]  # fmt: skip
            yield Words(words.text, words.x, max(_TOP, min([foot - 20, *dots]) - 10), words.kind, words.anchor)


def _reach(words: Words) -> tuple[float, float]:
    """Return from where to where words go at most."""
    length = _CHARACTER[words.kind] * len(words.text)
    before = {"start": 0.0, "middle": length / 2, "end": length}[words.anchor]
    return words.x - before, words.x - before + length


def _beside(x: float, y: float, note: Note, width: float) -> Words:
    """Return words at that side of x where there is more room; where too long for that side, as far in as they need."""
    kind, text = note.looks, note.text
    if note.edge:
        return Words(text, _EDGE, y, kind) if note.edge == "left" else Words(text, width - _EDGE, y, kind, "end")
    gap = _GAP.get(kind, 0.0)
    words = Words(text, x - gap, y, kind, "end") if x > width / 2 else Words(text, x + gap, y, kind)
    low, high = _reach(words)
    if low < _EDGE or high > width - _EDGE:
        length = high - low
        is_before = words.anchor == "end"
        x = min(width - _EDGE, _EDGE + length) if is_before else max(_EDGE, width - _EDGE - length)
    else:
        x = words.x
    return Words(text, round(x, 1), y, kind, words.anchor)
