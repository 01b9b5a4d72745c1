"""The best model with open weights and at most a billion parameters, beside another: for links to a comparison."""

from collections import Counter

from registry.curation.lineage.models import SystemFacts
from registry.leaderboards.traits import SIZES
from registry.results.models import Model, Result


def best_open_beside(model: Model) -> Model | None:
    """The small open model that leads all such on the most leaderboards of this one; None where there is none."""
    facts = SystemFacts.objects.standing().filter(has_open_weights=True, n_parameters__lte=SIZES["1B"])
    models = set(facts.filter(system__model__isnull=False).values_list("system__model", flat=True)) - {model.pk}
    comparable = Result.objects.comparable().filter(replicate_of=None)
    boards = set(comparable.filter(system__model=model).values_list("leaderboard", flat=True))
    best: dict[int, tuple[float, int]] = {}
    rows = comparable.filter(leaderboard__in=boards, system__model__in=models)
    for board, other, value, higher in rows.values_list(
        "leaderboard", "system__model", "value", "leaderboard__measure__higher_is_better"
    ):
        best[board] = max(best.get(board, (float("-inf"), 0)), (value if higher else -value, other))
    leaders = Counter(other for _, other in best.values()).most_common(1)
    return Model.objects.get(pk=leaders[0][0]) if leaders else None
