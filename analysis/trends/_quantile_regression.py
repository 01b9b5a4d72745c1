"""The line through a quantile of scores over time, with its standard error."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.special import ndtri

from analysis._validation import FloatArray

#: Two points or more lie on the line exactly; this share of the range of the scores is no distance.
_ON_THE_LINE = 1e-9


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
