"""The differences of two systems by topic as bars, and a family of comparisons as a grid."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.figures import Axis, Panel, Rule, Style, series
from registry.core.charts import Chart, draw
from registry.tools.pairs.documents import ComparedPair, PairsDocument, ScoredSystem
from registry.tools.pairs.paired_tests import TopicDifference

#: More systems than this make a grid that nobody can read.
MOST_DRAWN = 40

#: From which adjusted p-value down a cell has which shade.
_SHADES = ((0.01, "strong"), (0.05, "slight"))


def draw_differences(topics: Sequence[TopicDifference], measure: str) -> Chart | None:
    """Return a bar for each topic, in the order given; None where no topic differs."""
    if not any(topic.difference for topic in topics):
        return None
    places = list(enumerate(topics, start=1))
    sides: tuple[tuple[str, Style, list[tuple[int, TopicDifference]]], ...] = (
        ("first higher", "measured", [topic for topic in places if topic[1].difference > 0]),
        ("second higher", "other", [topic for topic in places if topic[1].difference <= 0]),
    )
    halves = (
        series(
            name, [place for place, _ in some], [topic.difference for _, topic in some], mark="columns", style=style,
            labels=[f"{topic.topic}: {topic.difference:+.3f}" for _, topic in some],
            is_highlighted=style == "measured",
        )
        for name, style, some in sides
        if some
    )  # fmt: skip
    panel = Panel(data="", series=tuple(halves), rules=(Rule(name="", at=0.0, style="ink", is_dashed=False),))
    x = Axis(label="topics, by the difference", low=0.5, high=len(topics) + 0.5)
    y = Axis(label=f"difference in {measure}")
    return draw(panel, x, y, name="differences", text="The difference on each topic")


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
