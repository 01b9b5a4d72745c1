"""Systems that people sent, each with its executions, and compared two by two (Jayasinghe et al. 2014)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, count
from statistics import fmean, stdev
from typing import Annotated, Any

from analysis.errors import ArgumentError
from analysis.scores import InstanceScores, ScoreMatrix
from registry.core.messages import say
from registry.core.templatetags.formatting import plural
from registry.runs.models import OwnCollection, Upload, Work
from registry.runs.pipeline.packing import unpack_cells
from registry.runs.queries import entries_of, sent_to_own
from registry.tools.pairs.documents import LEVEL
from registry.tools.pairs.execution_documents import ExecutedPair, compare_executed, show_executions

#: Of so many systems all pairs are compared; of more, one with the others. So few pairs have what they need.
MOST_SYSTEMS, _MOST_PLANNED = 10, 6


#: Scores of executions, by system, execution and topic; a cell may be absent.
Cells = dict[str, dict[str, dict[str, float]]]


@dataclass(frozen=True, slots=True)
class OwnRow:
    """A system of uploads under one measure; ``scores`` by topic, means of its executions, blank where sealed."""

    name: str
    mean: float
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class Column:
    """A run, or a column of a table, under one measure as it was sent."""

    name: str
    upload: Upload
    mean: float
    cells: dict[str, float]


@dataclass(frozen=True, slots=True)
class SharedTopics:
    """The topics of a board of somebody's own that all that was sent to it has, and those that something lacks."""

    shared: tuple[str, ...]
    left_out: tuple[str, ...]


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
        means = {system.system: [*system.executions.values()] for system in self.systems}
        n = self.pairs[0].found.n_topics
        return show_executions(means, self.pairs, self.margin, f"{plural(n, 'topic,topics')} ({self.measure})")


def columns_of(uploads: Sequence[Upload], measure: str) -> dict[str, Column]:
    """Return the columns of uploads in order, by unique names. Tables on one's own collection may be parts."""
    columns: list[Column] = []
    for upload in uploads:
        cells, work = unpack_cells(bytes(upload.work.scores)) if upload.work.scores else {}, upload.work
        if work.kind == Work.Kind.MATRIX:
            # PostgreSQL keeps an order of its own for means.
            part = {name: Column(name, upload, work.means[name], scores) for name, scores in cells.items()}
            columns = [_joined(column, part) for column in columns]
            columns += part.values()
        elif measure in work.means:
            columns.append(Column(upload.name, upload, work.means[measure], cells.get(measure, {})))
    named, taken = Counter(column.name for column in columns), dict[str, Column]()
    for column in columns:
        name, sent = column.name, column.upload.name
        name = name if named[name] == 1 or name == sent else f"{name} ({sent})"
        numbered = chain([name], (f"{name} ({n})" for n in count(2)))
        taken[next(free for free in numbered if free not in taken)] = column
    return taken


def _joined(column: Column, part: dict[str, Column]) -> Column:
    """Return the column joined with that of its name on other topics in a later table, which is taken from the part."""
    more = part.get(column.name)
    is_table = more and more.upload.own_measure_id and column.upload.own_measure_id
    if not more or not is_table or not column.cells.keys().isdisjoint(more.cells):
        return column
    cells = column.cells | part.pop(column.name).cells
    return replace(column, mean=fmean(cells.values()), cells=cells)


def _systems(columns: dict[str, Column], uploads: Sequence[Upload]) -> dict[str, list[str]]:
    """Return the names of columns by the system whose executions they are, as the first of the uploads says."""
    declared = (uploads[0].own_collection or uploads[0]).executions if uploads else {}
    system_of = {name: system for system, names in declared.items() for name in names}
    systems: dict[str, list[str]] = {}
    for name, column in columns.items():
        alone = f"{name} (2)" if name in declared else name
        systems.setdefault(system_of.get(name) or system_of.get(column.name) or alone, []).append(name)
    return systems


def names_on(collection: OwnCollection) -> list[str]:
    """Return the names by which executions are declared on a collection of somebody's own."""
    sent = sent_to_own(collection)
    boards = (columns_of(entries_of(measure, sent), measure.name) for measure in collection.measures.all())
    return [*dict.fromkeys(name for names in boards for name in names)]


def cells_of(uploads: Sequence[Upload], measure: str) -> Cells:
    """Return the scores of all executions under a measure; on one's own collection, on the topics that it names."""
    columns = columns_of(uploads, measure)
    named = set(uploads[0].own_collection.topics if uploads and uploads[0].own_collection else ())
    return {
        system: {
            name: {topic: score for topic, score in columns[name].cells.items() if not named or topic in named}
            for name in names
        }
        for system, names in _systems(columns, uploads).items()
    }


def _averaged(columns: dict[str, Column], names: Sequence[str]) -> dict[str, float]:
    """Return the mean of executions by topic, over those that have it."""
    if len(names) == 1:
        return columns[names[0]].cells
    scores: dict[str, list[float]] = {}
    for name in names:
        for topic, score in columns[name].cells.items():
            scores.setdefault(topic, []).append(score)
    return {topic: fmean(of_topic) for topic, of_topic in scores.items()}


