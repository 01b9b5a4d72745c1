"""The posterior distribution of the difference between two algorithms, without a Markov chain and its burn-in."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import gammainc, gammaincinv, ndtr, ndtri

from analysis._resampling import RandomSource, as_generator
from analysis._validation import FloatArray, check_count, check_probability
from analysis.errors import ArgumentError
from analysis.instances._absent_cells_posterior import ratio_grid
from analysis.instances._anova import Strata, algorithm_strata
from analysis.results import Interval, Result
from analysis.scores import InstanceScores
from analysis.scores._instances import select_pair

#: Points of the grid on which the residual variance is drawn, and the drop in log density at which the grid ends.
_GRID_POINTS, _LOG_DROP = 4001, 40.0


@dataclass(frozen=True, slots=True)
class PosteriorDifference(Result):
    """What is known about the difference of two algorithms after the scores were seen."""

    first: Annotated[str, "The algorithms; differences are first minus second."]
    second: Annotated[str, "The algorithms; differences are first minus second."]
    estimate: Annotated[float, "Posterior mean; without absent cells the difference of the means."]
    interval: Annotated[Interval, "Of highest density: the shortest that holds ``confidence_level`` of it."]
    probability_first_higher: Annotated[float, "Posterior probability that the difference is above 0; no p-value."]
    n_draws: Annotated[int, "Number of draws of the variances."]


def posterior_difference(
    scores: InstanceScores,
    first: str,
    second: str,
    rng: RandomSource,
    *,
    n_draws: int = 20_000,
    confidence_level: float = 0.95,
) -> PosteriorDifference:
    """Return the posterior of the difference between two algorithms, with its highest-density interval.

    Parameters
    ----------
    scores : InstanceScores
        Scores of the algorithms; cells may be absent, if one of the two varies.
    first, second : str
        Two different algorithms of ``scores``.
    rng : numpy Generator or int
        Source of randomness, or a seed.
    n_draws : int, default 20000
        Number of draws of the variances, 1000 or more.
    confidence_level : float, default 0.95
        Posterior probability inside the interval, between 0 and 1.

    Returns
    -------
    PosteriorDifference

    Raises
    ------
    ArgumentError
        If an algorithm is unknown, both are the same, a mean square is 0 (instances that never differ belong to a
        deterministic algorithm), or cells are absent and both algorithms are deterministic.

    Notes
    -----
    The prior is flat in the difference and 1 / variance in each expected mean square: of the residual (s²), of
    instances and of the interaction, the latter two not below s². Given the data these are scaled inverse chi-squared:
    s² is drawn from its density on a grid, the others from their distributions cut off at s². The draws are
    independent. With both algorithms deterministic the posterior is the t distribution of the paired t test.

    With absent cells, taken as absent at random, the difference and s² are integrated out exactly, and the ratios of
    the other two to s² are drawn off a grid. The prior has the average numbers of topics of an instance and of
    instances of a topic; topics are blocks with a flat prior. On complete data both ways give the same interval.

    The posterior is a mixture of normal distributions, one for each draw of the variances; the shortest interval is
    found by averaging their distribution functions, which leaves less noise than sorted draws of the difference.

    References
    ----------
    Jayasinghe et al., SIGIR 2014, doi:10.1145/2600428.2609472, who draw it by a Markov chain. Box & Tiao, "Bayesian
    inference in statistical analysis" (1973), doi:10.1002/9781118033197, chapter 5, for the prior and the restriction.
    """
    level = check_probability(confidence_level, "confidence_level")
    centres, errors = posterior_normals(scores, first, second, rng, n_draws)
    low, high = _shortest_interval(centres, errors, level)
    return PosteriorDifference(
        first=first,
        second=second,
        estimate=float(centres.mean()),
        interval=Interval(low, high, level),
        probability_first_higher=float(np.mean(ndtr(centres / errors))),
        n_draws=n_draws,
    )


def posterior_normals(
    scores: InstanceScores, first: str, second: str, rng: RandomSource, n_draws: int
) -> tuple[FloatArray, FloatArray]:
    """Return means and standard deviations of the normal distributions of which the posterior is the mixture,
    (n_draws,)."""
    check_count(n_draws, "n_draws", minimum=1000)
    generator = as_generator(rng)
    pair = select_pair(scores, first, second)
    if not pair.n_absent:
        strata = algorithm_strata(pair, first, second)
        _check_mean_squares(strata)
        return np.full(n_draws, strata.estimate), np.sqrt(_variance_draws(strata, n_draws, generator) / strata.n_topics)
    if len(pair.deterministic) == 2:
        raise ArgumentError(
            "scores", pair.n_absent, "must have no absent cells if nothing varies; complete_topics() leaves them out"
        )
    return ratio_grid(pair).draws(n_draws, generator)


def _shortest_interval(centres: FloatArray, errors: FloatArray, level: float) -> tuple[float, float]:
    """Return the shortest interval that holds ``level`` of a mixture of normal distributions with one peak."""
    middle, reach = float(centres.mean()), float(np.ptp(centres) + errors.max() * ndtri((1 + level) / 2))
    precision = 1e-10 * float(errors.min())

    def inside(low: float, high: float) -> float:
        return float(np.mean(ndtr((high - centres) / errors) - ndtr((low - centres) / errors)))

    def half(shift: float) -> float:
        ends = middle + shift
        return float(brentq(lambda size: inside(ends - size, ends + size) - level, 0.0, 2.0 * reach, xtol=precision))

    shift = 0.0
    if np.ptp(centres) > 0:
        bounds = (-float(errors.max()), float(errors.max()))
        shift = float(minimize_scalar(half, bounds=bounds, method="bounded", options={"xatol": 1e-6 * bounds[1]}).x)
    return middle + shift - half(shift), middle + shift + half(shift)


def _check_mean_squares(strata: Strata) -> None:
    squares = [strata.difference_square, *(part.instance for part in strata.instance_strata)]
    squares += [part.residual for part in strata.instance_strata]
    if min(squares) == 0:
        raise ArgumentError(
            "scores", min(squares), "must vary; an algorithm whose instances all agree is to be named deterministic"
        )


def _variance_draws(strata: Strata, n_draws: int, generator: np.random.Generator) -> FloatArray:
    """Draws of n_topics times the variance of the difference."""
    if not strata.instance_strata:
        return strata.difference_df * strata.difference_square / generator.chisquare(strata.difference_df, n_draws)
    part = strata.instance_strata[0]
    residual_sum = part.residual * part.residual_df
    # The two expected mean squares that contain the residual: of instances, and of the interaction.
    others = (
        (part.instance * part.instance_df, part.instance_df),
        (strata.difference_square / part.weight * strata.difference_df, strata.difference_df),
    )
    residual = _residual_draws(residual_sum, part.residual_df, others, n_draws, generator)
    total = -residual
    for square_sum, df in others:
        # chi² below square_sum / residual, so that square_sum / chi² lies above the residual.
        below = gammainc(df / 2, square_sum / (2 * residual))
        total += square_sum / (2 * gammaincinv(df / 2, below * (1 - generator.random(n_draws))))
    return part.weight * total


def _residual_draws(
    square_sum: float, df: int, others: tuple[tuple[float, int], ...], n_draws: int, generator: np.random.Generator
) -> FloatArray:
    """Draws of the residual variance from its marginal posterior, by inversion on a grid of its logarithm."""

    def log_density(logs: FloatArray) -> FloatArray:
        variance = np.exp(logs)
        density: FloatArray = -df / 2 * logs - square_sum / (2 * variance)
        with np.errstate(divide="ignore"):  # log 0 = -inf: so improbable that it isn't drawn
            for other, other_df in others:
                density += np.log(gammainc(other_df / 2, other / (2 * variance)))
        return density

    centre = np.log(square_sum / df)
    logs = np.linspace(centre - 20, centre + 20, _GRID_POINTS)
    for _ in range(2):  # The second grid covers only what the first found probable.
        density = log_density(logs)
        probable = np.flatnonzero(density > density.max() - _LOG_DROP)
        first, last = max(probable[0] - 1, 0), min(probable[-1] + 1, logs.size - 1)
        logs = np.linspace(logs[first], logs[last], _GRID_POINTS)
    density = log_density(logs)
    heights = np.exp(density - density.max())
    cumulative = np.concatenate([[0.0], np.cumsum(heights[1:] + heights[:-1])])
    draws: FloatArray = np.exp(np.interp(generator.random(n_draws), cumulative / cumulative[-1], logs))
    return draws
