"""Two systems on the same topics: what every page says that compares two of them, wherever their scores are from."""

import warnings
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np

from analysis.boards import METHODS
from analysis.comparisons import EquivalenceTest, PairedTest, compare, equivalence_test
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.scores import ScoreMatrix
from registry.tools.pairs.pipeline import SEED, TESTS

_RESAMPLED = ("randomization", "bootstrap-shift")
#: What resampling more topics costs keeps others waiting, and tells nothing that the t test doesn't.
_MOST_RESAMPLED = 2_000
_TOO_MANY = f"it resamples up to {_MOST_RESAMPLED:,} topics, and these are {{n:,}}; the t test says as much of so many"


@dataclass(frozen=True, slots=True)
class AppliedTest:
    """One test of two systems."""

    test: Annotated[str, "Which."]
    found: Annotated[PairedTest | None, "What it says; None where it can't treat these scores."]
    why_none: Annotated[str, "Why it can't; else blank."] = ""
    adjusted: Annotated[
        float | None, "Its p-value among all pairs of the leaderboard's systems, by Holm; None where that is not known."
    ] = None


@dataclass(frozen=True, slots=True)
class TopicDifference:
    """One topic."""

    topic: str
    first: Annotated[float, "Scores of both systems, and first minus second."]
    second: Annotated[float, "Scores of both systems, and first minus second."]
    difference: Annotated[float, "Scores of both systems, and first minus second."]


def paired_tests(matrix: ScoreMatrix) -> tuple[AppliedTest, ...]:
    """Return every paired test of the two systems; those that resample always begin from the same seed."""
    if not differences_of(matrix).any():
        return tuple(AppliedTest(test, None, "both have the same score on every topic") for test in TESTS)
    first, second = matrix.systems
    tests = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)  # Said by the tests themselves.
        for test in TESTS:
            if test in _RESAMPLED and matrix.n_topics > _MOST_RESAMPLED:
                tests.append(AppliedTest(test, None, _TOO_MANY.format(n=matrix.n_topics)))
                continue
            drawn = {"rng": SEED} if test in _RESAMPLED else {}
            try:
                tests.append(AppliedTest(test, compare(matrix, first, second, test=test, **drawn)))  # type: ignore[arg-type]  # one of TESTS
            except ArgumentError as error:
                tests.append(AppliedTest(test, None, f"the {error.argument} {error.reason}"))
    return tuple(tests)


def differences_of(matrix: ScoreMatrix) -> np.ndarray:
    """First minus second by topic; rounding of the scores is no difference."""
    first, second = matrix.scores
    return np.where(np.abs(first - second) <= 1e-12, 0.0, first - second)


def topic_differences(matrix: ScoreMatrix) -> tuple[TopicDifference, ...]:
    """The topics by the difference of the two systems, the largest first."""
    first, second = matrix.scores
    differences = differences_of(matrix)
    return tuple(
        TopicDifference(matrix.topics[place], float(first[place]), float(second[place]), float(differences[place]))
        for place in np.argsort(-differences, kind="stable")
    )


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
        return next((test for test in self.tests if test.test == "t"), None)

    @property
    def n_significant(self) -> int:
        """Return how many of the tests find a difference at 0.05."""
        return sum(test.pvalue <= 1 - METHODS.confidence_level for test in self.tests)


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
        n_wins=sum(topic.difference > 0 for topic in topics),
        n_losses=sum(topic.difference < 0 for topic in topics),
        n_ties=sum(topic.difference == 0 for topic in topics),
        most=tuple(sorted(topics, key=lambda one: -abs(one.difference))[:_N_DECIDING]),
    )
