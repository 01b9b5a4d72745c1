"""Layout of a field with one axis: a dot for each value, on each other, with words above and below."""

from bisect import bisect, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.figures import Note, Panel, Plumb, Span
from registry.core.charts.scenes import Scale, Scene, Shape, Size, Words, kind_of

#: At either side; above and below a field with words; above one without.
_SIDE, _TOP, _BELOW, _BARE_TOP = 6.0, 54.0, 52.0, 8.0
#: Below the axis: numbers alone; the bar of an error; each span; words of a lane above its dots, and their stack.
_TICKS, _BAR, _SPAN_HEIGHT, _LANE_HEAD, _LANE_STACK, _LANE_RADIUS = 28.0, 32.0, 30.0, 26.0, 36.0, 0.85
#: Above the highest dot of a field whose band has words.
_BAND_ROOM = 34.0
#: Room for a mark below the axis, each in a row of its own; its line begins below the words of a band.
_MARK_HEIGHT, _MARK_HEAD = 24.0, 42.0
#: About the largest width of a character, by the sizes and weights of figure.css, in a wide face.
_CHARACTER = {
    "strong": 11.0, "who": 8.0, "worth": 8.6, "caution": 8.6, "mark": 9.6, "beyond": 7.0, "tick": 8.0,
    "band-name": 8.2, "band-note": 7.0, "lane-name": 7.6, "lane-best": 7.2, "name": 7.6,
}  # fmt: skip
#: Between words below the axis and what they belong to.
_GAP = {"worth": 14.0, "mark": 8.0}
_EDGE = 2.0
#: Half the width of the weight at the end of the line.
_BOB = 5.0
#: The feet of words above and below.
_ABOVE, _UNDER, _AT_EDGE = (18.0, 36.0), 37.0, 37.0


@dataclass(frozen=True, slots=True)
class _Across:
    """Places of values across, between the two sides."""

    size: Size
    scale: Scale
    side: float

    def __call__(self, value: float) -> float:
        return round(self.side + (self.size.width - 2 * self.side) * self.scale.place(value), 1)

    def kept(self, value: float) -> float:
        """Return the place of a value; beyond an end, that of the end."""
        return min(max(self(value), self.side), self.size.width - self.side)


def lay_out_swarm(panel: Panel, size: Size, scale: Scale) -> Scene:
    """Return the drawing of a panel whose series are swarms."""
    across = _Across(size, scale, size.left if size.is_bare else _SIDE)
    panel, first = _within(panel, scale)
    heights = stack_heights(panel, across, size.radius)
    stack = max(
        (max(of, default=0.0) for line, of in zip(panel.series, heights, strict=True) if not line.lane), default=0.0
    )
    stack += 2 * size.radius
    squeeze = min(1.0, size.most / stack)
    has_lines, is_banded = bool(panel.plumb or panel.rules), any(note.place == "band" for note in panel.notes)
    top = (_BARE_TOP if size.is_bare else _TOP) if has_lines else 0.0 if size.is_bare else _TOP / 2
    room = (_BAND_ROOM if is_banded else 30) if has_lines and size.least else 6
    least = 0.0 if panel.spans else size.least
    foot = top + max(least, min(stack, size.most) + (6 if panel.spans else room))
    head = max(0.0, top - 8)
    feet = [[round(foot - size.radius - 2 - height * squeeze, 1) for height in of_series] for of_series in heights]
    below = _below(panel, across)
    lanes = list(_lanes(panel, across, heights, foot + below))
    for place, ys in (item for lane in lanes for item in lane.feet.items()):
        feet[place] = ys
    bottom = lanes[-1].foot if lanes else foot + below
    marks = [note for note in panel.notes if note.place == "mark"]
    hanging = [across(note.x) for note in marks]
    hanging += [across(panel.plumb.to)] if panel.plumb and panel.plumb.to is not None else []
    shapes = [
        *(
            Shape(
                f"across {rule.style}{' dashed' if rule.is_dashed else ''}",
                f"M{min(across(rule.at), across(rule.to)):g} {foot:g}V{head:g}"
                f"H{max(across(rule.at), across(rule.to)):g}V{foot:g}z",
            )
            for rule in panel.rules
            if rule.to is not None
        ),
        Shape("axis", f"M0 {foot:g}H{size.width:g}"),
        *(Shape("lane", f"M0 {lane.head:g}H{size.width:g}") for lane in lanes),
        *_dots(panel, feet, across, first),
        *(
            Shape(f"post {rule.style}", f"M{across(rule.at):g} {head:g}V{foot:g}")
            for rule in panel.rules
            if rule.to is None
        ),
        *(_plumb(panel.plumb, across, head, foot) if panel.plumb else ()),
        *_spans(panel, across, foot),
        *(
            Shape(
                "mark-line", f"M{across(note.x):g} {min(head + _MARK_HEAD, foot - 20):g}V{_mark_foot(bottom, place):g}"
            )
            for place, note in enumerate(marks)
        ),
    ]
    labels = _labels(panel, across, head, foot, lanes, bottom)
    words = [] if size.is_bare else [*_ticks(scale, across, foot + 20, hanging), *labels]
    height = foot + 1.0 if size.is_bare else bottom + _MARK_HEIGHT * (len(marks) + 0.3 * bool(marks))
    return Scene(size, round(height, 1), head, foot, tuple(shapes), tuple(words))


