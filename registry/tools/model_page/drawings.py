"""The places of a model, drawn: a strip for each benchmark and what is known of training, and all of them together."""

from collections.abc import Iterable, Iterator
from typing import Any

from analysis.figures import Axis, Note, Panel, Series
from registry.core.charts import Chart, Size, draw_scene
from registry.core.charts.scenes import STRIP
from registry.core.listing import grouped
from registry.core.messages import say
from registry.tools.model_page.documents import KINDS, ModelDocument, ModelOnBoard, counted

#: Suites with fewer of its leaderboards share a row.
_MIN_BOARDS = 3
_SHARES = Axis(label="share of the others that it beats", low=-0.01, high=1.01)


def strip_rows(document: ModelDocument) -> Iterator[dict[str, Any]]:
    """Yield a strip for each column, of leaderboards in no suite, then of each suite, that with the most of its
    leaderboards first, then of rare suites."""
    by_suite = grouped(document.boards, lambda board: board.suite_name)
    alone = by_suite.pop("", [])
    rare = [board for boards in by_suite.values() if len(boards) < _MIN_BOARDS for board in boards]
    often = sorted(by_suite.items(), key=lambda suite: (-len(suite[1]), suite[0]))
    often = [(name, boards) for name, boards in often if len(boards) >= _MIN_BOARDS]
    kinds = {board.kind for board in document.boards}
    # Those of undisclosed training stand with those that are zero-shot.
    columns = [kind for kind in KINDS if kind in kinds and not (kind == "undisclosed" and "zero-shot" in kinds)]
    for name, boards in (("Single leaderboards", alone), *often, ("Smaller benchmarks", rare)):
        if boards:
            yield {"name": name, "cells": [_cell(boards, column) for column in columns]}


def _cell(boards: Iterable[ModelOnBoard], column: str) -> dict[str, Any]:
    """Return the strip of a column, and how many of those ranked in it are tied; open dots are not counted."""
    alike = [board for board in boards if board.kind == column or (board.kind, column) == ("undisclosed", "zero-shot")]
    n, n_best = counted(board for board in alike if board.kind == column)
    panel = Panel(data=column, series=tuple(_dots(alike, column)))
    scene = draw_scene(panel, _SHARES, None, STRIP) if alike else None
    return {"kind": column, "n": n, "n_best": n_best, "n_boards": len(alike), "scene": scene}


def draw_boards(document: ModelDocument, *sizes: Size) -> Chart | None:
    """Return all leaderboards as one chart, those that the claim is about first above the axis, others in lanes below
    it; drawn in these sizes, besides what *Explore* shows. None without any."""
    by_kind = grouped(document.boards, lambda board: board.kind)
    above, *lanes = [kind for kind in KINDS if kind in by_kind] or [""]
    if not above:
        return None
    counts = {kind: counted(boards) for kind, boards in by_kind.items()}
    words = {kind: say("model-drawn", kind=kind, n=n, n_best=n_best) for kind, (n, n_best) in counts.items()}
    shown = [*_dots(by_kind[above], above)]
    shown += [line for kind in reversed(lanes) for line in _dots(by_kind[kind], above, words[kind])]
    notes = (
        Note(text=words[above], x=0.0, edge="left", looks="band-name"),
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


def _label(board: ModelOnBoard) -> str:
    tied = {True: "yes", False: "no", None: "unranked"}[board.may_be_best]
    words = say("model-dot", n_others=board.n_others, n_beaten=board.n_beaten, tied=tied)
    return f"{board.name}, {board.measure}\n{words}"
