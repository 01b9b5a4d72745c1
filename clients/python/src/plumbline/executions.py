"""Systems that score differently each time they run, compared at the desk (Jayasinghe et al. 2015)."""

from collections.abc import Mapping, Sequence
from typing import Any

from plumbline.desk import Scored
from plumbline.errors import PlumblineError
from plumbline.statistics import comparisons, errors, instances, scores


def compare_systems(systems: Mapping[str, Sequence[Scored]], margin: float | None = None) -> list[dict[str, Any]]:
    """Every two of the systems, of which each has the scores of its executions under one measure on the same topics.

    The difference is judged against other topics and other executions (Jayasinghe et al. 2015), p-values by Holm; with
    a margin also whether they are as good. ``needed`` are the topics that show a difference as large as the margin,
    else as the one seen, four times in five, by the number of executions.

    Raises
    ------
    PlumblineError
        If there are fewer than two systems, or nothing about them varies.
    """
    matrices = {
        name: scores.ScoreMatrix.from_topic_scores({f"{n}": one.by_topic for n, one in enumerate(executions, 1)})
        for name, executions in systems.items()
    }
    alone = [name for name, executions in systems.items() if len(executions) == 1]
    pairs = [(one, other) for place, one in enumerate(matrices) for other in [*matrices][place + 1 :]]
    if not pairs:
        raise PlumblineError("A comparison takes two systems or more, as A=run1,run2 B=run3,run4.")
    try:
        every = scores.InstanceScores.from_matrices(matrices, deterministic=alone)
        found = [instances.compare_algorithms(every, *pair) for pair in pairs]
        adjusted = comparisons.adjust_pvalues([one.pvalue for one in found]).tolist()
        return [_pair(one, pvalue, matrices, margin) for one, pvalue in zip(found, adjusted, strict=True)]
    except errors.ArgumentError as error:
        raise PlumblineError(f"These can’t be compared: {error.argument} {error.reason}.") from error


def _pair(
    found: Any, pvalue: float, matrices: Mapping[str, "scores.ScoreMatrix"], margin: float | None
) -> dict[str, Any]:
    size, is_one = margin or abs(found.estimate), min(found.n_instances) == 1 < max(found.n_instances)
    plan = (
        instances.instances_and_topics_needed(found.components, size, deterministic_rival=is_one)
        if size and max(found.n_instances) > 1
        else None
    )
    as_good = comparisons.equivalence_of_difference(found, margin=margin) if margin else None
    return {
        "systems": [found.first, found.second],
        "n_executions": list(found.n_instances),
        "n_topics": found.n_topics,
        "means": [float(matrices[name].means.mean()) for name in (found.first, found.second)],
        "difference": found.estimate,
        "interval": [found.interval.low, found.interval.high],
        "pvalue": found.pvalue,
        "pvalue_holm": pvalue,
        "is_told_apart": pvalue <= 0.05,
        "is_equivalent": as_good.equivalent if as_good else None,
        "needed": {one.n_instances: one.n_topics for one in plan.designs} if plan else {},
    }
