"""Which runs are significantly better, and worse, than which: what rank intervals and tiers are read from."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from analysis._resampling import Progress, RandomSource, with_progress
from analysis._validation import FloatArray
from analysis.best._contrasts import Contrasts, exceedance_rank, t_from_normal
from analysis.best._drawn_differences import DrawnDifferences, Floats, Positions, upper_value

BoolArray = NDArray[np.bool_]


def critical_value_of_all_pairs(
    compared: Contrasts, level: float, n_resamples: int, rng: RandomSource, progress: Progress | None
) -> float:
    """Return the simultaneous two-sided critical value of all pairs of runs, in t units, without step-down."""
    rank = exceedance_rank(level, n_resamples)
    draws = DrawnDifferences.draw(compared.scores, n_resamples, rng)
    weights = compared.inverse_errors
    # The differences from i to j and from j to i have opposite signs, so that the largest of all is two-sided.
    largest = [draws.largest(row, weights[row], rank) for row in with_progress(range(len(weights)), progress)]
    return float(t_from_normal(np.array(upper_value(largest, rank, n_resamples)), compared.df))


def separate_all(
    compared: Contrasts, level: float, n_resamples: int, rng: RandomSource, progress: Progress | None
) -> tuple[BoolArray, BoolArray]:
    """Return which runs j are significantly better, and worse, than i, over all ordered pairs (i, j) at once."""
    rank = exceedance_rank(level, n_resamples)
    statistics, weights, df = compared.statistics, compared.inverse_errors, compared.df
    n_systems = len(statistics)
    # The critical value never exceeds the one of Bonferroni: what that rejects needs no simulation.
    better = statistics > -stdtrit(df, (1 - level) / (n_systems * (n_systems - 1)))
    draws = DrawnDifferences.draw(compared.scores, n_resamples, rng)
    largest: dict[int, tuple[Floats, Positions]] = {}
    rows = np.arange(n_systems)
    while rows.size:
        # Only the rows in which something was decided have other rivals than before.
        for row in with_progress(rows.tolist(), progress):
            largest[row] = draws.largest(row, weights[row], rank, _leave_out(better[row]))
        critical = t_from_normal(np.array(upper_value(largest.values(), rank, n_resamples)), df)
        newly = (statistics > critical) & ~better
        better |= newly
        rows = np.flatnonzero(newly.any(axis=1))
    return better, better.T


def separate_each(
    compared: Contrasts, level: float, n_resamples: int, rng: RandomSource, progress: Progress | None
) -> tuple[BoolArray, BoolArray]:
    """Return which runs j are significantly better, and worse, than i, for each i by itself."""
    rank = exceedance_rank(level, n_resamples)
    draws = DrawnDifferences.draw(compared.scores, n_resamples, rng)
    sides = (draws, compared.statistics), (draws.mirrored(), -compared.statistics)
    start = -stdtrit(compared.df, (1 - level) / (2 * (len(compared.statistics) - 1)))
    decided = [statistics > start for _, statistics in sides]
    for row in with_progress(range(len(compared.statistics)), progress):
        largest: dict[int, tuple[Floats, Positions]] = {}
        changed = [0, 1]
        while changed:
            for side in changed:
                offsets = _leave_out(decided[side][row])
                largest[side] = sides[side][0].largest(row, compared.inverse_errors[row], rank, offsets)
            limit = t_from_normal(np.array(upper_value(largest.values(), rank, n_resamples)), compared.df)
            newly = [(statistics[row] > limit) & ~decided[side][row] for side, (_, statistics) in enumerate(sides)]
            changed = [side for side in (0, 1) if newly[side].any()]
            for side in changed:
                decided[side][row] |= newly[side]
    better, worse = decided
    return better, worse


def _leave_out(decided: BoolArray) -> FloatArray:
    return np.where(decided, -np.inf, 0.0)
