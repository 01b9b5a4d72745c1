"""Between which ranks does a run lie? Confidence intervals for ranks."""

from dataclasses import dataclass
from typing import Annotated

from analysis._resampling import Progress, RandomSource, as_generator
from analysis._validation import check_count, check_flag, check_probability
from analysis.best._contrasts import contrasts, too_few_topics
from analysis.ranks._separations import separate_all, separate_each
from analysis.results import Result
from analysis.scores import ScoreMatrix


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
        bool,
        "Whether all intervals hold at once with the stated confidence (for a whole table), or each by itself"
        " (for the page of one run).",
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
        Called with (done, total) runs; starts again at every step of the step-down.

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
    one-sided hypotheses "j is not better than i", both ways round, are tested together by their largest studentised
    difference with step-down [1]_ [2]_: over all ordered pairs if ``simultaneous``, else over the pairs that contain
    the run. Critical values are mapped from the normal to the t distribution on n_topics - 1 degrees of freedom.
    Standard errors have the floor of :func:`analysis.best.confidence_set_for_best`; duplicated runs are never told
    apart.

    References
    ----------
    .. [1] Mogstad, M., Romano, J. P., Shaikh, A. M., & Wilhelm, D. (2024). Inference for ranks with applications to
       mobility across neighbourhoods and academic achievement across countries. Review of Economic Studies, 91(1),
       476-518. doi:10.1093/restud/rdad006
    .. [2] Romano, J. P., & Wolf, M. (2005). Exact and approximate stepdown methods for multiple hypothesis testing.
       Journal of the American Statistical Association, 100(469), 94-108. doi:10.1198/016214504000000539
    """
    check_flag(simultaneous, "simultaneous")
    level = check_probability(confidence_level, "confidence_level")
    n_resamples = check_count(n_resamples, "n_resamples")
    generator = as_generator(rng)
    compared = contrasts(matrix, higher_is_better=higher_is_better, floored=True)
    separate = separate_all if simultaneous else separate_each
    better, worse = separate(compared, level, n_resamples, generator, progress)
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
