"""The run with the best mean, and estimates of its true mean that allow for its having been picked for its score.

The largest of many means tends to be too large: it won partly by luck with these topics.
"""

from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np
from scipy.special import ndtri, stdtrit

from analysis._resampling import TIE_TOLERANCE, RandomSource, as_generator, bootstrap_mean_draws, chunks
from analysis._validation import FloatArray, check_count, check_direction, check_probability, warn
from analysis.best._contrasts import leaders
from analysis.reliability._variance_components import components_of
from analysis.results import Interval, Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix


@dataclass(frozen=True, slots=True)
class WinnerEstimate(Result):
    """The true mean score of the run with the best mean, by one method."""

    method: Annotated[str, "Name of the method, as printed."]
    system: Annotated[str, "The winner; of several with the same mean the first by name."]
    tied: Annotated[tuple[str, ...], "Other runs with the same mean."]
    estimate: Annotated[float | None, "In the unit of the measure. None where there is none, or an infinite one."]
    interval: Annotated[Interval | None, "For the winner's true mean. Infinite ends are None in :meth:`to_dict`."]
    why_no_interval: Annotated[str | None, "Why there is no interval."] = None
    why_unbounded: Annotated[str | None, "Why the estimate or an end of the interval is infinite."] = None
    details: Annotated[dict[str, float | None], "By name; None for infinite."] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON; an infinite end of the interval is None."""
        # Not super(): a dataclass with slots is a new class, of which super() knows nothing.
        plain = Result.to_dict(replace(self, interval=None))
        if self.interval is not None:
            plain["interval"] = {
                "low": finite_or_none(self.interval.low),
                "high": finite_or_none(self.interval.high),
                "confidence_level": self.interval.confidence_level,
            }
        return plain


@dataclass(frozen=True, slots=True)
class MatrixWinner:
    """The winner of a matrix. ``scores`` and ``means`` are oriented so that larger is better; ``row`` is its row."""

    scores: FloatArray
    means: FloatArray
    row: int
    system: str
    tied: tuple[str, ...]
    sign: float

    @property
    def mean(self) -> float:
        """Mean of the winner, oriented."""
        return float(self.means[self.row])

    @property
    def df(self) -> int:
        """Topics - 1."""
        return int(self.scores.shape[1]) - 1

    @property
    def standard_error(self) -> float:
        """Standard error of the winner's mean."""
        scores = self.scores[self.row]
        # A constant row has a standard deviation of rounding size.
        return float(scores.std(ddof=1) / np.sqrt(scores.size)) if np.ptp(scores) > 0 else 0.0

    def around(self, centre: float, confidence_level: float) -> tuple[float, float]:
        """Return the ends of a t interval of the mean's width around ``centre``."""
        half_width = float(stdtrit(self.df, (1 + confidence_level) / 2)) * self.standard_error
        return centre - half_width, centre + half_width

    def t_over_z(self, confidence_level: float) -> float:
        """Return what turns a normal standard error into one that allows for the estimated variance."""
        probability = (1 + confidence_level) / 2
        return float(stdtrit(self.df, probability) / ndtri(probability))

    def report(
        self,
        method: str,
        estimate: float | None,
        ends: tuple[float, float] | None,
        confidence_level: float,
        *,
        why_no_interval: str | None = None,
        why_unbounded: str | None = None,
        details: dict[str, float | None] | None = None,
    ) -> WinnerEstimate:
        """Return the result in the unit and direction of the measure; ``estimate`` and ``ends`` are oriented."""
        interval = None
        if self.standard_error == 0:
            why_no_interval = f"all scores of {self.system} are equal, so its mean has no standard error"
        elif ends is not None:
            low, high = sorted(self.sign * end for end in ends)
            interval = Interval(low, high, confidence_level)
        return WinnerEstimate(
            method=method,
            system=self.system,
            tied=self.tied,
            estimate=None if estimate is None else finite_or_none(self.sign * estimate),
            interval=interval,
            why_no_interval=why_no_interval,
            why_unbounded=why_unbounded,
            details=details or {},
        )


def find_winner(matrix: ScoreMatrix, higher_is_better: bool) -> MatrixWinner:
    """Return the winner of a matrix of at least 2 systems."""
    sign = check_direction(higher_is_better)
    scores = sign * check_matrix(matrix).scores
    means = scores.mean(axis=1)
    first, *tied = leaders(matrix.systems, means)
    row = matrix.systems.index(first)
    if np.ptp(scores[row]) == 0:
        warn(f"all scores of the winner, {first}, are equal: its mean has no standard error")
    return MatrixWinner(scores, means, row, first, tuple(tied), sign)


