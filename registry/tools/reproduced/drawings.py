"""A strip for each who prints: a dot a number that was run again, by how far it came out from the print."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.figures import Axis, Panel, Rule, Series
from registry.core.charts import Scene, draw_scene
from registry.core.charts.scenes import STRIP
from registry.core.grouping import grouped
from registry.tools.reproduced.documents import ReproducedDocument, RunAgain, who_prints

#: What lies further out than this, on the scale of the measure, is drawn at the end.
REACH = 0.05
ENDS = tuple(f"{at:+g}" if at else "0" for at in (-REACH, 0.0, REACH))


@dataclass(frozen=True, slots=True)
class Strip:
    """The numbers that one paper, or page, prints."""

    name: str
    url: str
    n: int
    n_agreeing: int
    n_beyond: int
    scene: Scene


def draw_strips(document: ReproducedDocument) -> list[Strip]:
    """Return a strip for each who prints, the most numbers first."""
    groups = grouped(document.pairs, who_prints)
    strips = []
    for printed in document.by_print:
        pairs = groups[printed.name, printed.url]
        n_beyond = sum(abs(pair.difference) > REACH for pair in pairs)
        strips.append(Strip(printed.name, printed.url, printed.n, printed.n_agreeing, n_beyond, _scene(pairs)))
    return strips


def _scene(pairs: Sequence[RunAgain]) -> Scene:
    zero = Rule(name="", at=0.0, axis="x", style="pale")
    panel = Panel(data="", series=tuple(_dots(pairs)), rules=(zero,))
    return draw_scene(panel, Axis(label="", low=-REACH, high=REACH), None, STRIP)


def _dots(pairs: Sequence[RunAgain]) -> Iterator[Series]:
    for agrees, some in sorted(grouped(pairs, lambda pair: pair.agrees).items(), reverse=True):
        yield Series(
            name="", mark="swarm", y=(None,) * len(some), is_highlighted=agrees,
            x=tuple(min(max(pair.difference, -REACH), REACH) for pair in some),
            labels=tuple(
                f"{pair.name}, {pair.measure}, {pair.again.system}: {pair.difference:+.4f} ({pair.again_by})"
                for pair in some
            ),
        )  # fmt: skip