@dataclass(frozen=True, slots=True)
class _Lane:
    """Dots that hang below the axis under the same words: from where to where, and the places of its dots by series."""

    name: str
    head: float
    foot: float
    feet: dict[int, list[float]]


def _below(panel: Panel, across: _Across) -> float:
    """Return how much of what stands below the axis comes before lanes and marks."""
    if panel.spans:
        return _BAR + _SPAN_HEIGHT * len(panel.spans)
    has_bar = bool(panel.plumb) or any(note.place in ("bar", "below") for note in panel.notes)
    # Words that fit at neither side of the bar take a line below it.
    lower = next((note for note in panel.notes if note.place == "bar" and panel.plumb), None)
    under = lower and panel.plumb and _before_bar(lower, panel.plumb, across, 0.0).y
    return (_BELOW if has_bar else _TICKS) + (under or 0.0)


def _lanes(panel: Panel, across: _Across, heights: Sequence[Sequence[float]], foot: float) -> Iterator[_Lane]:
    """Yield where lanes hang from there on; a high stack is squeezed."""
    radius, head = across.size.radius, foot
    for name in dict.fromkeys(line.lane for line in panel.series if line.lane):
        places = [place for place, line in enumerate(panel.series) if line.lane == name]
        stack = max((height for place in places for height in heights[place]), default=0.0)
        squeeze = min(1.0, _LANE_STACK / stack) if stack else 1.0
        first = head + _LANE_HEAD + radius
        feet = {place: [round(first + height * squeeze, 1) for height in heights[place]] for place in places}
        yield _Lane(name, head, round(first + stack * squeeze + radius + 8, 1), feet)
        head = round(first + stack * squeeze + radius + 8, 1)


def _within(panel: Panel, scale: Scale) -> tuple[Panel, list[int]]:
    """Return the panel without the dots that lie beyond its axis, and which dot of each series is the first."""
    kept, first = [], []
    for line in panel.series:
        places = [at for at, x in enumerate(line.x) if -1e-9 <= scale.place(x) <= 1 + 1e-9]
        labels = tuple(line.labels[at] for at in places) if line.labels else ()
        kept.append(replace(line, x=tuple(line.x[at] for at in places), y=(None,) * len(places), labels=labels))
        first.append(places[0] if places else 0)
    return replace(panel, series=tuple(kept)), first


def stack_heights(panel: Panel, place: Callable[[float], float], radius: float) -> list[list[float]]:
    """Return the lowest free height of each dot, series by series, so that no two of a lane overlap: from the right."""
    heights = [[0.0] * len(line.x) for line in panel.series]
    for lane in dict.fromkeys(line.lane for line in panel.series):
        order = sorted(
            (-place(x), number, at)
            for number, line in enumerate(panel.series)
            if line.lane == lane
            for at, x in enumerate(line.x)
        )
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


def _dots(panel: Panel, feet: Sequence[Sequence[float]], across: _Across, first: Sequence[int]) -> Iterator[Shape]:
    size, traces = across.size, iter(range(len(panel.series)))
    for line, ys, start in zip(panel.series, feet, first, strict=True):
        if line.lane and not ys:
            continue
        kind, radius = f"dot {kind_of(line)}", size.radius * (_LANE_RADIUS if line.lane else 1.0)
        trace = "" if size.is_bare else f"{next(traces)} {start} {radius:g}"
        draw = (_diamond if line.lane else _square) if line.is_square else _disc
        paths = [draw(across(x), y, radius) for x, y in zip(line.x, ys, strict=True)]
        if size.is_bare and line.labels:
            yield from (Shape(kind, path, name) for path, name in zip(paths, line.labels, strict=True))
        elif paths:
            yield Shape(kind, "".join(paths if trace else dict.fromkeys(paths)), trace=trace)


