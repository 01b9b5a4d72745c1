"""Systems that people sent, two by two, each with its executions (Jayasinghe et al. 2014)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev
from typing import Annotated, Any

from analysis.errors import ArgumentError
from analysis.scores import InstanceScores
from registry.core.messages import say
from registry.core.templatetags.formatting import plural
from registry.runs.models import Upload
from registry.runs.studies import Cells, cells_of
from registry.tools.pairs.documents import LEVEL
from registry.tools.pairs.execution_documents import ExecutedPair, compare_executed, show_executions

#: Of so many systems all pairs are compared; of more, one with the others. So few pairs have what they need.
MOST_SYSTEMS, _MOST_PLANNED = 10, 6


@dataclass(frozen=True, slots=True)
class SentSystem:
    """A system with the means of its executions, each over the topics that it has."""

    system: str
    mean: Annotated[float, "Over its executions."]
    sd: Annotated[float | None, "Standard deviation of their means (ddof=1); None of one execution."]
    highest: Annotated[float, "The highest of them: what reporting the best would say, where more is better."]
    executions: Annotated[dict[str, float], "Means by the names of what was sent."]


@dataclass(frozen=True, slots=True)
class SentSystems:
    """Systems under one measure, each two of them compared for other topics and other executions."""

    measure: str
    margin: Annotated[float | None, "The smallest difference that matters, where one was given."]
    systems: tuple[SentSystem, ...]
    pairs: tuple[ExecutedPair, ...]
    why_not: Annotated[tuple[str, ...], "Pairs that can't be judged, each with the reason."]

    @property
    def claim(self) -> str:
        """Say how many pairs differ, and how many are as good."""
        n_different = sum(pair.pvalue <= LEVEL for pair in self.pairs)
        n_as_good = sum(pair.as_good is not None and pair.as_good <= LEVEL for pair in self.pairs)
        margin = {"n_as_good": n_as_good if self.margin else -1, "margin": f"{self.margin or 0:g}"}
        return say("executions-claim", n=len(self.pairs), n_different=n_different, **margin)

    @property
    def shown(self) -> dict[str, Any]:
        """Return the numbers, drawings and sentence of a page."""
        means = {one.system: [*one.executions.values()] for one in self.systems}
        n = self.pairs[0].found.n_topics
        return show_executions(means, self.pairs, self.margin, f"{plural(n, 'topic,topics')} ({self.measure})")


def compare_sent(
    uploads: Sequence[Upload], measure: str, *, first: str = "", second: str = "", margin: float | None = None
) -> SentSystems | None:
    """Compare each two systems of uploads that declare executions, else none; ``first`` with all others, or ``second``.

    Of a table with many systems those count that are declared. A given margin goes before the kept one.
    """
    kept = uploads[0].own_collection or uploads[0] if uploads else None
    if kept is None or not (kept.executions or first):
        return None
    cells = {name: executions for name, executions in cells_of(uploads, measure).items() if any(executions.values())}
    if isinstance(kept, Upload) and len(cells) > MOST_SYSTEMS and not first:
        cells = {name: executions for name, executions in cells.items() if name in kept.executions}
    if len(cells) < 2:
        return None
    others = [second] if second in cells else [name for name in cells if name != first]
    pairs = [*combinations(cells, 2)] if len(cells) <= MOST_SYSTEMS else []
    pairs = [(first, other) for other in others] if first in cells else pairs
    why_not = [] if pairs else [say("executions-many", most=MOST_SYSTEMS)]
    together = []
    for one, other in pairs:
        try:
            together.append(_scores({one: cells[one], other: cells[other]}))
        except ArgumentError as error:
            why_not.append(say("executions-not-judged", first=one, second=other, reason=error.reason))
    margin = kept.margin if margin is None else margin
    compared, not_judged = compare_executed(together, margin, is_planned=len(pairs) <= _MOST_PLANNED)
    systems = map(_system, cells, cells.values())
    return SentSystems(measure, margin, tuple(systems), tuple(compared), (*why_not, *not_judged))


def _scores(cells: Cells) -> InstanceScores:
    """The scores of two systems; one whose executions are all the same is one that always scores so."""
    rows = [
        (system, name, topic, score)
        for system, executions in cells.items()
        for name, scores in executions.items()
        for topic, score in scores.items()
    ]
    systems, names, topics, values = zip(*rows, strict=True)
    pairs = {name: {pair for scores in its.values() for pair in scores.items()} for name, its in cells.items()}
    fixed = [system for system, scores in pairs.items() if len(scores) == len(dict(scores))]
    return InstanceScores(systems, names, topics, values, deterministic=fixed)


def _system(name: str, executions: dict[str, dict[str, float]]) -> SentSystem:
    means = {execution: fmean(scores.values()) for execution, scores in executions.items() if scores}
    sd = stdev(means.values()) if len(means) > 1 else None
    return SentSystem(name, fmean(means.values()), sd, max(means.values()), means)
