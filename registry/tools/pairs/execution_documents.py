"""Systems that were executed several times, two by two (Jayasinghe et al. 2014)."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from analysis.best import ExpectedMaximum, expected_maximum_of_attempts
from analysis.comparisons import Noninferiority, adjust_pvalues, equivalence_of_difference, noninferiority_of_difference
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.instances import (
    AlgorithmComparison,
    BootstrapComparison,
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
from registry.core.messages import say
from registry.tools.pairs.documents import LEVEL, ScoredSystem
from registry.tools.pairs.pipeline import SEED

#: The true difference that designs are planned for where the reader gives none.
USUAL_SIZE = 0.02
#: How many executions somebody may choose the best of.
_CHOICES = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True, slots=True)
class ExecutedPair:
    """Two systems with their executions, the first minus the second."""

    models: Annotated[
        dict[int, AlgorithmComparison],
        "1: the first execution of each; 2: executions as repeats; 3: executions with an effect of their own. 1 alone "
        "where neither varies: the paired t test.",
    ]
    pvalue: Annotated[float, "Of the last model, corrected by Holm for all pairs that are compared together."]
    as_good: Annotated[float | None, "Of two one-sided t tests against the margin, corrected likewise; None without."]
    lowest: Annotated[float | None, "Least difference of single executions; None where they share no two topics."]
    highest: Annotated[float | None, "The largest."]
    share_significant: Annotated[float | None, "Of the pairs of single executions, those that a t test tells apart."]
    designs: Annotated[tuple[PlannedDesign, ...], "Topics and executions that show ``size`` four times in five."]
    powers: Annotated[tuple[float, ...], "How often each number of these executions shows it on these topics."]
    size: Annotated[float, "That difference, in the unit of the measure: the margin, or else 0.02."]

    @property
    def found(self) -> AlgorithmComparison:
        return self.models[max(self.models)]

    @property
    def answer(self) -> str:
        """Say what that comes to at 0.05."""
        is_as_good = self.as_good is not None and self.as_good <= LEVEL
        is_other = "yes" if self.pvalue <= LEVEL else "no"
        return say("pair-answer", is_other=is_other, is_as_good="yes" if is_as_good else "no")

    @property
    def planned(self) -> list[tuple[PlannedDesign, float]]:
        """The designs, each with how often it shows the difference on these topics."""
        return list(zip(self.designs, self.powers, strict=True))


def compare_executed(
    pairs: Sequence[InstanceScores], margin: float | None, *, is_planned: bool = True
) -> tuple[list[ExecutedPair], list[str]]:
    """Each two systems, judged against other topics and other executions; and why some can't be judged."""
    judged, within, why_not = [], [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)
        for both in pairs:
            try:
                models = _models(both)
                found = models[max(models)]
                within += [equivalence_of_difference(found, margin=margin).pvalue] if margin else []
                judged.append((both, models, found))
            except ArgumentError as error:
                first, second = both.algorithms
                why_not.append(say("executions-not-judged", first=first, second=second, reason=error.reason))
    if not judged:
        return [], why_not
    pvalues, size = adjust_pvalues([found.pvalue for *_, found in judged]).tolist(), margin or USUAL_SIZE
    as_good = adjust_pvalues(within).tolist() if within else [None] * len(judged)
    compared = [
        ExecutedPair(
            models, pvalue, good, *_singles(both), *(_plan(found, size) if is_planned else ((), ())), size=size
        )
        for (both, models, found), pvalue, good in zip(judged, pvalues, as_good, strict=True)
    ]
    return compared, why_not


def _models(both: InstanceScores) -> dict[int, AlgorithmComparison]:
    names = both.algorithms
    if len(both.deterministic) == 2:
        return {1: compare_algorithms(both.complete_topics(), *names)}
    grouped = {2: compare_algorithms(both, *names, model="repeats"), 3: compare_algorithms(both, *names)}
    rows = [both.rows_of(name)[0] for name in names]
    shared = both.present[rows].all(axis=0)
    try:
        once = InstanceScores.from_array(both.scores[rows][:, None, shared], algorithms=names, deterministic=names)
        return {1: compare_algorithms(once, *names)} | grouped
    except ArgumentError:  # They share one topic or none, or differ by the same on every topic.
        return grouped


