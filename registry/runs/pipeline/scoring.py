"""Scoring a run: ir-measures' scores by topic, and how the run departs from what a run should be."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from heapq import nlargest
from typing import Any

import ir_measures
import numpy as np
from ir_measures.providers import FallbackProvider, registry
from numpy.typing import NDArray

from registry.runs.pipeline.reading import Limits, Ranking, RunReader, Unreadable, repeated

#: Counted up whenever scores or reports come out otherwise, so that all is scored anew.
VERSION = "2"
#: Those of ir-measures that compute here, without other programs, in its order.
_PROVIDERS = ("pytrec_eval", "compat", "judged", "msmarco")
_BATCH = 256
#: As many topics, lines or documents are named in a report; the rest are counted.
MOST_NAMED = 10
_DEPTH_JUDGED = 10
#: How many of its smallest hashes tell how much two runs have in common at the top.
_SKETCH = 400
#: The names of so many characters of documents are kept, as 500 topics of 1,000 documents have; of longer runs none.
MOST_CHARACTERS = 8_000_000

FloatArray = NDArray[np.float32]
Judged = Mapping[str, dict[str, int]]


@dataclass(slots=True)
class Report:
    """How a run departs from what a run should be: counts, and the first of each with their lines.

    Attributes
    ----------
    tag : str
        Name of the run, the last field of its lines.
    n_lines, n_topics, n_documents : int
        Lines of the file, topics that it answers, documents that it returns.
    foreign, n_foreign : list of (line, topic), int
        Topics without judgements; they are left out.
    missing, n_missing : list of str, int
        Judged topics without an answer; they count as 0.
    tied, n_tied : list of (line, topic), int
        Topics in which documents share a score; they are ordered by document, descending, as trec_eval does.
    disordered, n_disordered : list of (line, topic), int
        Topics whose ranks contradict the scores; the scores count.
    n_judged_topics : int
        Topics that the mean is over.
    n_unjudged, n_unjudged_at_10, n_at_10 : int
        Documents without a judgement, which count as not relevant: of all, of the first ten; and those first ten.
    """

    tag: str = ""
    n_lines: int = 0
    n_topics: int = 0
    n_documents: int = 0
    foreign: list[tuple[int, str]] = field(default_factory=list)
    n_foreign: int = 0
    missing: list[str] = field(default_factory=list)
    n_missing: int = 0
    tied: list[tuple[int, str]] = field(default_factory=list)
    n_tied: int = 0
    disordered: list[tuple[int, str]] = field(default_factory=list)
    n_disordered: int = 0
    n_judged_topics: int = 0
    n_unjudged: int = 0
    n_unjudged_at_10: int = 0
    n_at_10: int = 0


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores by measure in the order of ``topics``, a report, the head of the file, a sketch of its top documents, and
    by topic all documents, best first, unless they are too many."""

    topics: list[str]
    scores: dict[str, list[float]]
    report: Report
    head: list[str]
    sketch: list[int]
    rankings: dict[str, str]

    def as_document(self) -> dict[str, Any]:
        return asdict(self)


def can_score(measure: str) -> bool:
    """Whether scores under a measure, as ir-measures spells it, can be computed here."""
    try:
        parsed = ir_measures.parse_measure(measure)
    except (ValueError, NameError, SyntaxError, AttributeError, KeyError, TypeError):
        return False
    return any(registry[name].supports(parsed) for name in _PROVIDERS)


def score_run(
    run: RunReader,
    judged: Judged,
    measures: Mapping[str, str],
    limits: Limits,
    progress: Callable[[int], object],
) -> Scored:
    """The scores of a run under every measure, given by name with the spelling of ir-measures.

    A judged topic that the run does not answer counts as 0. ``progress`` is told how many topics are done.

    Raises
    ------
    Unreadable
        If it can't be read, a document occurs twice for a topic, or no topic is judged.
    """
    report = Report()
    scorer = _Scorer(judged, measures)
    rankings = _Rankings()
    sketch: list[int] = []
    for ranking in run:
        report.n_topics += 1
        report.n_documents += len(ranking.documents)
        found = dict(zip(ranking.documents, ranking.scores, strict=True))
        if len(found) < len(ranking.documents):
            _refuse_repeated(ranking)
        is_ranked = _check_order(ranking, report)
        grades = judged.get(ranking.topic)
        if grades is None:
            _note(report, "foreign", (ranking.line, ranking.topic))
            continue
        rankings.add(ranking, is_ranked=is_ranked)
        first = _first_documents(ranking, is_ranked=is_ranked)
        report.n_unjudged += len(found) - sum(document in found for document in grades)
        report.n_at_10 += len(first)
        report.n_unjudged_at_10 += sum(document not in grades for document in first)
        sketch += [_hashed(ranking.topic, document) for document in first]
        if scorer.add(ranking, found, is_ranked=is_ranked):
            progress(report.n_topics)
    report.tag, report.n_lines = run.tag, run.n_lines
    missing = [topic for topic in judged if topic not in scorer.places]
    if len(missing) == len(judged):
        raise Unreadable(
            f"None of its topics is judged here; the first of them is {report.foreign[0][1]!r}. Is it a run on this "
            "collection, and are topics called as its judgements call them?"
        )
    report.missing, report.n_missing, report.n_judged_topics = missing[:MOST_NAMED], len(missing), len(judged)
    sketch = sorted(set(sketch))[:_SKETCH]
    return Scored(list(judged), scorer.finished(), report, run.head, sketch, rankings.found)


def _note(report: Report, kind: str, what: tuple[int, str]) -> None:
    setattr(report, f"n_{kind}", getattr(report, f"n_{kind}") + 1)
    named = getattr(report, kind)
    if len(named) < MOST_NAMED:
        named.append(what)


