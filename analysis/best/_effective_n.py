"""How many independent tries are N correlated ones worth?"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr

from analysis._resampling import RandomSource, as_generator, chunks, gaussian_mean_draws
from analysis._validation import FloatArray, check_choice, check_count, check_probability
from analysis.best._extreme_distribution import maximum_distribution
from analysis.best._extremes import IidMaximum
from analysis.errors import DegenerateWarning
from analysis.reliability._families import check_families, rounding_variance
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix


@dataclass(frozen=True, slots=True)
class EffectiveN(Result):
    """A number of independent results whose maximum behaves like that of correlated ones, in one respect."""

    estimate: Annotated[float, "The effective number, 1 to ``n``; not whole."]
    functional: Annotated[
        Literal["mean", "quantile"],
        "What was made equal: the expected maximum, or its quantile. Another choice gives another number.",
    ]
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
        Generator, or seed of one.
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
        message = "systems differ by the same amounts on every topic: they are worth one"
        warnings.warn(message, DegenerateWarning, stacklevel=2)
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
    """Scores less topic and system, with variance 1 over topics; systems of which nothing is left are left out."""
    names, member_of = np.unique(families, return_inverse=True)
    sums = np.zeros((len(names), matrix.n_topics))
    np.add.at(sums, member_of, matrix.scores)
    errors = matrix.scores - (sums / np.bincount(member_of)[:, None]).mean(axis=0)
    errors = errors - errors.mean(axis=1, keepdims=True)
    variances = errors.var(axis=1, ddof=1)
    is_left = variances > rounding_variance(matrix.scores)
    unit: FloatArray = errors[is_left] / np.sqrt(variances[is_left])[:, None]
    return unit
