"""How often a t test rejects where there is a true difference: what the power of every design comes down to."""

import numpy as np
from scipy.special import gammainc, ndtr

from analysis._validation import FloatArray
from analysis.comparisons._studentized_range import sd_rule, sd_rules

#: Critical values beyond so many times the root of the degrees of freedom make a step of what is averaged over the sd.
_STEEP = 5.0
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(128)


def rejection(critical: float, df: float, noncentrality: float, alternative: str = "two-sided") -> float:
    """P(T > critical), and P(|T| > critical) for two sides, of a noncentral t.

    Averaged over the estimated sd: SciPy's ``nctdtr`` gives NaN far from the centre.
    """
    if critical > _STEEP * np.sqrt(df):
        return _by_difference(critical, df, noncentrality, alternative)
    sds, weights = sd_rule(df)
    upper = float(ndtr(noncentrality - critical * sds) @ weights)
    return upper if alternative == "one-sided" else upper + float(ndtr(-noncentrality - critical * sds) @ weights)


def rejections(critical: FloatArray, df: FloatArray, noncentrality: FloatArray) -> FloatArray:
    """P(|T| > critical) of each noncentral t, (n,)."""
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
