"""Standardised differences between system means on shared topics, and their null distribution.

What the confidence set for the best run, the rank intervals, the tiers and the verified leader have in common.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from analysis._resampling import (
    TIE_TOLERANCE,
    Progress,
    RandomSource,
    as_generator,
    check_progress,
    gaussian_mean_draws,
)
from analysis._validation import FloatArray, check_flag
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.scores import ScoreMatrix, check_matrix

#: Below this many topics the normal approximation behind the sets has not been shown to hold.
MIN_TOPICS_FOR_BADGE = 25

#: A difference whose variance is below this share of the variances of its two means is no more than rounding.
_RELATIVE_FLOOR = 1e-12

#: Resamples treated at a time: a block of 1,000 systems in float32 stays within a processor's second-level cache.
_BLOCK = 128


@dataclass(frozen=True, slots=True)
class Contrasts:
    """The differences of the means of systems on the same topics, oriented so that larger is better.

    ``statistics[i, j]`` is (mean_j - mean_i) / s_ij and ``inverse_errors[i, j]`` is 1 / s_ij, both 0 where the two
    systems never differ (duplicates, and i = j).
    """

    scores: FloatArray
    means: FloatArray
    statistics: FloatArray
    inverse_errors: FloatArray

    @property
    def df(self) -> int:
        """Degrees of freedom of a paired t-test: topics - 1."""
        return int(self.scores.shape[1]) - 1

    @property
    def largest(self) -> FloatArray:
        """max over j != i of statistics[i, j]: how far system i is behind whichever system beats it most clearly."""
        others = self.statistics.copy()
        np.fill_diagonal(others, -np.inf)
        largest: FloatArray = others.max(axis=1)
        return largest


def contrasts(matrix: ScoreMatrix, *, higher_is_better: bool) -> Contrasts:
    """The contrasts of a matrix of at least two systems."""
    check_matrix(matrix)
    check_flag(higher_is_better, "higher_is_better")
    scores = matrix.scores if higher_is_better else -matrix.scores
    means = scores.mean(axis=1)
    centred = scores - means[:, None]
    n_topics = matrix.n_topics
    covariance = centred @ centred.T / (n_topics * (n_topics - 1.0))
    variances = np.diag(covariance)
    sums = variances[:, None] + variances
    squared = sums - 2 * covariance
    # Differences of nearly equal numbers can come out tiny or negative: treat them as "never differ".
    differ = squared > _RELATIVE_FLOOR * sums
    np.fill_diagonal(differ, False)
    inverse = np.zeros_like(squared)
    inverse[differ] = 1 / np.sqrt(squared[differ])
    gaps = means - means[:, None]
    _warn_if_degenerate(gaps, differ)
    return Contrasts(scores=scores, means=means, statistics=gaps * inverse, inverse_errors=inverse)


def _warn_if_degenerate(gaps: FloatArray, differ: NDArray[np.bool_]) -> None:
    if not differ.any():
        warnings.warn("no two systems differ in more than a constant: nothing can be told apart", DegenerateWarning, 4)
    elif (np.abs(gaps[~differ]) > 1e-9).any():
        warnings.warn(
            "two systems differ by the same amount on every topic: their difference has no standard error,"
            " and they count as tied",
            DegenerateWarning,
            stacklevel=4,
        )


def row_maxima(
    contrasts: Contrasts,
    rows: Sequence[int],
    n_resamples: int,
    seed: int,
    *,
    offsets: FloatArray | None = None,
    mirrored: bool = False,
    progress: Progress | None = None,
) -> NDArray[np.float32]:
    """Resampled max over j != i of (xi_j - xi_i) / s_ij + offsets_ij, for each i of ``rows``.

    xi is the normal sampling error of the means (:func:`gaussian_mean_draws`), or its mirror image. The same ``seed``
    gives the same draws, so that several passes need not store them. An offset of -inf leaves a pair out.

    Returns an array (len(rows), n_resamples) in single precision: its error is 1e-6, that of 10,000 resamples 2e-2.
    """
    check_progress(progress)
    rng = np.random.default_rng(seed)
    weights = contrasts.inverse_errors.astype(np.float32)
    added = np.zeros_like(weights) if offsets is None else offsets.astype(np.float32)
    np.fill_diagonal(added, -np.inf)
    maxima = np.empty((len(rows), n_resamples), dtype=np.float32)
    buffer = np.empty((_BLOCK, len(weights)), dtype=np.float32)
    for start in range(0, n_resamples, _BLOCK):
        block = gaussian_mean_draws(contrasts.scores, min(_BLOCK, n_resamples - start), rng).astype(np.float32)
        if mirrored:
            np.negative(block, out=block)
        part = buffer[: len(block)]
        for position, row in enumerate(rows):
            np.subtract(block, block[:, row : row + 1], out=part)
            part *= weights[row]
            part += added[row]
            part.max(axis=1, out=maxima[position, start : start + len(block)])
        if progress is not None:
            progress(start + len(block), n_resamples)
    return maxima


def draw_seed(rng: RandomSource) -> int:
    """A seed for :func:`row_maxima` from the caller's generator or seed."""
    return int(as_generator(rng).integers(2**63))


def normal_from_t(statistic: FloatArray, df: int) -> FloatArray:
    """The normal deviate with the upper tail probability of a t statistic."""
    mapped: FloatArray = -ndtri(stdtr(df, -np.asarray(statistic)))
    return mapped


def t_from_normal(deviate: FloatArray, df: int) -> FloatArray:
    """The t quantile with the upper tail probability of a normal deviate: t^-1(Phi(deviate))."""
    mapped: FloatArray = -stdtrit(df, ndtr(-np.asarray(deviate)))
    return mapped


def exceedance_rank(confidence_level: float, n_resamples: int) -> int:
    """The rank m from the top of the resampled value that is the critical value.

    The m-th largest, m = floor((1 - confidence_level)(n_resamples + 1)), is the value at which "statistic above the
    critical value" and "(1 + b) / (1 + n_resamples) <= 1 - confidence_level" are one and the same.
    """
    rank = int(np.floor((1 - confidence_level) * (n_resamples + 1) + 1e-9))
    if rank < 1:
        raise ArgumentError(
            "n_resamples", n_resamples, f"must be {int(np.ceil(1 / (1 - confidence_level)))} or more at this level"
        )
    return rank


def upper_quantile(null: NDArray[Any], rank: int) -> Any:
    """The ``rank``-th largest value along the last axis."""
    position = null.shape[-1] - rank
    return np.partition(null, position, axis=-1)[..., position]


def leaders(systems: Sequence[str], means: FloatArray) -> list[str]:
    """Labels of all systems that share the largest mean, by name."""
    # Means of the same numbers in another order differ by rounding.
    lowest = means.max() - TIE_TOLERANCE * np.abs(means).max()
    return sorted(system for system, mean in zip(systems, means, strict=True) if mean >= lowest)


def too_few_topics(n_topics: int) -> str | None:
    """Why no badge is earned on this few topics, or None."""
    if n_topics >= MIN_TOPICS_FOR_BADGE:
        return None
    return (
        f"{n_topics} topics are too few: below {MIN_TOPICS_FOR_BADGE} the stated confidence has not been shown to"
        " hold, so the estimates are shown without a verdict"
    )
