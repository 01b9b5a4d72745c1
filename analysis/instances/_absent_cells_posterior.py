"""The posterior of a difference between two algorithms where scores are absent, on a grid of two variance ratios.

With flat priors on algorithms and topics and 1 / variance in the residual, the difference and the residual variance
are integrated out exactly; what is left is a density of two variables, which a product rule holds to many digits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.optimize import minimize_scalar

from analysis._validation import FloatArray
from analysis.errors import ArgumentError
from analysis.instances._equations import instance_equations
from analysis.scores import InstanceScores

#: How many scores a score of a deterministic algorithm stands for: it has no residual, all copies would be the same.
_COPIES = 1e5

#: Largest logarithm of a mean square in units of the residual's, first step from the highest density to where it ends,
#: and the drop in its logarithm at which it counts as 0.
_LARGEST_LOG, _FIRST_STEP, _LOG_DROP = 20.0, 0.1, 20.0

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
        """Centres and standard deviations of ``size`` normal distributions, of which the posterior is the mixture."""
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
    """Steps away from the peak, ever larger, until the density counts as 0 or the end is reached."""
    lowest = log_density(peak) - _LOG_DROP
    ends = []
    for direction, limit in ((-1.0, 0.0), (1.0, _LARGEST_LOG)):
        step, end = _FIRST_STEP, peak
        while end != limit and log_density(end) > lowest:
            end = float(np.clip(peak + direction * step, 0.0, _LARGEST_LOG))
            step *= 1.4
        ends.append(end)
    return ends[0], ends[1]
