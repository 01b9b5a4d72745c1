"""Lines through a quantile of scores over time, and the trends of many resamples of clusters at once.

A resample is how often it holds each result. Slopes of pairs are the same in all of them, so they are sorted once.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.special import ndtri

from analysis._validation import FloatArray, check_labels
from analysis.errors import ArgumentError
from analysis.results import Interval

#: Two points or more lie on the line exactly; this share of the range of the scores is no distance.
_ON_THE_LINE = 1e-9
#: Fewer clusters say too little about how clusters vary.
_MIN_CLUSTERS = 10


class QuantileLine(NamedTuple):
    """The line, and the standard error of its slope: NaN where the scores don't tell it."""

    intercept: float
    slope: float
    standard_error: float


def quantile_line(times: FloatArray, scores: FloatArray, quantile: float) -> QuantileLine:
    """Return the line with the smallest sum of weighted absolute distances (Koenker & Bassett 1978).

    Solved exactly, as the dual linear programme, whose prices are intercept and slope. Times are centred already.
    """
    # The solver's tolerances are absolute: dates in seconds and scores in thousandths are brought to one size.
    duration, range_ = float(np.ptp(times)), float(np.ptp(scores))
    design, heights = np.column_stack([np.ones(times.size), times / duration]), scores / range_
    solved = linprog(-heights, A_eq=design.T, b_eq=(1 - quantile) * design.sum(axis=0), bounds=(0, 1))
    intercept, slope = (-float(price) for price in solved.eqlin.marginals)
    distances = heights - design @ (intercept, slope)
    distances[np.abs(distances) <= _ON_THE_LINE] = 0
    error = _standard_error(design, heights, distances, quantile)
    return QuantileLine(intercept * range_, slope * range_ / duration, error * range_ / duration)


def _standard_error(design: FloatArray, scores: FloatArray, distances: FloatArray, quantile: float) -> float:
    """Return the sandwich estimate of the slope's error for independent results, as Greene's Econometric Analysis has
    it."""
    width = _bandwidth(scores, distances, quantile)
    inside = np.abs(distances) <= width
    with np.errstate(divide="ignore", invalid="ignore"):
        kernel = 0.75 * (1 - (distances[inside] / width) ** 2)  # Epanechnikov
        density = kernel.sum() / (scores.size * width)
        # Points on the line count to the side where fewer are: without them the weights fall short of n q (1 - q).
        above = distances > 0 if quantile < 0.5 else distances >= 0
        weights = np.where(above, quantile / density, (1 - quantile) / density) ** 2
        bread = np.linalg.inv(design.T @ design)
        return float(np.sqrt((bread @ (design.T * weights) @ design @ bread)[1, 1]))


def has_room(n_results: int, quantile: float) -> bool:
    """Say whether both quantiles that the density is taken between lie within 0 and 1: else the line has no error."""
    return _step(n_results, quantile) < min(quantile, 1 - quantile)


def _step(n_results: int, quantile: float) -> float:
    """Return how far the quantiles on either side are, as a share of the results, less with more of them."""
    place = ndtri(quantile)
    density = np.exp(-(place**2) / 2) / np.sqrt(2 * np.pi)
    return float((ndtri(0.975) ** 2 * 1.5 * density**2 / (2 * place**2 + 1) / n_results) ** (1 / 3))


def _bandwidth(scores: FloatArray, distances: FloatArray, quantile: float) -> float:
    """Return how far from the line the density of the scores is taken: as Hall & Sheather (1988), on the scale of the
    scores.

    That is the way between the normal quantiles around this one, times a robust spread of the distances.
    """
    step = _step(scores.size, quantile)
    low, high = np.percentile(distances, [25, 75])
    spread = min(float(np.std(scores)), float(high - low) / 1.34)
    return spread * float(ndtri(quantile + step) - ndtri(quantile - step))


