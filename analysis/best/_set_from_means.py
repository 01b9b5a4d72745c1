"""The contenders that may be the best, from published means: Gupta's subset selection."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtr

from analysis._validation import (
    FloatArray,
    check_count,
    check_in_range,
    check_nonnegative,
    check_positive,
    check_probability,
    check_vector,
)
from analysis.best._contrasts import MIN_TOPICS_FOR_BADGE, WhyNoSet, contender_mask, find_best
from analysis.best._extremes import standard_maximum, support
from analysis.errors import ArgumentError
from analysis.results import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class BestSet(Result):
    """The contenders that may be the truly best one."""

    confidence_level: Annotated[float, "Probability, at least, that the truly best contender is in the set."]
    best_index: Annotated[int, "Index into ``means`` of the best contender; the first of them if several are equal."]
    n_results: Annotated[int, "Number of means, for which ``critical_value`` was computed."]
    n_contenders: Annotated[int, "How many of them compete."]
    critical_value: Annotated[float | None, "Gupta's constant d; None where there is no set, as for the following two."]
    margin: Annotated[float | None, "How far behind the best a member may be, in the unit of the measure."]
    threshold: Annotated[float | None, "Score that a member reaches: the best less ``margin``, or plus it."]
    members: Annotated[tuple[int, ...], "Indices into ``means`` of the set, in order; none where there is no set."]
    n_members: Annotated[int, "Their number: 1 or more, or 0 where there is no set."]
    why_no_set: Annotated[WhyNoSet | None, "Why there is no set; None where there is one."]
    error_variance: Annotated[float, "Variance of a mean beyond what systems share, in squared units of the measure."]
    degrees_of_freedom: Annotated[float, "Of ``error_variance``."]


def best_set_from_means(
    means: ArrayLike,
    *,
    n_topics: int,
    residual_variance: float,
    degrees_of_freedom: float,
    confidence_level: float = 0.95,
    contenders: ArrayLike | None = None,
    value_range: tuple[float, float] | None = (0.0, 1.0),
    higher_is_better: bool = True,
) -> BestSet:
    """Return a set of contenders that holds the truly best one with probability ``confidence_level`` or more.

    Parameters
    ----------
    means : array_like of float, shape (n_results,)
        Mean score of every result, in the unit of the measure; one is enough.
    n_topics : int
        Number of topics, the same for all results, 2 or more. Below 25 there is no set.
    residual_variance : float
        Variance of a score after the effects of system and topic (squared unit), 0 or more. Where it is 0 there is no
        set. :func:`analysis.reliability.variance_cap` says what it can be at most.
    degrees_of_freedom : float
        How surely the variance is known, above 0: as those of a variance that was estimated from so many independent
        squares. 10 suits a variance that was seen in other collections.
    confidence_level : float, default 0.95
    contenders : array_like of bool, shape (n_results,), optional
        Who competes. Default: all. Only contenders can be members; the others still count as attempts, so that a
        choice made after looking at the scores doesn't narrow the margin.
    value_range : pair of float or None, default (0, 1)
        Lowest and highest score that the measure can give; None where it has no bounds.
    higher_is_better : bool, default True

    Returns
    -------
    BestSet

    Raises
    ------
    ArgumentError
        If an argument is out of range, not finite or of another shape; if means lie outside of the range of the
        measure, as percentages do; if the variance is larger than scores within this range can have.

    Notes
    -----
    Keeps every mean within d sqrt(2 MSE / n) of the best (Gupta 1965; the set of Hsu's multiple comparisons with the
    best). Assumes that the differences of all pairs have the same variance, 2 MSE / n, and are normal; the topics may
    be shared. d is for as many systems as there are means: results that are copies of others only widen the set. Ties:
    all contenders with the best score are members.

    References
    ----------
    S. S. Gupta (1965), On some multiple decision (selection and ranking) rules, doi:10.1080/00401706.1965.10490251.
    J. C. Hsu (1984), Constrained simultaneous confidence intervals for multiple comparisons with the best,
    doi:10.1214/aos/1176346732.

    Examples
    --------
    >>> best_set = best_set_from_means(
    ...     [0.303, 0.296, 0.281, 0.245, 0.239], n_topics=50, residual_variance=0.012, degrees_of_freedom=10
    ... )
    >>> round(best_set.margin, 4), best_set.members
    (0.054, (0, 1, 2))
    """
    n_topics = check_count(n_topics, "n_topics", minimum=2)
    variance = check_nonnegative(residual_variance, "residual_variance")
    ends = check_in_range(check_vector(means, "means"), "means", value_range)
    if ends is not None:
        low, high = ends
        largest = (high - low) ** 2 / 4 * n_topics / (n_topics - 1)
        if variance > largest:
            reason = f"must be {largest:.4g} or less, the most that scores from {low:g} to {high:g} can vary"
            raise ArgumentError("residual_variance", residual_variance, reason)
    best_set = best_set_from_errors(
        means,
        error_variance=variance / n_topics,
        degrees_of_freedom=degrees_of_freedom,
        confidence_level=confidence_level,
        contenders=contenders,
        higher_is_better=higher_is_better,
    )
    return best_set if n_topics >= MIN_TOPICS_FOR_BADGE else _without_set(best_set, WhyNoSet.TOO_FEW_TOPICS)


def best_set_from_errors(
    means: ArrayLike,
    *,
    error_variance: float,
    degrees_of_freedom: float,
    confidence_level: float = 0.95,
    contenders: ArrayLike | None = None,
    n_counted: int | None = None,
    higher_is_better: bool = True,
) -> BestSet:
    """Return the same set for means of any kind, from the variance of their errors: averages over collections, say.

    Parameters
    ----------
    means : array_like of float, shape (n_results,)
        In the unit of the measure, or of what they are means of; one is enough.
    error_variance : float
        Variance of the error of a mean beyond what all systems share, 0 or more, in squared units of the means: half
        of that of the difference of two. Where it is 0 there is no set.
    degrees_of_freedom : float
        How surely it is known, above 0.
    confidence_level : float, default 0.95
    contenders : array_like of bool, shape (n_results,), optional
        Who competes, as for :func:`best_set_from_means`. Default: all.
    n_counted : int, optional
        For how many means the constant is, no fewer than there are; twice as many for a set that is looked at again
        and again while results are added. Default: as many as there are.
    higher_is_better : bool, default True

    Returns
    -------
    BestSet

    Raises
    ------
    ArgumentError
        If an argument is out of range, not finite or of another shape.

    References
    ----------
    Gupta (1965), "On some multiple decision (selection and ranking) rules", Technometrics 7,
    doi:10.1080/00401706.1965.10490251.

    Examples
    --------
    >>> best_set = best_set_from_errors([0.70, 0.68, 0.55], error_variance=0.0006, degrees_of_freedom=12)
    >>> round(best_set.margin, 3), best_set.members
    (0.073, (0, 1))
    """
    values = check_vector(means, "means")
    mask = contender_mask(contenders, values.size)
    variance = check_nonnegative(error_variance, "error_variance")
    best_index, _ = find_best(values, mask, higher_is_better)
    n_means = values.size if n_counted is None else check_count(n_counted, "n_counted", minimum=values.size)
    critical_value = gupta_constant(n_means, confidence_level, check_positive(degrees_of_freedom, "degrees_of_freedom"))
    margin = critical_value * float(np.sqrt(2.0 * variance))
    threshold = float(values[best_index]) + (-margin if higher_is_better else margin)
    members = np.flatnonzero(mask & (values >= threshold if higher_is_better else values <= threshold))
    best_set = BestSet(
        confidence_level=float(confidence_level),
        best_index=best_index,
        n_results=values.size,
        n_contenders=int(mask.sum()),
        critical_value=critical_value,
        margin=margin,
        threshold=threshold,
        members=tuple(members.tolist()),
        n_members=members.size,
        why_no_set=None,
        error_variance=variance,
        degrees_of_freedom=float(degrees_of_freedom),
    )
    return best_set if variance > 0 else _without_set(best_set, WhyNoSet.NO_VARIATION)


def _without_set(best_set: BestSet, why: WhyNoSet) -> BestSet:
    return replace(best_set, critical_value=None, margin=None, threshold=None, members=(), n_members=0, why_no_set=why)


def gupta_constant(k: int, confidence_level: float = 0.95, degrees_of_freedom: float | None = None) -> float:
    """Return Gupta's d: how many sqrt(2 MSE / n) the best of ``k`` may fall behind the top by chance.

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

    References
    ----------
    Gupta (1965), "On some multiple decision (selection and ranking) rules", Technometrics 7,
    doi:10.1080/00401706.1965.10490251.

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


