"""Quantiles of a normal mean given that it won: the arithmetic behind the selective intervals.

Given the winner w and what of the other means is uncorrelated with y_w, y_w is normal and confined to [L, U]: run j
with covariance ratio r_j = cov_jw / var_w below 1 bounds y_w from below, at y_w - (y_w - y_j) / (1 - r_j); one with a
ratio above 1 bounds it from above; one with ratio 1 not at all (Andrews, Kitagawa & McCloskey 2024,
doi:10.1093/qje/qjad043).
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr

from analysis._validation import FloatArray

#: A conditional quantile further than this many standard errors from the mean is called infinite.
SEARCH_WIDTH = 100.0


def truncation(means: FloatArray, covariances: FloatArray, row: int) -> tuple[float, float]:
    """Return where the winner's mean could lie, the rest held fixed, for it to stay the winner."""
    lead = means[row] - means
    excess = 1 - covariances / covariances[row]
    excess[row] = 0.0
    excess[np.abs(excess) < 1e-12] = 0.0
    below, above = excess > 0, excess < 0
    down = float((lead[below] / excess[below]).min()) if below.any() else np.inf
    up = float((lead[above] / -excess[above]).min()) if above.any() else np.inf
    return float(means[row]) - down, float(means[row]) + up


def selective_quantile(y: float, sd: float, low: float, high: float, probability: float, radius: float | None) -> float:
    """The mean at which the truncated normal distribution function at ``y`` is 1 - ``probability``.

    With a ``radius``, in standard errors, the mean is taken to lie in as wide a simultaneous interval (the hybrid
    method). -inf or inf where there is no such mean within ``SEARCH_WIDTH`` standard errors.
    """
    width = sd * (SEARCH_WIDTH if radius is None else radius)

    def excess(mean: float) -> float:
        if radius is None:
            return truncated_cdf(y, mean, sd, low, high) - (1 - probability)
        inner_low, inner_high = max(low, mean - width), min(high, mean + width)
        return truncated_cdf(y, mean, sd, inner_low, inner_high) - (1 - probability)

    # The distribution function falls as the mean grows. In the hybrid case it runs from 1 to 0 within the width.
    if radius is None and excess(y - width) < 0:
        return -np.inf
    if radius is None and excess(y + width) > 0:
        return np.inf
    if radius is not None:
        width *= 1 - 1e-12  # At the very ends rounding decides whether y lies inside.
        if excess(y - width) < 0:
            return y - width
        if excess(y + width) > 0:
            return y + width
    return float(brentq(excess, y - width, y + width, xtol=1e-12 * sd, rtol=1e-14))


def truncated_cdf(x: float, mean: float, sd: float, low: float, high: float) -> float:
    """Distribution function of a normal variable confined to [low, high].

    From logarithms of the tail probabilities that are small: differences of the distribution function itself give 0/0
    beyond 8 standard deviations.
    """
    if x >= high:
        return 1.0
    if x <= low:
        return 0.0
    z, a, b = (x - mean) / sd, (low - mean) / sd, (high - mean) / sd
    if z < 0:  # The mirror image works with small upper tail probabilities.
        return 1.0 - _upper_tail_cdf(-z, -b, -a)
    return _upper_tail_cdf(z, a, b)


def _upper_tail_cdf(z: float, a: float, b: float) -> float:
    log_z, log_a, log_b = (float(value) for value in log_ndtr([-z, -a, -b]))
    return float(np.expm1(log_z - log_a) / np.expm1(log_b - log_a))
