"""Two systems on the same topics: what every page says that compares two of them, wherever their scores are from."""

import warnings
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis.comparisons import PairedTest, compare
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
