"""The studentized range and the power of a t test: both are averaged over the estimated standard deviation.

SciPy's studentized range integrates each value anew (0.2 s a quantile, 20 ms a tail probability), which is too slow for
the thousands of pairs of a collection; the approximation in statsmodels differs in the fourth digit. Here the tail of
the range of normals is tabulated once, and averaged over the distribution of the sd for all pairs together.
"""

from functools import lru_cache

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from scipy.special import chdtri, gammainc, gammaincinv, log_ndtr, ndtr

from analysis._validation import FloatArray

_RANGE_NODES = 2400
_NORMAL_NODES = 400
_SD_NODES = np.polynomial.legendre.leggauss(96)
#: A range of so many sd has a tail probability below 1e-90; larger ones are given that of this one.
_LARGEST_RANGE = 30.0
#: Critical values beyond so many times the root of the degrees of freedom make a step of what is averaged over the sd.
_STEEP = 5.0
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(128)


def studentized_range_sf(statistics: FloatArray, k: int, df: float) -> FloatArray:
    """Return P(Q > q) for the range of ``k`` means in standard errors, with ``df`` degrees of freedom of the error."""
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
    """Return ln P(W > w) of the range W of k standard normals, as a spline over 0 <= w <= 30.

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
    """Return nodes and weights for averages over s = chi_df / sqrt(df), the estimated sd in units of the true one."""
    return sd_rules(np.array(df))


def sd_rules(df: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the same for several at once, (n, 1)."""
    x, weight = _SD_NODES
    low, high = 0.5 * np.log(2.0 * gammaincinv(df / 2, 1e-15)), 0.5 * np.log(chdtri(df, 1e-15))
    log_s = (high - low) / 2 * x + (high + low) / 2 - 0.5 * np.log(df)
    density = np.exp(df * (log_s - 0.5 * np.expm1(2.0 * log_s))) * weight  # But for a constant, which falls out.
    return np.exp(log_s), density / density.sum(axis=-1, keepdims=True)


def rejection(critical: float, df: float, noncentrality: float, alternative: str = "two-sided") -> float:
    """Return P(T > critical), and P(|T| > critical) for two sides, of a noncentral t.

    Averaged over the estimated sd: SciPy's ``nctdtr`` gives NaN far from the centre.
    """
    if critical > _STEEP * np.sqrt(df):
        return _by_difference(critical, df, noncentrality, alternative)
    sds, weights = sd_rule(df)
    upper = float(ndtr(noncentrality - critical * sds) @ weights)
    return upper if alternative == "one-sided" else upper + float(ndtr(-noncentrality - critical * sds) @ weights)


def rejections(critical: FloatArray, df: FloatArray, noncentrality: FloatArray) -> FloatArray:
    """Return P(|T| > critical) of each noncentral t, (n,)."""
    sds, weights = sd_rules(df[:, None])
    centre, limit = noncentrality[:, None], critical[:, None] * sds
    chances: FloatArray = np.einsum("ij,ij->i", ndtr(centre - limit) + ndtr(-centre - limit), weights)
    for place in np.flatnonzero(critical > _STEEP * np.sqrt(df)):
        chances[place] = _by_difference(critical[place], df[place], noncentrality[place], "two-sided")
    return chances


def _by_difference(critical: float, df: float, noncentrality: float, alternative: str) -> float:
    """Return the same averaged over the observed difference in true standard errors, for few degrees of freedom."""
    low, high = max(0.0, noncentrality - 10.0), noncentrality + 10.0
    size = low + (high - low) / 2 * (1 + _NODES)
    density = np.exp(-0.5 * (size - noncentrality) ** 2)
    if alternative != "one-sided":
        density += np.exp(-0.5 * (size + noncentrality) ** 2)
    smaller_sd = gammainc(df / 2, df / 2 * (size / critical) ** 2)
    return float((high - low) / 2 / np.sqrt(2 * np.pi) * (_WEIGHTS @ (density * smaller_sd)))
