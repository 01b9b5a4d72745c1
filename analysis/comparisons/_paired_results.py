"""The result of the paired tests, and the checks that they share."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from analysis._validation import FloatArray, check_choice, check_probability, check_vector, refuse_tiny, warn
from analysis.comparisons._difference_tests import ALTERNATIVES, row_moments, score_differences
from analysis.errors import ArgumentError
from analysis.results import Interval, Result

ABOUT_MEAN = "the mean difference is 0"


@dataclass(frozen=True, slots=True)
class PairedTest(Result):
    """A test of two systems on the same topics; differences are first minus second."""

    test: Annotated[str, '"t", "wilcoxon", "sign", "randomization" or "bootstrap-shift". Which test.']
    null_hypothesis: Annotated[str, "What the test takes as true until shown otherwise, in words."]
    alternative: Annotated[str, '"two-sided", "less" or "greater". Which departures from it count.']
    method: Annotated[str, "How the p-value came about: the distribution, the conventions, the number of resamples."]
    n_topics: Annotated[int, "Topics given, and topics that enter (Wilcoxon and sign: without ties at 0)."]
    n_used: Annotated[int, "Topics given, and topics that enter (Wilcoxon and sign: without ties at 0)."]
    mean_difference: Annotated[float, "Mean difference over all topics, in the unit of the measure."]
    estimate: Annotated[
        float,
        "Estimate of what the test is about: the mean difference (t, randomization, bootstrap), the Hodges-"
        "Lehmann pseudo-median (Wilcoxon), the share of the untied topics that the first system wins (sign; "
        ".5 where all tie).",
    ]
    estimand: Annotated[str, 'What they are about: "mean difference", "pseudo-median difference" or "share of wins".']
    statistic: Annotated[float, "t; the sum of the ranks of positive differences; the wins; the mean difference."]
    pvalue: Annotated[float, "In (0, 1]; never 0."]
    interval: Annotated[Interval | None, "Two-sided confidence interval of the estimand, whatever the alternative."]
    why_no_interval: Annotated[str | None, "Why there is none."]
    standardized_difference: Annotated[float | None, "Mean over sd (ddof=1), d_z; None if differences are equal."]


def checked_differences(
    first: ArrayLike, second: ArrayLike, alternative: str, confidence_level: float
) -> tuple[FloatArray, float]:
    """Return the differences first - second of checked arguments, and the checked level; warns if there is no
    difference."""
    check_choice(alternative, "alternative", ALTERNATIVES)
    level = check_probability(confidence_level, "confidence_level")
    differences = vector_differences(first, second)
    if not differences.any():
        warn("the systems agree on every topic: the p-value is 1")
    return differences, level


def vector_differences(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Return the differences of two score vectors of equal length, two topics or more."""
    minuend, subtrahend = check_vector(first, "first", minimum=2), check_vector(second, "second")
    if minuend.size != subtrahend.size:
        raise ArgumentError("second", second, f"must hold {minuend.size} scores, one for each topic of first")
    differences = score_differences(minuend, subtrahend)
    refuse_tiny(differences, "first - second")
    return differences


def refuse_constant(differences: FloatArray) -> None:
    """Refuse differences that are the same on every topic, but not 0: nothing says how much they would vary."""
    means, sds = row_moments(differences[np.newaxis])
    if sds[0] == 0 and differences.any():
        raise ArgumentError(
            "first",
            float(means[0]),
            "must not differ from second by the same amount on every topic (try randomization)",
        )


def paired_result(differences: FloatArray, **fields: Any) -> PairedTest:
    """Return a result with what follows from the differences alone filled in."""
    means, sds = row_moments(differences[np.newaxis])
    mean = float(means[0])
    facts: dict[str, Any] = {
        "n_topics": differences.size,
        "n_used": differences.size,
        "mean_difference": mean,
        "estimate": mean,
        "estimand": "mean difference",
        "statistic": mean,
        "standardized_difference": mean / float(sds[0]) if sds[0] else None,
    }
    return PairedTest(**(facts | fields))
