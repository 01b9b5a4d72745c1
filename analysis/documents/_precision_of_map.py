"""Intervals for MAP, or the mean of logit AP, against other documents like these, the topics being kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from scipy.special import expit

from analysis._resampling import Progress, RandomSource, as_generator, with_progress
from analysis._validation import FloatArray, check_choice, check_instances
from analysis.documents._average_precision import RankedList, average_precision
from analysis.documents._bootstrap import bootstrap_average_precision
from analysis.documents._precision_of_ap import (
    DEFAULT_EPSILON,
    AveragePrecisionInterval,
    IntervalOptions,
    clipped_logit,
    list_interval,
)
from analysis.results import Interval, Result

MeanMethod = Literal["bootstrap", "parametric"]


@dataclass(frozen=True, slots=True)
class MapInterval(Result):
    """An interval for MAP or L-MAP."""

    measure: Annotated[Literal["MAP", "L-MAP"], "The mean of AP, or of logit AP, over the topics."]
    estimate: Annotated[float, "The mean, in the unit of the measure (L-MAP: logits)."]
    standard_error: Annotated[float, "Its standard error against the variation of the documents, in the same unit."]
    interval: Annotated[Interval, "In the same unit."]
    score: Annotated[float, "The same as a score from 0 to 1: for L-MAP the inverse logit, for MAP unchanged."]
    score_interval: Annotated[Interval, "Of that score."]
    method: Annotated[Literal["bootstrap", "parametric"], "How the standard error was found."]
    n_topics: Annotated[int, "Number of topics."]
    n_corrected: Annotated[int, "Topics whose variance comes from a small-sample limit; 0 for the bootstrap."]
    epsilon: Annotated[float, "Distance that AP was kept from 0 and 1 on the logit scale."]
    n_resamples: Annotated[int, "Number of resampled collections."]


def map_interval(
    lists: Sequence[RankedList],
    rng: RandomSource,
    *,
    method: MeanMethod = "bootstrap",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    epsilon: float = DEFAULT_EPSILON,
    progress: Progress | None = None,
) -> MapInterval:
    """Return the interval of mean average precision against the variation of the documents, the topics being kept.

    Parameters
    ----------
    lists : sequence of RankedList
        One for each topic, at least one.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    method : {"bootstrap", "parametric"}, default "bootstrap"
        "bootstrap" takes the standard deviation of the resampled MAP; "parametric" adds up the variances of the
        topics' logit AP, each times (AP - AP^2)^2, the squared derivative of AP with respect to its logit. The value
        of a second collection lay within 83 % and 93 % of the intervals of 500 simulated systems, and of 69-76 % and
        78-81 % in the paper, where 83.4 % should.
    confidence_level, n_resamples, epsilon
        As for :func:`average_precision_interval`; the small-sample correction enters the parametric variances.
    progress : callable, optional
        Called with (lists done, lists in all).

    Returns
    -------
    MapInterval
        MAP plus and minus z standard errors, cut at 0 and 1.

    Raises
    ------
    ArgumentError
        If there is no list, something else is among them, or an option is out of its range.

    Notes
    -----
    Topics are resampled independently of each other, as in the paper, although topics of one collection share
    documents. Where a small-sample limit replaces a topic's interval, its logit standard error is the width of that
    interval, on the logit scale and within [epsilon, 1 - epsilon], divided by 2 z.

    References
    ----------
    Cormack & Lynam (2006), doi:10.1145/1148170.1148262.
    """
    options = IntervalOptions("logit", confidence_level, n_resamples, epsilon, True)
    return _mean_interval("MAP", method, lists, as_generator(rng), options, progress)


def logit_map_interval(
    lists: Sequence[RankedList],
    rng: RandomSource,
    *,
    method: MeanMethod = "bootstrap",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    epsilon: float = DEFAULT_EPSILON,
    progress: Progress | None = None,
) -> MapInterval:
    """Return the interval of L-MAP, the mean of logit AP, against the variation of the documents.

    Parameters
    ----------
    lists, rng, confidence_level, n_resamples, progress
        As for :func:`map_interval`.
    method : {"bootstrap", "parametric"}, default "bootstrap"
        "bootstrap" takes the standard deviation of the resampled L-MAP; "parametric" the mean of the topics' logit
        variances, in which small-sample limits weigh heavily. The value of a second collection lay within 82 % and
        83 % of the intervals of 500 simulated systems, and of 82-84 % and 74 % in the paper.
    epsilon : float, default 1e-5
        AP is kept within [epsilon, 1 - epsilon]. L-MAP depends on it wherever a topic has AP 0 or 1.

    Returns
    -------
    MapInterval
        In logits, and as scores from 0 to 1.

    Raises
    ------
    ArgumentError
        As for :func:`map_interval`.

    References
    ----------
    Cormack & Lynam (2006), doi:10.1145/1148170.1148262.
    """
    options = IntervalOptions("logit", confidence_level, n_resamples, epsilon, True)
    return _mean_interval("L-MAP", method, lists, as_generator(rng), options, progress)


def _mean_interval(
    measure: Literal["MAP", "L-MAP"],
    method: MeanMethod,
    lists: Sequence[RankedList],
    rng: np.random.Generator,
    options: IntervalOptions,
    progress: Progress | None,
) -> MapInterval:
    check_choice(method, "method", ("bootstrap", "parametric"))
    check_instances(lists, "lists", RankedList)
    scale: Callable[[Any], FloatArray] = np.asarray
    if measure == "L-MAP":
        scale = partial(clipped_logit, epsilon=options.epsilon)
    scores = np.array([average_precision(ranked) for ranked in lists])
    if method == "bootstrap":
        error, n_corrected = _bootstrap_error(lists, rng, options, scale, progress), 0
    else:
        intervals = [list_interval(ranked, rng, options) for ranked in with_progress(lists, progress)]
        n_corrected = sum(interval.correction is not None for interval in intervals)
        spread = np.array([_logit_error(interval, options) for interval in intervals])
        weights = scores - scores**2 if measure == "MAP" else np.ones(len(lists))
        error = float(np.sqrt(np.sum((weights * spread) ** 2)) / len(lists))
    estimate = float(np.mean(scale(scores)))
    low, high = estimate - options.z * error, estimate + options.z * error
    if measure == "MAP":
        low, high = max(low, 0.0), min(high, 1.0)
    back = expit if measure == "L-MAP" else float
    return MapInterval(
        measure,
        estimate,
        error,
        Interval(low, high, options.confidence_level),
        float(back(estimate)),
        Interval(float(back(low)), float(back(high)), options.confidence_level),
        method,
        len(lists),
        n_corrected,
        options.epsilon,
        options.n_resamples,
    )


def _bootstrap_error(
    lists: Sequence[RankedList],
    rng: np.random.Generator,
    options: IntervalOptions,
    scale: Callable[[Any], FloatArray],
    progress: Progress | None,
) -> float:
    """Return standard deviation of the resampled mean; one topic's resamples are in memory at a time."""
    total = np.zeros(options.n_resamples)
    for ranked in with_progress(lists, progress):
        total += scale(bootstrap_average_precision(ranked, rng, n_resamples=options.n_resamples))
    return float(np.std(total / len(lists), ddof=1))


def _logit_error(interval: AveragePrecisionInterval, options: IntervalOptions) -> float:
    """Return standard error of a topic's logit AP; from its interval where a small-sample limit replaced the
    bootstrap."""
    if interval.correction is None or interval.interval is None:
        return interval.logit_standard_error
    low, high = clipped_logit([interval.interval.low, interval.interval.high], options.epsilon)
    return float((high - low) / (2.0 * options.z))
