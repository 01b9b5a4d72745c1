"""Do published scores rise over the years: as a whole, and at their upper edge?

Scores of one collection under one measure, each with a time (year or date as a number). Results of one paper or one
laboratory are not independent; the cluster bootstrap takes that into account.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri, stdtr, stdtrit

from analysis._resampling import RandomSource, as_generator
from analysis._validation import FloatArray, check_count, check_probability, check_vectors
from analysis.comparisons._difference_tests import SMALLEST_PVALUE
from analysis.errors import ArgumentError
from analysis.results import Interval, Result
from analysis.trends._trend_fits import (
    Trends,
    cluster_numbers,
    has_room,
    pair_slopes,
    percentile_interval,
    quantile_line,
)

#: With fewer results a rank correlation with time can't be significant, and a quantile slope has no standard error.
MIN_RESULTS, MIN_FRONTIER_RESULTS = 4, 20

#: The slopes of all pairs are held at once: 100 MB.
MAX_RESULTS = 5000
_RESAMPLES_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class TrendOverTime(Result):
    """Mann-Kendall test and Theil-Sen slope of scores over time."""

    tau: Annotated[float, "Kendall's tau-b of score and time, -1 to 1: the excess of later results that score higher."]
    pvalue: Annotated[float, "Two-sided p-value of tau = 0 (the Mann-Kendall test), in (0, 1]."]
    slope: Annotated[float, "Theil-Sen slope: the median change of the score per unit of time."]
    intercept: Annotated[float, "Of the Theil-Sen line at time 0."]
    interval: Annotated[Interval, "Confidence interval of the slope (Sen 1968)."]
    n_results: Annotated[int, "Number of results."]


@dataclass(frozen=True, slots=True)
class FrontierTrend(Result):
    """Slope over time of a high quantile of scores: whether the best results get better."""

    quantile: Annotated[float, "Which quantile."]
    slope: Annotated[float, "Change of that quantile per unit of time."]
    standard_error: Annotated[float | None, "Its standard error."]
    intercept: Annotated[float, "Of the line at time 0."]
    pvalue: Annotated[float | None, "Two-sided p-value of slope 0, in (0, 1]."]
    interval: Annotated[Interval | None, "t interval of the slope."]
    why_no_interval: Annotated[str | None, "Why there is neither standard error nor p-value nor interval."]
    n_results: Annotated[int, "Number of results."]


@dataclass(frozen=True, slots=True)
class ClusteredTrend(Result):
    """Bootstrap intervals of a trend, resampling whole clusters of results."""

    tau: Annotated[float, "As in :class:`TrendOverTime`."]
    slope: Annotated[float, "As in :class:`TrendOverTime`."]
    slope_interval: Annotated[Interval, "Percentile interval over resampled clusters."]
    frontier_slope: Annotated[float | None, "As in :class:`FrontierTrend`; None if it was not asked for."]
    frontier_interval: Annotated[Interval | None, "Its percentile interval."]
    quantile: Annotated[float | None, "Quantile of the frontier."]
    n_results: Annotated[int, "Sizes."]
    n_resamples: Annotated[int, "Sizes."]


def trend_over_time(times: ArrayLike, values: ArrayLike, *, confidence_level: float = 0.95) -> TrendOverTime:
    """Return the Mann-Kendall test and the Theil-Sen slope of published scores over time.

    Parameters
    ----------
    times : array_like of float, shape (n_results,)
        Date of each result in years, or as another number. Ties are expected; all may not be equal.
    values : array_like of float, shape (n_results,)
        Scores in the unit of the measure, at least four, not all equal.
    confidence_level : float, default 0.95
        Level of the interval of the slope, between 0 and 1.

    Returns
    -------
    TrendOverTime

    Raises
    ------
    ArgumentError
        If the lengths differ, there are fewer than four results or more than 5000, or all times or all values are
        equal.

    Notes
    -----
    Assumes independent results; see :func:`clustered_trend` for several results of one source. Ties in time and score
    are corrected for (tau-b). A lack of trend among *published* scores is not a lack of progress: papers choose
    what they compare with. The sign of a slope is about scores: downward is better where lower is better.

    References
    ----------
    Mann (1945), doi:10.2307/1907187. Sen (1968), doi:10.1080/01621459.1968.10480934. Armstrong, Moffat, Webber &
    Zobel, CIKM 2009, doi:10.1145/1645953.1646031.
    """
    moments, scores = _checked(times, values, MIN_RESULTS)
    level = check_probability(confidence_level, "confidence_level")
    from scipy.stats import kendalltau  # It takes as long to load as all else.

    test = kendalltau(moments, scores)
    slopes = pair_slopes(moments, scores)[0]
    slope = float(np.median(slopes))
    return TrendOverTime(
        tau=float(test.statistic),
        pvalue=max(float(test.pvalue), SMALLEST_PVALUE),
        slope=slope,
        intercept=float(np.median(scores) - slope * np.median(moments)),
        interval=_sen_interval(slopes, _variance_of_s(moments, scores), level),
        n_results=scores.size,
    )


def frontier_trend(
    times: ArrayLike, values: ArrayLike, *, quantile: float = 0.9, confidence_level: float = 0.95
) -> FrontierTrend:
    """Return the slope over time of a high quantile of the scores, by quantile regression.

    Parameters
    ----------
    times, values : array_like of float, shape (n_results,)
        Dates in years and scores in the unit of the measure, as in :func:`trend_over_time`; at least twenty.
    quantile : float, default 0.9
        Quantile that stands for the best results, between 0 and 1; a low one where lower is better.
    confidence_level : float, default 0.95
        Level of the interval, between 0 and 1.

    Returns
    -------
    FrontierTrend

    Raises
    ------
    ArgumentError
        If the lengths differ, there are fewer than twenty results, all times or all values are equal, the quantile
        lies so far out that fewer than two results are beyond it.

    Notes
    -----
    The line is exact, by linear programming. The standard error is the sandwich estimate with the Hall-Sheather
    bandwidth and an Epanechnikov kernel, as in statsmodels; it assumes independent results. The bandwidth reaches from
    a quantile below to one above, and where that would be beyond 1, or 0, there is no standard error: for .9 it takes
    42 results.

    References
    ----------
    Koenker & Bassett (1978), doi:10.2307/1913643.
    """
    moments, scores = _checked(times, values, MIN_FRONTIER_RESULTS)
    check_probability(quantile, "quantile")
    level = check_probability(confidence_level, "confidence_level")
    if round(min(quantile, 1 - quantile) * scores.size, 9) < 2:  # 1 - 0.9 is a little less than 0.1.
        raise ArgumentError("quantile", quantile, f"must leave at least two of {scores.size} results beyond it")
    centre = float(moments.mean())
    line = quantile_line(moments - centre, scores, quantile)
    why = f"{scores.size} results are too few for the error of a quantile so near the end"
    if has_room(scores.size, quantile):
        why = "the scores lie so regularly around the line that its error is unknown"
    # The density of scores at the line is estimated from those near it, which a lattice of scores may not have.
    known = line.standard_error > 0  # NaN is not.
    slope, error, degrees = line.slope, line.standard_error, scores.size - 2
    margin = error * float(-stdtrit(degrees, (1 - level) / 2))
    return FrontierTrend(
        quantile=quantile,
        slope=slope,
        standard_error=error if known else None,
        intercept=line.intercept - slope * centre,
        pvalue=max(2 * float(stdtr(degrees, -abs(slope) / error)), SMALLEST_PVALUE) if known else None,
        interval=Interval(slope - margin, slope + margin, level) if known else None,
        why_no_interval=None if known else why,
        n_results=scores.size,
    )


def clustered_trend(
    times: ArrayLike,
    values: ArrayLike,
    clusters: Sequence[str],
    rng: RandomSource,
    *,
    quantile: float | None = 0.9,
    n_resamples: int = 999,
    confidence_level: float = 0.95,
) -> ClusteredTrend:
    """Return the trend with intervals that take results of one paper or laboratory as belonging together.

    Parameters
    ----------
    times, values : array_like of float, shape (n_results,)
        Dates in years and scores in the unit of the measure, as in :func:`trend_over_time`.
    clusters : sequence of str, shape (n_results,)
        Paper, laboratory or team of each result; at least ten different.
    rng : numpy Generator or int
        Source of randomness, or a seed.
    quantile : float or None, default 0.9
        Quantile of the frontier; None leaves it out.
    n_resamples : int, default 999
        Number of bootstrap samples of clusters, 99 or more.
    confidence_level : float, default 0.95
        Level of the percentile intervals, between 0 and 1.

    Returns
    -------
    ClusteredTrend

    Raises
    ------
    ArgumentError
        As :func:`trend_over_time` and :func:`frontier_trend`; if there are fewer than ten clusters.

    Notes
    -----
    Clusters are drawn with replacement, as many as there are, with all their results. A draw whose times or values
    are all equal is drawn again.

    References
    ----------
    Field & Welsh (2007), doi:10.1111/j.1467-9868.2007.00593.x.
    """
    moments, scores = _checked(times, values, MIN_RESULTS)
    numbers = cluster_numbers(clusters, scores.size)
    check_count(n_resamples, "n_resamples", minimum=99)
    level = check_probability(confidence_level, "confidence_level")
    generator = as_generator(rng)
    plain = trend_over_time(moments, scores)
    frontier = None if quantile is None else frontier_trend(moments, scores, quantile=quantile)
    trends = Trends(moments, scores, quantile)
    draws: list[FloatArray] = []
    for begun in range(0, n_resamples, _RESAMPLES_AT_ONCE):
        n_drawn = min(_RESAMPLES_AT_ONCE, n_resamples - begun)
        draws.append(trends.of(np.array([trends.draw(numbers, generator) for _ in range(n_drawn)])))
    intervals = [percentile_interval(column, level) for column in np.concatenate(draws).T]
    return ClusteredTrend(
        tau=plain.tau,
        slope=plain.slope,
        slope_interval=intervals[0],
        frontier_slope=frontier.slope if frontier else None,
        frontier_interval=intervals[1] if frontier else None,
        quantile=quantile,
        n_results=scores.size,
        n_resamples=n_resamples,
    )


def _variance_of_s(moments: FloatArray, scores: FloatArray) -> float:
    """Return variance of Kendall's S, the excess of pairs that rise, over all orders of results with ties in both."""
    n = scores.size
    ties = [np.unique(values, return_counts=True)[1].astype(float) for values in (moments, scores)]
    twos = [float((t * (t - 1)).sum()) for t in ties]
    threes = [float((t * (t - 1) * (t - 2)).sum()) for t in ties]
    untied = n * (n - 1) * (2 * n + 5) - sum(float((t * (t - 1) * (2 * t + 5)).sum()) for t in ties)
    both = twos[0] * twos[1] / (2 * n * (n - 1)) + threes[0] * threes[1] / (9 * n * (n - 1) * (n - 2))
    return untied / 18 + both


def _sen_interval(slopes: FloatArray, variance: float, level: float) -> Interval:
    """Return of all slopes, in order, from the lowest to the highest that the test doesn't reject as the trend."""
    reach = float(ndtri((1 + level) / 2)) * variance**0.5
    low, high = round((slopes.size - reach) / 2) - 1, round((slopes.size + reach) / 2)
    return Interval(float(slopes[max(low, 0)]), float(slopes[min(high, slopes.size - 1)]), level)


def _checked(times: ArrayLike, values: ArrayLike, minimum: int) -> tuple[FloatArray, FloatArray]:
    moments, scores = check_vectors(times, values, ("times", "values"), minimum=minimum)
    if scores.size > MAX_RESULTS:
        raise ArgumentError("values", scores.size, f"must be at most {MAX_RESULTS}")
    for array, argument, original in ((moments, "times", times), (scores, "values", values)):
        if np.ptp(array) == 0:
            raise ArgumentError(argument, original, "must not all be equal")
    return moments, scores
