"""Two measures of the same runs: one that needs deep pools, one that needs ten documents of each run."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from analysis.scores import ScoreMatrix
from registry.results.models import Result
from registry.tools.resolution.queries import Source

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
