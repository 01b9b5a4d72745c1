"""Shared by sets, ranks and corrected scores: who competes, who is best, and standardised differences of means."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, stdtrit

from analysis._resampling import TIE_TOLERANCE, tail_rank
from analysis._validation import FloatArray, check_flag, check_mask, warn
from analysis.errors import ArgumentError
from analysis.reliability._families import SMALL_SHARE, median_of_pairs, pair_variances
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix

#: Below this many topics the normal approximation behind the sets has not been shown to hold.
MIN_TOPICS_FOR_BADGE = 25


class WhyNoSet(StrEnum):
    """A reason for giving no set of those that may be the best."""

    #: Fewer than 10 topics with scores by topic, fewer than 25 behind published means.
    TOO_FEW_TOPICS = "too-few-topics"
    #: Most differences are the same on every topic, or the residual variance is 0: nothing says how scores vary.
    NO_VARIATION = "no-variation"


def contender_mask(contenders: ArrayLike | None, size: int) -> NDArray[np.bool_]:
    """Return who competes: the given mask, or everybody."""
    return np.ones(size, dtype=np.bool_) if contenders is None else check_mask(contenders, "contenders", size)


def mean_and_sd(values: FloatArray) -> tuple[float, float | None]:
    """Return the mean and sd (ddof = 1; None for one value). Equal values are compared, as their sd would not come out
    as 0."""
    lowest = float(values.min())
    if lowest == values.max():
        return lowest, None if values.size == 1 else 0.0
    return float(values.mean()), float(values.std(ddof=1))


def find_best(values: FloatArray, mask: NDArray[np.bool_], higher_is_better: bool) -> tuple[int, int]:
    """Return the index of the first best contender, and the number of contenders that share its score."""
    signed = np.where(mask, values if check_flag(higher_is_better, "higher_is_better") else -values, -np.inf)
    index = int(signed.argmax())
    return index, int((signed == signed[index]).sum())


def warn_without_error(error: float) -> None:
    """Warn the caller of a public function, if its standard error or variance is 0."""
    if error == 0.0:
        warn("the standard error is 0: the scores are taken as exact, and nothing is left to chance")


@dataclass(frozen=True, slots=True)
class Contrasts:
    """The differences of the means of systems on the same topics, oriented so that larger is better.

    ``gaps[i, j]`` is mean_j - mean_i, 0 where it is no more than rounding. ``inverse_errors[i, j]`` is 1 / s_ij and
    ``statistics[i, j]`` their product, both 0 where there is no error to divide by (i = j; without a floor, also where
    two systems never differ by more than a constant).
    """

    scores: FloatArray
    means: FloatArray
    gaps: FloatArray
    statistics: FloatArray
    inverse_errors: FloatArray
    df: float

    @property
    def has_variation(self) -> bool:
        """Return whether any difference has an error."""
        return bool(self.inverse_errors.any())


def contrasts(
    matrix: ScoreMatrix, *, higher_is_better: bool, floored: bool = False, n_independent: float | None = None
) -> Contrasts:
    """Return the contrasts of a matrix of at least two systems.

    ``df`` is that of a paired t-test: topics - 1, or ``n_independent`` - 1 where the columns are worth fewer.

    ``floored`` keeps every s_ij² at a tenth of the median over all pairs or above: of near-copies, whose differences
    hardly vary, it would be so small that any statistic comes out. Where the median itself is 0, none has an error.
    """
    check_matrix(matrix)
    check_flag(higher_is_better, "higher_is_better")
    scores = matrix.scores if higher_is_better else -matrix.scores
    means = scores.mean(axis=1)
    gaps = means - means[:, None]
    # Means of the same numbers in another order differ by rounding.
    gaps[np.abs(gaps) <= TIE_TOLERANCE * np.abs(means).max()] = 0.0
    squared = pair_variances(scores) / matrix.n_topics
    if floored:
        median = median_of_pairs(squared)
        squared = np.maximum(squared, SMALL_SHARE * median) if median > 0 else np.zeros_like(squared)
        np.fill_diagonal(squared, 0.0)
    differ = squared > 0
    inverse = np.zeros_like(squared)
    inverse[differ] = 1 / np.sqrt(squared[differ])
    _warn_if_degenerate(gaps, differ)
    df = (matrix.n_topics if n_independent is None else n_independent) - 1.0
    return Contrasts(scores=scores, means=means, gaps=gaps, statistics=gaps * inverse, inverse_errors=inverse, df=df)


def _warn_if_degenerate(gaps: FloatArray, differ: NDArray[np.bool_]) -> None:
    if not differ.any():
        warn("most systems differ in no more than a constant: nothing can be told apart")
    elif (gaps[~differ] != 0).any():
        warn(
            "two systems differ by the same amount on every topic: their difference has no standard error,"
            " and they count as tied",
        )


def t_from_normal(deviate: FloatArray, df: float) -> FloatArray:
    """Return the t quantile with the upper tail probability of a normal deviate: t^-1(Phi(deviate))."""
    mapped: FloatArray = -stdtrit(df, ndtr(-np.asarray(deviate)))
    return mapped


def exceedance_rank(confidence_level: float, n_resamples: int) -> int:
    """Return the rank m from the top of the resampled value that is the critical value.

    The m-th largest, m = floor((1 - confidence_level)(n_resamples + 1)), is the value at which "statistic above the
    critical value" and "(1 + b) / (1 + n_resamples) <= 1 - confidence_level" are one and the same.
    """
    rank = tail_rank(1 - confidence_level, n_resamples)
    if rank < 1:
        fewest = int(np.ceil(1 / (1 - confidence_level) - 1 - 1e-6))
        raise ArgumentError("n_resamples", n_resamples, f"must be {fewest} or more at this level")
    return rank


def upper_quantile(null: NDArray[Any], rank: int) -> Any:
    """Return the ``rank``-th largest value along the last axis."""
    position = null.shape[-1] - rank
    return np.partition(null, position, axis=-1)[..., position]


def leaders(systems: Sequence[str], means: FloatArray) -> list[str]:
    """Return the labels of all systems that share the largest mean, by name."""
    # Means of the same numbers in another order differ by rounding.
    lowest = means.max() - TIE_TOLERANCE * np.abs(means).max()
    return sorted(system for system, mean in zip(systems, means, strict=True) if mean >= lowest)


def too_few_topics(n_topics: int) -> str | None:
    """Return why no badge is earned on this few topics, or None."""
    if n_topics >= MIN_TOPICS_FOR_BADGE:
        return None
    return (
        f"{n_topics} topics are too few: below {MIN_TOPICS_FOR_BADGE} the stated confidence has not been shown to"
        " hold, so the estimates are shown without a verdict"
    )
