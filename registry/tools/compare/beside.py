"""The best model with open weights and at most a billion parameters, beside another: for links to a comparison."""

from collections import Counter

from registry.curation.lineage.models import SystemFacts
from registry.leaderboards.traits import SIZES
from registry.results.models import Model, Result
from registry.results.querysets import ResultQuerySet


def small_open_beside(model: Model) -> ResultQuerySet:
    """Comparable results of other small open models on leaderboards of this one."""
    facts = SystemFacts.objects.standing().filter(has_open_weights=True, n_parameters__lte=SIZES["1B"])
    comparable = Result.objects.comparable()
    boards = comparable.filter(system__model=model).values("leaderboard")
    others = comparable.filter(leaderboard__in=boards).exclude(system__model=model)
    return others.filter(system__model__in=facts.filter(system__model__isnull=False).values("system__model"))


def best_open_beside(model: Model) -> Model | None:
    """The small open model that leads all such on the most leaderboards of this one; None where there is none."""
    best: dict[int, tuple[float, int]] = {}
    for board, other, value, higher in (
        small_open_beside(model)
        .filter(replicate_of=None)
        .values_list("leaderboard", "system__model", "value", "leaderboard__measure__higher_is_better")
    ):
        best[board] = max(best.get(board, (float("-inf"), 0)), (value if higher else -value, other))
    leaders = Counter(other for _, other in best.values()).most_common(1)
    return Model.objects.get(pk=leaders[0][0]) if leaders else None
