"""How often a significant difference of a given size was reversed on other topics of its collection."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

from analysis.comparisons import PairedTest
from analysis.reliability import ClassRate, CollectionResolution
from registry.catalog.models import Leaderboard
from registry.tools.resolution.queries import is_grid, read_findings, read_sources

#: What a t test calls significant.
LEVEL = 0.05
#: Rates of fewer comparisons are not told of one difference, and not drawn, as where a needed difference is looked up.
LEAST_COMPARED = 100

_ByDesign = Annotated[
    ClassRate,
    "Pairs that were significant (p at most 0.05, t test) and differed by ``low`` or more on the first set, by "
    "how the second set was drawn: without a common topic, or with replacement.",
]


@dataclass(frozen=True, slots=True)
class Reversals:
    """How often such a difference was reversed on other topics of the collection."""

    runs: Annotated[str, "Whose scores say so."]
    n_systems: Annotated[int, "Systems whose pairs were counted, and topics on either set."]
    n_topics: Annotated[int, "Systems whose pairs were counted, and topics on either set."]
    disjoint: _ByDesign
    replacement: _ByDesign


def read_reversals(board: Leaderboard) -> tuple[Reversals, ...]:
    """Rates by the difference from which on they hold, ascending, of the largest matrix studied; empty without one."""
    sources = read_sources(board.collection, board.measure)
    found = read_findings(sources)
    studied = [
        (source.runs, one) for source in sources if isinstance(one := found.get(source.digest), CollectionResolution)
    ]
    if not studied:
        return ()
    return tuple(_reversals(*max(studied, key=lambda one: (not is_grid(one[0]), one[1].n_systems))))


def _reversals(runs: str, found: CollectionResolution) -> Iterator[Reversals]:
    disjoint, replacement = found.designs
    for one, other in zip(disjoint.significant_from, replacement.significant_from, strict=True):
        if one.n_compared and other.n_compared:
            yield Reversals(runs, found.n_compared_systems, disjoint.n_topics, one, other)


def reversals_of(read: Callable[[], tuple[Reversals, ...]], test: PairedTest | None) -> Reversals | None:
    """The rate of the largest difference that the tested one reaches; None without one, or if the t test finds none."""
    if test is None or test.pvalue > LEVEL:
        return None
    reached = [
        one
        for one in read()
        if one.disjoint.low <= abs(test.mean_difference)
        and min(one.disjoint.n_compared, one.replacement.n_compared) >= LEAST_COMPARED
    ]
    return reached[-1] if reached else None


#: Average precision counts on every relevant document; these look at the first ten.
DEEP_MEASURES, SHALLOW_MEASURES = ("AP", "AP@100", "AP@1000"), ("P@10", "nDCG@10", "RR@10")


def plain_name(measure: str) -> str:
    """The measure without the grade from which on a document is relevant."""
    return measure.replace("(rel=2)", "")
