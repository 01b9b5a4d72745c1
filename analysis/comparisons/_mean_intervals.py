"""Intervals of a mean score over topics, or of a mean difference: Student's t, and the bootstrap's BCa."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtrit

from analysis._resampling import (
    TIE_TOLERANCE,
    RandomSource,
    as_generator,
    bootstrap_mean_draws,
    chunks,
)
from analysis._validation import (
    FloatArray,
    check_choice,
    check_count,
    check_probability,
    check_vector,
    refuse_tiny,
    warn,
)
from analysis.comparisons._difference_tests import zero_if_rounding
from analysis.results import Interval, Result


@dataclass(frozen=True, slots=True)
class BcaLimits:
    """The limits, with the two corrections of the percentiles that they stand at."""

    low: float
    high: float
    bias_correction: float
    acceleration: float


def bca_limits(
    samples: FloatArray,
    estimate: float,
    influence: FloatArray,
    z: float,
    *,
    counts: NDArray[np.int64] | int = 1,
    unit: float = 1.0,
) -> BcaLimits | None:
    """Return the limits at normal quantiles ±z; None where no observation moves the estimate, or samples lie on one
    side.

    ``influence`` is the estimate less that without the observation (or anything in proportion), ``counts`` how many
    observations have each. Samples equal to the estimate count half on either side; what is no more than rounding of
    scores as large as ``unit`` is no difference.
    """
    tolerance = TIE_TOLERANCE * unit
    spread = float(np.sum(counts * influence**2))
    below = np.mean(samples < estimate - tolerance)
    above = np.mean(samples > estimate + tolerance)
    share = (below + 1.0 - above) / 2.0
    if spread <= tolerance**2 or not 0.0 < share < 1.0:
        return None
    acceleration = float(np.sum(counts * influence**3)) / (6.0 * spread**1.5)
    shift = float(ndtri(share))
    ends = shift + z * np.array([-1.0, 1.0])
    low, high = np.quantile(samples, ndtr(shift + ends / (1.0 - acceleration * ends)))
    return BcaLimits(float(low), float(high), shift, acceleration)


_CONSTANT = "all scores are equal, so that their mean has no standard error"


@dataclass(frozen=True, slots=True)
class MeanInterval(Result):
    """A mean over topics with its interval."""

    method: Annotated[Literal["t", "bca"], "How the interval was formed."]
    estimate: Annotated[float, "Mean, in the unit of the measure."]
    standard_error: Annotated[float, "sd over topics (ddof=1) / sqrt(n_topics)."]
    interval: Annotated[Interval | None, "For the mean over all topics like these."]
    why_no_interval: Annotated[str | None, "Why there is none."]
    bias_correction: Annotated[float | None, "Normal quantile of the share of resampled means below it; None for t."]
    acceleration: Annotated[float | None, "A sixth of the skewness / sqrt(n_topics), moving percentiles; None for t."]
    n_topics: Annotated[int, "Number of topics."]
    n_resamples: Annotated[int | None, 'Number of bootstrap samples; None for "t".']


def mean_interval(
    scores: ArrayLike,
    rng: RandomSource | None = None,
    *,
    method: Literal["t", "bca"] = "t",
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
) -> MeanInterval:
    """Return the interval of a mean over topics: Student's, or the bias-corrected and accelerated one of the bootstrap.

    Parameters
    ----------
    scores : array_like of float, shape (n_topics,)
        Scores of one system by topic, or differences of two systems, in the unit of the measure; at least two topics.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed. Needed by "bca".
    method : {"t", "bca"}, default "t"
        "t" is symmetric around the mean. "bca" is not where the scores are skewed, and never outside of their range.
    confidence_level : float, default 0.95
        Between 0 and 1.
    n_resamples : int, default 10_000
        For "bca": samples of topics drawn with replacement, 99 or more.

    Returns
    -------
    MeanInterval

    Raises
    ------
    ArgumentError
        If there are fewer than two topics, a score is not finite, a number is out of range, or ``rng`` is missing
        where it is needed.

    Warns
    -----
    DegenerateWarning
        If all scores are equal; there is no interval then.

    Notes
    -----
    For a system that was not chosen for its score; the best of many needs :func:`analysis.best.estimate_winner`. Topics
    are taken as independent draws, and for "t" the mean as normal: close enough from 25 topics on, unless the scores
    are as coarse as reciprocal ranks. For MAP on 50 topics BCa agrees with t to a thousandth or two: prefer t there. On
    few topics BCa is too short where t is not, and it is not for a maximum or a rank.

    References
    ----------
    Student (1908), "The probable error of a mean", Biometrika 6(1), 1-25, doi:10.1093/biomet/6.1.1.
    Efron (1987), "Better bootstrap confidence intervals", JASA 82(397), 171-185, doi:10.1080/01621459.1987.10478410.
    """
    values = check_vector(scores, "scores", minimum=2)
    refuse_tiny(values, "scores")
    check_choice(method, "method", ("t", "bca"))
    level = check_probability(confidence_level, "confidence_level")
    n_resamples = check_count(n_resamples, "n_resamples", minimum=99)
    generator = as_generator(rng) if method == "bca" or rng is not None else None
    largest = float(np.abs(values).max())
    estimate, error = float(zero_if_rounding(values.mean(), largest)), _standard_error(values)
    if generator is None or method == "t":
        reach = float(stdtrit(values.size - 1, (1 + level) / 2)) * error
        limits, ends, why = None, (estimate - reach, estimate + reach) if error else None, _CONSTANT
    else:
        draws = [
            bootstrap_mean_draws(values[None, :], step, generator)[:, 0] for step in chunks(n_resamples, values.size)
        ]
        if error:
            z = float(ndtri((1 + level) / 2))
            limits = bca_limits(np.concatenate(draws), estimate, values - estimate, z, unit=largest)
        else:
            limits = None
        ends = (limits.low, limits.high) if limits else None
        why = "resampled means lie on one side of the mean only" if error else _CONSTANT
    return MeanInterval(
        method=method,
        estimate=estimate,
        standard_error=error,
        interval=Interval(*ends, level) if ends else None,
        why_no_interval=None if ends else why,
        bias_correction=limits.bias_correction if limits else None,
        acceleration=limits.acceleration if limits else None,
        n_topics=values.size,
        n_resamples=n_resamples if method == "bca" else None,
    )


def _standard_error(values: FloatArray) -> float:
    # Differences that are equal on paper differ by rounding, and the computed sd of equal numbers may be of that size.
    if np.ptp(values) <= TIE_TOLERANCE * np.abs(values).max():
        warn(_CONSTANT)
        return 0.0
    return float(values.std(ddof=1) / np.sqrt(values.size))
