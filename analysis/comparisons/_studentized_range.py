"""The studentized range: how far apart the largest and the smallest of k equal means may lie.

SciPy's distribution integrates each value anew (0.2 s a quantile, 20 ms a tail probability), which is too slow for the
thousands of pairs of a collection; the approximation in statsmodels differs in the fourth digit. Here the tail of the
range of normals is tabulated once, and averaged over the distribution of the sd for all pairs together.
"""

from functools import lru_cache

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from scipy.special import chdtri, gammaincinv, log_ndtr

from analysis._validation import FloatArray

_RANGE_NODES = 2400
_NORMAL_NODES = 400
_SD_NODES = np.polynomial.legendre.leggauss(96)
#: A range of so many sd has a tail probability below 1e-90; larger ones are given that of this one.
_LARGEST_RANGE = 30.0


def studentized_range_sf(statistics: FloatArray, k: int, df: float) -> FloatArray:
    """P(Q > q) for the range of ``k`` means in standard errors, with ``df`` degrees of freedom of the error."""
    nodes, weights = sd_rule(df)
    spline = _log_range_tail(k)
    ranges = np.minimum(np.asarray(statistics)[..., np.newaxis] * nodes, _LARGEST_RANGE)
    tail: FloatArray = np.exp(spline(ranges)) @ weights
    return np.clip(tail, 0.0, 1.0)


@lru_cache(maxsize=1024)
def studentized_range_ppf(probability: float, k: int, df: float) -> float:
    """Return the quantile of the studentized range that exceeds ``probability`` of it."""

    def excess(q: float) -> float:
        return float(studentized_range_sf(np.array(q), k, df)) - (1.0 - probability)

    high = 8.0
    while excess(high) > 0:
        high *= 2.0
    return float(brentq(excess, 0.0, high, xtol=1e-12, rtol=1e-14))


@lru_cache(maxsize=64)
def _log_range_tail(k: int) -> CubicSpline:
    """ln P(W > w) of the range W of k standard normals, as a spline over 0 <= w <= 30.

    P(W > w) = ∫ k φ(z) [Φ(z)^(k-1) - (Φ(z) - Φ(z - w))^(k-1)] dz over the largest of them, z. The bracket is formed
    as Φ^(k-1) times -expm1, so that thin tails keep their digits.
    """
    w = np.linspace(0.0, _LARGEST_RANGE, _RANGE_NODES)[:, np.newaxis]
    x, weight = np.polynomial.legendre.leggauss(_NORMAL_NODES)
    z = 10.0 + 20.0 * x  # The largest normal lies in [-10, 30] unless the range exceeds 30.
    log_density = -0.5 * z**2 - 0.5 * np.log(2 * np.pi) + np.log(k) + (k - 1) * log_ndtr(z)
    with np.errstate(divide="ignore"):
        share_left = np.log1p(-np.minimum(1.0, np.exp(log_ndtr(z - w) - log_ndtr(z))))
    tail = (np.exp(log_density) * -np.expm1((k - 1) * share_left)) @ (20.0 * weight)
    return CubicSpline(w[:, 0], np.log(tail))


@lru_cache(maxsize=256)
def sd_rule(df: float) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights for averages over s = chi_df / sqrt(df), the estimated sd in units of the true one."""
    return sd_rules(np.array(df))


def sd_rules(df: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same for several at once, (n, 1)."""
    x, weight = _SD_NODES
    low, high = 0.5 * np.log(2.0 * gammaincinv(df / 2, 1e-15)), 0.5 * np.log(chdtri(df, 1e-15))
    log_s = (high - low) / 2 * x + (high + low) / 2 - 0.5 * np.log(df)
    density = np.exp(df * (log_s - 0.5 * np.expm1(2.0 * log_s))) * weight  # But for a constant, which falls out.
    return np.exp(log_s), density / density.sum(axis=-1, keepdims=True)
