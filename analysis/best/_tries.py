"""The best of several tries: correlated systems, how many independent ones they are worth, attempts at one system."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import log_ndtr

from analysis._resampling import RandomSource, as_generator, chunks, gaussian_mean_draws
from analysis._validation import (
    FloatArray,
    check_choice,
    check_count,
    check_counts,
    check_flag,
    check_probability,
    check_real,
    check_score_array,
    check_vector,
    warn,
    warn_without_variation,
)
from analysis.best._extreme_distribution import maximum_distribution
from analysis.best._extremes import IidMaximum
from analysis.errors import ArgumentError
from analysis.reliability._families import check_families, rounding_variance
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix, group_sums


@dataclass(frozen=True, slots=True)
class MaximumProbability(Result):
    """Probability that the largest of correlated means is at most a value, with the error of its simulation."""

    estimate: Annotated[float, "The probability."]
    standard_error: Annotated[float, "Standard error of the simulation."]
    n_resamples: Annotated[int, "Number of draws."]


def scores_maximum_cdf(
    x: float, scores: ArrayLike, rng: RandomSource, *, means: ArrayLike | None = None, n_resamples: int = 100_000
) -> MaximumProbability:
    """Return the probability that the largest mean score is at most ``x``, with the covariance that the topics show.

    Parameters
    ----------
    x : float
        Value of the largest mean score.
    scores : array_like of float, shape (n_systems, n_topics)
        In the unit of the measure. Their covariance divided by the number of topics is that of the means. It is never
        formed: errors are drawn through the topics, so more systems than topics are no problem.
    rng : numpy.random.Generator or int
        Source of randomness or a seed.
    means : array_like of float, shape (n_systems,), optional
        True means that are assumed, in the unit of the scores. Default: all equal to the grand mean of ``scores``, the
        premise that no system is better than another.
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

    References
    ----------
    Carterette (2015), "The best published result is random", SIGIR 2015, doi:10.1145/2766462.2767812.

    Examples
    --------
    >>> scores = [[0.1, 0.5, 0.3, 0.7], [0.2, 0.4, 0.5, 0.5], [0.3, 0.1, 0.6, 0.6]]
    >>> round(scores_maximum_cdf(0.5, scores, rng=1).estimate, 2)
    0.63
    """
    matrix, generator = check_score_array(scores), as_generator(rng)
    check_count(n_resamples, "n_resamples")
    warn_without_variation(matrix)
    centres = np.full(matrix.shape[0], matrix.mean()) if means is None else check_vector(means, "means")
    if centres.size != matrix.shape[0]:
        raise ArgumentError("means", means, f"must hold {matrix.shape[0]} values, one for each system")

    threshold, below = check_real(x, "x"), 0
    for size in chunks(n_resamples, centres.size):
        below += int((gaussian_mean_draws(matrix, size, generator) + centres <= threshold).all(axis=1).sum())
    # Agresti and Coull's centre, so that a share of 0 or 1 does not claim to be without error.
    centre = (below + 2.0) / (n_resamples + 4.0)
    error = float(np.sqrt(centre * (1.0 - centre) / (n_resamples + 4.0)))
    return MaximumProbability(below / n_resamples, error, n_resamples)


@dataclass(frozen=True, slots=True)
class EffectiveN(Result):
    """A number of independent results whose maximum behaves like that of correlated ones, in one respect."""

    estimate: Annotated[float, "The effective number, 1 to ``n``; not whole."]
    functional: Annotated[Literal["mean", "quantile"], "The property made equal: another gives another number."]
    probability: Annotated[float | None, 'Probability of the quantile; None for "mean".']
    n: Annotated[float, "Number of results."]
    correlation: Annotated[float | None, "The correlation of every two of them; None where scores tell of each pair."]


def effective_n(
    n: float, correlation: float, *, functional: Literal["mean", "quantile"] = "quantile", probability: float = 0.8
) -> EffectiveN:
    """Return how many independent results have a maximum like that of ``n`` equally correlated ones.

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

    References
    ----------
    Carterette (2015), "The best published result is random", SIGIR 2015, doi:10.1145/2766462.2767812.

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
        estimate = _n_of_quantile(correlated.ppf(probability), probability)
    else:
        estimate = _n_of_mean(correlated.mean(), correlated.n)
    return EffectiveN(
        estimate, functional, probability if functional == "quantile" else None, correlated.n, correlated.correlation
    )