def shared_topics(entries: Sequence[Upload], measure: str) -> SharedTopics:
    """Return which topics that the collection names, or else that any entry has, every system has."""
    columns = columns_of(entries, measure)
    averaged = [_averaged(columns, names) for names in _systems(columns, entries).values()]
    named = entries[0].own_collection.topics if entries and entries[0].own_collection else []
    blank = [entry.work.report.get("left_out", ()) for entry in entries]
    everything = list(dict.fromkeys(chain(named, *averaged, *blank)))
    shared = set(named or everything).intersection(*averaged)
    return SharedTopics(
        tuple(topic for topic in everything if topic in shared),
        tuple(topic for topic in everything if topic not in shared),
    )


def rows_of(uploads: Sequence[Upload], measure: str) -> list[OwnRow]:
    """Return the systems of uploads under a measure, of names that differ; those of a board on the same topics."""
    columns = columns_of(uploads, measure)
    systems = _systems(columns, uploads)
    averaged = {system: _averaged(columns, names) for system, names in systems.items()}
    is_own = bool(uploads and uploads[0].own_collection)
    on_all = shared_topics(uploads, measure).shared if is_own else ()
    of_upload: dict[str, set[str]] = {}
    for system, names in systems.items():
        for key in {columns[name].upload.pk for name in names}:
            of_upload[key] = of_upload.get(key, averaged[system].keys()) & averaged[system].keys()
    rows = []
    for system, names in systems.items():
        complete = set[str].intersection(*(of_upload[columns[name].upload.pk] for name in names))
        topics = on_all if is_own else [topic for topic in averaged[system] if topic in complete]
        scores = {topic: averaged[system][topic] for topic in topics}
        mean = fmean(columns[name].mean for name in names)
        if scores and (is_own or len(names) > 1):
            mean = sum(scores.values()) / len(scores)
        if scores or not is_own:
            rows.append(OwnRow(system, mean, scores))
    return rows


def matrix_of(uploads: Sequence[Upload], measure: str) -> ScoreMatrix | None:
    """Return the topic scores of uploads, by the name of the system; None where fewer than two have them."""
    rows = {row.name: row.scores for row in rows_of(uploads, measure) if row.scores}
    topics: dict[str, float] = next(iter(rows.values()), {})
    shared = {name: scores for name, scores in rows.items() if scores.keys() == topics.keys()}
    return ScoreMatrix.from_topic_scores(shared) if len(shared) > 1 and len(topics) > 1 else None


def compare_sent(
    uploads: Sequence[Upload], measure: str, *, first: str = "", second: str = "", margin: float | None = None
) -> SentSystems | None:
    """Compare each two systems of uploads that declare executions, else none; ``first`` with all others, or ``second``.

    Of a table with many systems those count that are declared. A given margin goes before the declared one.
    """
    declared = uploads[0].own_collection or uploads[0] if uploads else None
    if declared is None or not (declared.executions or first):
        return None
    cells = {name: executions for name, executions in cells_of(uploads, measure).items() if any(executions.values())}
    if isinstance(declared, Upload) and len(cells) > MOST_SYSTEMS and not first:
        cells = {name: executions for name, executions in cells.items() if name in declared.executions}
    if len(cells) < 2:
        return None
    others = [second] if second in cells else [name for name in cells if name != first]
    pairs = [*combinations(cells, 2)] if len(cells) <= MOST_SYSTEMS else []
    pairs = [(first, other) for other in others] if first in cells else pairs
    why_not = [] if pairs else [say("executions-many", most=MOST_SYSTEMS)]
    judged = []
    for system, other in pairs:
        try:
            judged.append(_scores({system: cells[system], other: cells[other]}))
        except ArgumentError as error:
            why_not.append(say("executions-not-judged", first=system, second=other, reason=error.reason))
    margin = declared.margin if margin is None else margin
    compared, not_judged = compare_executed(judged, margin, is_planned=len(pairs) <= _MOST_PLANNED)
    systems = map(_system, cells, cells.values())
    return SentSystems(measure, margin, tuple(systems), tuple(compared), (*why_not, *not_judged))


def _scores(cells: Cells) -> InstanceScores:
    """Return the scores of two systems; one whose executions are all equal is taken as deterministic."""
    rows = [
        (system, name, topic, score)
        for system, executions in cells.items()
        for name, scores in executions.items()
        for topic, score in scores.items()
    ]
    systems, names, topics, values = zip(*rows, strict=True)
    pairs = {
        name: {pair for scores in executions.values() for pair in scores.items()} for name, executions in cells.items()
    }
    fixed = [system for system, scores in pairs.items() if len(scores) == len(dict(scores))]
    return InstanceScores(systems, names, topics, values, deterministic=fixed)


def _system(name: str, executions: dict[str, dict[str, float]]) -> SentSystem:
    means = {execution: fmean(scores.values()) for execution, scores in executions.items() if scores}
    sd = stdev(means.values()) if len(means) > 1 else None
    return SentSystem(name, fmean(means.values()), sd, max(means.values()), means)
