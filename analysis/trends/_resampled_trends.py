"""Resamples of clusters of results, and the trend statistics of one resample, fast enough for a thousand."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from analysis._validation import FloatArray, check_labels
from analysis.errors import ArgumentError
from analysis.results import Interval

#: Fewer clusters say too little about how clusters vary.
_MIN_CLUSTERS = 10


def cluster_members(clusters: Sequence[str], size: int) -> list[NDArray[np.intp]]:
    labels = np.array(check_labels(clusters, "clusters", size))
    members = [np.flatnonzero(labels == label) for label in dict.fromkeys(labels.tolist())]
    if len(members) < _MIN_CLUSTERS:
        raise ArgumentError("clusters", len(members), f"must be at least {_MIN_CLUSTERS} different ones")
    return members


def resampled_rows(
    moments: FloatArray, scores: FloatArray, members: list[NDArray[np.intp]], generator: np.random.Generator
) -> NDArray[np.intp]:
    # From ten clusters on, a draw in four or more has different times and values, if all of them together have.
    while True:
        chosen = generator.integers(0, len(members), len(members))
        rows = np.concatenate([members[number] for number in chosen])
        if np.ptp(moments[rows]) > 0 and np.ptp(scores[rows]) > 0:
            return rows


def trend_statistics(moments: FloatArray, scores: FloatArray, quantile: float | None) -> list[float]:
    slopes = pair_slopes(moments, scores)
    from scipy.stats import kendalltau  # It takes as long to load as all else.

    statistics = [float(kendalltau(moments, scores).statistic), float(np.median(slopes))]
    if quantile is not None:
        statistics.append(_quantile_slope(moments - moments.mean(), scores, quantile, slopes))
    return statistics


def _quantile_slope(moments: FloatArray, scores: FloatArray, quantile: float, slopes: FloatArray) -> float:
    """Return the slope of quantile regression alone: the minimum of a convex function of one variable.

    Given the slope, the best intercept is a quantile of what is left; twenty times faster than a full fit.
    """
    place = int(np.ceil(quantile * scores.size)) - 1

    def loss(slope: float) -> float:
        rest = scores - slope * moments
        rest -= np.partition(rest, place)[place]
        return float((rest * (quantile - (rest < 0))).sum())

    low, high = float(slopes.min()), float(slopes.max())
    if low == high:
        return low
    return float(minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-7 * (high - low)}).x)


def pair_slopes(moments: FloatArray, scores: FloatArray) -> FloatArray:
    """Slopes of all pairs of results at different times, once each."""
    gap = moments[:, None] - moments
    later = gap > 0
    slopes: FloatArray = (scores[:, None] - scores)[later] / gap[later]
    return slopes


def percentile_interval(draws: FloatArray, level: float) -> Interval:
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)