def effective_n_of_scores(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    families: Sequence[str] | None = None,
    functional: Literal["mean", "quantile"] = "quantile",
    probability: float = 0.8,
    n_resamples: int = 10_000,
) -> EffectiveN:
    """Return how many independent systems have a largest error like that of these, whose scores say how alike they are.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    families : sequence of str, optional
        The family of each system, in the order of the matrix: the difficulty of a topic is the mean over families, so
        that copies don't set it. Default: each system is a family of its own.
    functional : {"mean", "quantile"}, default "quantile"
        Which property of the maximum is matched.
    probability : float, default 0.8
        Probability of the quantile that is matched; not used by "mean".
    n_resamples : int, default 10_000
        Normal draws; the number comes out within about 3 % with 10,000.

    Returns
    -------
    EffectiveN
        From 1 to the number of systems; ``correlation`` is None.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems, labels of families don't fit, or a number is out of range.

    Warns
    -----
    DegenerateWarning
        If systems differ by the same amounts on every topic: they are worth one then.

    Notes
    -----
    The errors of the means beyond what topics do to all systems alike, each divided by its standard deviation, are
    drawn with the correlations that the topics show; their maximum is compared with that of independent ones. How hard
    a topic is raises or lowers all systems at once and helps none to come first, so that it counts for no likeness.
    Copies of a system don't raise the number. On n topics, more systems than topics can't all look independent: 100
    that are come out as about 90 on 50 topics.

    References
    ----------
    Carterette (2015), "The best published result is random", SIGIR 2015, doi:10.1145/2766462.2767812.
    David & Nagaraja (2003), Order Statistics, Wiley, doi:10.1002/0471722162.

    Examples
    --------
    >>> scores = np.random.default_rng(1).normal(0.4, 0.1, (10, 50))
    >>> names = [f"{letter}{copy}" for copy in (1, 2, 3) for letter in "abcdefghij"]
    >>> matrix = ScoreMatrix(names, [str(topic) for topic in range(50)], np.vstack([scores] * 3))
    >>> round(effective_n_of_scores(matrix, rng=1).estimate)
    10
    """
    check_choice(functional, "functional", ("mean", "quantile"))
    check_probability(probability, "probability")
    n_resamples = check_count(n_resamples, "n_resamples")
    generator = as_generator(rng)
    check_matrix(matrix)
    labels = check_families(families, matrix)
    n_families = len(set(labels))
    if n_families == 1:
        labels, n_families = matrix.systems, matrix.n_systems
    errors = _unit_errors(matrix, labels)
    estimate = 1.0
    if len(errors):
        steps = chunks(n_resamples, max(errors.shape))
        maxima = np.concatenate([gaussian_mean_draws(errors, step, generator).max(axis=1) for step in steps])
        # Less their mean, independent errors are correlated by -1 / (F - 1): a share in common makes up for it.
        common = generator.standard_normal(n_resamples) / np.sqrt(n_families - 1)
        maxima = (np.sqrt(matrix.n_topics) * maxima + common) * np.sqrt(1 - 1 / n_families)
        if functional == "quantile":
            estimate = _n_of_quantile(float(np.quantile(maxima, probability)), probability)
        else:
            estimate = _n_of_mean(float(maxima.mean()), float(matrix.n_systems))
    else:
        warn("systems differ by the same amounts on every topic: they are worth one")
    n = float(matrix.n_systems)
    return EffectiveN(
        min(n, max(1.0, estimate)), functional, probability if functional == "quantile" else None, n, None
    )


def _n_of_quantile(value: float, probability: float) -> float:
    """Return how many independent standard normals have this quantile of their maximum."""
    return float(np.log(probability) / log_ndtr(value))


def _n_of_mean(value: float, largest: float) -> float:
    """Return how many have this expected maximum: 1 to ``largest``."""

    def excess(log_n: float) -> float:
        return IidMaximum(np.exp(log_n)).moments()[0] - value

    if value <= 0 or excess(np.log(largest)) <= 0:
        return 1.0 if value <= 0 else largest
    return float(np.exp(brentq(excess, 0.0, np.log(largest), xtol=1e-14)))


