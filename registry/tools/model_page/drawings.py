"""Where a model stands, drawn: a strip for each benchmark and what is known of training, and all of them together."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from analysis.figures import Axis, Note, Panel, Series
from registry.core.charts import Chart, Size, draw_scene
from registry.core.charts.scenes import STRIP
from registry.core.listing import grouped
from registry.core.messages import say
from registry.tools.model_page.documents import KINDS, ModelDocument, ModelOnBoard

#: Suites with fewer of its leaderboards share a row.
_MIN_BOARDS = 3
#: Rows of strips shown at once.
_MOST_SHOWN = 10
_SHARES = Axis(label="share of the others that it beats", low=0, high=1)

#: A row on the page: a suite with a strip for each column.
Row = dict[str, Any]


def strip_rows(document: ModelDocument) -> list[Row]:
    """Return a row for each suite, that with the most of its leaderboards first; then rare suites, and all others."""
    by_suite = grouped(document.boards, lambda board: board.suite_name)
    alone = by_suite.pop("", [])
    rare = [board for of_suite in by_suite.values() if len(of_suite) < _MIN_BOARDS for board in of_suite]
    often = [(name, of_suite) for name, of_suite in by_suite.items() if len(of_suite) >= _MIN_BOARDS]
    often.sort(key=lambda suite: (-len(suite[1]), suite[0]))
    rows = (*often, ("Smaller benchmarks", rare), ("Other leaderboards", alone))
    columns = columns_of(document)
    return [{"name": name, "cells": [_cell(of, column) for column in columns]} for name, of in rows if of]


def columns_of(document: ModelDocument) -> list[str]:
    """Return the kinds of leaderboards that have a column; undisclosed ones stand with those that are zero-shot."""
    kinds = {board.kind for board in document.boards}
    return [kind for kind in KINDS if kind in kinds and not (kind == "undisclosed" and "zero-shot" in kinds)]


def fold(rows: Sequence[Row]) -> dict[str, Sequence[Row]]:
    """Return the first rows and the last, which has the most leaderboards, as shown, and the others as folded.

    A single row is not folded.
    """
    if len(rows) <= _MOST_SHOWN + 1:
        return {"shown": rows}
    return {"shown": [*rows[: _MOST_SHOWN - 1], rows[-1]], "folded": rows[_MOST_SHOWN - 1 : -1]}


def _cell(boards: Iterable[ModelOnBoard], column: str) -> dict[str, Any]:
    """Return the strip of a column, and how many of those ranked in it are tied; open dots are not counted."""
    alike = [board for board in boards if board.kind == column or (board.kind, column) == ("undisclosed", "zero-shot")]
    ranked = [board for board in alike if board.kind == column and board.may_be_best is not None]
    panel = Panel(data=column, series=tuple(_dots(alike, column)))
    return {
        "kind": column,
        "n_best": sum(board.may_be_best is True for board in ranked),
        "n_judged": len(ranked),
        "n_boards": len(alike),
        "scene": draw_scene(panel, _SHARES, None, STRIP) if alike else None,
    }


def draw_boards(document: ModelDocument, *sizes: Size) -> Chart | None:
    """Return all leaderboards as one chart, those that the claim is about first above the axis, others in lanes below
    it; drawn in these sizes, besides what *Explore* shows. None without any."""
    by_kind = grouped(document.boards, lambda board: board.kind)
    above, *lanes = [kind for kind in KINDS if kind in by_kind] or [""]
    if not above:
        return None
    said = {kind: _said(kind, boards) for kind, boards in by_kind.items()}
    shown = [*_dots(by_kind[above], above)]
    shown += [line for kind in reversed(lanes) for line in _dots(by_kind[kind], above, said[kind])]
    notes = (
        Note(text=said[above], x=0.0, place="head", looks="band-name"),
        Note(text="beats none", x=0.0, place="below", edge="left", looks="beyond"),
        Note(text="beats all", x=1.0, place="below", edge="right", looks="beyond"),
    )
    panel = Panel(data=document.name, series=tuple(shown), notes=notes)
    scenes = tuple(draw_scene(panel, _SHARES, None, size) for size in sizes)
    return Chart("boards", say("model-caption"), scenes, ((panel,), _SHARES, None))


def _dots(boards: Iterable[ModelOnBoard], among: str, lane: str = "") -> Iterator[Series]:
    """Yield a dot for each leaderboard, highlighted where it ties for first; open where training is undisclosed and
    that of others isn't."""
    kinds = grouped(boards, lambda board: (board.kind, board.may_be_best is True))
    for (kind, is_tied), alike in sorted(kinds.items(), reverse=True):
        yield Series(
            name=say("model-tied", kind=kind, tied="yes" if is_tied else "no"), mark="swarm", lane=lane,
            x=tuple(board.share for board in alike), y=(None,) * len(alike), labels=tuple(map(_label, alike)),
            is_highlighted=is_tied, is_square=bool(lane) and kind == "trained",
            is_hollow=kind == "undisclosed" and kind != among,
        )  # fmt: skip


def _said(kind: str, boards: Sequence[ModelOnBoard]) -> str:
    ranked = [board.may_be_best for board in boards if board.may_be_best is not None]
    return say("model-drawn", kind=kind, n=len(ranked), n_best=sum(ranked))


def _label(board: ModelOnBoard) -> str:
    tied = {True: "yes", False: "no", None: "unranked"}[board.may_be_best]
    words = say("model-dot", n_others=board.n_others, n_beaten=board.n_beaten, tied=tied)
    return f"{board.name}, {board.measure}\n{words}"
