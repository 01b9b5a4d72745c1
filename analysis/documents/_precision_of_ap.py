"""Intervals for the AP of one list: how far it would move on another collection like this one.

Intervals over *topics* say how a mean would move with other topics; these say how it would move with other documents,
the topics being kept. They need ranked lists, not scores.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtri

from analysis._resampling import TIE_TOLERANCE, Progress, RandomSource, as_generator, with_progress
from analysis._validation import (
    FloatArray,
    check_choice,
    check_count,
    check_flag,
    check_instances,
    check_probability,
    check_real,
)
from analysis.comparisons._mean_intervals import bca_limits
from analysis.documents._average_precision import RankedList, average_precision, leave_one_out
from analysis.documents._bootstrap import bootstrap_average_precision
from analysis.errors import ArgumentError
from analysis.results import Interval, Result

Method = Literal["logit", "linear", "bca"]
LimitCorrection = Literal["silver bullets", "lead balloons"]
Limits = tuple[float, float]

#: AP is kept this far from 0 and 1 before its logit is taken. Cormack & Lynam's value is not legible in the text that
#: we have; this is the floor that trec_eval sets under AP for its geometric mean.
DEFAULT_EPSILON = 1e-5


def unseen_proportion(n_relevant: int, confidence_level: float = 0.95) -> float:
    """Return the largest proportion of a kind of relevant document of which ``n_relevant`` happened to include none.

    Parameters
    ----------
    n_relevant : int
        Number of relevant documents in the collection, R, 1 or more.
    confidence_level : float, default 0.95
        One minus the probability allowed for having seen none.

    Returns
    -------
    float
        The solution u of (1 - u)^R = 1 - confidence_level.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Cormack & Lynam (2006), doi:10.1145/1148170.1148262: R = 4 gives .53 (.527129).

    Examples
    --------
    >>> round(unseen_proportion(4), 6)
    0.527129
    """
    check_count(n_relevant, "n_relevant")
    check_probability(confidence_level, "confidence_level")
    return float(-np.expm1(np.log1p(-confidence_level) / n_relevant))


def silver_bullet_limit(n_relevant: int, depth: int, confidence_level: float = 0.95) -> float:
    """Return the AP that a system may be expected to have on like collections although it found nothing here.

    Silver bullets are relevant documents that the system could retrieve but that did not happen to be in this
    collection. At most a proportion u of the relevant documents are silver bullets (:func:`unseen_proportion`); each
    would be retrieved at a rank between 1 and ``depth``, all ranks being equally likely. The limit is the expected AP.

    Parameters
    ----------
    n_relevant : int
        Number of relevant documents, R, 1 or more.
    depth : int
        Length of the list, n, 1 or more.
    confidence_level : float, default 0.95
        Level of the limit.

    Returns
    -------
    float
        Upper confidence limit of AP where the AP observed is 0.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    Notes
    -----
    The paper enumerates by dynamic programming. Here the ranks of x bullets are x of n without replacement, so that
    E(AP | x) = x / (R n) * (H_n + (x - 1)(n - H_n) / (n - 1)), with H_n the n-th harmonic number: the document at rank
    i is a bullet with probability x / n, and then expects (i - 1)(x - 1) / (n - 1) others before it. The mean over the
    binomial x is exact.

    References
    ----------
    Cormack & Lynam (2006), doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> round(silver_bullet_limit(4, 1000), 6)
    0.004774
    """
    from scipy.stats import binom  # It takes as long to load as all else.

    check_count(depth, "depth")
    proportion = unseen_proportion(n_relevant, confidence_level)
    bullets = np.arange(n_relevant + 1)
    placed = np.minimum(bullets, depth)
    harmonic = np.sum(1.0 / np.arange(1, depth + 1))
    others = np.maximum(placed - 1, 0) * (depth - harmonic) / max(depth - 1, 1)
    expected = placed / (n_relevant * depth) * (harmonic + others)
    return float(np.sum(binom.pmf(bullets, n_relevant, proportion) * expected))


def lead_balloon_limit(n_relevant: int, confidence_level: float = 0.95) -> float:
    """Return the AP that a system may be expected to have on like collections although it is perfect here.

    Lead balloons are relevant documents that the system can't retrieve, of which none happened to be in this
    collection. At most a proportion u of the relevant documents are lead balloons (:func:`unseen_proportion`); the
    others stay at the top of the list with precision 1, so that the expected AP is 1 - u.

    Parameters
    ----------
    n_relevant : int
        Number of relevant documents, R, 1 or more.
    confidence_level : float, default 0.95
        Level of the limit.

    Returns
    -------
    float
        Lower confidence limit of AP where the AP observed is 1.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Cormack & Lynam (2006), doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> round(lead_balloon_limit(4), 6)
    0.472871
    """
    return 1.0 - unseen_proportion(n_relevant, confidence_level)


@dataclass(frozen=True, slots=True)
class AveragePrecisionInterval(Result):
    """An interval for the AP of one ranked list."""

    estimate: Annotated[float, "AP, 0 to 1."]
    standard_error: Annotated[float, "Standard deviation of the resampled AP."]
    logit_standard_error: Annotated[float, "Standard deviation of the resampled logit AP."]
    interval: Annotated[Interval | None, "Limits of AP."]
    why_no_interval: Annotated[str | None, "Why there is none."]
    correction: Annotated[LimitCorrection | None, "Which small-sample limit replaced the interval, if one did."]
    n_relevant: Annotated[int, "Number of relevant documents, R."]
    method: Annotated[Method, '"logit", "linear", "bca". How the interval was formed.']
    epsilon: Annotated[float, "Distance that AP was kept from 0 and 1 on the logit scale."]
    n_resamples: Annotated[int, "Number of resampled collections."]


def clipped_logit(values: ArrayLike, epsilon: float) -> FloatArray:
    """Return the logit of scores kept within [epsilon, 1 - epsilon]."""
    logits: FloatArray = logit(np.clip(values, epsilon, 1.0 - epsilon))
    return logits


@dataclass(frozen=True, slots=True)
class IntervalOptions:
    """The options of an interval, checked once."""

    method: Method
    confidence_level: float
    n_resamples: int
    epsilon: float
    small_sample_correction: bool

    def __post_init__(self) -> None:
        check_choice(self.method, "method", ("logit", "linear", "bca"))
        check_probability(self.confidence_level, "confidence_level")
        check_count(self.n_resamples, "n_resamples", minimum=2)
        check_epsilon(self.epsilon)
        check_flag(self.small_sample_correction, "small_sample_correction")

    @property
    def z(self) -> float:
        """Normal quantile that the interval reaches to on either side."""
        return float(ndtri((1.0 + self.confidence_level) / 2.0))


def check_epsilon(epsilon: float) -> float:
    """Return a number above 0 and below one half."""
    if not 0.0 < check_real(epsilon, "epsilon") < 0.5:
        raise ArgumentError("epsilon", epsilon, "must lie strictly between 0 and 0.5")
    return epsilon


def list_interval(ranked: RankedList, rng: np.random.Generator, options: IntervalOptions) -> AveragePrecisionInterval:
    samples = bootstrap_average_precision(ranked, rng, n_resamples=options.n_resamples)
    logits = clipped_logit(samples, options.epsilon)
    estimate = average_precision(ranked)
    limits, why = _bootstrap_limits(ranked, estimate, samples, logits, options)
    correction: LimitCorrection | None = None
    if options.small_sample_correction:
        limits, correction = _corrected(ranked, estimate, limits, options.confidence_level)
    return AveragePrecisionInterval(
        estimate,
        _spread(samples),
        _spread(logits),
        None if limits is None else Interval(limits[0], limits[1], options.confidence_level),
        why if limits is None else None,
        correction,
        ranked.n_relevant,
        options.method,
        options.epsilon,
        options.n_resamples,
    )


def _spread(samples: FloatArray) -> float:
    """Return standard deviation, exactly 0 for values that are all the same: rounding of their mean is no variation."""
    return 0.0 if np.ptp(samples) <= TIE_TOLERANCE else float(samples.std(ddof=1))


def _bootstrap_limits(
    ranked: RankedList, estimate: float, samples: FloatArray, logits: FloatArray, options: IntervalOptions
) -> tuple[Limits | None, str | None]:
    """Return limits from the resampled AP, or the reason why there are none."""
    if np.ptp(samples) <= TIE_TOLERANCE:
        return None, "every resampled collection gives the same AP"
    if options.method == "bca":
        return _bca_limits(ranked, estimate, samples, options.z)
    reach = options.z * np.array([-1.0, 1.0])
    if options.method == "linear":
        low, high = np.clip(estimate + reach * _spread(samples), 0.0, 1.0)
    else:
        low, high = expit(clipped_logit(estimate, options.epsilon) + reach * _spread(logits))
    return (float(low), float(high)), None


def _bca_limits(ranked: RankedList, estimate: float, samples: FloatArray, z: float) -> tuple[Limits | None, str | None]:
    if ranked.n_relevant < 2:
        return None, "BCa leaves out each document in turn, and AP is undefined without the only relevant one"
    values, counts = leave_one_out(ranked)
    limits = bca_limits(samples, estimate, estimate - values, z, counts=counts)
    if limits is None:
        return None, "BCa has no bias correction or acceleration: AP never moves to one of its sides"
    return (limits.low, limits.high), None


def _corrected(
    ranked: RankedList, estimate: float, limits: Limits | None, confidence_level: float
) -> tuple[Limits | None, LimitCorrection | None]:
    """Return the wider of the given limits and those for an AP of 0 or of 1, where AP can't be told from it."""
    highest = silver_bullet_limit(ranked.n_relevant, ranked.depth, confidence_level)
    lowest = lead_balloon_limit(ranked.n_relevant, confidence_level)
    width = 0.0 if limits is None else limits[1] - limits[0]
    if estimate <= highest and highest > width:
        return (0.0, highest), "silver bullets"
    if estimate >= lowest and 1.0 - lowest > width:
        return (lowest, 1.0), "lead balloons"
    return limits, None


