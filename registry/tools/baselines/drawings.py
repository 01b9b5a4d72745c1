"""The papers of a leaderboard from baseline to own best, beside the original runs."""

from dataclasses import dataclass
from itertools import pairwise

from registry.leaderboards.drawings.canvas import (
    HEIGHT,
    LEFT_PERCENT,
    SPAN_PERCENT,
    TOP,
    WIDTH,
    Box,
    Tick,
    round_numbers,
)
from registry.tools.baselines.documents import BoardBaselines, PaperAgainst

_THINNEST = 2.0
#: Percent of the width that the years need between them on a phone.
_APART = 10.0


@dataclass(frozen=True, slots=True)
class PaperBar:
    """A paper from its baseline to its own best; ``kind`` says whether that is a gain."""

    paper: PaperAgainst
    box: Box
    kind: str


@dataclass(frozen=True, slots=True)
class PapersDrawing:
    """Everything that is drawn.

    ``record`` has the points of the best on record, which rises in steps; blank where nothing is recorded before the
    first paper. ``levels`` are the median of the original runs and the best of the reference implementations.
    """

    bars: tuple[PaperBar, ...]
    record: str
    levels: tuple[tuple[str, float], ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


def draw_papers(board: BoardBaselines) -> PapersDrawing:
    """A bar for each paper, in the order of years."""
    runs, toolkits = board.among_runs, board.among_implementations
    levels = [("every", runs.median)] if runs else []
    levels += [("toolkit replacement", toolkits.best)] if toolkits else []
    known = [] if board.first_known is None else [*(paper.known for paper in board.papers), board.last_best]
    values = [one for paper in board.papers for one in (paper.baseline, paper.proposed)]
    values += [*(y for _, y in levels), *(one for one in known if one is not None)]
    low, high = min(values), max(values)
    margin = 0.03 * (high - low) or 1.0
    low, high = low - margin, high + margin
    width = WIDTH / len(board.papers)

    def down(value: float) -> float:
        return round(HEIGHT * (high - value) / (high - low), 1)

    bars: list[PaperBar] = []
    x_ticks: list[Tick] = []
    year = 0
    for place, paper in enumerate(board.papers):
        start, end = sorted((down(paper.baseline), down(paper.proposed)))
        box = Box(round(place * width, 2), start, round(0.8 * width, 2), max(round(end - start, 1), _THINNEST))
        bars.append(PaperBar(paper, box, "first" if paper.gain > 0 else "no-gain"))
        at = round(LEFT_PERCENT + SPAN_PERCENT * (place + 0.4) * width / WIDTH, 2)
        if paper.year >= year and (not x_ticks or at - x_ticks[-1].at >= _APART):
            x_ticks.append(Tick(at, str(paper.year)))
            year = paper.year + max(1, (board.papers[-1].year - board.papers[0].year) // 4)
    y_ticks = tuple(Tick(TOP + down(value), f"{value:g}") for value in round_numbers(low, high, 5))
    steps = [(round(place * width, 2), down(one)) for place, one in enumerate(known) if one is not None]
    corners = [point for (_, before), (x, after) in pairwise(steps) for point in ((x, before), (x, after))]
    record = " ".join(f"{x:g},{y:g}" for x, y in (*steps[:1], *corners))
    heights = tuple((kind, down(value)) for kind, value in levels)
    return PapersDrawing(tuple(bars), record, heights, tuple(x_ticks), y_ticks)