def _refuse_repeated(ranking: Ranking) -> None:
    again = repeated(ranking)
    named = ", ".join(f"line {line:,}: {document}" for line, document in again[:MOST_NAMED])
    raise Unreadable(
        f"Documents occur again for topic {ranking.topic}, {len(again):,} in all ({named}). "
        "Which of the lines counts is not for us to say: leave all but one out."
    )


_RANKS = tuple([str(rank) for rank in range(first, 1000 + first)] for first in (0, 1))


def _check_order(ranking: Ranking, report: Report) -> bool:
    """Count topics with ties, and those whose ranks and scores contradict each other; whether the lines are in the
    order in which trec_eval ranks them."""
    scores = np.array(ranking.scores, dtype=np.float32)
    steps = scores[1:] - scores[:-1]
    is_descending = bool((steps <= 0).all())
    has_ties = not steps.all() if is_descending else len(np.unique(scores)) < len(scores)
    if has_ties:
        _note(report, "tied", (ranking.line, ranking.topic))
    n = len(ranking.ranks)
    if not is_descending or not any(n <= len(ranks) and ranking.ranks == ranks[:n] for ranks in _RANKS):
        _check_ranks(ranking, scores, report)
    return is_descending and not has_ties


def _check_ranks(ranking: Ranking, scores: FloatArray, report: Report) -> None:
    try:
        order = np.argsort(np.array([*map(int, ranking.ranks)]), kind="stable")
    except (ValueError, OverflowError):
        _note(report, "disordered", (ranking.line, ranking.topic))
        return
    wrong = np.flatnonzero(np.diff(scores[order]) > 0)
    if len(wrong):
        _note(report, "disordered", (ranking.line + int(order[wrong[0] + 1]), ranking.topic))


def _first_documents(ranking: Ranking, *, is_ranked: bool) -> list[str]:
    """The first ten as trec_eval ranks them; ``is_ranked`` where the lines are in that order."""
    if is_ranked:
        return ranking.documents[:_DEPTH_JUDGED]
    return [document for _, document in nlargest(_DEPTH_JUDGED, _in_single_precision(ranking))]


def _in_single_precision(ranking: Ranking) -> Iterable[tuple[float, str]]:
    return zip(np.array(ranking.scores, dtype=np.float32).tolist(), ranking.documents, strict=True)


class _Rankings:
    """The documents of each topic as trec_eval ranks them, while they are few enough to be kept."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self._room = MOST_CHARACTERS

    def add(self, ranking: Ranking, *, is_ranked: bool) -> None:
        self._room -= sum(map(len, ranking.documents)) + len(ranking.documents)
        if self._room < 0:
            self.found.clear()
            return
        ordered = ranking.documents
        if not is_ranked:
            ordered = [document for _, document in sorted(_in_single_precision(ranking), reverse=True)]
        self.found[ranking.topic] = " ".join(ordered)


def _hashed(topic: str, document: str) -> int:
    return int.from_bytes(blake2b(f"{topic} {document}".encode(), digest_size=6).digest())


class _Scorer:
    """Scores of a run that comes in parts."""

    def __init__(self, judged: Judged, measures: Mapping[str, str]) -> None:
        self._judged = judged
        self._order = {topic: place for place, topic in enumerate(judged)}
        self._wanted = {name: ir_measures.parse_measure(text) for name, text in measures.items()}
        self._provider = FallbackProvider(  # type: ignore[no-untyped-call]
            [registry[name] for name in _PROVIDERS]
        )
        at_top = {measure for measure in self._wanted.values() if _depth(measure)}
        #: For the one provider that sorts in Python, whose measures end at a cutoff.
        self._depth = max(map(_depth, at_top), default=0)
        self._groups = [group for group in ({*self._wanted.values()} - at_top, at_top) if group]
        self._scores = {measure: np.zeros(len(judged)) for measure in self._wanted.values()}
        self._batches: list[dict[str, dict[str, float]]] = [{} for _ in self._groups]
        self.places: dict[str, int] = {}

    def add(self, ranking: Ranking, found: dict[str, float], *, is_ranked: bool) -> bool:
        """Take the ranking of a judged topic; whether a batch of them was scored."""
        self.places[ranking.topic] = self._order[ranking.topic]
        for group, batch in zip(self._groups, self._batches, strict=True):
            is_cut = is_ranked and _depth(next(iter(group))) > 0
            batch[ranking.topic] = (
                dict(zip(ranking.documents[: self._depth], ranking.scores[: self._depth], strict=True))
                if is_cut
                else found
            )
        is_full = len(self._batches[0]) >= _BATCH
        if is_full:
            self._score()
        return is_full

    def _score(self) -> None:
        for group, batch in zip(self._groups, self._batches, strict=True):
            judged = {topic: self._judged[topic] for topic in batch}
            for one in self._provider.evaluator(group, judged).iter_calc(batch) if batch else ():
                self._scores[one.measure][self._order[one.query_id]] = one.value
            batch.clear()

    def finished(self) -> dict[str, list[float]]:
        """Scores by the name of the measure."""
        self._score()
        return {name: self._scores[measure].tolist() for name, measure in self._wanted.items()}


def _depth(measure: Any) -> int:
    """The cutoff of a reciprocal rank, which MS MARCO's own program computes; 0 of all others."""
    return int(measure.params["cutoff"]) if measure.NAME == "RR" and "cutoff" in measure.params else 0


def read_judgements(lines: Iterable[str]) -> dict[str, dict[str, int]]:
    """Topic to document to grade, of lines that were checked when they were put in."""
    found: dict[str, dict[str, int]] = {}
    for line in lines:
        topic, _, document, grade = line.split()
        found.setdefault(topic, {})[document] = int(grade)
    return found
