"""Between which ranks does a run lie? Confidence intervals for ranks, and the tiers they allow."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from analysis._contrasts import (
    Contrasts,
    contrasts,
    draw_seed,
    exceedance_rank,
    row_maxima,
    t_from_normal,
    too_few_topics,
    upper_quantile,
)
from analysis._resampling import TIE_TOLERANCE, Progress, RandomSource
from analysis._results import Result
from analysis._validation import FloatArray, check_count, check_flag, check_probability
from analysis.scores import ScoreMatrix

__all__ = ["RankEntry", "RankIntervals", "TieTiers", "TierEntry", "rank_intervals", "tie_tiers"]

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RankEntry(Result):
    """The rank of one run.

    Attributes
    ----------
    system : str
        Label of the run.
    mean : float
        Its mean score.
    rank : int
        1 + number of runs with a better mean; runs with the same mean share a rank.
    low, high : int
        Best and worst rank that the data allow.
    """

    system: str
    mean: float
    rank: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class RankIntervals(Result):
    """Confidence intervals for the ranks of all runs.

    Attributes
    ----------
    entries : tuple of RankEntry
        One for each run, in the order of the matrix.
    simultaneous : bool
        Whether all intervals hold at once with the stated confidence (for a whole table), or each by itself (for the
        page of one run).
    confidence_level : float
        Between 0 and 1.
    n_resamples, n_systems, n_topics : int
        Simulated draws, runs, topics.
    why_no_badge : str or None
        Why the intervals must not be shown as a verdict; None where they may.
    """

    entries: tuple[RankEntry, ...]
    simultaneous: bool
    confidence_level: float
    n_resamples: int
    n_systems: int
    n_topics: int
    why_no_badge: str | None

    def may_reach(self, rank: int) -> tuple[str, ...]:
        """Labels of the runs whose interval reaches ``rank`` or better: the candidates for the top ``rank``.

        Parameters
        ----------
        rank : int
            Position from the top, 1 or more.

        Returns
        -------
        tuple of str

        Raises
        ------
        ArgumentError
            If the rank is not a whole number, 1 or more.
        """
        check_count(rank, "rank")
        return tuple(entry.system for entry in self.entries if entry.low <= rank)


@dataclass(frozen=True, slots=True)
class TierEntry(Result):
    """The tier of one run.

    Attributes
    ----------
    system : str
        Label of the run.
    mean : float
        Its mean score.
    tier : int
        1 for the best.
    leader : str
        Label of the run that leads the tier.
    """

    system: str
    mean: float
    tier: int
    leader: str


@dataclass(frozen=True, slots=True)
class TieTiers(Result):
    """Runs in tiers that the data can tell from the leaders of the tiers above.

    Attributes
    ----------
    entries : tuple of TierEntry
        One for each run, in the order of the matrix.
    n_tiers : int
        Number of tiers.
    confidence_level : float
        Of all the separations together.
    n_resamples, n_systems, n_topics : int
        Simulated draws, runs, topics.
    why_no_badge : str or None
        Why the tiers must not be shown as a verdict; None where they may.
    """

    entries: tuple[TierEntry, ...]
    n_tiers: int
    confidence_level: float
    n_resamples: int
    n_systems: int
    n_topics: int
    why_no_badge: str | None


def rank_intervals(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    simultaneous: bool,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    higher_is_better: bool = True,
    progress: Progress | None = None,
) -> RankIntervals:
    """Confidence intervals for the ranks that the runs would have on all topics like these.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics; below 25 topics the result says why it earns no badge.
    rng : numpy.random.Generator or int
        Generator, or seed of one.
    simultaneous : bool
        True for intervals that all hold at once, as a table needs them; False for intervals that each hold by
        themselves, as the page of one run needs it.
    confidence_level : float, default 0.95
        Between 0 and 1.
    n_resamples : int, default 10_000
        Normal draws behind the critical values; at least 1 / (1 - confidence_level).
    higher_is_better : bool, default True
        Direction of the measure.
    progress : callable, optional
        Called with (done, total) resamples; starts again at every step of the step-down.

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
        If no two runs differ, or two differ by the same amount on every topic.

    Notes
    -----
    Rank i lies in [1 + number of runs significantly better, n_systems - number of runs significantly worse]. The
    one-sided hypotheses "j is not better than i", both ways round, are tested together by their largest studentised
    difference with step-down [1]_ [2]_: over all ordered pairs if ``simultaneous``, else over the pairs that contain
    the run. Critical values are mapped from the normal to the t distribution on n_topics - 1 degrees of freedom.
    Duplicated runs are never told apart.

    References
    ----------
    .. [1] Mogstad, M., Romano, J. P., Shaikh, A. M., & Wilhelm, D. (2024). Inference for ranks with applications to
       mobility across neighbourhoods and academic achievement across countries. Review of Economic Studies, 91(1),
       476-518. doi:10.1093/restud/rdad006
    .. [2] Romano, J. P., & Wolf, M. (2005). Exact and approximate stepdown methods for multiple hypothesis testing.
       Journal of the American Statistical Association, 100(469), 94-108. doi:10.1198/016214504000000539

    Examples
    --------
    >>> scores = np.random.default_rng(1).normal(0.4, 0.1, (4, 50)) + [[0.0], [0.01], [0.1], [0.2]]
    >>> matrix = ScoreMatrix(["a", "b", "c", "d"], [str(topic) for topic in range(50)], scores)
    >>> [(entry.system, entry.low, entry.high) for entry in rank_intervals(matrix, simultaneous=True, rng=1).entries]
    [('a', 3, 4), ('b', 3, 4), ('c', 2, 2), ('d', 1, 1)]
    """
    check_flag(simultaneous, "simultaneous")
    level = check_probability(confidence_level, "confidence_level")
    n_resamples = check_count(n_resamples, "n_resamples")
    compared = contrasts(matrix, higher_is_better=higher_is_better)
    separate = _separate_all if simultaneous else _separate_each
    better, worse = separate(compared, level, n_resamples, draw_seed(rng), progress)
    # Means of the same numbers in another order differ by rounding.
    tolerance = TIE_TOLERANCE * np.abs(compared.means).max()
    ranks = 1 + (compared.means > compared.means[:, None] + tolerance).sum(axis=1)
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


def tie_tiers(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    higher_is_better: bool = True,
    progress: Progress | None = None,
) -> TieTiers:
    """The runs in tiers: a run leaves a tier only if the tier's leader is significantly better.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics; below 25 topics the result says why it earns no badge.
    rng : numpy.random.Generator or int
        Generator, or seed of one.
    confidence_level : float, default 0.95
        Of all separations together, between 0 and 1.
    n_resamples : int, default 10_000
        Normal draws behind the critical values; at least 1 / (1 - confidence_level).
    higher_is_better : bool, default True
        Direction of the measure.
    progress : callable, optional
        Called with (done, total) resamples; starts again at every step of the step-down.

    Returns
    -------
    TieTiers
        For each run its tier and the tier's leader.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems or a number is out of range.

    Notes
    -----
    All ordered pairs are tested at once, as in the simultaneous :func:`rank_intervals`. Then, until no run is left:
    the best run without a tier leads the next tier, and joining it are all runs without a tier that it is not
    significantly better than. Hence

    1. no run is separable from the leader of its own tier;
    2. every run is separable from the leaders of all tiers above its own, and with probability
       ``confidence_level`` all these separations are right at once.

    What tiers don't say: two runs of one tier may be separable from each other (they are compared with the leader
    only), and a run may stand in a higher tier than a run with a better mean: it happens where the better one is so
    similar to the leader that their small difference shows, and the other so different that it does not. Ties of
    means are broken by name.

    The first tier answers for a whole table at once; the set of runs that may be the best
    (:func:`analysis.rankings.confidence_set_for_best`) answers one question, and is smaller.

    Examples
    --------
    >>> scores = np.random.default_rng(1).normal(0.4, 0.1, (4, 50)) + [[0.0], [0.01], [0.2], [0.21]]
    >>> matrix = ScoreMatrix(["a", "b", "c", "d"], [str(topic) for topic in range(50)], scores)
    >>> [(entry.system, entry.tier) for entry in tie_tiers(matrix, rng=1).entries]
    [('a', 2), ('b', 2), ('c', 1), ('d', 1)]
    """
    level = check_probability(confidence_level, "confidence_level")
    n_resamples = check_count(n_resamples, "n_resamples")
    compared = contrasts(matrix, higher_is_better=higher_is_better)
    better, _ = _separate_all(compared, level, n_resamples, draw_seed(rng), progress)
    order = sorted(range(matrix.n_systems), key=lambda row: (-compared.means[row], matrix.systems[row]))
    tiers: dict[int, tuple[int, int]] = {}
    while len(tiers) < matrix.n_systems:
        waiting = [row for row in order if row not in tiers]
        leader, tier = waiting[0], 1 + len({tier for tier, _ in tiers.values()})
        tiers |= {row: (tier, leader) for row in waiting if not better[row, leader]}
    entries = tuple(
        TierEntry(system, float(mean), tiers[row][0], matrix.systems[tiers[row][1]])
        for row, (system, mean) in enumerate(zip(matrix.systems, matrix.means, strict=True))
    )
    return TieTiers(
        entries=entries,
        n_tiers=max(entry.tier for entry in entries),
        confidence_level=level,
        n_resamples=n_resamples,
        n_systems=matrix.n_systems,
        n_topics=matrix.n_topics,
        why_no_badge=too_few_topics(matrix.n_topics),
    )


def _separate_all(
    compared: Contrasts, level: float, n_resamples: int, seed: int, progress: Progress | None
) -> tuple[BoolArray, BoolArray]:
    """Which runs j are significantly better, and worse, than i, over all ordered pairs (i, j) at once."""
    rank = exceedance_rank(level, n_resamples)
    statistics, n_systems = compared.statistics, len(compared.means)
    # The critical value never exceeds the one of Bonferroni: what that rejects needs no simulation.
    critical = float(-stdtrit(compared.df, (1 - level) / (n_systems * (n_systems - 1))))
    better = statistics > critical
    while True:
        rows = np.flatnonzero((~better).sum(axis=1) > 1)  # the diagonal is no pair
        if not rows.size:
            break
        null = row_maxima(
            compared, rows.tolist(), n_resamples, seed, offsets=_leave_out(better), progress=progress
        ).max(axis=0)
        critical = float(t_from_normal(upper_quantile(null, rank), compared.df))
        rejected = better | (statistics > critical)
        if (rejected == better).all():
            break
        better = rejected
    return better, better.T


def _separate_each(
    compared: Contrasts, level: float, n_resamples: int, seed: int, progress: Progress | None
) -> tuple[BoolArray, BoolArray]:
    """Which runs j are significantly better, and worse, than i, for each i by itself."""
    rank = exceedance_rank(level, n_resamples)
    up, down = compared.statistics, -compared.statistics
    critical = -stdtrit(compared.df, (1 - level) / (2 * (len(up) - 1)))
    better, worse = up > critical, down > critical
    rows = np.arange(len(up))
    while rows.size:
        null = np.maximum(
            row_maxima(compared, rows.tolist(), n_resamples, seed, offsets=_leave_out(better), progress=progress),
            row_maxima(compared, rows.tolist(), n_resamples, seed, offsets=_leave_out(worse), mirrored=True),
        )
        limits = np.asarray(t_from_normal(upper_quantile(null, rank), compared.df))[:, None]
        more_better, more_worse = better[rows] | (up[rows] > limits), worse[rows] | (down[rows] > limits)
        changed = (more_better != better[rows]).any(axis=1) | (more_worse != worse[rows]).any(axis=1)
        better[rows], worse[rows] = more_better, more_worse
        rows = rows[changed]
    return better, worse


def _leave_out(rejected: BoolArray) -> FloatArray:
    return np.where(rejected, -np.inf, 0.0)
