"""Confidence intervals for ranks, and the significant differences that they and tiers are read from."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from analysis._resampling import RandomSource, as_generator
from analysis._validation import FloatArray, check_count, check_flag, check_probability
from analysis.best._contrasts import Contrasts, contrasts, exceedance_rank, t_from_normal, too_few_topics
from analysis.best._drawn_differences import DrawnDifferences, Floats, Positions, upper_value
from analysis.results import Result
from analysis.scores import ScoreMatrix

BoolArray = NDArray[np.bool_]


def critical_value_of_all_pairs(compared: Contrasts, level: float, n_resamples: int, rng: RandomSource) -> float:
    """Return the simultaneous two-sided critical value of all pairs of runs, in t units, without step-down."""
    rank = exceedance_rank(level, n_resamples)
    draws = DrawnDifferences.draw(compared.scores, n_resamples, rng)
    weights = compared.inverse_errors
    # The differences from i to j and from j to i have opposite signs, so that the largest of all is two-sided.
    largest = [draws.largest(row, weights[row], rank) for row in range(len(weights))]
    return float(t_from_normal(np.array(upper_value(largest, rank, n_resamples)), compared.df))


def separate_all(compared: Contrasts, level: float, n_resamples: int, rng: RandomSource) -> tuple[BoolArray, BoolArray]:
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
        for row in rows.tolist():
            largest[row] = draws.largest(row, weights[row], rank, _leave_out(better[row]))
        critical = t_from_normal(np.array(upper_value(largest.values(), rank, n_resamples)), df)
        newly = (statistics > critical) & ~better
        better |= newly
        rows = np.flatnonzero(newly.any(axis=1))
    return better, better.T


def separate_each(
    compared: Contrasts, level: float, n_resamples: int, rng: RandomSource
) -> tuple[BoolArray, BoolArray]:
    """Return which runs j are significantly better, and worse, than i, for each i by itself."""
    rank = exceedance_rank(level, n_resamples)
    draws = DrawnDifferences.draw(compared.scores, n_resamples, rng)
    sides = (draws, compared.statistics), (draws.mirrored(), -compared.statistics)
    start = -stdtrit(compared.df, (1 - level) / (2 * (len(compared.statistics) - 1)))
    decided = [statistics > start for _, statistics in sides]
    for row in range(len(compared.statistics)):
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


@dataclass(frozen=True, slots=True)
class RankEntry(Result):
    """The rank of one run."""

    system: Annotated[str, "Label of the run."]
    mean: Annotated[float, "Its mean score."]
    rank: Annotated[int, "1 + number of runs with a better mean; runs with the same mean share a rank."]
    low: Annotated[int, "Best and worst rank that the data allow."]
    high: Annotated[int, "Best and worst rank that the data allow."]


@dataclass(frozen=True, slots=True)
class RankIntervals(Result):
    """Confidence intervals for the ranks of all runs."""

    entries: Annotated[tuple[RankEntry, ...], "One for each run, in the order of the matrix."]
    simultaneous: Annotated[
        bool, "Whether all intervals hold at once (for a table), or each by itself (for the page of one run)."
    ]
    confidence_level: Annotated[float, "Between 0 and 1."]
    n_resamples: Annotated[int, "Simulated draws, runs, topics."]
    n_systems: Annotated[int, "Simulated draws, runs, topics."]
    n_topics: Annotated[int, "Simulated draws, runs, topics."]
    why_no_badge: Annotated[str | None, "Why the intervals must not be shown as a verdict; None where they may."]


def rank_intervals(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    simultaneous: bool,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    higher_is_better: bool = True,
) -> RankIntervals:
    """Return confidence intervals for the ranks that the runs would have on all topics like these.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics; below 25 topics the result says why it earns no badge.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed.
    simultaneous : bool
        True for intervals that all hold at once, as a table needs them; False for intervals that each hold by
        themselves, as the page of one run needs it.
    confidence_level : float, default 0.95
        Between 0 and 1.
    n_resamples : int, default 10_000
        Normal draws behind the critical values; at least 1 / (1 - confidence_level).
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    RankIntervals
        For each run its rank and the best and worst rank that the data allow.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems or a number is out of range.

    Warns
    -----
    DegenerateWarning
        If most pairs of runs differ by the same amount on every topic: no two are told apart then.

    Notes
    -----
    Rank i lies in [1 + number of runs significantly better, n_systems - number of runs significantly worse]. The
    hypotheses "j is not better than i", both ways round, are tested together by their largest studentised difference
    with step-down: over all ordered pairs if ``simultaneous``, else over the pairs that contain the run.
    Standard errors have the floor of :func:`analysis.best.confidence_set_for_best`; duplicated runs are never told
    apart.

    References
    ----------
    Mogstad, Romano, Shaikh & Wilhelm (2024), doi:10.1093/restud/rdad006. Romano & Wolf (2005),
    doi:10.1198/016214504000000539.
    """
    check_flag(simultaneous, "simultaneous")
    level = check_probability(confidence_level, "confidence_level")
    n_resamples = check_count(n_resamples, "n_resamples")
    generator = as_generator(rng)
    compared = contrasts(matrix, higher_is_better=higher_is_better, floored=True)
    separate = separate_all if simultaneous else separate_each
    better, worse = separate(compared, level, n_resamples, generator)
    ranks = 1 + (compared.gaps > 0).sum(axis=1)
    entries = tuple(
        RankEntry(system, float(mean), int(rank), int(1 + n_better), int(matrix.n_systems - n_worse))
        for system, mean, rank, n_better, n_worse in zip(
            matrix.systems, matrix.means, ranks, better.sum(axis=1), worse.sum(axis=1), strict=True
        )
    )
    return RankIntervals(
        entries=entries,
        simultaneous=simultaneous,
        confidence_level=level,
        n_resamples=n_resamples,
        n_systems=matrix.n_systems,
        n_topics=matrix.n_topics,
        why_no_badge=too_few_topics(matrix.n_topics),
    )