def cluster_numbers(clusters: Sequence[str], size: int) -> NDArray[np.intp]:
    """Return the number of each result's cluster, in the order in which they come."""
    labels = check_labels(clusters, "clusters", size)
    places = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    if len(places) < _MIN_CLUSTERS:
        raise ArgumentError("clusters", len(places), f"must be at least {_MIN_CLUSTERS} different ones")
    return np.array([places[label] for label in labels])


def pair_slopes(moments: FloatArray, scores: FloatArray) -> tuple[FloatArray, NDArray[np.intp], NDArray[np.intp]]:
    """Return the slopes of all pairs at different times in ascending order, with the places of both results."""
    later, earlier = np.nonzero(moments[:, None] > moments)
    slopes = (scores[later] - scores[earlier]) / (moments[later] - moments[earlier])
    order = np.argsort(slopes)
    return slopes[order], later[order], earlier[order]


class Trends:
    """Trends of resamples of the same results; ``quantile`` None leaves the frontier out."""

    def __init__(self, moments: FloatArray, scores: FloatArray, quantile: float | None) -> None:
        self._moments, self._scores, self._quantile = moments, scores, quantile
        self._slopes, self._later, self._earlier = pair_slopes(moments, scores)

    def draw(self, clusters: NDArray[np.intp], generator: np.random.Generator) -> FloatArray:
        """Return how often a resample of whole clusters holds each result, shape (n_results,)."""
        # From ten clusters on, a draw in four or more has different times and values, if all of them together have.
        n_clusters = int(clusters.max()) + 1
        while True:
            chosen = generator.integers(0, n_clusters, n_clusters)
            counts = np.bincount(chosen, minlength=n_clusters)[clusters].astype(float)
            if np.ptp(self._moments[counts > 0]) > 0 and np.ptp(self._scores[counts > 0]) > 0:
                return counts

    def of(self, counts: FloatArray) -> FloatArray:
        """Return the Theil-Sen slope and that of the frontier of each resample, a row each."""
        columns = [np.array([self._median_slope(row) for row in counts])]
        if self._quantile is not None:
            columns.append(self._quantile_slopes(counts, self._quantile))
        return np.column_stack(columns)

    def _median_slope(self, counts: FloatArray) -> float:
        reached = np.cumsum(counts[self._later] * counts[self._earlier])
        middle = np.searchsorted(reached, [(reached[-1] - 1) // 2, reached[-1] // 2], side="right")
        return float(self._slopes[middle].mean())

    def _quantile_slopes(self, counts: FloatArray, quantile: float) -> FloatArray:
        """Return slopes of quantile regression: a loss is convex, and least at the slope of a pair.

        Given the slope, the best intercept is a quantile of what is left.
        """
        rows = np.arange(len(counts))[:, None]
        places = np.ceil(quantile * counts.sum(axis=1, keepdims=True))

        def losses(slopes: FloatArray) -> FloatArray:
            rest = self._scores - slopes[:, None] * self._moments
            order = np.argsort(rest, axis=1)
            reached = np.cumsum(counts[rows, order], axis=1)
            at = (reached < places).sum(axis=1)
            rest -= rest[rows, order][rows[:, 0], at][:, None]
            loss: FloatArray = (counts * rest * (quantile - (rest < 0))).sum(axis=1)
            return loss

        # Slopes that differ by rounding alone have losses that do.
        apart = np.diff(self._slopes, prepend=-np.inf) > 1e-10 * np.ptp(self._slopes)
        slopes = self._slopes[apart]
        low, high = np.zeros(len(counts), dtype=int), np.full(len(counts), len(slopes) - 1)
        while (low < high).any():
            middle = (low + high) // 2
            is_past = losses(slopes[middle]) <= losses(slopes[np.minimum(middle + 1, high)])
            low, high = np.where(is_past, low, middle + 1), np.where(is_past, middle, high)
        return slopes[low]


def percentile_interval(draws: FloatArray, level: float) -> Interval:
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)
