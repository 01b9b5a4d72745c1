"""The run with the best mean, and the shape in which every method reports on it."""

import warnings
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np
from scipy.special import ndtri, stdtrit

from analysis._validation import FloatArray, check_direction
from analysis.best._contrasts import leaders
from analysis.errors import DegenerateWarning
from analysis.results import Interval, Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix


@dataclass(frozen=True, slots=True)
class WinnerEstimate(Result):
    """What one method says about the true mean score of the run with the best mean."""

    method: Annotated[str, "Name of the method, as printed."]
    system: Annotated[str, "The winner; of several with the same mean the first by name."]
    tied: Annotated[tuple[str, ...], "Other runs with the same mean."]
    estimate: Annotated[
        float | None, "Point estimate in the unit of the measure. None where there is none, or an infinite one."
    ]
    interval: Annotated[
        Interval | None,
        "Interval for the winner's true mean. Ends may be infinite in memory; :meth:`to_dict` gives None for those.",
    ]
    why_no_interval: Annotated[str | None, "Why there is no interval."] = None
    why_unbounded: Annotated[str | None, "Why the estimate or an end of the interval is infinite."] = None
    details: Annotated[dict[str, float | None], "The numbers in between, by name; None stands for an infinite one."] = (
        field(default_factory=dict)
    )

    def to_dict(self) -> dict[str, Any]:
        """The result ready for JSON; an infinite end of the interval is None."""
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
class Winner:
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

    def half_width(self, confidence_level: float) -> float:
        """t quantile times standard error."""
        return float(stdtrit(self.df, (1 + confidence_level) / 2)) * self.standard_error

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
        """The result in the unit and direction of the measure; ``estimate`` and ``ends`` are oriented."""
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


def find_winner(matrix: ScoreMatrix, higher_is_better: bool) -> Winner:
    """The winner of a matrix of at least 2 systems."""
    sign = check_direction(higher_is_better)
    scores = sign * check_matrix(matrix).scores
    means = scores.mean(axis=1)
    first, *tied = leaders(matrix.systems, means)
    row = matrix.systems.index(first)
    if np.ptp(scores[row]) == 0:
        message = f"all scores of the winner, {first}, are equal: its mean has no standard error"
        warnings.warn(message, DegenerateWarning, stacklevel=3)
    return Winner(scores, means, row, first, tuple(tied), sign)


def finite_or_none(value: float) -> float | None:
    """The number, or None where it is infinite."""
    return float(value) if np.isfinite(value) else None
