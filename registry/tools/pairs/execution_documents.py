"""Systems that were executed several times, two by two (Jayasinghe et al. 2014), and their drawings."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Annotated, Any

from analysis.best import ExpectedMaximum, expected_maximum_of_attempts
from analysis.comparisons import (
    Noninferiority,
    adjust_pvalues,
    equivalence_of_difference,
    mean_interval,
    noninferiority_of_difference,
)
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.figures import Axis, Panel, Rule, Series, series
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
from analysis.readers.text import shorten
from analysis.reliability import VarianceComponents, two_way_anova
from analysis.results import Interval
from analysis.scores import InstanceScores, ScoreMatrix
from registry.core.charts import Chart, draw_scene
from registry.core.charts.scenes import MIDDLE, NARROW, WIDE
from registry.core.messages import say
from registry.core.templatetags.formatting import NOTHING, pvalue, signed, telling_decimals
from registry.leaderboards.wording import Fact
from registry.tools.pairs.documents import LEVEL, ScoredSystem
from registry.tools.pairs.pipeline import SEED

#: The true difference that designs are planned for where the reader gives none.
USUAL_SIZE = 0.02
#: Numbers of executions that the best may be chosen of.
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
        """The answer at 0.05, in words."""
        is_as_good = self.as_good is not None and self.as_good <= LEVEL
        is_other = "yes" if self.pvalue <= LEVEL else "no"
        return say("pair-answer", is_other=is_other, is_as_good="yes" if is_as_good else "no")

    @property
    def planned(self) -> list[tuple[PlannedDesign, float]]:
        """The designs, each with its power on these topics."""
        return list(zip(self.designs, self.powers, strict=True))


def compare_executed(
    pairs: Sequence[InstanceScores], margin: float | None, *, is_planned: bool = True
) -> tuple[list[ExecutedPair], list[str]]:
    """Return each two systems, judged against other topics and other executions; and why some can't be judged."""
    judged, within, why_not = [], [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)
        for both in pairs:
            try:
                models = _models(both)
                comparison = models[max(models)]
                within += [equivalence_of_difference(comparison, margin=margin).pvalue] if margin else []
                judged.append((both, models, comparison))
            except ArgumentError as error:
                first, second = both.algorithms
                why_not.append(say("executions-not-judged", first=first, second=second, reason=error.reason))
    if not judged:
        return [], why_not
    pvalues, size = adjust_pvalues([comparison.pvalue for *_, comparison in judged]).tolist(), margin or USUAL_SIZE
    as_good = adjust_pvalues(within).tolist() if within else [None] * len(judged)
    compared = [
        ExecutedPair(
            models, pvalue, good, *_singles(both), *(_plan(comparison, size) if is_planned else ((), ())), size=size
        )
        for (both, models, comparison), pvalue, good in zip(judged, pvalues, as_good, strict=True)
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


def _plan(comparison: AlgorithmComparison, size: float) -> tuple[tuple[PlannedDesign, ...], tuple[float, ...]]:
    parts, is_one_fixed = comparison.components, min(comparison.n_instances) == 1
    if (not parts.instance and not parts.algorithm_topic and not parts.residual) or max(comparison.n_instances) == 1:
        return (), ()
    designs = instances_and_topics_needed(parts, size, deterministic_rival=is_one_fixed).designs
    power = partial(design_power, parts, size, n_topics=comparison.n_topics, deterministic_rival=is_one_fixed)
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
    """Return the system of a matrix of executions x topics; ``executions`` names them."""
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
    """The difference of two systems of a leaderboard, one or both executed several times."""

    pair: ExecutedPair
    no_worse: Annotated[Noninferiority | None, "Is the first no worse than the second by the margin? None without one."]
    posterior: Annotated[Interval | None, "95 % highest-density interval; None where executions differ by a constant."]
    simulated: Annotated[BootstrapComparison, "The difference against data simulated without one."]


def difference_of_executed(
    known: Mapping[str, ScoreMatrix], fixed: Sequence[str], margin: float | None, *, higher_is_better: bool
) -> DifferenceOfExecuted | None:
    """Return the difference by executions x topics; ``fixed`` systems score the same. None if it can't be judged."""
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


#: The longest names in each width; the most rows that are drawn; the pixels of a row.
_FORMS = {WIDE: 40, MIDDLE: 28, NARROW: 13}
_MOST_DRAWN, _ROW = 15, 34.0


def show_executions(
    means: Mapping[str, Sequence[float]], pairs: Sequence[ExecutedPair], margin: float | None, board: str
) -> dict[str, Any]:
    """Return the context of a page on systems with executions: facts, drawings and a sentence to cite.

    ``means`` are of the executions of each system; ``board`` names the collection, or the topics, with the measure.
    """
    lead, n = pairs[0].found, len(pairs)
    half = (lead.interval.high - lead.interval.low) / 2
    estimate, low, high = (
        signed(value, telling_decimals(half)) for value in (lead.estimate, lead.interval.low, lead.interval.high)
    )
    values: dict[str, Any] = {"first": lead.first, "second": lead.second, "p": pvalue(pairs[0].pvalue), "n": n}
    error = f"± {half:.{telling_decimals(half)}f}" if half else ""
    as_good = [pair for pair in pairs if pair.as_good is not None and pair.as_good <= LEVEL]
    label = say("executions-within", margin=f"{margin:g}" if margin else "none")
    meaning = say("executions-within-level", n=n if margin else "none")
    facts = [
        Fact(say("executions-fact", **values), estimate, say("executions-fact-p", **values), beside=error),
        Fact(label, str(len(as_good)), meaning, "set", beside=say("executions-of-pairs", n=n))
        if margin
        else Fact(label, NOTHING, meaning, "set"),
    ]
    for name, runs in [(name, runs) for name, runs in means.items() if len(set(runs)) > 1][:1]:
        interval = mean_interval(list(runs)).interval
        assert interval is not None, "the values differ"
        alone = (interval.high - interval.low) / 2
        meaning = say("executions-alone-meaning", system=name, n=len(runs))
        facts.append(Fact(say("executions-alone"), f"± {alone:.{telling_decimals(alone)}f}", meaning))
    return {
        "facts": facts,
        "executions": _executions(means),
        "differences": _differences(pairs, margin) if n <= _MOST_DRAWN else None,
        "sentence": say("executions-cite", board=board, **values, estimate=estimate, low=low, high=high),
    }


def _executions(means: Mapping[str, Sequence[float]]) -> Chart:
    """Draw a dot for each execution, a row for each system, with a line at their mean."""
    lines = []
    for row, values in enumerate(reversed([*means.values()]), 1):
        mean = fmean(values)
        lines.append(series(f"{mean:.4f}", sorted(values), [row] * len(values)))
        lines.append(series("", [mean], [None], mark="spans", style="ink", low=[row - 0.28], high=[row + 0.28]))
    return _rows(lines, [], [[name] for name in means], "executions")


def _differences(pairs: Sequence[ExecutedPair], margin: float | None) -> Chart:
    """Draw the difference of each pair with its interval, in a row, and the band within which two are as good."""
    lines = []
    for row, pair in enumerate(reversed(pairs), 1):
        comparison, is_other = pair.found, pair.pvalue <= LEVEL
        ends = [comparison.interval.low, comparison.interval.high]
        is_decided = is_other or (pair.as_good is not None and pair.as_good <= LEVEL)
        answer = "different" if is_other else "as good" if is_decided else "open"
        name = f"{signed(comparison.estimate, telling_decimals((ends[1] - ends[0]) / 2))} {answer}"
        lines.append(series(name, ends, [row] * 2, mark="curve", style="ink", is_highlighted=is_decided))
        lines.append(series("", [comparison.estimate], [row], mark="points", style="ink", is_highlighted=is_decided))
    rules = [Rule(name="", at=0.0, axis="x", style="ink")]
    rules += [Rule(name=f"within ±{margin:g}", at=-margin, to=margin, axis="x", style="measured")] if margin else []
    return _rows(lines, rules, [[pair.found.first, pair.found.second] for pair in pairs], "pairs")


def _rows(lines: Sequence[Series], rules: Sequence[Rule], named: Sequence[Sequence[str]], name: str) -> Chart:
    """Draw rows with names at the left, from the top, in three widths."""
    panel = Panel(data=f"{len(named)} rows", series=tuple(lines), rules=tuple(rules))
    ends = [x for line in lines for x in line.x] + [x for rule in rules for x in (rule.at, rule.to) if x is not None]
    beyond = 0.04 * (max(ends) - min(ends))
    x, scenes, ys = Axis(label="", low=min(ends) - beyond, high=max(ends) + beyond), [], []
    for size, longest in _FORMS.items():
        texts = [" − ".join(shorten(system, longest // len(row)) for system in row) for row in reversed(named)]
        ys.append(Axis(label="", low=0.4, high=len(texts) + 0.6, ticks=tuple(enumerate(texts, 1))))
        scenes.append(draw_scene(panel, x, ys[-1], replace(size, height=_ROW * len(texts), names=110.0)))
    return Chart(name, say("executions-drawn", name=name), tuple(scenes), ((panel,), x, ys[0]))
