"""What two vectors of topic scores say of two systems: every paired test, and whether the two are as good."""

from dataclasses import dataclass
from typing import Annotated

import msgspec

from analysis.boards import METHODS
from analysis.comparisons import EquivalenceTest, PairedTest, equivalence_test
from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix
from registry.tools.pairs.paired_tests import TopicDifference, paired_tests, topic_differences

_N_DECIDING = 5


class Vectors(msgspec.Struct, forbid_unknown_fields=True):
    """The scores of two systems on the same topics, in the same order."""

    first: list[float]
    second: list[float]
    topics: Annotated[list[str] | None, "Names of the topics, each once; without them they are counted."] = None
    margin: Annotated[
        float | None,
        "The largest difference of the means that makes no difference, chosen before the scores were seen.",
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorsDocument:
    """What the scores of two systems by topic say; differences are first minus second."""

    n_topics: int
    first_mean: float
    second_mean: float
    mean_difference: float
    tests: Annotated[
        tuple[PairedTest, ...], "Randomization, t, bootstrap, Wilcoxon, sign; fewer where one can't treat these scores."
    ]
    refused: Annotated[tuple[str, ...], "Why the others are missing."]
    equivalence: Annotated[EquivalenceTest | None, "Two one-sided tests; None without a margin."]
    n_wins: Annotated[int, "Topics on which the first scores higher, lower, the same."]
    n_losses: Annotated[int, "Topics on which the first scores higher, lower, the same."]
    n_ties: Annotated[int, "Topics on which the first scores higher, lower, the same."]
    most: Annotated[tuple[TopicDifference, ...], "The topics with the largest differences."]

    @property
    def t(self) -> PairedTest | None:
        """The t test, whose interval and effect size the page leads with."""
        return next((one for one in self.tests if one.test == "t"), None)

    @property
    def n_significant(self) -> int:
        """How many of the tests find a difference at 0.05."""
        return sum(one.pvalue <= 1 - METHODS.confidence_level for one in self.tests)


def vectors_document(matrix: ScoreMatrix, margin: float | None) -> VectorsDocument:
    """Every paired test of the two systems of the matrix, so that the same scores give the same."""
    first, second = matrix.scores
    applied = paired_tests(matrix)
    refused = [f"{one.test}: {one.why_none}" for one in applied if one.found is None]
    equivalence = None
    if margin is not None:
        try:
            equivalence = equivalence_test(first, second, margin=margin)
        except ArgumentError as error:
            refused.append(f"equivalence: {error}")
    topics = topic_differences(matrix)
    return VectorsDocument(
        n_topics=matrix.n_topics,
        first_mean=float(first.mean()),
        second_mean=float(second.mean()),
        mean_difference=float((first - second).mean()),
        tests=tuple(one.found for one in applied if one.found),
        refused=tuple(refused),
        equivalence=equivalence,
        n_wins=sum(one.difference > 0 for one in topics),
        n_losses=sum(one.difference < 0 for one in topics),
        n_ties=sum(one.difference == 0 for one in topics),
        most=tuple(sorted(topics, key=lambda one: -abs(one.difference))[:_N_DECIDING]),
    )