#: Nodes and weights for expectations over a standard normal: evenly spaced, which is exact to the last digits for a
#: smooth integrand that vanishes at both ends.
_NORMAL = np.linspace(-9.0, 9.0, 181)
_DENSITY = np.exp(-0.5 * _NORMAL**2) * 0.1 / np.sqrt(2.0 * np.pi)


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
        not_above = ndtr(_NORMAL + np.sqrt(2.0) * d * spread[:, None]) ** (k - 1)
        return float(weights @ not_above @ _DENSITY) - confidence_level

    low, high = known, known + 0.5
    if shortfall(low) >= 0.0:  # only at low levels, where an estimated variance helps
        if shortfall(0.0) >= 0.0:
            return 0.0
        low, high = 0.0, known
    while shortfall(high) < 0.0:
        low, high = high, 2.0 * high
    return float(brentq(shortfall, low, high, xtol=1e-13, rtol=1e-13))


def _root_mean_square_nodes(degrees_of_freedom: float) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights for expectations over sqrt(chi2 / df), on a logarithmic axis with a smooth density."""

    def log_density(t: FloatArray) -> FloatArray:
        return degrees_of_freedom * (t - 0.5 * np.exp(2.0 * t))

    (low,), (high,) = support(log_density, np.array([-100.0 - 100.0 / degrees_of_freedom]), np.array([10.0]))
    t = np.linspace(low, high, 33 + int((high - low) / 0.06))
    weights = np.exp(log_density(t) + 0.5 * degrees_of_freedom)
    return np.exp(t), weights / weights.sum()