def _diamond(x: float, y: float, radius: float) -> str:
    reach = 1.2 * radius
    step = f"{reach:.3g}"
    return f"M{round(x - radius, 1):g} {y:g}m-{reach - radius:.2g} 0l{step} -{step}l{step} {step}l-{step} {step}z"


def _disc(x: float, y: float, radius: float) -> str:
    half = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{round(x - radius, 1):g} {y:g}{half} {2 * radius:g} 0{half}-{2 * radius:g} 0"


def _square(x: float, y: float, radius: float) -> str:
    return f"M{round(x - radius, 1):g} {round(y - radius, 1):g}h{2 * radius:g}v{2 * radius:g}h-{2 * radius:g}z"


def _plumb(plumb: Plumb, across: _Across, head: float, foot: float) -> Iterator[Shape]:
    bar = foot + _BAR
    has_bar = plumb.low is not None and plumb.high is not None
    if plumb.to is not None:
        at, to = across(plumb.at), across(plumb.to)
        yield Shape("cord", f"M{at:g} {head:g}H{to:g}V{bar - 10 if has_bar else foot:g}")
        hung = f"{bar - 10:g}h10l-5 12z" if has_bar else f"{foot:g}h10l-1.5 12l-3.5 7l-3.5-7z"
        yield Shape("bob", f"M{round(to - _BOB, 1):g} {hung}")
    if has_bar and plumb.low is not None and plumb.high is not None:
        low, high = across.kept(plumb.low), across.kept(plumb.high)
        ends = f"M{low:g} {bar - 4:g}v8M{high:g} {bar - 4:g}v8"
        yield Shape("error-bar", f"M{low:g} {bar:g}H{high:g}{ends}")


def _spans(panel: Panel, across: _Across, foot: float) -> Iterator[Shape]:
    for place, span in enumerate(panel.spans):
        y = foot + _BAR + 14 + _SPAN_HEIGHT * place
        low, high = across(span.low), across(span.high)
        kind = "span-bar strong" if span.is_strong else "span-bar"
        yield Shape(kind, f"M{low:g} {y:g}H{high:g}M{low:g} {y - 5:g}v10M{high:g} {y - 5:g}v10")


def _mark_foot(bottom: float, place: int) -> float:
    return round(bottom + _MARK_HEIGHT * (place + 0.9), 1)


def _ticks(scale: Scale, across: _Across, y: float, hanging: Sequence[float]) -> Iterator[Words]:
    """Yield numbers below their places, a few pixels aside at the edge, and none where something hangs down."""
    width = across.size.width
    values = scale.ticks(across.size.n_ticks)
    digits = max((len(f"{value:.6g}".partition(".")[2]) for value in values), default=0)
    for value in values:
        text = (f"{value:.{digits}f}" if abs(value) < 1e6 else f"{value:.6g}").replace("-", "−")
        half = _CHARACTER["tick"] * len(text) / 2
        x = round(min(max(across(value), half), width - half), 1)
        if not any(x - half - _BOB < at < x + half + _BOB for at in hanging):
            yield Words(text, x, y, "tick", "middle")


