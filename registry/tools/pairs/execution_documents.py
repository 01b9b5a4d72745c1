"""What is said of systems that were executed several times, and of their differences from the others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from analysis.best import ExpectedMaximum, expected_maximum_of_attempts
from analysis.comparisons import (
    EquivalenceOfDifference,
    Noninferiority,
    adjust_pvalues,
    equivalence_of_difference,
    noninferiority_of_difference,
)
from analysis.errors import ArgumentError
from analysis.instances import (
    AlgorithmComparison,
    BootstrapComparison,
    InstancePlan,
    PlannedDesign,
    bootstrap_comparison,
    compare_algorithms,
    compare_instances,
    design_power,
    instances_and_topics_needed,
    posterior_difference,
)
from analysis.reliability import VarianceComponents, two_way_anova
from analysis.results import Interval
from analysis.scores import InstanceScores, ScoreMatrix
from registry.tools.pairs.documents import LEVEL, ScoredSystem
from registry.tools.pairs.pipeline import SEED

#: The true difference that designs are planned for where the reader gives none.
USUAL_SIZE = 0.02
#: How many executions somebody may choose the best of.
_CHOICES = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True, slots=True)
class Rival:
    """A system beside one that was executed several times; differences are the executed one minus this."""

    system: ScoredSystem
    n_executions: Annotated[int, "How many of its executions are on record."]
    found: Annotated[
        AlgorithmComparison,
        "Difference of the means, judged against both other topics and other executions (Satterthwaite).",
    ]
    pvalue: Annotated[float, "Its p-value, adjusted by Holm for the number of rivals."]
    is_significant: Annotated[bool, "Whether that is at most 0.05."]
    lowest: Annotated[float, "Difference in the execution, or pair of executions, where it is smallest."]
    highest: Annotated[float, "Where it is largest."]
    equivalence: Annotated[EquivalenceOfDifference | None, "Against the reader's margin, if any."]
    noninferiority: Annotated[Noninferiority | None, "The same, of being no worse by as much."]

    @property
    def is_within_runs(self) -> bool:
        """Whether some executions say one thing and others the opposite."""
        return self.lowest < 0 < self.highest


@dataclass(frozen=True, slots=True)
class ExecutedSystem:
    """A system with several executions on the leaderboard."""

    executions: Annotated[tuple[ScoredSystem, ...], "Each with its mean over the topics."]
    mean: Annotated[float, "Their mean."]
    sd: Annotated[float, "Standard deviation of their means (ddof=1): what another execution alone would change."]
    best_of: Annotated[ExpectedMaximum, "Score that is expected of whoever runs it several times and reports the best."]
    components: Annotated[VarianceComponents, 'Of executions x topics: its "system" is the execution.']
    rivals: Annotated[tuple[Rival, ...], "The other systems, the nearest mean first."]
    n_left_out: Annotated[
        int, "Others, which differ by the same amount on every topic, so that nothing says how much that would vary."
    ]
    posterior: Annotated[
        Interval | None,
        "95 % highest-density interval of the difference from the nearest rival; None without one, or where "
        "executions differ by the same on every topic.",
    ]
    simulated: Annotated[
        BootstrapComparison | None,
        "The same difference against data simulated without one; its p-value allows for no other rivals.",
    ]
    plan: Annotated[
        InstancePlan | None,
        "How many executions and topics show a true difference of ``size`` from the nearest rival four times in five.",
    ]
    powers: Annotated[
        tuple[float, ...], "How often each number of executions of the plan shows it on the topics on record."
    ]
    size: Annotated[float, "That difference, in the unit of the measure."]

    @property
    def bests(self) -> list[tuple[int, float]]:
        """Numbers of executions, each with the expected best of them."""
        return list(zip(self.best_of.n_attempts, self.best_of.estimate, strict=True))

    @property
    def designs(self) -> list[tuple[PlannedDesign, float]]:
        """The designs of the plan, each with how often it shows the difference on the topics on record."""
        return list(zip(self.plan.designs, self.powers, strict=True)) if self.plan else []


#: What makes a system, as pages name it, of its label in the scores and its mean.
Named = Callable[[str, float], ScoredSystem]


def executed_system(
    known: Mapping[str, ScoreMatrix], label: str, margin: float | None, named: Named, *, higher_is_better: bool
) -> ExecutedSystem:
    """A system with its executions against the others; each is called by its first execution (Jayasinghe et al. 2015).

    ``known`` has a matrix of executions x topics for each, on the same topics.
    """
    own, size = known[label], margin or USUAL_SIZE
    rivals = _rivals(known, label, margin, named, higher_is_better=higher_is_better)
    means = own.means.tolist()
    return ExecutedSystem(
        executions=tuple(named(name, mean) for name, mean in zip(own.systems, means, strict=True)),
        mean=float(own.means.mean()),
        sd=float(own.means.std(ddof=1)),
        best_of=expected_maximum_of_attempts(
            means,
            sorted({n for n in _CHOICES if n < own.n_systems} | {own.n_systems}),
            higher_is_better=higher_is_better,
        ),
        components=two_way_anova(own),
        rivals=tuple(rivals.values()),
        n_left_out=len(known) - 1 - len(rivals),
        **_of_nearest(known, label, rivals, size),
        size=size,
    )


def _of_nearest(
    known: Mapping[str, ScoreMatrix], label: str, rivals: Mapping[str, Rival], size: float
) -> dict[str, Any]:
    """What is found about the difference from the nearest rival, by the names of the document."""
    if not rivals:
        return {"posterior": None, "simulated": None, "plan": None, "powers": ()}
    nearest = next(iter(rivals))
    pilot = rivals[nearest].found.components
    both, is_one = _together(known, label, nearest), known[nearest].n_systems == 1
    plan = instances_and_topics_needed(pilot, size, deterministic_rival=is_one)
    of_plan: dict[str, Any] = {"n_topics": both.n_topics, "deterministic_rival": is_one}
    return {
        "posterior": _posterior(both, label, nearest),
        "simulated": bootstrap_comparison(both, label, nearest, SEED),
        "plan": plan,
        "powers": tuple(design_power(pilot, size, n_instances=one.n_instances, **of_plan) for one in plan.designs),
    }


def _posterior(both: InstanceScores, label: str, nearest: str) -> Interval | None:
    try:
        return posterior_difference(both, label, nearest, SEED).interval
    except ArgumentError:  # Executions that differ by the same on every topic have no variance of their own to draw.
        return None


def _together(known: Mapping[str, ScoreMatrix], label: str, other: str) -> InstanceScores:
    matrices = {name: known[name] for name in (label, other)}
    return InstanceScores.from_matrices(matrices, deterministic=[other] if known[other].n_systems == 1 else [])


def _rivals(
    known: Mapping[str, ScoreMatrix], label: str, margin: float | None, named: Named, *, higher_is_better: bool
) -> dict[str, Rival]:
    """The other systems by their labels, the nearest mean first."""
    found: dict[str, AlgorithmComparison] = {}
    for other in known:
        if other != label:
            try:
                found[other] = compare_algorithms(_together(known, label, other), label, other)
            except ArgumentError:  # The same difference everywhere; ``n_left_out`` counts it.
                continue
    if not found:
        return {}
    adjusted = adjust_pvalues([one.pvalue for one in found.values()]).tolist()
    rivals: dict[str, Rival] = {}
    for (other, one), pvalue in zip(found.items(), adjusted, strict=True):
        single = compare_instances(_together(known, label, other), label, other).differences
        rivals[other] = Rival(
            system=named(other, float(known[other].means.mean())),
            n_executions=known[other].n_systems,
            found=one,
            pvalue=pvalue,
            is_significant=pvalue <= LEVEL,
            lowest=float(single.min()),
            highest=float(single.max()),
            equivalence=equivalence_of_difference(one, margin=margin) if margin else None,
            noninferiority=(
                noninferiority_of_difference(one, margin=margin, higher_is_better=higher_is_better) if margin else None
            ),
        )
    return dict(sorted(rivals.items(), key=lambda pair: abs(pair[1].found.estimate)))
