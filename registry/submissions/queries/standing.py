"""Where a score would stand among what is recorded, and what is recorded of its system already."""

from dataclasses import dataclass
from statistics import fmean, stdev

from analysis.best_result import best_set_from_means
from registry.catalog.models import Leaderboard
from registry.core.text import comparison_key
from registry.leaderboards.pipeline import CONFIDENCE_LEVEL, choose_variance
from registry.leaderboards.queries import Row, read_evidence
from registry.results.models import Result

#: Below this there is nothing to stand among.
MIN_RECORDED = 5
MAX_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Standing:
    """A score among the independent results of a leaderboard; each of those once, the one it would replace aside.

    ``rank`` counts from 1, equal scores share one. ``n`` is the number of those recorded. ``percentile`` is the share
    of them that it is better than, ``z`` its distance from their mean in their standard deviations; None with fewer
    than five of them, or no variation. ``may_be_best`` is None where that cannot be told.
    """

    leaderboard: Leaderboard
    value: float
    rank: int
    n: int
    best: Row | None
    z: float | None
    percentile: float | None
    may_be_best: bool | None

    @property
    def is_highest(self) -> bool:
        """Whether no score recorded is better."""
        return self.rank == 1

    @property
    def confidence_level(self) -> float:
        return CONFIDENCE_LEVEL


def read_standing(leaderboard: Leaderboard, value: float, *, without: int | None = None) -> Standing:
    """Where the score would stand; ``without`` is the result that it would take the place of."""
    evidence = read_evidence(leaderboard.pk)
    rows = [row for row in evidence.rows if row.is_counted and row.id != without]
    sign = 1.0 if leaderboard.measure.higher_is_better else -1.0
    values = [row.value for row in rows]
    n_better = sum(sign * other > sign * value for other in values)
    n_worse = sum(sign * other < sign * value for other in values)
    is_enough = len(values) >= MIN_RECORDED and len(set(values)) > 1
    variance = choose_variance(evidence) if leaderboard.n_topics and leaderboard.n_topics > 1 else None
    may_be_best = None
    if is_enough and variance is not None and variance.value > 0:
        found = best_set_from_means(
            [*values, value],
            n_topics=leaderboard.n_topics,
            residual_variance=variance.value,
            confidence_level=CONFIDENCE_LEVEL,
            higher_is_better=leaderboard.measure.higher_is_better,
        )
        may_be_best = len(values) in found.members
    return Standing(
        leaderboard=leaderboard,
        value=value,
        rank=1 + n_better,
        n=len(values),
        best=rows[0] if rows else None,
        z=sign * (value - fmean(values)) / stdev(values) if is_enough else None,
        percentile=n_worse / len(values) if is_enough else None,
        may_be_best=may_be_best,
    )


def results_of_system(name: str, leaderboard: Leaderboard) -> list[Result]:
    """What is recorded for systems of this name on the collection: what is on the leaderboard first, the best first."""
    key = comparison_key(name)
    if not key:
        return []
    results = (
        Result.objects.standing()
        .filter(system__name_key=key, leaderboard__collection=leaderboard.collection)
        .select_related("system", "paper", "leaderboard__collection", "leaderboard__measure")
        .order_by("leaderboard__measure__name", "-value", "pk")[: 5 * MAX_SHOWN]
    )
    return sorted(results, key=lambda result: result.leaderboard_id != leaderboard.pk)[:MAX_SHOWN]
