"""The differences of two systems by topic as bars, the scores on one topic, and a family of comparisons as a grid."""

from collections.abc import Sequence
from dataclasses import dataclass

from registry.leaderboards.drawings import HEIGHT, TOP, WIDTH, Box, Tick, round_numbers
from registry.tools.pairs.documents import ComparedPair, PairsDocument, ScoredSystem
from registry.tools.pairs.paired_tests import TopicDifference
from registry.tools.pairs.topic_documents import OneTopicDocument, ScoreOnTopic

#: More systems than this make a grid that nobody can read.
MOST_DRAWN = 40

#: From which adjusted p-value down a cell has which shade.
_SHADES = ((0.01, "strong"), (0.05, "slight"))


@dataclass(frozen=True, slots=True)
class Bar:
    """The difference on one topic; ``kind`` says who scores higher."""

    box: Box
    kind: str
    topic: TopicDifference


@dataclass(frozen=True, slots=True)
class BarDrawing:
    """Everything that the page draws of the differences; ``zero`` is the height of no difference."""

    bars: tuple[Bar, ...]
    zero: float
    y_ticks: tuple[Tick, ...]


def draw_differences(topics: Sequence[TopicDifference]) -> BarDrawing | None:
    """A bar for each topic, in the order given; None where no topic differs."""
    high = max(0.0, *(one.difference for one in topics))
    low = min(0.0, *(one.difference for one in topics))
    if high == low:
        return None
    span, width = 1.05 * (high - low), WIDTH / len(topics)
    top = high + 0.025 * (high - low)

    def down(value: float) -> float:
        return round(HEIGHT * (top - value) / span, 1)

    bars = []
    for place, one in enumerate(topics):
        start, end = sorted((down(one.difference), down(0.0)))
        box = Box(round(place * width, 2), start, round(0.86 * width, 2), round(end - start, 1))
        bars.append(Bar(box, "first" if one.difference > 0 else "second", one))
    ticks = tuple(Tick(TOP + down(value), f"{value:g}".replace("-", "−")) for value in round_numbers(low, high, 6))
    return BarDrawing(tuple(bars), down(0.0), ticks)


@dataclass(frozen=True, slots=True)
class ScoreBar:
    """The score of one system."""

    box: Box
    system: ScoreOnTopic


@dataclass(frozen=True, slots=True)
class ScoreDrawing:
    """The scores on one topic; ``mean`` is the height of their mean."""

    bars: tuple[ScoreBar, ...]
    mean: float
    y_ticks: tuple[Tick, ...]


def draw_scores(document: OneTopicDocument) -> ScoreDrawing | None:
    """A bar from 0 for each system, best first; None where every score is 0."""
    scores = [one.score for one in document.systems]
    low, high = min(0.0, *scores), max(0.0, *scores)
    if high == low:
        return None
    width = WIDTH / len(scores)

    def down(value: float) -> float:
        return round(HEIGHT * (high - value) / (high - low), 1)

    bars = []
    for place, one in enumerate(document.systems):
        start, end = sorted((down(one.score), down(0.0)))
        bars.append(ScoreBar(Box(round(place * width, 2), start, round(0.86 * width, 2), round(end - start, 1)), one))
    ticks = tuple(Tick(TOP + down(value), f"{value:g}".replace("-", "−")) for value in round_numbers(low, high, 6))
    return ScoreDrawing(tuple(bars), down(document.topic.mean), ticks)


@dataclass(frozen=True, slots=True)
class Cell:
    """A pair in the grid; ``shade`` is blank where it can't be told apart."""

    pair: ComparedPair
    better: ScoredSystem
    shade: str


@dataclass(frozen=True, slots=True)
class GridRow:
    """A system, with its comparisons to all that are better."""

    number: int
    system: ScoredSystem
    cells: tuple[Cell, ...]


def grid_of(document: PairsDocument) -> tuple[GridRow, ...]:
    """The best systems of the family against each other; each pair once, in the row of the worse."""
    systems = document.systems[:MOST_DRAWN]
    pairs = {(pair.first, pair.second): pair for pair in document.pairs}
    return tuple(
        GridRow(
            number,
            system,
            tuple(
                Cell(pair, better, _shade(pair.pvalue))
                for better in systems[: number - 1]
                if (pair := pairs.get((better.result, system.result)))
            ),
        )
        for number, system in enumerate(systems, start=1)
    )


def _shade(pvalue: float) -> str:
    return next((shade for limit, shade in _SHADES if pvalue <= limit), "")