def _unit_errors(matrix: ScoreMatrix, families: Sequence[str]) -> FloatArray:
    """Return scores less topic and system, with variance 1 over topics, without systems of which nothing is left."""
    member_of = np.unique(families, return_inverse=True)[1]
    errors = matrix.scores - (group_sums(matrix.scores, member_of) / np.bincount(member_of)[:, None]).mean(axis=0)
    errors = errors - errors.mean(axis=1, keepdims=True)
    variances = errors.var(axis=1, ddof=1)
    is_left = variances > rounding_variance(matrix.scores)
    unit: FloatArray = errors[is_left] / np.sqrt(variances[is_left])[:, None]
    return unit


@dataclass(frozen=True, slots=True)
class ExpectedMaximum(Result):
    """Expected best score of several attempts at one system, by number of attempts."""

    n_scores: Annotated[int, "Number of attempts that were made and are known."]
    n_attempts: Annotated[tuple[int, ...], "Numbers of attempts that the expectations are for."]
    estimate: Annotated[tuple[float, ...], "Mean best of all subsets of that size: unbiased, the one to report."]
    with_replacement: Annotated[tuple[float, ...], "Best of draws with replacement: biased towards the mean."]


def expected_maximum_of_attempts(
    scores: ArrayLike, n_attempts: int | Sequence[int], *, higher_is_better: bool = True
) -> ExpectedMaximum:
    """Return the expected best score of ``n_attempts`` attempts (seeds, settings) at one system, from those made.

    Parameters
    ----------
    scores : array_like of float, shape (n_scores,)
        Score of each attempt, in the unit of the measure: all of them and not the best ones. The attempts must be
        exchangeable: random seeds or settings drawn at random, not the steps of a directed search.
    n_attempts : int or sequence of int
        Numbers of attempts, each from 1 to n_scores. Beyond n_scores nothing unbiased exists.
    higher_is_better : bool, default True
        If False, the best score is the smallest.

    Returns
    -------
    ExpectedMaximum

    Raises
    ------
    ArgumentError
        If there is no score, a score is not finite, or a number of attempts is not whole or out of range.

    Notes
    -----
    With v(1) <= ... <= v(B): unbiased is sum_i v(i) C(i - 1, n - 1) / C(B, n), a U-statistic (Tang et al. 2020);
    with replacement is sum_i v(i) ((i / B)**n - ((i - 1) / B)**n) (Dodge et al. 2019), biased towards the mean.
    Ties need no treatment.

    References
    ----------
    R. Tang et al. (2020), Showing your work doesn't always work, ACL, doi:10.18653/v1/2020.acl-main.246.
    J. Dodge et al. (2019), Show your work: improved reporting of experimental results, EMNLP, doi:10.18653/v1/D19-1224.

    Examples
    --------
    >>> expected = expected_maximum_of_attempts([0.1, 0.2, 0.3, 0.4], 2)
    >>> round(expected.estimate[0], 4), round(expected.with_replacement[0], 4)
    (0.3333, 0.3125)
    """
    values = check_vector(scores, "scores")
    ordered = np.sort(values if check_flag(higher_is_better, "higher_is_better") else -values)
    sizes = tuple(check_counts([n_attempts] if np.isscalar(n_attempts) else n_attempts, "n_attempts"))
    if max(sizes) > ordered.size:
        raise ArgumentError("n_attempts", n_attempts, f"must lie between 1 and the number of scores, {ordered.size}")
    sign = 1.0 if higher_is_better else -1.0
    return ExpectedMaximum(
        ordered.size,
        sizes,
        tuple(sign * float(_subset_weights(ordered.size, size) @ ordered) for size in sizes),
        tuple(sign * float(np.diff((np.arange(ordered.size + 1) / ordered.size) ** size) @ ordered) for size in sizes),
    )


def _subset_weights(n_scores: int, size: int) -> FloatArray:
    """Return the share of the subsets of ``size`` whose largest member is the i-th smallest: C(i - 1, size - 1) / C(B,
    size).

    From the largest down each is (i - size) / (i - 1) of the one above, which never overflows.
    """
    rank = np.arange(n_scores, 1, -1)
    shares: FloatArray = size / n_scores * np.cumprod(np.concatenate([[1.0], np.maximum(rank - size, 0) / (rank - 1)]))
    return shares[::-1]