def finite_or_none(value: float) -> float | None:
    """Return the number, or None where it is infinite."""
    return float(value) if np.isfinite(value) else None


def winner_naive(
    matrix: ScoreMatrix, *, confidence_level: float = 0.95, higher_is_better: bool = True
) -> WinnerEstimate:
    """Return the winner's mean with a t interval, as if the run had not been picked for its score.

    For comparison only: the mean is too large on average, and where many runs are about equal the nominal 95 %
    interval holds in 84 to 86 % of samples.
    """
    level = check_probability(confidence_level, "confidence_level")
    winner = find_winner(matrix, higher_is_better)
    return winner.report("naive t", winner.mean, winner.around(winner.mean, level), level)


def winner_james_stein(
    matrix: ScoreMatrix, *, confidence_level: float = 0.95, higher_is_better: bool = True
) -> WinnerEstimate:
    """Return the winner's mean shrunk towards the average run by what the topics can't tell apart (Efron & Morris
    1973).

    g + B (y_w - g) with g the mean of all scores, ``details["grand_mean"]``, and ``details["shrinkage"]``
    B = max(0, 1 - (k - 3) / (k - 1) * MSE / MSS) from the two-way analysis of variance; 1 below 4 systems. Only the
    residual matters: a common topic effect shifts all runs together and produces no winner's curse. The runs are taken
    as drawn from one population; a winner that truly stands apart is shrunk too much (by 0.013 in the worst collection
    examined).

    The interval has the width of the naive one around a better centre: coverage 0.91 to 0.99 over 26 simulated
    worlds. The narrower Bayesian interval of the same model covers 0.81 to 0.96 and is not offered.
    """
    level = check_probability(confidence_level, "confidence_level")
    winner = find_winner(matrix, higher_is_better)
    shrinkage = shrinkage_of(matrix)
    estimate = shrunk_mean(winner, shrinkage)
    details: dict[str, float | None] = {"shrinkage": shrinkage, "grand_mean": float(matrix.scores.mean())}
    return winner.report("James-Stein", estimate, winner.around(estimate, level), level, details=details)


def bootstrap_optimism(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    higher_is_better: bool = True,
) -> WinnerEstimate:
    """Return the winner's mean less the average by which winners of resampled topics exceed their own mean.

    That average is ``details["optimism"]``, 0 or more but for chance. Runs that tie in a resample share it. No model of
    the runs and no theorem either.
    Coverage in simulations 0.90 to 0.98 (RR 0.84), bias of the estimate -0.004 to +0.014.
    """
    level = check_probability(confidence_level, "confidence_level")
    n_resamples = check_count(n_resamples, "n_resamples")
    generator = as_generator(rng)
    winner = find_winner(matrix, higher_is_better)
    tolerance = TIE_TOLERANCE * float(np.abs(winner.scores).max())
    total = 0.0
    for step in chunks(n_resamples, matrix.n_systems):
        draws = bootstrap_mean_draws(winner.scores, step, generator)
        largest = draws.max(axis=1)
        first = draws >= largest[:, None] - tolerance
        total += float((largest - first @ winner.means / first.sum(axis=1)).sum())
    optimism = total / n_resamples
    estimate = winner.mean - optimism
    ends = winner.around(estimate, level)
    return winner.report("bootstrap optimism", estimate, ends, level, details={"optimism": optimism})


def shrinkage_of(matrix: ScoreMatrix) -> float:
    parts = components_of(matrix)
    if parts.n_systems < 4:
        return 1.0
    return james_stein_factor(parts.n_systems, parts.residual_mean_square, parts.system_mean_square)


def james_stein_factor(k: int, error_variance: float, variance: float) -> float:
    """Return the share of a distance from the mean of ``k`` values that is kept; all of it without an error."""
    if error_variance == 0:
        return 1.0
    return max(0.0, 1 - (k - 3) / (k - 1) * error_variance / variance) if variance > 0 else 0.0


def shrunk_mean(winner: MatrixWinner, shrinkage: float) -> float:
    grand_mean = float(winner.means.mean())
    return grand_mean + shrinkage * (winner.mean - grand_mean)
