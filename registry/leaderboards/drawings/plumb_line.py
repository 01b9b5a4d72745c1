"""The plumb line: every result a dot on the score axis, the set, the reported best, and a line to what it is worth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.boards import Verdict
from analysis.figures import Axis, Note, Panel, Plumb, Rule, Series, Span, Style
from analysis.readers.text import shorten
from registry.catalog.documents import MeasureBrief
from registry.core.charts import Chart, Scene, Size, draw_forms
from registry.core.charts.scenes import CARD, MIDDLE, NARROW, ON_PAGES, WIDE
from registry.core.messages import say
from registry.core.templatetags.formatting import score, two_figures
from registry.leaderboards.documents.rows import ANOTHER_EXECUTION, LEFT_OUT
from registry.leaderboards.documents.shapes import BoardDocument, RowDocument, VerdictDocument
from registry.leaderboards.documents.suite_shapes import SuiteDocument, SuiteRowDocument
from registry.leaderboards.headlines import without_owner
from registry.results.models import Result

#: How many margins below the best the axis begins, and how long names are, in each size.
_FORMS = {WIDE: (4.6, 70), MIDDLE: (4.0, 60), NARROW: (3.3, 40), CARD: (4.6, 60)}
#: How dots of the field look: the style, whether highlighted, whether hollow; and those of lanes, whether square.
_LOOKS: dict[str, tuple[Style, bool, bool]] = {
    "out": ("measured", False, False),
    "open": ("muted", False, False),
    "may": ("measured", True, False),
}
_LANES: dict[str, tuple[Style, bool, bool]] = {
    "excluded": ("other", False, False),
    "trained": ("aside", False, True),
    "undisclosed": ("aside", True, False),
    "zero-shot": ("aside", True, False),
    "others": ("aside", True, False),
    "elsewhere": ("aside", True, False),
    "failed": ("aside", True, False),
}
_NAMES = {"out": "significantly lower", "open": "not judged", "may": "tied for first"}
#: How many results are named each, with how far they are apart, where there are too few for a verdict.
_FEW = 4
#: A dot that is not ranked may lie so far above the best, of the width of the drawing.
_BEYOND = 0.3


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """A result that competes, by what a snapshot found."""

    id: int
    rank: int
    system: str
    value: float
    can_be_best: bool | None
    can_be_best_unflagged: bool | None
    is_original: bool
    mean: float | None
    training: str


#: A row: ``rank`` and ``value`` are None where it does not compete, ``mean`` where it is no mean of executions.
DrawnRow = RowDocument | SuiteRowDocument | SnapshotRow


@dataclass(frozen=True, slots=True)
class DrawnSnapshot:
    """The verdict of a snapshot with its rows; none of one by an earlier release, which alone can read it."""

    verdict: Verdict | None
    measure: MeasureBrief
    results: Sequence[DrawnRow]


#: A verdict with the rows that it is about.
Drawn = BoardDocument | SuiteDocument | DrawnSnapshot


@dataclass(frozen=True, slots=True)
class Mark:
    """A score that does not stand on the board, with what it is called."""

    value: float
    text: str


@dataclass(frozen=True, slots=True)
class _Board:
    """A board as it is drawn, in whatever size.

    ``kinds`` are the rows of the field by whether they may be the best, and those of lanes by why they are not ranked.
    ``is_of_pairs`` where there are so few that each is named, and compared with the best; ``has_labels`` where each dot
    has its name.
    """

    verdict: Verdict
    measure: MeasureBrief
    rows: Sequence[DrawnRow]
    kinds: dict[str, list[DrawnRow]]
    marks: Sequence[Mark]
    row: str
    is_of_pairs: bool
    has_labels: bool
    sign: float
    margin: float | None


def plumb_line(
    document: Drawn,
    marks: Sequence[Mark] = (),
    row: str = "result",
    sizes: Sequence[Size] = ON_PAGES,
    *,
    has_labels: bool = True,
) -> Chart | None:
    """Return the chart in these sizes, with marks below the axis; None for a board without a verdict.

    Dots need no labels where they are only drawn.
    """
    board = _board(document, marks, row, has_labels=has_labels)
    if board is None:
        return None
    forms = [(*_panel(board, size), size) for size in sizes]
    marked = f" Marked: {' and '.join(mark.text for mark in marks)}." if marks else ""
    return draw_forms(forms, name="plumb-line", text=f"{describe(document)}{marked}")


def plumb_scene(document: Drawn, size: Size, row: str = "result") -> Scene | None:
    """Return the drawing in one size, for files and rows of tables."""
    chart = plumb_line(document, (), row, (size,))
    return chart.scenes[0] if chart else None


def _board(document: Drawn, marks: Sequence[Mark], row: str, *, has_labels: bool) -> _Board | None:
    ranked = sorted((row.rank, place) for place, row in enumerate(document.results) if row.rank is not None)
    if document.verdict is None or len(ranked) < 2:
        return None
    rows = [document.results[place] for _, place in ranked]
    in_means = {execution.id for row in rows for execution in getattr(row, "executions", ())}
    # Other names of a run, and all but one of several executions, don't stand for themselves.
    not_alone = ("", str(Result.Comparability.SAME_RUN.label), ANOTHER_EXECUTION)
    aside: list[DrawnRow] = [
        row
        for row in document.results
        if row.rank is None and row.value is not None and row.id not in in_means
        and getattr(row, "why_not_comparable", "") not in not_alone
    ]  # fmt: skip
    verdict, kinds = document.verdict, dict[str, list[DrawnRow]]()
    for dot in rows:
        may = dot.can_be_best if verdict.best_unflagged is None else dot.can_be_best_unflagged
        may = None if dot.id in verdict.held_back else may
        kind = why_aside(verdict, dot) if may is None else "may" if may else "out"
        if kind not in _LANES or not marks:
            kinds.setdefault(kind, []).append(dot)
    for dot in aside if not marks else ():
        kinds.setdefault(why_aside(verdict, dot), []).append(dot)
    return _Board(
        verdict=verdict,
        measure=document.measure,
        rows=rows,
        kinds=kinds,
        marks=marks,
        row=row,
        is_of_pairs=len(rows) <= _FEW and bool(verdict.shown.pairs),
        has_labels=has_labels,
        sign=1.0 if document.measure["higher_is_better"] else -1.0,
        margin=verdict.shown.set.margin if verdict.shown.set else None,
    )


def describe(document: Drawn) -> str:
    """Return what the drawing shows, for those who do not see it: the claim, and who leads; blank without words."""
    verdict = document.verdict
    return f"{verdict.sentence} {verdict.of_leader}" if isinstance(verdict, VerdictDocument) else ""


def _panel(board: _Board, size: Size) -> tuple[Panel, Axis]:
    shown, margin = board.verdict.shown, board.margin
    margins, longest_name = _FORMS[size]
    low, high = ends = _ends(board, margins)
    rules = [Rule(name="best", at=shown.value, axis="x", style="ink", is_dashed=False)]
    if margin is not None:
        is_unsure = board.verdict.evidence.kind.startswith("predicted")
        to = shown.value - board.sign * margin
        rules.append(Rule(name="margin", at=shown.value, to=to, axis="x", is_dashed=is_unsure))
    # What the best is without luck, with its error; without a middle the error alone.
    luck = shown.corrected
    plumb = (
        Plumb(at=shown.value, to=luck.value, name="adjusted for luck", low=luck.low, high=luck.high) if luck else None
    )
    panel = Panel(
        data="", series=tuple(_series(board, size, ends)), rules=tuple(rules), plumb=plumb,
        notes=tuple(_notes(board, size, longest_name, ends)), spans=tuple(_pairs(board)),
    )  # fmt: skip
    return panel, Axis(label=board.measure["name"], low=low, high=high)


def _ends(board: _Board, margins: float) -> tuple[float, float]:
    """Return from where to where the axis goes: to the best that is drawn, and to the end of its error."""
    shown, kinds = board.verdict.shown, board.kinds
    field = [row for kind, rows in kinds.items() if kind in _LOOKS for row in rows]
    far = (
        min(map(_value, field), key=lambda value: board.sign * value)
        if board.is_of_pairs
        else _far_end(board, field, margins)
    )
    reach = abs(shown.value - far)
    sign, best, most = board.sign, shown.value, shown.value + board.sign * _BEYOND * reach
    corrected = shown.corrected
    above = [_value(row) for kind, rows in kinds.items() if kind in _LANES for row in rows]
    above += [value for value in (corrected.low, corrected.high) if value is not None] if corrected else []
    above = [value for value in above if sign * (value - best) > 0 and sign * (most - value) >= 0]
    above += map(_value, kinds.get("excluded", ()))
    above = [value for value in above if sign * (value - best) > 0]
    ends = [far, best, _value(field[0]), *above, *(mark.value for mark in board.marks)]
    # Where lower is better the best stands at the left: the axis is never turned round.
    low, high = min(ends), max(ends)
    pad = 0.02 * (high - low)
    return (low - pad, high + pad) if board.is_of_pairs else (low, high + pad) if board.sign > 0 else (low - pad, high)


def _pairs(board: _Board) -> Iterator[Span]:
    """Yield how far the best is from each other one, where there are too few for a verdict."""
    if not board.is_of_pairs:
        return
    best = board.verdict.shown.value
    for pair in board.verdict.shown.pairs:
        other = best - board.sign * pair.behind
        significance = "yes" if pair.is_significant else "no"
        text = say("pair", behind=pair.gap, significant=significance, needed=pair.needed)
        yield Span(low=min(best, other), high=max(best, other), text=text, is_strong=pair.is_significant)


def _series(board: _Board, size: Size, ends: tuple[float, float]) -> Iterator[Series]:
    """Return the dots by whether they may be the best, reference runs apart, then those that are not ranked."""
    for kind in (*_LOOKS, *_LANES):
        of_kind = board.kinds.get(kind, [])
        lane = _lane_name(kind, of_kind, size, board, ends) if kind in _LANES else ""
        for is_original in (True, False) if not lane else (None,):
            rows = [row for row in of_kind if is_original is None or row.is_original == is_original]
            if rows:
                style, is_highlighted, is_hollow = _LOOKS.get(kind, ("aside", False, False))
                is_square = False
                if lane:
                    style, is_hollow, is_square = _LANES[kind]
                name = lane or (_NAMES[kind] if is_original else f"{_NAMES[kind]}, reference run")
                yield Series(
                    name=name, mark="swarm", style=style, x=tuple(map(_value, rows)), y=(None,) * len(rows),
                    is_highlighted=is_highlighted, is_hollow=is_hollow or (not lane and not is_original),
                    is_square=is_square, lane=lane,
                    labels=tuple(_label(board, row, kind) for row in rows) if board.has_labels else (),
                )  # fmt: skip


def _lane_name(kind: str, rows: Sequence[DrawnRow], size: Size, board: _Board, ends: tuple[float, float]) -> str:
    form = "short" if size is NARROW else "long"
    beyond = {
        "left": sum(_value(row) < ends[0] - 1e-12 for row in rows),
        "right": sum(_value(row) > ends[1] + 1e-12 for row in rows),
    }
    notes = [say("note-beyond", n=n, side=side) for side, n in beyond.items() if n]
    return " · ".join([say("lane", why=kind, n=len(rows), rows=board.row, form=form), *notes])


def _label(board: _Board, row: DrawnRow, kind: str) -> str:
    """Return the name of a dot, then its score, its ranks and why it is where it is."""
    low, high = getattr(row, "rank_low", None), getattr(row, "rank_high", None)
    ranks = "none"
    if kind in _LOOKS:
        ranks = f"{low}–{high}" if low and high and low != high else str(low or row.rank)
    words = say("dot", score=score(_value(row), board.measure["decimals"]), ranks=ranks, why=kind)
    return f"{row.system}\n{words}"


def _value(row: DrawnRow) -> float:
    value = row.value if row.mean is None else row.mean
    assert value is not None, "only rows that compete are drawn"
    return value


def _far_end(board: _Board, field: Sequence[DrawnRow], margins: float) -> float:
    """Return the score at which the drawing begins: some margins from the best, or where the bulk begins."""
    best, sign = board.verdict.shown.value, board.sign
    distances = sorted(max(0.0, sign * (best - _value(row))) for row in field)
    members = (sign * (best - _value(row)) for row in board.kinds.get("may", ()))
    reach = board.margin or max(members, default=0.0)
    median, bulk, last = distances[len(distances) // 2], distances[int(0.9 * (len(distances) - 1))], distances[-1]
    wanted = max(reach * margins, 1.15 * median) if reach > 0.0 else 1.05 * bulk
    return best - sign * (min(wanted, 1.03 * last) or last or 1e-3)


def why_aside(verdict: Verdict, row: DrawnRow) -> str:
    """Return why a row is not ranked, as messages take it: failed, elsewhere, excluded, trained, undisclosed,
    zero-shot, others; open where none of its view is."""
    if row.rank is None:
        return "failed" if getattr(row, "why_not_comparable", "") == LEFT_OUT["failed-runs"] else "elsewhere"
    if row.id in verdict.held_back:
        return "excluded"
    view, is_open = verdict.view, verdict.shown.set is None
    if view == "all":
        return "open" if is_open else "others"
    if row.training == "declares":
        return "open" if is_open and view == "trained-here" else "trained"
    if row.training == "says_nothing":
        return "undisclosed"
    return "open" if is_open and view == "declared-none" else "zero-shot"


def _notes(board: _Board, size: Size, longest_name: int, ends: tuple[float, float]) -> Iterator[Note]:
    verdict, decimals, kinds = board.verdict, board.measure["decimals"], board.kinds
    shown, best_set = verdict.shown, verdict.shown.set
    named = next((row for row in board.rows if row.id == shown.result), None)
    who = shorten(without_owner(named.system), longest_name) if named else ""
    if board.is_of_pairs:
        yield from _named(board, size)
    else:
        best = verdict.best_kind if isinstance(verdict, VerdictDocument) else "everyone"
        text = say("note-best", best=best, value=score(shown.value, decimals))
        yield Note(text=text, x=shown.value, looks="strong")
        if who:
            yield Note(text=who, x=shown.value, looks="who")
    out = kinds.get("out", [])
    n_beyond = sum(
        not ends[0] - 1e-12 <= _value(row) <= ends[1] + 1e-12
        for kind, rows in kinds.items()
        if kind in _LOOKS
        for row in rows
    )
    if best_set and best_set.margin is not None and not board.is_of_pairs:
        n = best_set.n_members
        yield Note(text=say("note-tied", n=n, rows=board.row), x=0.0, place="band", looks="band-name")
        yield Note(text=say("note-within", margin=two_figures(best_set.margin)), x=0.0, place="band", looks="band-note")
    if out and size is not NARROW and best_set and best_set.margin is not None:
        yield Note(text=say("note-lower", n=len(out)), x=0.0, place="head", looks="beyond")
    if shown.corrected:
        yield Note(text=say("note-worth", value=shown.corrected.in_words), x=0.0, place="bar", looks="worth")
    if n_beyond:
        side: Literal["left", "right"] = "left" if board.sign > 0 else "right"
        yield Note(text=say("note-beyond", n=n_beyond, side=side), x=0.0, place="below", edge=side, looks="beyond")
    yield from _highest_aside(board, size, ends)
    for mark in board.marks:
        yield Note(text=mark.text, x=mark.value, place="mark", looks="mark")


def _named(board: _Board, size: Size) -> Iterator[Note]:
    """Yield all by name, above their dots."""
    for row in board.rows:
        name = shorten(without_owner(row.system), 24 if size is NARROW else 60)
        text = f"{name} {score(_value(row), board.measure['decimals'])}"
        yield Note(text=text, x=_value(row), looks="name" if row is board.rows[0] else "who")


def _highest_aside(board: _Board, size: Size, ends: tuple[float, float]) -> Iterator[Note]:
    """Yield the best of all that are not ranked, where it is better than the best that is."""
    lanes = {kind: rows for kind, rows in board.kinds.items() if kind in _LANES}
    aside = [(board.sign * _value(row), kind, row) for kind, rows in lanes.items() for row in rows]
    best = max(aside, key=lambda candidate: candidate[0], default=None)
    if best is None or best[0] <= board.sign * board.verdict.shown.value:
        return
    _, kind, row = best
    value = {"name": shorten(without_owner(row.system), 24), "value": score(_value(row), board.measure["decimals"])}
    text = say("note-highest", form="short" if size is NARROW else "long", **value)
    looks = "lane-best other" if kind == "excluded" else "lane-best"
    lane = _lane_name(kind, lanes[kind], size, board, ends)
    yield Note(text=text, x=_value(row), place="lane", looks=looks, lane=lane)
