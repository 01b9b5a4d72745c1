"""Systems that score differently each time they run, compared at the desk (Jayasinghe et al. 2014)."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

from plumbline.desk import Scored
from plumbline.errors import PlumblineError
from plumbline.statistics import comparisons, errors, instances, scores

#: The true difference that is planned for where no margin is given, as on the site.
USUAL_SIZE = 0.02


def compare_systems(systems: Mapping[str, Sequence[Scored]], margin: float | None = None) -> list[dict[str, Any]]:
    """Compare every two of the systems, each with the scores of its executions under one measure.

    The difference is judged against other topics and other executions (Jayasinghe et al. 2014), p-values by Holm; with
    a margin also whether they are as good. Topics that an execution lacks are absent from it alone (REML). ``models``
    has models 1 (the first execution of each), 2 (repeats) and 3. ``needed`` are the topics that show a difference as
    large as the margin, else of 0.02, four times in five, by the number of executions.

    Raises
    ------
    PlumblineError
        If there are fewer than two systems, or nothing about them varies.
    """
    pairs = list(combinations(systems, 2))
    if not pairs:
        raise PlumblineError("A comparison takes two systems or more, as A=run1,run2 B=run3,run4.")
    try:
        models = [_models(_scores(systems, pair)) for pair in pairs]
        differences = [of_pair[-1] for of_pair in models]
        adjusted = comparisons.adjust_pvalues([difference.pvalue for difference in differences]).tolist()
        as_good: list[float | None] = [None] * len(pairs)
        if margin:
            tests = [comparisons.equivalence_of_difference(difference, margin=margin) for difference in differences]
            as_good = comparisons.adjust_pvalues([test.pvalue for test in tests]).tolist()
        means = {name: fmean(execution.mean for execution in executions) for name, executions in systems.items()}
        return [_pair(*findings, means, margin) for findings in zip(models, adjusted, as_good, strict=True)]
    except errors.ArgumentError as error:
        raise PlumblineError(f"These can’t be compared: {error.argument} {error.reason}.") from error


def _scores(systems: Mapping[str, Sequence[Scored]], names: Sequence[str]) -> Any:
    rows = [
        (name, str(number), topic, score)
        for name in names
        for number, execution in enumerate(systems[name], 1)
        for topic, score in execution.by_topic.items()
    ]
    columns = zip(*rows, strict=True)
    both = scores.InstanceScores(*columns, deterministic=[name for name in names if len(systems[name]) == 1])
    return both.complete_topics() if len(both.deterministic) == len(names) else both


def _models(both: Any) -> list[Any]:
    """Return models 1, 2 and 3, as far as they can be had; where neither varies the paired t test alone."""
    whole = instances.compare_algorithms(both, *both.algorithms)
    if max(whole.n_instances) == 1:
        return [whole]
    grouped = [instances.compare_algorithms(both, *both.algorithms, model="repeats"), whole]
    rows = [both.rows_of(name)[0] for name in both.algorithms]
    shared = both.present[rows].all(axis=0)
    named = {"algorithms": both.algorithms, "deterministic": both.algorithms}
    try:
        once = scores.InstanceScores.from_array(both.scores[rows][:, None, shared], **named)
        return [instances.compare_algorithms(once, *both.algorithms), *grouped]
    except errors.ArgumentError:  # They share one topic or none, or differ by the same on every topic.
        return grouped


def _pair(
    models: list[Any], pvalue: float, as_good: float | None, means: Mapping[str, float], margin: float | None
) -> dict[str, Any]:
    whole = models[-1]
    plan = (
        instances.instances_and_topics_needed(
            whole.components, margin or USUAL_SIZE, deterministic_rival=min(whole.n_instances) == 1
        )
        if max(whole.n_instances) > 1
        else None
    )
    numbers = range(4 - len(models), 4) if plan else [1]
    return {
        "systems": [whole.first, whole.second],
        "n_executions": list(whole.n_instances),
        "n_topics": whole.n_topics,
        "n_absent": whole.n_absent,
        "means": [means[whole.first], means[whole.second]],
        "difference": whole.estimate,
        "interval": [whole.interval.low, whole.interval.high],
        "pvalue": whole.pvalue,
        "pvalue_holm": pvalue,
        "models": {
            number: {
                "difference": model.estimate,
                "interval": [model.interval.low, model.interval.high],
                "pvalue": model.pvalue,
            }
            for number, model in zip(numbers, models, strict=True)
        },
        "is_told_apart": pvalue <= 0.05,
        "pvalue_equivalent": as_good,
        "is_equivalent": None if as_good is None else as_good <= 0.05,
        "needed": {design.n_instances: design.n_topics for design in plan.designs} if plan else {},
    }
