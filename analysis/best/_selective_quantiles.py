"""Quantiles of a normal mean given that it won: the arithmetic behind the selective intervals."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import log_ndtr

from analysis._validation import FloatArray, check_positive, check_probability, check_real, check_vector
from analysis.errors import ArgumentError

#: A conditional quantile further than this many standard errors from the mean is called infinite.
SEARCH_WIDTH = 100.0


def truncated_normal_cdf(x: float, *, mean: float, sd: float, low: float, high: float) -> float:
    """Distribution function of a normal variable confined to [low, high].

    Parameters
    ----------
    x : float
        Where to evaluate; 1 at or above ``high``, 0 at or below ``low``.
    mean, sd : float
        Of the normal variable before it was confined; ``sd`` above 0.
    low, high : float
        Ends; -inf and inf where there is none.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ArgumentError
        If ``sd`` is not above 0, ``low`` not below ``high``, or ``mean`` or ``x`` is not finite.

    Notes
    -----
    Computed from logarithms of tail probabilities, in the tail where they are small: differences of the distribution
    function itself give 0/0 beyond 8 standard deviations.

    Examples
    --------
    >>> round(truncated_normal_cdf(31.0, mean=0.0, sd=1.0, low=30.0, high=40.0), 6)
    1.0
    >>> round(truncated_normal_cdf(30.02, mean=0.0, sd=1.0, low=30.0, high=40.0), 4)
    0.4517
    """
    ends = [
        end if isinstance(end, float) and end == infinite else check_real(end, name)
        for end, name, infinite in ((low, "low", -np.inf), (high, "high", np.inf))
    ]
    if ends[0] >= ends[1]:
        raise ArgumentError("low", low, f"must be below high = {high!r}")
    return _truncated_cdf(check_real(x, "x"), check_real(mean, "mean"), check_positive(sd, "sd"), *ends)


def selective_quantiles(
    means: ArrayLike,
    covariances_with_winner: ArrayLike,
    probabilities: Sequence[float],
    *,
    radius: float | None = None,
) -> FloatArray:
    """Quantile-unbiased estimates of the true mean of the winner, given that it won.

    Parameters
    ----------
    means : array_like of float, shape (n_systems,)
        Observed means; the largest is the winner (the first of several).
    covariances_with_winner : array_like of float, shape (n_systems,)
        Covariance of each mean with the winner's, at the winner its variance, which is above 0.
    probabilities : sequence of float
        Between 0 and 1; 0.5 asks for the median-unbiased estimate.
    radius : float, optional
        Half-width, in standard errors of the winner, of a simultaneous interval that the true mean is assumed to lie
        in: given, the estimates are those of the hybrid method; None (the default) for the conditional one.

    Returns
    -------
    numpy.ndarray of float, shape (n_probabilities,)
        For each p the value that, were it the true mean, would make the observed mean the (1 - p) quantile of its
        conditional distribution. The estimate at p exceeds the true mean with probability p, given the selection.
        -inf or inf where there is no such value within 100 standard errors.

    Raises
    ------
    ArgumentError
        If the shapes don't agree, the winner's variance is not above 0, or a number is out of range.

    Notes
    -----
    Given the winner w and what of the other means is uncorrelated with y_w, y_w is normal and confined to [L, U]:
    run j with covariance ratio r_j = cov_jw / var_w below 1 bounds y_w from below, at y_w - (y_w - y_j) / (1 - r_j);
    one with a ratio above 1 bounds it from above; one with ratio 1 not at all.

    References
    ----------
    .. [1] Andrews, I., Kitagawa, T., & McCloskey, A. (2024). Inference on winners. Quarterly Journal of Economics,
       139(1), 305-358. doi:10.1093/qje/qjad043

    Examples
    --------
    >>> selective_quantiles([0, 1, 2, 3, 4], [0, 0, 0, 0, 1], [0.025, 0.5, 0.975]).round(8)
    array([0.06742731, 3.68627552, 5.93267239])
    """
    y = check_vector(means, "means", minimum=2)
    covariances = check_vector(covariances_with_winner, "covariances_with_winner", minimum=2)
    if covariances.shape != y.shape:
        raise ArgumentError("covariances_with_winner", covariances_with_winner, f"must hold {y.size} covariances")
    row = int(y.argmax())
    check_positive(float(covariances[row]), "covariances_with_winner")
    if radius is not None:
        check_positive(radius, "radius")
    levels = check_vector(probabilities, "probabilities").tolist()
    for level in levels:
        check_probability(level, "probabilities")
    low, high = truncation(y, covariances, row)
    sd = float(np.sqrt(covariances[row]))
    return np.array([selective_quantile(float(y[row]), sd, low, high, level, radius) for level in levels])


def truncation(means: FloatArray, covariances: FloatArray, row: int) -> tuple[float, float]:
    """Where the winner's mean could lie, the rest held fixed, for it to stay the winner."""
    lead = means[row] - means
    excess = 1 - covariances / covariances[row]
    excess[row] = 0.0
    excess[np.abs(excess) < 1e-12] = 0.0
    below, above = excess > 0, excess < 0
    down = float((lead[below] / excess[below]).min()) if below.any() else np.inf
    up = float((lead[above] / -excess[above]).min()) if above.any() else np.inf
    return float(means[row]) - down, float(means[row]) + up


def selective_quantile(y: float, sd: float, low: float, high: float, probability: float, radius: float | None) -> float:
    """The mean at which the truncated normal distribution function at ``y`` is 1 - ``probability``."""
    width = sd * (SEARCH_WIDTH if radius is None else radius)

    def excess(mean: float) -> float:
        if radius is None:
            return _truncated_cdf(y, mean, sd, low, high) - (1 - probability)
        inner_low, inner_high = max(low, mean - width), min(high, mean + width)
        return _truncated_cdf(y, mean, sd, inner_low, inner_high) - (1 - probability)

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


def _truncated_cdf(x: float, mean: float, sd: float, low: float, high: float) -> float:
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
