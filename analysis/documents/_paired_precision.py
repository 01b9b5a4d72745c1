"""The difference between two systems against the variation of the documents, both measured on the same resamples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from scipy.special import ndtr, ndtri

from analysis._resampling import TIE_TOLERANCE, Progress, RandomSource, as_generator, with_progress
from analysis._validation import FloatArray, check_choice, check_count, check_instances, check_probability
from analysis.comparisons._difference_tests import SMALLEST_PVALUE
from analysis.documents._average_precision import average_precision
from analysis.documents._bootstrap import bootstrap_pair
from analysis.documents._precision_of_ap import DEFAULT_EPSILON, check_epsilon, clipped_logit
from analysis.documents._ranked_pairs import RankedPair
from analysis.results import Interval, Result

DifferenceScale = Literal["logit", "linear"]


@dataclass(frozen=True, slots=True)
class PairedDifference(Result):
    """The first system minus the second, over the topics."""

    estimate: Annotated[float, "Mean over the topics of the difference in AP, or in logit AP."]
    standard_error: Annotated[float, "Its standard error against the variation of the documents."]
    unpaired_standard_error: Annotated[float, "What it would be if the two systems were resampled separately."]
    statistic: Annotated[float | None, "Estimate divided by its standard error."]
    pvalue: Annotated[float | None, "Two-sided normal p-value."]
    interval: Annotated[Interval | None, "Estimate plus and minus z standard errors."]
    why_no_interval: Annotated[str | None, "Why there is neither test nor interval."]
    topic_differences: Annotated[tuple[float, ...], "On each topic, for :func:`analysis.comparisons.meta_analysis`."]
    topic_standard_errors: Annotated[tuple[float, ...], "Its standard error on each, likewise."]
    scale: Annotated[DifferenceScale, '"logit", "linear". Whether differences are of logit AP or of AP.']
    epsilon: Annotated[float, "Distance that AP was kept from 0 and 1 on the logit scale."]
    n_resamples: Annotated[int, "Number of resampled collections."]


def paired_difference(
    pairs: Sequence[RankedPair],
    rng: RandomSource,
    *,
    scale: DifferenceScale = "logit",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    epsilon: float = DEFAULT_EPSILON,
    progress: Progress | None = None,
) -> PairedDifference:
    """Return the difference in MAP (or in L-MAP) of two systems, with an interval against the variation of the
    documents.

    Parameters
    ----------
    pairs : sequence of RankedPair
        One for each topic; one pair alone gives the difference in AP.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    scale : {"logit", "linear"}, default "logit"
        Differences of logit AP, the log of the ratio of the odds, or of AP.
    confidence_level : float, default 0.95
        Between 0 and 1.
    n_resamples : int, default 2000
        Number of resampled collections, 2 or more.
    epsilon : float, default 1e-5
        AP is kept within [epsilon, 1 - epsilon] before its logit is taken; below 0.5.
    progress : callable, optional
        Called with (topics done, topics in all).

    Returns
    -------
    PairedDifference
        Without test and interval, and with the reason, where no resample changes the difference, as for a system
        compared with itself.

    Raises
    ------
    ArgumentError
        If there is no pair, something else is among them, or an option is out of its range.

    Notes
    -----
    The interval excludes 0 exactly when the p-value is below 1 - confidence_level. It says whether another collection
    of documents would show the difference again on *these* topics, nothing about other topics. Topics are resampled
    independently of each other. No small-sample correction is made; on the logit scale a topic on which one system
    has AP 0 contributes a difference that epsilon decides.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR, pp. 533-540,
    doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> from analysis.documents import pair_rankings
    >>> documents = [f"d{number}" for number in range(40)]
    >>> pair = pair_rankings(documents, documents[3:] + documents[:3], {"d0", "d4", "d5", "d9", "d20"})
    >>> paired = paired_difference([pair], 1, scale="linear")
    >>> round(paired.estimate, 3), paired.standard_error < paired.unpaired_standard_error
    (0.118, True)
    """
    check_choice(scale, "scale", ("logit", "linear"))
    check_probability(confidence_level, "confidence_level")
    check_count(n_resamples, "n_resamples", minimum=2)
    check_epsilon(epsilon)
    check_instances(pairs, "pairs", RankedPair)
    total = np.zeros(n_resamples)
    errors, unpaired = [], []
    generator = as_generator(rng)
    for pair in with_progress(pairs, progress):
        values = _scaled(bootstrap_pair(pair, generator, n_resamples=n_resamples), scale, epsilon)
        total += values[0] - values[1]
        errors.append(float(np.std(values[0] - values[1], ddof=1)))
        unpaired.append(float(np.sum(np.var(values, axis=1, ddof=1))))
    observed = np.array([[average_precision(pair.first), average_precision(pair.second)] for pair in pairs])
    differences = _scaled(observed, scale, epsilon) @ np.array([1.0, -1.0])
    error = float(np.std(total / len(pairs), ddof=1))
    return PairedDifference(
        *_tested(float(differences.mean()), error, float(np.sqrt(np.sum(unpaired)) / len(pairs)), confidence_level),
        tuple(differences.tolist()),
        tuple(errors),
        scale,
        epsilon,
        n_resamples,
    )


def _scaled(values: FloatArray, scale: DifferenceScale, epsilon: float) -> FloatArray:
    return values if scale == "linear" else clipped_logit(values, epsilon)


def _tested(
    estimate: float, error: float, unpaired: float, confidence_level: float
) -> tuple[float, float, float, float | None, float | None, Interval | None, str | None]:
    """Return the first seven fields of the result."""
    if error <= TIE_TOLERANCE:
        return estimate, error, unpaired, None, None, None, "no resampled collection changes the difference"
    statistic = estimate / error
    pvalue = max(2.0 * float(ndtr(-abs(statistic))), SMALLEST_PVALUE)
    reach = float(ndtri((1.0 + confidence_level) / 2.0)) * error
    interval = Interval(estimate - reach, estimate + reach, confidence_level)
    return estimate, error, unpaired, statistic, pvalue, interval, None
