"""The papers of a leaderboard from baseline to own best, beside the original runs."""

from collections.abc import Iterator

from django.utils.text import slugify

from analysis.figures import Axis, Panel, Rule, Series, series
from registry.core.charts import Chart, draw
from registry.tools.baselines.documents import BoardBaselines


def draw_papers(board: BoardBaselines) -> Chart:
    """Return a bar for each paper, in the order of years, with the best that was on record."""
    runs, toolkits = board.among_runs, board.among_implementations
    rules = [Rule(name="median run", at=runs.median, style="muted", is_dashed=False)] if runs else []
    rules += [Rule(name="best of toolkits", at=toolkits.best, style="muted")] if toolkits else []
    lines = (*_papers(board, is_gain=True), *_papers(board, is_gain=False), *_record(board))
    firsts = {paper.year: place for place, paper in reversed(list(enumerate(board.papers)))}
    ticks = tuple((float(place), str(year)) for year, place in sorted(firsts.items()))
    panel = Panel(data=f"{len(board.papers)} papers", series=lines, rules=tuple(rules))
    x = Axis(label="papers, by year", low=-0.5, high=len(board.papers) - 0.5, ticks=ticks)
    name = f"papers-{slugify(board.measure)}"
    return draw(panel, x, Axis(label=board.measure), name=name, text="Each paper from its baseline to its own best")


def _papers(board: BoardBaselines, *, is_gain: bool) -> Iterator[Series]:
    papers = [(place, paper) for place, paper in enumerate(board.papers) if (paper.gain > 0) == is_gain]
    if papers:
        decimals = board.decimals
        yield series(
            "gains" if is_gain else "no gain", [place for place, _ in papers], [paper.proposed for _, paper in papers],
            low=[paper.baseline for _, paper in papers], high=[paper.proposed for _, paper in papers],
            labels=[
                f"{paper.name} ({paper.year}): {paper.baseline:.{decimals}f} to {paper.proposed:.{decimals}f}"
                for _, paper in papers
            ],
            mark="columns", is_highlighted=is_gain,
        )  # fmt: skip


def _record(board: BoardBaselines) -> Iterator[Series]:
    """Return the best on record, which rises in steps; none where nothing is recorded before the first paper."""
    if board.first_known is None:
        return
    known = [*(paper.known for paper in board.papers), board.last_best]
    steps = [(place - 0.5, value) for place, value in enumerate(known) if value is not None]
    yield series("best before", [x for x, _ in steps], [y for _, y in steps], mark="steps", style="ink")