def _singles(both: InstanceScores) -> tuple[float | None, float | None, float | None]:
    if both.present.all(axis=0).sum() < 2:
        return None, None, None
    tests = compare_instances(both.complete_topics(), *both.algorithms)
    share = tests.fraction_first_better + tests.fraction_second_better
    return float(tests.differences.min()), float(tests.differences.max()), share


def _plan(found: AlgorithmComparison, size: float) -> tuple[tuple[PlannedDesign, ...], tuple[float, ...]]:
    parts, is_one = found.components, min(found.n_instances) == 1
    if (not parts.instance and not parts.algorithm_topic and not parts.residual) or max(found.n_instances) == 1:
        return (), ()
    designs = instances_and_topics_needed(parts, size, deterministic_rival=is_one).designs
    power = partial(design_power, parts, size, n_topics=found.n_topics, deterministic_rival=is_one)
    return designs, tuple(power(n_instances=design.n_instances) for design in designs)


@dataclass(frozen=True, slots=True)
class ExecutedSystem:
    """A system with several executions on the leaderboard."""

    executions: Annotated[tuple[ScoredSystem, ...], "Each with its mean over the topics."]
    mean: Annotated[float, "Their mean."]
    sd: Annotated[float, "Standard deviation of their means (ddof=1): what another execution alone would change."]
    best_of: Annotated[ExpectedMaximum, "Expected score of the best of several executions."]
    components: Annotated[VarianceComponents, 'Of executions x topics: its "system" is the execution.']

    @property
    def bests(self) -> list[tuple[int, float]]:
        """Numbers of executions, each with the expected best of them."""
        return list(zip(self.best_of.n_attempts, self.best_of.estimate, strict=True))


def executed_system(own: ScoreMatrix, executions: Sequence[ScoredSystem], *, higher_is_better: bool) -> ExecutedSystem:
    """A system by its executions x topics, each of which is named."""
    numbers = sorted({n for n in _CHOICES if n < own.n_systems} | {own.n_systems})
    return ExecutedSystem(
        executions=tuple(executions),
        mean=float(own.means.mean()),
        sd=float(own.means.std(ddof=1)),
        best_of=expected_maximum_of_attempts(own.means.tolist(), numbers, higher_is_better=higher_is_better),
        components=two_way_anova(own),
    )


@dataclass(frozen=True, slots=True)
class DifferenceOfExecuted:
    """The difference of two systems of a leaderboard, of which one or both were executed several times."""

    pair: ExecutedPair
    no_worse: Annotated[Noninferiority | None, "Is the first no worse than the second by the margin? None without one."]
    posterior: Annotated[Interval | None, "95 % highest-density interval; None where executions differ by a constant."]
    simulated: Annotated[BootstrapComparison, "The difference against data simulated without one."]


def difference_of_executed(
    known: Mapping[str, ScoreMatrix], fixed: Sequence[str], margin: float | None, *, higher_is_better: bool
) -> DifferenceOfExecuted | None:
    """Two systems by executions x topics, ``fixed`` ones always scoring the same; None where that can't be judged."""
    both, (first, second) = InstanceScores.from_matrices(known, deterministic=fixed), known
    for pair in compare_executed([both], margin)[0]:
        try:
            posterior = posterior_difference(both, first, second, SEED).interval
        except ArgumentError:  # Executions that differ by the same on every topic have no variance to draw.
            posterior = None
        is_better = {"higher_is_better": higher_is_better}
        no_worse = noninferiority_of_difference(pair.found, margin=margin, **is_better) if margin else None
        return DifferenceOfExecuted(pair, no_worse, posterior, bootstrap_comparison(both, first, second, SEED))
    return None
