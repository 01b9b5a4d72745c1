"""The maximum of normals that are not exchangeable: unequal means, variances and correlations."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr
from scipy.stats import multivariate_normal

from analysis._resampling import RandomSource, as_generator, chunks, gaussian_mean_draws
from analysis._validation import (
    FloatArray,
    check_count,
    check_real,
    check_score_array,
    check_vector,
    warn_without_variation,
)
from analysis.best._extremes import IidMaximum, adaptive_integral, check_numbers, normal_reach
from analysis.errors import ArgumentError
from analysis.results import Result

# Genz's quasi-Monte Carlo integration keeps five decimals up to about this many variables.
_MOST_FOR_GENZ = 50


def one_factor_maximum_cdf(x: ArrayLike, means: ArrayLike, sds: ArrayLike, loadings: ArrayLike) -> Any:
    """Probability that the largest of normals with one common factor is at most ``x``.

    Variable i is means[i] + sds[i] (loadings[i] W + sqrt(1 - loadings[i]**2) e_i) with standard normal W and e_i:
    the correlation of i and j is loadings[i] loadings[j].

    Parameters
    ----------
    x : array_like of float, any shape
        Values of the maximum, in the unit of the scores.
    means : array_like of float, shape (n_variables,)
    sds : array_like of float, shape (n_variables,)
        Standard deviations, above 0.
    loadings : array_like of float, shape (n_variables,)
        Each strictly between -1 and 1. All 0 means independent variables.

    Returns
    -------
    float or ndarray
        One quadrature for each ``x``; relative error about 1e-10.

    Raises
    ------
    ArgumentError
        If shapes differ, a standard deviation is not above 0 or a loading is not strictly between -1 and 1.

    Examples
    --------
    Two variables of correlation 0.5, whose larger one is at most 0 with probability 1/4 + asin(0.5) / (2 pi):

    >>> round(one_factor_maximum_cdf(0.0, [0, 0], [1, 1], [0.5**0.5, 0.5**0.5]), 10)
    0.3333333333
    """
    values = check_numbers(x, "x")
    centres = check_vector(means, "means")
    spreads, factors = check_vector(sds, "sds"), check_vector(loadings, "loadings")
    if not centres.size == spreads.size == factors.size:
        raise ArgumentError("loadings", loadings, "must have as many entries as means and sds")
    if (spreads <= 0).any():
        raise ArgumentError("sds", sds, "must all be above 0")
    if (np.abs(factors) >= 1).any():
        raise ArgumentError("loadings", loadings, "must lie strictly between -1 and 1")
    own = np.sqrt((1.0 - factors) * (1.0 + factors))

    def cdf(value: float) -> float:
        thresholds = (value - centres) / spreads

        def log_integrand(w: FloatArray) -> FloatArray:
            inside = log_ndtr((thresholds - factors * w[..., None]) / own).sum(axis=-1)
            product: FloatArray = IidMaximum(1.0).log_pdf(w) + inside
            return product

        return adaptive_integral(log_integrand, normal_reach(log_integrand))

    result = np.array([cdf(float(value)) for value in values.ravel()]).reshape(values.shape)
    return float(result) if values.ndim == 0 else result


@dataclass(frozen=True, slots=True)
class MaximumProbability(Result):
    """Probability that the largest of correlated normals is at most a value, with the error of its computation.

    Attributes
    ----------
    estimate : float
        The probability.
    standard_error : float
        Standard error of the simulation; for "genz" the accuracy that was asked of it.
    method : {"genz", "monte-carlo"}
    n_resamples : int or None
        Number of draws; None for "genz".
    """

    estimate: float
    standard_error: float
    method: Literal["genz", "monte-carlo"]
    n_resamples: int | None


def covariance_maximum_cdf(
    x: float, means: ArrayLike, covariance: ArrayLike, rng: RandomSource, *, n_resamples: int = 100_000
) -> MaximumProbability:
    """Probability that the largest of normals with any covariance matrix is at most ``x``.

    Parameters
    ----------
    x : float
        Value of the maximum.
    means : array_like of float, shape (n_variables,)
    covariance : array_like of float, shape (n_variables, n_variables)
        Symmetric and positive semi-definite.
    rng : numpy.random.Generator or int
        Source of randomness or a seed: both methods draw at random.
    n_resamples : int, default 100000
        Number of draws, where the matrix is singular or has more than 50 rows. SciPy's integration (Genz) is used
        otherwise, to an accuracy of 1e-5.

    Returns
    -------
    MaximumProbability

    Raises
    ------
    ArgumentError
        If the matrix is not square, symmetric and positive semi-definite, or does not fit ``means``.

    References
    ----------
    A. Genz (1992), Numerical computation of multivariate normal probabilities, doi:10.1080/10618600.1992.10477010.

    Examples
    --------
    >>> covariance_maximum_cdf(0.0, [0, 0], [[1, 0.5], [0.5, 1]], rng=1).estimate.__round__(4)
    0.3333
    """
    threshold, centres, generator = check_real(x, "x"), check_vector(means, "means"), as_generator(rng)
    check_count(n_resamples, "n_resamples")
    matrix = check_score_array(covariance, "covariance", n_topics=1)
    scale = float(np.abs(matrix).max())
    if matrix.shape != (centres.size, centres.size) or np.abs(matrix - matrix.T).max() > 1e-10 * scale:
        raise ArgumentError("covariance", covariance, f"must be a symmetric {centres.size} x {centres.size} matrix")
    variances, directions = np.linalg.eigh(matrix)
    if variances[0] < -1e-10 * scale:
        raise ArgumentError("covariance", covariance, "must be positive semi-definite")
    if centres.size <= _MOST_FOR_GENZ and variances[0] > 1e-10 * scale:
        upper = np.full(centres.size, threshold)
        value = multivariate_normal.cdf(upper, mean=centres, cov=matrix, rng=generator)
        return MaximumProbability(float(np.clip(value, 0.0, 1.0)), 1e-5, "genz", None)
    root = directions * np.sqrt(np.maximum(variances, 0.0))

    def draw(size: int) -> FloatArray:
        draws: FloatArray = generator.standard_normal((size, centres.size)) @ root.T
        return draws

    return _simulated_maximum_cdf(threshold, centres, draw, n_resamples)


def scores_maximum_cdf(
    x: float, scores: ArrayLike, rng: RandomSource, *, means: ArrayLike | None = None, n_resamples: int = 100_000
) -> MaximumProbability:
    """Probability that the largest of the mean scores is at most ``x``, with the covariance that the topics show.

    Parameters
    ----------
    x : float
        Value of the largest mean score.
    scores : array_like of float, shape (n_systems, n_topics)
        Their covariance divided by the number of topics is that of the means. It is never formed: errors are drawn
        through the topics, so more systems than topics are no problem.
    rng : numpy.random.Generator or int
        Source of randomness or a seed.
    means : array_like of float, shape (n_systems,), optional
        True means that are assumed. Default: all equal to the grand mean of ``scores``, the premise that no system
        is better than another.
    n_resamples : int, default 100000
        Number of draws.

    Returns
    -------
    MaximumProbability

    Raises
    ------
    ArgumentError
        If there are fewer than two topics, scores are not finite, or ``means`` does not fit.

    Warns
    -----
    DegenerateWarning
        If no system's score varies over topics.

    Examples
    --------
    >>> scores = [[0.1, 0.5, 0.3, 0.7], [0.2, 0.4, 0.5, 0.5], [0.3, 0.1, 0.6, 0.6]]
    >>> scores_maximum_cdf(0.5, scores, rng=1).method
    'monte-carlo'
    """
    matrix, generator = check_score_array(scores), as_generator(rng)
    check_count(n_resamples, "n_resamples")
    warn_without_variation(matrix)
    centres = np.full(matrix.shape[0], matrix.mean()) if means is None else check_vector(means, "means")
    if centres.size != matrix.shape[0]:
        raise ArgumentError("means", means, f"must hold {matrix.shape[0]} values, one for each system")

    def draw(size: int) -> FloatArray:
        return gaussian_mean_draws(matrix, size, generator)

    return _simulated_maximum_cdf(check_real(x, "x"), centres, draw, n_resamples)


def _simulated_maximum_cdf(
    threshold: float, means: FloatArray, draw: Callable[[int], FloatArray], n_resamples: int
) -> MaximumProbability:
    below = 0
    for size in chunks(n_resamples, means.size):
        below += int((draw(size) + means <= threshold).all(axis=1).sum())
    estimate = below / n_resamples
    # Agresti and Coull's centre, so that a share of 0 or 1 does not claim to be without error.
    centre = (below + 2.0) / (n_resamples + 4.0)
    return MaximumProbability(
        estimate, float(np.sqrt(centre * (1.0 - centre) / (n_resamples + 4.0))), "monte-carlo", n_resamples
    )
