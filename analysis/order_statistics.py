"""Distribution of the largest and the smallest of N normal means: how extreme is expected from N tries alone.

The distribution of the maximum has an exact closed form, Phi((x - mean) / sd)**N, for every N; only its moments
need a quadrature. Simulating it, or replacing it by a Gumbel distribution, loses accuracy for nothing.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr

from analysis._dependent_maxima import (
    MaximumProbability,
    covariance_maximum_cdf,
    one_factor_maximum_cdf,
    scores_maximum_cdf,
)
from analysis._expected_maximum import ExpectedMaximum, expected_maximum_of_attempts
from analysis._extreme_distribution import (
    ExtremeDistribution,
    extreme_distribution,
    maximum_distribution,
    minimum_distribution,
)
from analysis._extremes import (
    IidMaximum,
    adaptive_integral,
    log_interval,
    normal_reach,
)
from analysis._gumbel import GumbelApproximation, gumbel_approximation
from analysis._results import Result
from analysis._validation import FloatArray, check_choice, check_probability, check_real
from analysis.errors import ArgumentError

__all__ = [
    "EffectiveN",
    "ExpectedMaximum",
    "ExtremeDistribution",
    "GumbelApproximation",
    "MaximumProbability",
    "covariance_maximum_cdf",
    "effective_n",
    "expected_maximum_of_attempts",
    "gumbel_approximation",
    "maximum_distribution",
    "minimum_distribution",
    "one_factor_maximum_cdf",
    "range_probability",
    "scores_maximum_cdf",
]


def range_probability(
    lower: float, upper: float, n: float, *, mean: float = 0.0, sd: float = 1.0, correlation: float = 0.0
) -> float:
    """Probability that the smallest of ``n`` normals is at least ``lower`` and the largest at most ``upper``.

    Parameters
    ----------
    lower, upper : float
        Ends of the range, ``lower`` below ``upper``, in the unit of the scores.
    n, mean, sd, correlation : float
        As for :func:`maximum_distribution`.

    Returns
    -------
    float
        (Phi(b) - Phi(a))**n for independent variables, one quadrature for correlated ones.

    Raises
    ------
    ArgumentError
        If ``lower`` is not below ``upper``, or as for :func:`maximum_distribution`.

    Examples
    --------
    The range that the largest of 103 stays below, and the smallest above, with probability 0.8 each:

    >>> z = maximum_distribution(103).ppf(0.8)
    >>> round(range_probability(-z, z, 103), 4)
    0.6397
    """
    distribution = extreme_distribution("maximum", n, mean, sd, correlation)
    low, high = ((check_real(value, name) - mean) / sd for value, name in ((lower, "lower"), (upper, "upper")))
    if low >= high:
        raise ArgumentError("lower", lower, f"must be below upper = {upper!r}")
    if correlation in (0.0, 1.0):
        return float(np.exp((1.0 if correlation else distribution.n) * log_interval(np.array(low), np.array(high))))
    shared, own = np.sqrt(correlation), np.sqrt(1.0 - correlation)

    def log_integrand(w: FloatArray) -> FloatArray:
        inside = distribution.n * log_interval((low - shared * w) / own, (high - shared * w) / own)
        product: FloatArray = IidMaximum(1.0).log_pdf(w) + inside
        return product

    return adaptive_integral(log_integrand, normal_reach(log_integrand))


@dataclass(frozen=True, slots=True)
class EffectiveN(Result):
    """A number of independent results whose maximum behaves like that of correlated ones, in one respect.

    Attributes
    ----------
    estimate : float
        The effective number, 1 to ``n``; not whole.
    functional : {"mean", "quantile"}
        What was made equal: the expected maximum, or its quantile. Another choice gives another number.
    probability : float or None
        Probability of the quantile; None for "mean".
    n, correlation : float
        Number of results, and the correlation of every two of them.
    """

    estimate: float
    functional: Literal["mean", "quantile"]
    probability: float | None
    n: float
    correlation: float


def effective_n(
    n: float, correlation: float, *, functional: Literal["mean", "quantile"] = "quantile", probability: float = 0.8
) -> EffectiveN:
    """How many independent results have a maximum like that of ``n`` equally correlated ones.

    Parameters
    ----------
    n : float
        Number of results, 1 or more.
    correlation : float
        Correlation of every two of them, 0 to 1.
    functional : {"mean", "quantile"}, default "quantile"
        Which property of the maximum is matched.
    probability : float, default 0.8
        Probability of the quantile that is matched; not used by "mean".

    Returns
    -------
    EffectiveN

    Raises
    ------
    ArgumentError
        As for :func:`maximum_distribution`, or if ``probability`` is not strictly between 0 and 1.

    Notes
    -----
    No single number makes the two distributions equal, so the number depends on ``functional`` and must not be
    quoted without it.

    Examples
    --------
    >>> round(effective_n(103, 0.6).estimate, 1), round(effective_n(103, 0.6, functional="mean").estimate, 1)
    (19.7, 11.1)
    """
    check_choice(functional, "functional", ("mean", "quantile"))
    check_probability(probability, "probability")
    correlated = maximum_distribution(n, correlation=correlation)
    if correlated.n == 1.0 or correlation in (0.0, 1.0):
        estimate = correlated.n if correlation < 1.0 else 1.0
    elif functional == "quantile":
        estimate = float(np.log(probability) / log_ndtr(correlated.ppf(probability)))
    else:
        target = correlated.mean()
        log_n = brentq(lambda t: IidMaximum(np.exp(t)).moments()[0] - target, 0.0, np.log(correlated.n), xtol=1e-14)
        estimate = float(np.exp(log_n))
    return EffectiveN(
        estimate, functional, probability if functional == "quantile" else None, correlated.n, correlated.correlation
    )