def average_precision_interval(
    ranked: RankedList,
    rng: RandomSource,
    *,
    method: Method = "logit",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    epsilon: float = DEFAULT_EPSILON,
    small_sample_correction: bool = True,
) -> AveragePrecisionInterval:
    """Return the interval that holds the expected AP of the system on collections like this one.

    Parameters
    ----------
    ranked : RankedList
        Ranks of the relevant documents, their number, and the depth of the list.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    method : {"logit", "linear", "bca"}, default "logit"
        Normal interval of logit AP, transformed back; normal interval of AP, cut at 0 and 1; bias-corrected and
        accelerated percentiles.
    confidence_level : float, default 0.95
        Between 0 and 1.
    n_resamples : int, default 2000
        Number of resampled collections, 2 or more.
    epsilon : float, default 1e-5
        AP is kept within [epsilon, 1 - epsilon] before its logit is taken; below 0.5.
    small_sample_correction : bool, default True
        Whether, where AP can't be told from 0 or from 1, the limit for unseen silver bullets or lead balloons is used
        if it gives the wider interval.

    Returns
    -------
    AveragePrecisionInterval
        Without an interval, and with the reason, where no resample changes AP and the correction is switched off, or
        where BCa has no acceleration.

    Raises
    ------
    ArgumentError
        If an option is out of its range.

    Notes
    -----
    AP can't be told from 0 if it does not exceed the limit that an AP of 0 would get, and likewise for 1; the paper
    does not say how close is "close to". The logit interval is one for the expected *logit* AP, whose inverse logit is
    below the expected AP where AP is above one half, and above it otherwise. For BCa, resamples equal to AP count by
    half, and each document of a large collection is left out, so that the mean of these is AP itself.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR, pp. 533-540,
    doi:10.1145/1148170.1148262. Efron (1987), doi:10.1080/01621459.1987.10478410 (BCa).
    """
    options = IntervalOptions(method, confidence_level, n_resamples, epsilon, small_sample_correction)
    return list_interval(ranked, as_generator(rng), options)


