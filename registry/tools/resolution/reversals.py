"""How often a significant difference of a given size was reversed on other topics of its collection."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated

from analysis.comparisons import PairedTest
from analysis.reliability import ClassRate, CollectionResolution
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.results.models import Result
from registry.tools.resolution.queries import Source, is_grid, read_findings, read_sources

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

_LEAST_SYSTEMS, _LEAST_TOPICS = 5, 20


@dataclass(frozen=True, slots=True)
class Rivals:
    """Matrices of the same systems and topics under two measures."""

    deep: Source
    shallow: Source
    matrices: tuple[ScoreMatrix, ScoreMatrix]


def read_rivals(sources: Sequence[Source]) -> list[Rivals]:
    """The pairs of measures that can be compared by what their judgements cost."""
    found = []
    deep = [one for one in sources if plain_name(one.measure.name) in DEEP_MEASURES]
    shallow = [one for one in sources if plain_name(one.measure.name) in SHALLOW_MEASURES]
    for first, second in product(deep, shallow):
        same_shape = (first.n_systems, first.n_topics) == (second.n_systems, second.n_topics)
        if first.kind != second.kind or (first.kind == "unnamed" and not same_shape):
            continue
        one, other = (_by_system(source) for source in (first, second))
        shared = [system for system in one.systems if system in other.systems]
        is_whole = first.kind == "results" or one.systems == other.systems
        if is_whole and one.topics == other.topics and len(shared) >= _LEAST_SYSTEMS and one.n_topics >= _LEAST_TOPICS:
            found.append(Rivals(first, second, (one.select(shared), other.select(shared))))
    return found


def plain_name(measure: str) -> str:
    """The measure without the grade from which on a document is relevant."""
    return measure.replace("(rel=2)", "")


def _by_system(source: Source) -> ScoreMatrix:
    """The scores, labelled so that the same system has the same label under both measures."""
    matrix = source.read()
    if source.kind == "unnamed":
        return matrix
    systems = dict(Result.objects.filter(pk__in=map(int, matrix.systems)).values_list("pk", "system"))
    labels = {label: str(systems[int(label)]) for label in matrix.systems}
    # Of a system with two results it isn't known which of them is the one under the other measure.
    once = [label for label, system in labels.items() if list(labels.values()).count(system) == 1]
    kept = matrix.select(once)
    return ScoreMatrix([labels[label] for label in once], kept.topics, kept.scores)
