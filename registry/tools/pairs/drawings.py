"""The differences of two systems by topic as bars, and a family of comparisons as a grid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from registry.leaderboards.drawings.canvas import HEIGHT, TOP, WIDTH, Box, Tick, round_numbers
from registry.tools.pairs.documents import ComparedPair, PairsDocument, ScoredSystem
from registry.tools.pairs.paired_tests import TopicDifference

#: More systems than this make a grid that nobody can read.
MOST_DRAWN = 40

#: From which adjusted p-value down a cell has which shade.
_SHADES = ((0.01, "strong"), (0.05, "slight"))


@dataclass(frozen=True, slots=True)
class _Scale:
    """What is drawn at the top, and how much of it the whole height is."""

    top: float
    span: float

    def down(self, value: float) -> float:
        return round(HEIGHT * (self.top - value) / self.span, 1)

    def boxes(self, values: Sequence[float]) -> Iterator[Box]:
        """A bar from 0 for each, side by side."""
        width = WIDTH / len(values)
        for place, value in enumerate(values):
            start, end = sorted((self.down(value), self.down(0.0)))
            yield Box(round(place * width, 2), start, round(0.86 * width, 2), round(end - start, 1))

    def ticks(self, low: float, high: float) -> tuple[Tick, ...]:
        numbers = round_numbers(low, high, 6)
        return tuple(Tick(TOP + self.down(value), f"{value:g}".replace("-", "−")) for value in numbers)


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
    scale = _Scale(high + 0.025 * (high - low), 1.05 * (high - low))
    boxes = scale.boxes([one.difference for one in topics])
    bars = (Bar(box, "first" if one.difference > 0 else "second", one) for box, one in zip(boxes, topics, strict=True))
    return BarDrawing(tuple(bars), scale.down(0.0), scale.ticks(low, high))


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
                Cell(pair, better, next((shade for limit, shade in _SHADES if pair.pvalue <= limit), ""))
                for better in systems[: number - 1]
                if (pair := pairs.get((better.result, system.result)))
            ),
        )
        for number, system in enumerate(systems, start=1)
    )