def average_precision_intervals(
    lists: Sequence[RankedList],
    rng: RandomSource,
    *,
    method: Method = "logit",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    epsilon: float = DEFAULT_EPSILON,
    small_sample_correction: bool = True,
    progress: Progress | None = None,
) -> tuple[AveragePrecisionInterval, ...]:
    """Return the intervals of many ranked lists, as :func:`average_precision_interval` gives them one by one.

    Parameters
    ----------
    lists : sequence of RankedList
        At least one.
    rng, method, confidence_level, n_resamples, epsilon, small_sample_correction
        As for :func:`average_precision_interval`.
    progress : callable, optional
        Called with (lists done, lists in all).

    Returns
    -------
    tuple of AveragePrecisionInterval
        In the order of the lists.

    Raises
    ------
    ArgumentError
        If there is no list, something else is among them, or an option is out of its range.

    References
    ----------
    Cormack & Lynam (2006), "Statistical precision of information retrieval evaluation", SIGIR 2006,
    doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> lists = [RankedList([1, 2, 4], 8, 1000), RankedList([3], 2, 1000)]
    >>> [round(interval.estimate, 3) for interval in average_precision_intervals(lists, 1, n_resamples=200)]
    [0.344, 0.167]
    """
    check_instances(lists, "lists", RankedList)
    options = IntervalOptions(method, confidence_level, n_resamples, epsilon, small_sample_correction)
    generator = as_generator(rng)
    return tuple(list_interval(ranked, generator, options) for ranked in with_progress(lists, progress))
