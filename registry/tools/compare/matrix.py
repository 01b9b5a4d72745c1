"""Which system is told better on which leaderboard, as dots: a column a leaderboard, a row a system."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from registry.leaderboards.wording import DOTS
from registry.tools.compare.shapes import ComparedBoard, CompareDocument

#: Side of a dot's cell, and how many leaderboards stand side by side in one drawing: as many as fit on a phone.
CELL, ACROSS = 10, 28

#: States of a system on a leaderboard, those that lead first; where it has no comparable result there is no dot.
KEYS = {
    "better": "beats another, loses to none",
    "both": "beats one, loses to another",
    "tie": "can’t be told apart",
    "worse": "loses to another",
    "unknown": "can’t be judged",
    "none": "no comparable result",
}
STATES = list(KEYS)
#: Marks below a column.
_MARKS = {"weak": "evidence of the leaderboard is weak", "contested": "a score is contested"}


@dataclass(frozen=True, slots=True)
class Column:
    """A leaderboard: where its column begins, what it says in words, a state and its height a system, its marks."""

    x: int
    title: str
    dots: list[tuple[int, str]]
    is_weak: bool
    is_contested: bool


@dataclass(frozen=True, slots=True)
class Block:
    """The leaderboards of one suite, in drawings of ``ACROSS`` columns at most."""

    suite: str
    n_boards: int
    drawings: list[list[Column]]


def blocks_of(document: CompareDocument) -> list[Block]:
    """The suites with the most leaderboards first; in each those that all share, and those that tell most alike."""
    systems = [one.id for one in document.systems]

    def place(board: ComparedBoard) -> tuple[int, list[int]]:
        return -len(board.scores), [STATES.index(state) for state in states_of(board, systems)]

    boards = sorted(document.boards, key=lambda one: (one.suite, place(one)))
    blocks = [_block(suite, list(found), document) for suite, found in groupby(boards, lambda one: one.suite)]
    return sorted(blocks, key=lambda one: (-one.n_boards, one.suite))


def keys_of(document: CompareDocument) -> dict[str, str]:
    """What the dots and marks that are drawn mean, marks with how many leaderboards have them."""
    systems = [one.id for one in document.systems]
    drawn = {state for board in document.boards for state in states_of(board, systems)}
    n_contested = sum(bool(one.contested) for one in document.boards)
    marks = {"weak": sum(one.is_weak and not one.contested for one in document.boards), "contested": n_contested}
    said = {mark: f"{_MARKS[mark]} ({n})" for mark, n in marks.items() if n}
    return {state: words for state, words in KEYS.items() if state in drawn - {"none"}} | said


def states_of(board: ComparedBoard, systems: Sequence[int]) -> list[str]:
    """What the leaderboard says of each of these systems beside the others there."""
    return [_state(board, system) for system in systems]


def _state(board: ComparedBoard, system: int) -> str:
    its = [one for one in board.differences if system in (one.better, one.other)]
    is_better = any(one.told_apart and one.better == system for one in its)
    is_worse = any(one.told_apart and one.other == system for one in its)
    if is_better or is_worse:
        return "both" if is_better and is_worse else "better" if is_better else "worse"
    if not its:
        return "none"
    return "unknown" if all(one.told_apart is None for one in its) else "tie"


def _block(suite: str, boards: Sequence[ComparedBoard], document: CompareDocument) -> Block:
    rows = [list(_columns(boards[start : start + ACROSS], document)) for start in range(0, len(boards), ACROSS)]
    return Block(suite, len(boards), rows)


def _columns(boards: Sequence[ComparedBoard], document: CompareDocument) -> Iterator[Column]:
    names = document.short_names
    for place, board in enumerate(boards):
        states = states_of(board, list(names))
        dots = [(CELL * row, state) for row, state in enumerate(states) if state != "none"]
        yield Column(CELL * place, _said(board, names), dots, board.is_weak, bool(board.contested))


def _said(board: ComparedBoard, names: dict[int, str]) -> str:
    told = [f"{names[one.better]} better than {names[one.other]}" for one in board.differences if one.told_apart]
    n_unknown = sum(one.told_apart is None for one in board.differences)
    n_ties = len(board.differences) - len(told) - n_unknown
    rest = [f"{n} {text}" for n, text in ((n_ties, "not told apart"), (n_unknown, "can’t be judged")) if n]
    contested = f"; contested: {', '.join(names[one] for one in board.contested)}" if board.contested else ""
    dots = "" if board.strength is None else f" {DOTS[board.strength]}"
    return f"{board.collection['name']}, {board.measure['name']}{dots}: {'; '.join((*told, *rest))}{contested}"
