"""The posterior distribution of the difference between two algorithms, without a Markov chain and its burn-in.

Where scores are absent, it is taken from a grid of two variance ratios: with flat priors on algorithms and topics and
1 / variance in the residual, the difference and the residual variance are integrated out exactly; what is left is a
density of two variables, which a product rule holds to many digits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import gammainc, gammaincinv, ndtr, ndtri

from analysis._resampling import RandomSource, as_generator
from analysis._validation import FloatArray, check_count, check_probability
from analysis.errors import ArgumentError
from analysis.instances._anova import Strata, algorithm_strata
from analysis.instances._equations import instance_equations
from analysis.results import Interval, Result
from analysis.scores import InstanceScores
from analysis.scores._instances import select_pair

#: How many scores a score of a deterministic algorithm stands for: it has no residual, all copies would be the same.
_COPIES = 1e5

#: Largest logarithm of a mean square in units of the residual's, first step from the highest density to where it ends,
#: and the drop in its logarithm at which it counts as 0.
_LARGEST_LOG, _FIRST_STEP, _RATIO_LOG_DROP = 20.0, 0.1, 20.0

#: Points of the grid on which the residual variance is drawn, and the drop in log density at which the grid ends.
_GRID_POINTS, _LOG_DROP = 4001, 40.0

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)


@dataclass(frozen=True, slots=True)
class RatioGrid:
    """Posterior probabilities of pairs of variance ratios, with what each says about the difference.

    Given a pair, the difference is ``centres`` plus a t variable on ``df`` degrees of freedom times ``scales``.
    """

    probabilities: FloatArray
    centres: FloatArray
    scales: FloatArray
    df: int

    def draws(self, size: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Return the centres and standard deviations of ``size`` normal distributions, of which the posterior is the
        mixture."""
        chosen = rng.choice(self.probabilities.size, size, p=self.probabilities)
        errors = self.scales[chosen] * np.sqrt(self.df / rng.chisquare(self.df, size))
        return self.centres[chosen], errors


def ratio_grid(pair: InstanceScores) -> RatioGrid:
    """Return the posterior of two algorithms of which at least one varies: the prior is that of the balanced case, with
    the average numbers of topics of an instance and of instances of a topic, and flat in the logarithms of the mean
    squares over the residual's, which can't be negative."""
    equations = instance_equations(pair, True, copies=_COPIES)
    df = equations.n_free - (pair.n_topics - 1)
    if df < 1:
        raise ArgumentError("scores", pair.n_topics, "must hold more scores than topics and instances use up")
    n_topics, n_instances = _average_counts(pair)

    def solve(logs: Sequence[float]) -> tuple[float, float, float]:
        ratios = np.expm1(np.asarray(logs)) / [n_topics, n_instances]
        solution = equations.solve_within_topics(*ratios)
        if solution.quadratic <= 0:
            raise ArgumentError("scores", solution.quadratic, "must vary around algorithms, instances and topics")
        log_density = -0.5 * (solution.log_determinants + df * np.log(solution.quadratic))
        return log_density, solution.means[0], np.sqrt(solution.quadratic / df * solution.contrast_variance)

    nodes, weights = zip(*(_rule(low, high) for low, high in _support(lambda logs: solve(logs)[0])), strict=True)
    rows = np.array([solve((node, other)) for node in nodes[0] for other in nodes[1]])
    heights = np.outer(*weights).ravel() * np.exp(rows[:, 0] - rows[:, 0].max())
    return RatioGrid(heights / heights.sum(), rows[:, 1], rows[:, 2], df)


def _average_counts(pair: InstanceScores) -> tuple[float, float]:
    """Return topics per instance, and the number of instances that two over the sum of 1 / instances stands for."""
    varying = [name for name in pair.algorithms if name not in pair.deterministic]
    rows = {name: pair.present[pair.rows_of(name)] for name in varying}
    n_topics = float(np.concatenate(list(rows.values())).sum(axis=1).mean())
    per_topic = [float(present.sum(axis=0)[present.any(axis=0)].mean()) for present in rows.values()]
    return n_topics, 2.0 / sum(1.0 / count for count in per_topic)


def _rule(low: float, high: float) -> tuple[FloatArray, FloatArray]:
    half = (high - low) / 2.0
    return low + half * (1.0 + _NODES), half * _WEIGHTS


def _support(log_density: Callable[[Sequence[float]], float]) -> list[tuple[float, float]]:
    """Return for each of the two logarithms, nearly independent, the range outside of which the density counts as 0,
    seen from its highest point, which is found along one and the other in turn."""
    peak = [1.0, 1.0]
    for axis in (0, 1, 0, 1):
        along = partial(_moved, log_density, peak, axis)
        lowest = minimize_scalar(lambda log, along=along: -along(log), bounds=(0.0, _LARGEST_LOG), method="bounded")
        peak[axis] = float(lowest.x)
    return [_range(partial(_moved, log_density, peak, axis), peak[axis]) for axis in (0, 1)]


def _moved(log_density: Callable[[Sequence[float]], float], peak: Sequence[float], axis: int, log: float) -> float:
    return log_density([log if number == axis else value for number, value in enumerate(peak)])


def _range(log_density: Callable[[float], float], peak: float) -> tuple[float, float]:
    """Return the ends that steps away from the peak, ever larger, reach where the density counts as 0."""
    lowest = log_density(peak) - _RATIO_LOG_DROP
    ends = []
    for direction, limit in ((-1.0, 0.0), (1.0, _LARGEST_LOG)):
        step, end = _FIRST_STEP, peak
        while end != limit and log_density(end) > lowest:
            end = float(np.clip(peak + direction * step, 0.0, _LARGEST_LOG))
            step *= 1.4
        ends.append(end)
    return ends[0], ends[1]


@dataclass(frozen=True, slots=True)
class PosteriorDifference(Result):
    """The difference of two algorithms, as known after the scores were seen."""

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
    instances and of the interaction, the latter two not below s². Draws are independent; without a Markov chain there
    is no burn-in. With absent cells, taken as absent at random, the difference and s² are integrated out exactly, and
    the ratios of the other two to s² are drawn off a grid; on complete data both ways give the same interval. With both
    algorithms deterministic the posterior is the t distribution of the paired t test. The shortest interval is found by
    averaging distribution functions, which leaves less noise than sorted draws of the difference.

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
    """Draw n_topics times the variance of the difference."""
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
    """Draw the residual variance from its marginal posterior, by inversion on a grid of its logarithm."""

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
