"""The plumb line: every result a dot on the score axis, the set, the reported best, and a line to what it is worth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from analysis.boards import Verdict
from analysis.figures import Axis, Note, Panel, Plumb, Rule, Series, Style
from analysis.readers.text import shorten
from registry.catalog.documents import MeasureBrief
from registry.core.charts import Chart, Scene, Size, draw_forms
from registry.core.charts.scenes import CARD, MIDDLE, NARROW, ON_PAGES, SMALL, WIDE
from registry.core.charts.swarms import words_fit
from registry.core.messages import say

#: How many margins below the best the axis begins, and how long names are, in each size.
_FORMS = {WIDE: (4.6, 70), MIDDLE: (4.0, 60), NARROW: (3.3, 40), CARD: (4.6, 60), SMALL: (4.6, 0)}
#: How results look, by whether they may be the best: the style, whether highlighted, whether hollow.
_LOOKS: dict[str, tuple[Style, bool, bool]] = {
    "aside": ("pale", False, True),
    "out": ("measured", False, False),
    "open": ("muted", False, False),
    "may": ("measured", True, False),
    "flagged": ("other", False, False),
}
_NAMES = {
    "aside": "do not compete in this view",
    "out": "significantly below the best",
    "open": "not judged",
    "may": "can’t be told from the best",
    "flagged": "held back",
}


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
class Mark:
    """A score that does not stand on the board, with what it is called."""

    value: float
    text: str


@dataclass(frozen=True, slots=True)
class _Board:
    """What is drawn, in whatever size."""

    verdict: Verdict
    measure: MeasureBrief
    rows: Sequence[DrawnRow]
    marks: Sequence[Mark]
    row: str

    @property
    def sign(self) -> float:
        return 1.0 if self.measure["higher_is_better"] else -1.0

    @property
    def margin(self) -> float | None:
        return self.verdict.shown.set.margin if self.verdict.shown.set else None


def plumb_line(
    document: Drawn,
    marks: Sequence[Mark] = (),
    row: str = "result",
    sizes: Sequence[Size] = ON_PAGES,
    *,
    name: str = "plumb-line",
) -> Chart | None:
    """Return the chart in these sizes, with marks below the axis; None for a board without a verdict."""
    board = _board(document, marks, row)
    if board is None:
        return None
    forms = [(*_panel(board, size), size) for size in sizes]
    marked = f" Marked: {' and '.join(mark.text for mark in marks)}." if marks else ""
    return draw_forms(forms, name=name, text=f"{describe(document, row)}{marked}")


def plumb_scene(document: Drawn, size: Size, row: str = "result") -> Scene | None:
    """Return the drawing in one size, for files and rows of tables."""
    chart = plumb_line(document, (), row, (size,))
    return chart.scenes[0] if chart else None


def _board(document: Drawn, marks: Sequence[Mark], row: str) -> _Board | None:
    ranked = sorted((row.rank, place) for place, row in enumerate(document.results) if row.rank is not None)
    if document.verdict is None or len(ranked) < 2:
        return None
    rows = [document.results[place] for _, place in ranked]
    return _Board(document.verdict, document.measure, rows, marks, row)


def describe(document: Drawn, row: str = "result") -> str:
    """Return what the drawing shows, for those who do not see it."""
    verdict, decimals = document.verdict, document.measure["decimals"]
    assert verdict is not None
    other, shown = verdict.best_unflagged, verdict.shown
    found, corrected = shown.set, shown.corrected
    margin = found.margin if found else None
    return say(
        "drawn",
        n=verdict.tries.n_results,
        rows=row,
        best=f"{verdict.best.value:.{decimals}f}",
        view=verdict.view,
        other=f"{other.value:.{decimals}f}" if other and other.result != verdict.best.result else "none",
        worth=corrected.figures if corrected else "none",
        set="none" if found is None else "means" if margin is not None else "topics",
        members=found.n_members if found else 0,
        margin="" if margin is None else f"{margin:.{decimals}f}",
    )


def _panel(board: _Board, size: Size) -> tuple[Panel, Axis]:
    shown, margin = board.verdict.shown, board.margin
    margins, longest_name = _FORMS[size]
    ends = [_far_end(board, margins), _value(board.rows[0]), *(mark.value for mark in board.marks)]
    # Where lower is better the best stands at the left: the axis is never turned round.
    low, high = min(ends), max(ends)
    pad = 0.06 * (high - low)
    low, high = (low, high + pad) if board.sign > 0 else (low - pad, high)
    n_beyond = sum(not low - 1e-12 <= _value(row) <= high + 1e-12 for row in board.rows)
    rules = [Rule(name="best", at=shown.value, axis="x", style="ink", is_dashed=False)]
    if margin is not None:
        is_unsure = board.verdict.evidence.kind.startswith("predicted")
        to = shown.value - board.sign * margin
        rules.append(Rule(name="margin", at=shown.value, to=to, axis="x", is_dashed=is_unsure))
    value = shown.corrected.value if shown.corrected else None
    worth = None if value is None else Plumb(at=shown.value, to=value, name="adjusted for luck")
    notes = () if size.is_bare else tuple(_notes(board, size, longest_name, n_beyond))
    panel = Panel(
        data="", series=tuple(_series(board, with_labels=not size.is_bare)), rules=tuple(rules), notes=notes,
        plumb=worth,
    )  # fmt: skip
    return panel, Axis(label=board.measure["name"], low=low, high=high)


def _series(board: _Board, *, with_labels: bool) -> Iterator[Series]:
    """Return the dots by whether they may be the best, runs of toolkits apart."""
    kinds: dict[tuple[str, bool], list[DrawnRow]] = {}
    for row in board.rows:
        kinds.setdefault((_kind(board, row), row.is_original), []).append(row)
    decimals = board.measure["decimals"]
    for (kind, is_original), rows in sorted(kinds.items(), key=lambda one: list(_LOOKS).index(one[0][0])):
        style, is_highlighted, is_hollow = _LOOKS[kind]
        yield Series(
            name=_NAMES[kind] if is_original else f"{_NAMES[kind]}, a toolkit’s run", mark="swarm", style=style,
            x=tuple(map(_value, rows)), y=(None,) * len(rows), is_highlighted=is_highlighted,
            is_hollow=is_hollow or not is_original,
            labels=tuple(f"{row.system}: {_value(row):.{decimals}f}" for row in rows) if with_labels else (),
        )  # fmt: skip


def _value(row: DrawnRow) -> float:
    assert row.value is not None, "only rows that compete are drawn"
    return row.value


def _far_end(board: _Board, margins: float) -> float:
    """Return the score at which the drawing begins: some margins from the best, or where the bulk begins."""
    best, sign = board.verdict.shown.value, board.sign
    distances = sorted(max(0.0, sign * (best - _value(row))) for row in board.rows)
    members = (sign * (best - _value(row)) for row in board.rows if _may(board, row))
    reach = board.margin or max(members, default=0.0)
    median, bulk, last = distances[len(distances) // 2], distances[int(0.9 * (len(distances) - 1))], distances[-1]
    wanted = max(reach * margins, 1.15 * median) if reach > 0.0 else 1.05 * bulk
    return best - sign * (min(wanted, 1.03 * last) or last or 1e-3)


def _may(board: _Board, row: DrawnRow) -> bool | None:
    return row.can_be_best if board.verdict.best_unflagged is None else row.can_be_best_unflagged


def _kind(board: _Board, row: DrawnRow) -> str:
    if row.id in board.verdict.held_back:
        return "flagged"
    return {True: "may", False: "out", None: "open" if board.verdict.view == "all" else "aside"}[_may(board, row)]


def _notes(board: _Board, size: Size, longest_name: int, n_beyond: int) -> Iterator[Note]:
    verdict, decimals = board.verdict, board.measure["decimals"]
    shown = verdict.shown
    values = {"rows": board.row, "view": verdict.view, "value": f"{shown.value:.{decimals}f}"}
    values["held"] = "no" if verdict.best_unflagged is None else "yes"
    long, short = say("note-best", **values), say("note-best-short", **values)
    yield Note(text=long if words_fit(long, "strong", size) else short, x=shown.value, looks="strong")
    named = next((row for row in board.rows if row.id == shown.result), None)
    if named:
        yield Note(text=shorten(named.system, longest_name), x=shown.value, looks="who")
    leader = next((row for row in board.rows if row.id == verdict.best.result), board.rows[0])
    if leader.id != shown.result:
        text = say("note-held-back", value=f"{_value(leader):.{decimals}f}")
        yield Note(text=text, x=_value(leader), place="within", looks="caution")
    if shown.corrected and shown.corrected.value is not None:
        worth = say("note-worth", value=shown.corrected.figures)
        yield Note(text=worth, x=shown.corrected.value, place="below", looks="worth")
    if n_beyond:
        side: Literal["left", "right"] = "left" if board.sign > 0 else "right"
        yield Note(text=say("note-beyond", n=n_beyond, side=side), x=0.0, place="below", edge=side, looks="beyond")
    for mark in board.marks:
        yield Note(text=mark.text, x=mark.value, place="mark", looks="mark")
