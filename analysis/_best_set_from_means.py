"""Which contenders may be the best, from published means: Gupta's subset selection.

Public through :mod:`analysis.best_result`.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from analysis._contenders import contender_mask, find_best, warn_without_error
from analysis._extremes import standard_maximum, support
from analysis._results import Result
from analysis._validation import (
    FloatArray,
    check_count,
    check_nonnegative,
    check_positive,
    check_probability,
    check_vector,
)

__all__ = ["BestSet", "best_set_from_means", "gupta_constant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestSet(Result):
    """The contenders that may be the truly best one.

    Attributes
    ----------
    method : str
        "gupta-means": Gupta's subset selection from published means.
    confidence_level : float
        Probability, at least, that the truly best contender is in the set.
    best_index : int
        Index into ``means`` of the best contender; the first of them if several are equal.
    n_contenders : int
        Number of competitors, for which ``critical_value`` was computed.
    critical_value : float
        Gupta's constant d.
    radius : float
        Distance from the best, d sqrt(2 residual_variance / n_topics), in the unit of the measure.
    threshold : float
        Score that a member reaches: the best less ``radius``, or plus it where lower is better.
    members : tuple of int
        Indices into ``means`` of the set, in order of index.
    n_members : int
    residual_variance : float
    degrees_of_freedom : float or None
        Of ``residual_variance``; None where it was taken as known.
    """

    method: str
    confidence_level: float
    best_index: int
    n_contenders: int
    critical_value: float
    radius: float
    threshold: float
    members: tuple[int, ...]
    n_members: int
    residual_variance: float
    degrees_of_freedom: float | None


def best_set_from_means(
    means: ArrayLike,
    *,
    n_topics: int,
    residual_variance: float,
    confidence_level: float = 0.95,
    contenders: ArrayLike | None = None,
    degrees_of_freedom: float | None = None,
    higher_is_better: bool = True,
) -> BestSet:
    """A set of contenders that holds the truly best one with probability ``confidence_level`` or more.

    Parameters
    ----------
    means : array_like of float, shape (n_results,)
        Mean score of every result, in the unit of the measure; one is enough.
    n_topics : int
        Number of topics, the same for all results, 2 or more.
    residual_variance : float
        Variance of a score after the effects of system and topic (squared unit), 0 or more.
    confidence_level : float, default 0.95
    contenders : array_like of bool, shape (n_results,), optional
        Who competes. Default: all. Only contenders can be members, and their number alone sets the constant: the
        question is which contender is the best contender, and results that don't compete can't be mistaken for it.
    degrees_of_freedom : float, optional
        Of ``residual_variance``, above 0; (n_topics - 1)(n_systems - 1) for that of a complete matrix.
        Default: taken as known exactly, as suits a library's value.
    higher_is_better : bool, default True

    Returns
    -------
    BestSet

    Raises
    ------
    ArgumentError
        If an argument is out of range, not finite or of another shape.

    Warns
    -----
    DegenerateWarning
        If ``residual_variance`` is 0: the set is then the contenders that share the best score.

    Notes
    -----
    Keeps every mean within d sqrt(2 MSE / n) of the best (Gupta 1965; the set of Hsu's multiple comparisons with the
    best). Assumes that the differences of all pairs have the same variance, 2 MSE / n, and are normal; the topics may
    be shared. Ties: all contenders with the best score are members.

    References
    ----------
    S. S. Gupta (1965), On some multiple decision (selection and ranking) rules, doi:10.1080/00401706.1965.10490251.
    J. C. Hsu (1984), Constrained simultaneous confidence intervals for multiple comparisons with the best,
    doi:10.1214/aos/1176346732.

    Examples
    --------
    >>> found = best_set_from_means([0.303, 0.296, 0.281, 0.245, 0.239], n_topics=50, residual_variance=0.012)
    >>> round(found.threshold, 4), found.members
    (0.2557, (0, 1, 2))
    """
    values = check_vector(means, "means")
    mask = contender_mask(contenders, values.size)
    check_count(n_topics, "n_topics", minimum=2)
    variance = check_nonnegative(residual_variance, "residual_variance")
    best_index, _ = find_best(values, mask, higher_is_better)
    n_contenders = int(mask.sum())
    critical_value = gupta_constant(n_contenders, confidence_level, degrees_of_freedom)
    radius = float(critical_value * np.sqrt(2.0 * variance / n_topics))
    warn_without_error(variance)
    threshold = float(values[best_index]) + (-radius if higher_is_better else radius)
    members = np.flatnonzero(mask & (values >= threshold if higher_is_better else values <= threshold))
    return BestSet(
        method="gupta-means",
        confidence_level=float(confidence_level),
        best_index=best_index,
        n_contenders=n_contenders,
        critical_value=critical_value,
        radius=radius,
        threshold=threshold,
        members=tuple(members.tolist()),
        n_members=members.size,
        residual_variance=variance,
        degrees_of_freedom=None if degrees_of_freedom is None else float(degrees_of_freedom),
    )


def gupta_constant(k: int, confidence_level: float = 0.95, degrees_of_freedom: float | None = None) -> float:
    """Gupta's d: how many sqrt(2 MSE / n) the best of ``k`` may fall behind the top by chance.

    Parameters
    ----------
    k : int
        Number of competitors, 1 or more.
    confidence_level : float, default 0.95
        Probability that the truly best one is kept.
    degrees_of_freedom : float, optional
        Of the variance estimate, above 0. Default: the variance is known.

    Returns
    -------
    float
        0 or more, so that the top itself always stays; 0 for a single competitor. Computed once and kept.

    Raises
    ------
    ArgumentError
        If an argument is out of range.

    Notes
    -----
    d solves int phi(z) Phi(z + sqrt(2) d)**(k - 1) dz = confidence_level: the largest of k - 1 normals that are
    correlated by 1/2, as differences from one competitor are. With degrees of freedom that largest is divided by
    an independent sqrt(chi2 / df), which takes a second integral.

    Examples
    --------
    >>> [round(gupta_constant(k), 6) for k in (2, 10, 103)]
    [1.644854, 2.417018, 3.051666]
    >>> round(gupta_constant(2, 0.95, 10), 4)  # Student's t
    1.8125
    """
    check_count(k, "k")
    check_probability(confidence_level, "confidence_level")
    if degrees_of_freedom is not None:
        check_positive(degrees_of_freedom, "degrees_of_freedom")
    return _gupta_constant(k, float(confidence_level), degrees_of_freedom and float(degrees_of_freedom))


@lru_cache(maxsize=65_536)
def _gupta_constant(k: int, confidence_level: float, degrees_of_freedom: float | None) -> float:
    if k == 1:
        return 0.0
    largest = standard_maximum(float(k - 1), 0.5)
    tails = np.log([confidence_level]), np.log1p([-confidence_level])
    known = max(0.0, float(largest.quantile(*tails)[0]))
    if degrees_of_freedom is None:
        return known
    spread, weights = _root_mean_square_nodes(degrees_of_freedom)

    def shortfall(d: float) -> float:
        return float(weights @ np.exp(largest.log_cdf(d * spread))) - confidence_level

    low, high = known, known + 0.5
    if shortfall(low) >= 0.0:  # only at low levels, where an estimated variance helps
        if shortfall(0.0) >= 0.0:
            return 0.0
        low, high = 0.0, known
    while shortfall(high) < 0.0:
        low, high = high, 2.0 * high
    return float(brentq(shortfall, low, high, xtol=1e-13, rtol=1e-13))


def _root_mean_square_nodes(degrees_of_freedom: float) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights for expectations over sqrt(chi2 / df), on a logarithmic axis where the density is smooth."""

    def log_density(t: FloatArray) -> FloatArray:
        return degrees_of_freedom * (t - 0.5 * np.exp(2.0 * t))

    (low,), (high,) = support(log_density, np.array([-100.0 - 100.0 / degrees_of_freedom]), np.array([10.0]))
    t = np.linspace(low, high, 65 + int((high - low) / 0.03))
    weights = np.exp(log_density(t) + 0.5 * degrees_of_freedom)
    return np.exp(t), weights / weights.sum()
