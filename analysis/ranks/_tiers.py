"""Tiers in place of ranks: the runs that may be the best, and below them runs that can be told from those above."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis._resampling import Progress, RandomSource, as_generator
from analysis.best import BestRunSet, confidence_set_for_best
from analysis.best._contrasts import Contrasts, contrasts
from analysis.ranks._separations import critical_value_of_all_pairs
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._topic_groups import independent_scores


@dataclass(frozen=True, slots=True)
class TierEntry(Result):
    """The tier of one run."""

    system: Annotated[str, "Label of the run."]
    mean: Annotated[float, "Its mean score."]
    tier: Annotated[int, "1 for the runs that may be the best."]
    leader: Annotated[str, "Label of the run that leads the tier."]


@dataclass(frozen=True, slots=True)
class TieTiers(Result):
    """Runs in tiers: the first may be the best, the others can be told from the leaders of the tiers between."""

    entries: Annotated[
        tuple[TierEntry, ...],
        "One for each contender, in the order of the matrix; none where there is no set of those that may be the best.",
    ]
    n_tiers: Annotated[int, "Number of tiers."]
    best_set: Annotated[BestRunSet, "The set that is tier 1, with its caution or why there is none."]
    critical_value: Annotated[
        float | None,
        "How many standard errors a run must be behind the leader of a lower tier to be told from it; None "
        "where there are no tiers.",
    ]
    confidence_level: Annotated[float, "Of the set, and of all separations of the lower tiers together."]
    n_resamples: Annotated[int, "Simulated draws, runs of the matrix, topics."]
    n_systems: Annotated[int, "Simulated draws, runs of the matrix, topics."]
    n_topics: Annotated[int, "Simulated draws, runs of the matrix, topics."]


def tie_tiers(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    families: Sequence[str] | None = None,
    contenders: Sequence[str] | None = None,
    topic_groups: Sequence[str] | None = None,
    higher_is_better: bool = True,
    progress: Progress | None = None,
) -> TieTiers:
    """Return the runs in tiers: first those that may be the best, then down to where a tier's leader is surely better.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems. On fewer than 10 topics there are no tiers, on fewer than 25 a caution.
    rng : numpy.random.Generator or int
        Generator, or seed of one. The first tier is what :func:`analysis.best.confidence_set_for_best` gives for it.
    confidence_level : float, default 0.95
        Of the set, and of all separations of the lower tiers together, between 0 and 1.
    n_resamples : int, default 10_000
        Normal draws behind the critical values; at least 10 / (1 - confidence_level).
    families : sequence of str, optional
        As for :func:`analysis.best.confidence_set_for_best`.
    contenders : sequence of str, optional
        The systems that are put into tiers; the others still count as attempts. Default: all.
    topic_groups : sequence of str, optional
        As for :func:`analysis.best.confidence_set_for_best`.
    higher_is_better : bool, default True
        Direction of the measure.
    progress : callable, optional
        Called with (done, total) runs; starts again for the lower tiers.

    Returns
    -------
    TieTiers
        The set, and for each run its tier and the tier's leader.

    Raises
    ------
    ArgumentError
        As for :func:`analysis.best.confidence_set_for_best`.

    Warns
    -----
    DegenerateWarning
        If most pairs of runs differ by the same amount on every topic: there are no tiers then.

    Notes
    -----
    Tier 1 is the set of runs that may be the best. Then, until no run is left, the best run without a tier leads the
    next one, and the tier reaches down to the last run that is not significantly worse than it. Hence every run below a
    lower tier is significantly worse than its leader, and with probability ``confidence_level`` all of these
    separations are right at once; together with the set at least twice as far from certainty (90 % for 95 %).

    The statistic of the lower tiers is (y_l - y_i) / s_li with the s of the set: the standard error of the difference,
    its square no less than a tenth of the median over all pairs. Its critical value is the ``confidence_level``
    quantile of max |xi_i - xi_j| / s_ij over all pairs of runs, two-sided, xi normal with the covariance of the means,
    mapped from the normal to the t distribution on n_topics - 1 degrees of freedom. It is not stepped down, so that one
    number decides all of them.

    What tiers don't say: two runs of one tier may be separable from each other. Tier 1 need not be the first ranks:
    a run that is so much like the best one that its small distance tells stands in tier 2, between members of tier 1.

    References
    ----------
    Mogstad, Romano, Shaikh & Wilhelm (2024), "Inference for ranks", Review of Economic Studies 91,
    doi:10.1093/restud/rdad006: simultaneous decisions on pairs. The tiers are Plumbline's own.
    """
    generator = as_generator(rng)
    best_set = confidence_set_for_best(
        matrix,
        generator,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        families=families,
        contenders=contenders,
        topic_groups=topic_groups,
        higher_is_better=higher_is_better,
        progress=progress,
    )
    leaders: dict[str, str] = {}
    critical = None
    if best_set.why_no_set is None:
        columns, n_topics = independent_scores(matrix, topic_groups)
        compared = contrasts(columns, higher_is_better=higher_is_better, floored=True, n_independent=n_topics)
        critical = critical_value_of_all_pairs(compared, confidence_level, n_resamples, generator, progress)
        leaders = _leaders(matrix, compared, best_set, critical)
    tiers = {leader: tier for tier, leader in enumerate(dict.fromkeys(leaders.values()), start=1)}
    return TieTiers(
        entries=tuple(
            TierEntry(entry.system, entry.mean, tiers[leaders[entry.system]], leaders[entry.system])
            for entry in best_set.entries
        ),
        n_tiers=len(tiers),
        best_set=best_set,
        critical_value=critical,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        n_systems=matrix.n_systems,
        n_topics=matrix.n_topics,
    )


def _leaders(matrix: ScoreMatrix, compared: Contrasts, best_set: BestRunSet, critical: float) -> dict[str, str]:
    """Return the leader of each contender's tier, tier by tier."""
    leaders = dict.fromkeys(best_set.members, best_set.members[0])
    best_first = sorted(best_set.entries, key=lambda entry: (entry.behind, entry.system))
    waiting = [matrix.systems.index(entry.system) for entry in best_first if not entry.is_member]
    while waiting:
        behind = -compared.statistics[waiting[0], waiting]
        last = int(np.flatnonzero(behind <= critical)[-1])
        leaders |= dict.fromkeys((matrix.systems[row] for row in waiting[: last + 1]), matrix.systems[waiting[0]])
        waiting = waiting[last + 1 :]
    return leaders