def _labels(
    panel: Panel, across: _Across, head: float, foot: float, lanes: Sequence[_Lane], bottom: float
) -> Iterator[Words]:
    above: list[Words] = []
    marks, width = 0, across.size.width
    band = next((rule for rule in panel.rules if rule.to is not None), None)
    in_band = iter((head + 18, head + 36))
    for note in panel.notes:
        if note.place == "above":
            # The first on top, others below it; beside it where a name is in the way.
            tried = (_beside(across(note.x), y, note, width) for y in (_ABOVE[::-1] if above else _ABOVE))
            for words in tried:
                near = (_reach(other) for other in above if other.y == words.y)
                if all(end < _reach(words)[0] or start > _reach(words)[1] for start, end in near):
                    above.append(words)
                    yield words
                    break
        elif note.place == "below":
            yield _beside(across(note.x), foot + (_AT_EDGE if note.edge else _UNDER), note, width)
        elif note.place == "mark":
            yield _beside(across(note.x), _mark_foot(bottom, marks), note, width)
            marks += 1
        elif note.place == "band" and band and band.to is not None:
            ends = sorted((across(band.at), across(band.to)))
            yield _in_band(note, ends[0], ends[1], next(in_band), width)
        elif note.place == "head":
            yield Words(note.text, _EDGE, head + 18, note.looks)
        elif note.place == "bar" and panel.plumb:
            yield _before_bar(note, panel.plumb, across, foot + _BAR + 5)
        elif note.place == "lane":
            yield from _in_lane(note, next((lane for lane in lanes if lane.name == note.lane), None), across)
    for place, span in enumerate(panel.spans):
        yield _of_span(span, across, foot + _BAR + 14 + _SPAN_HEIGHT * place)
    for lane in lanes:
        is_warm = any(line.lane == lane.name and line.style == "other" for line in panel.series)
        yield Words(lane.name, 0.0, lane.head + 18, "lane-name other" if is_warm else "lane-name")


def _length(text: str, kind: str) -> float:
    return _CHARACTER[kind.partition(" ")[0]] * len(text)


def _in_band(note: Note, start: float, end: float, y: float, width: float) -> Words:
    """Return words at the head of a band, or before it where they don’t fit."""
    length = _length(note.text, note.looks)
    if end - start > length + 12:
        return Words(note.text, round(start + 8, 1), y, note.looks)
    if start > length + 8:
        return Words(note.text, round(start - 8, 1), y, note.looks, "end")
    return Words(note.text, round(min(end + 8, width - length), 1), y, note.looks)


def _before_bar(note: Note, plumb: Plumb, across: _Across, y: float) -> Words:
    """Return words before the bar of an error, or behind it."""
    low, high = (across.kept(plumb.at if end is None else end) for end in (plumb.low, plumb.high))
    if low > _length(note.text, note.looks) + 8:
        return Words(note.text, round(low - 8, 1), y, note.looks, "end")
    if across.size.width - high > _length(note.text, note.looks) + 8:
        return Words(note.text, round(high + 8, 1), y, note.looks)
    return Words(note.text, _EDGE, y + 18, note.looks)


def _in_lane(note: Note, lane: _Lane | None, across: _Across) -> Iterator[Words]:
    """Yield who is the best of a lane, above its dot, where there is room beside the words of the lane."""
    if lane is None:
        return
    x = min(across.size.width, across.kept(note.x) + 5)
    if x - _length(note.text, note.looks) > _length(lane.name, "lane-name") + 12:
        yield Words(note.text, round(x, 1), lane.head + 18, note.looks, "end")


def _of_span(span: Span, across: _Across, y: float) -> Words:
    """Return what two values are apart: before their span, or above its middle."""
    kind = "span-name strong-span" if span.is_strong else "span-name"
    low, high = across(span.low), across(span.high)
    length = _length(span.text, "tick")
    if high - low > length + 8:
        return Words(span.text, round((low + high) / 2, 1), y - 6, kind, "middle")
    if low > length + 8:
        return Words(span.text, round(low - 8, 1), y + 4, kind, "end")
    return Words(span.text, round(high + 8, 1), y + 4, kind)


def _reach(words: Words) -> tuple[float, float]:
    """Return from where to where words go at most."""
    length = _length(words.text, words.kind)
    before = {"start": 0.0, "middle": length / 2, "end": length}[words.anchor]
    return words.x - before, words.x - before + length


def _beside(x: float, y: float, note: Note, width: float) -> Words:
    """Return words at that side of x where there is more room; where too long for that side, as far in as they need."""
    kind, text = note.looks, note.text
    if note.edge:
        return Words(text, _EDGE, y, kind) if note.edge == "left" else Words(text, width - _EDGE, y, kind, "end")
    gap = _GAP.get(kind, 0.0)
    words = Words(text, x - gap, y, kind, "end") if x > width / 2 else Words(text, x + gap, y, kind)
    (low, high), x = _reach(words), words.x
    if low < _EDGE or high > width - _EDGE:
        length = high - low
        x = min(width - _EDGE, _EDGE + length) if words.anchor == "end" else max(_EDGE, width - _EDGE - length)
    return Words(text, round(x, 1), y, kind, words.anchor)
