"""Scoring a run: ir-measures' scores by topic, and how the run departs from what a run should be."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import fsum
from typing import Annotated, Any, Literal

import ir_measures
import numpy as np
from ir_measures.providers import FallbackProvider, registry
from numpy.typing import NDArray

from analysis.runs.layouts import AnyReader
from analysis.runs.reading import Ranking, Unreadable, repeated

#: Counted up whenever scores or reports come out otherwise, so that all is scored anew.
VERSION = "5"
#: Providers of ir-measures that compute here, without other programs, in its order.
_PROVIDERS = ("pytrec_eval", "compat", "judged", "msmarco")
_BATCH = 256
#: How many topics, lines or documents a report names; the rest are counted.
MOST_NAMED = 10
#: Among how many documents at the top those that are judged are counted; among the first ten apart.
_TOP, _FIRST = 20, 10
#: With fewer than this share of its top judged, a topic counts as one that the run has hardly a judged document for.
HARDLY_JUDGED = 0.25
#: Characters of names that are kept, as 500 topics of 1,000 documents have; of longer runs no documents are kept.
MOST_CHARACTERS = 8_000_000

#: Of cutoffs and of the grade from which on documents are relevant, which begin at 1: others end some evaluators.
_LARGEST = 1_000_000

FloatArray = NDArray[np.float32]
Judged = Mapping[str, dict[str, int]]


@dataclass(slots=True)
class Report:
    """The ways in which a run departs from what a run should be: counts, and the first of each with their lines."""

    tag: Annotated[str, "Name of the run, the last field of its lines."] = ""
    n_lines: Annotated[int, "Of the file."] = 0
    n_topics: Annotated[int, "That it answers."] = 0
    n_documents: Annotated[int, "That it returns."] = 0
    foreign: Annotated[list[tuple[int, str]], "Topics without judgements; they are left out."] = field(
        default_factory=list
    )
    n_foreign: Annotated[int, "How many these are."] = 0
    missing: Annotated[list[str], "Judged topics without an answer; they count as 0."] = field(default_factory=list)
    n_missing: Annotated[int, "How many these are."] = 0
    tied: Annotated[
        list[tuple[int, str]],
        "Topics with documents that share a score: ordered by document, descending, as by trec_eval.",
    ] = field(default_factory=list)
    n_tied: Annotated[int, "How many these are."] = 0
    disordered: Annotated[list[tuple[int, str]], "Topics whose ranks contradict the scores; the scores count."] = field(
        default_factory=list
    )
    n_disordered: Annotated[int, "How many these are."] = 0
    single: Annotated[list[tuple[int, str]], "Topics with scores that tie in single precision alone."] = field(
        default_factory=list
    )
    n_single: Annotated[int, "How many these are."] = 0
    ties: Annotated[dict[str, list[float]], "By measure the least and the most that another order of ties gives."] = (
        field(default_factory=dict)
    )
    itself: Annotated[list[tuple[int, str]], "Topics whose own name is among their documents."] = field(
        default_factory=list
    )
    n_itself: Annotated[int, "How many these are."] = 0
    without_itself: Annotated[dict[str, float], "Means by measure with these documents left out."] = field(
        default_factory=dict
    )
    empty: Annotated[list[str], "Judged topics without a relevant document."] = field(default_factory=list)
    n_empty: Annotated[int, "How many these are."] = 0
    n_negative: Annotated[int, "Judgements with a grade below 0."] = 0
    n_judged_topics: Annotated[int, "Topics that the mean is over."] = 0
    n_answered: Annotated[int, "Those of them that it answers."] = 0
    n_unjudged: Annotated[int, "Documents without a judgement, which count as not relevant."] = 0
    n_unjudged_at_10: Annotated[int, "Those of them among the first ten of a topic."] = 0
    n_at_10: Annotated[int, "How many documents are among the first ten."] = 0
    n_top: Annotated[int, "The first twenty documents of all judged topics."] = 0
    n_judged_at_top: Annotated[int, "Those of them that are judged."] = 0
    n_hardly_judged: Annotated[int, "Topics with less than a quarter of those documents judged."] = 0
    remarks: Annotated[list[dict[str, Any]], "How a file of another layout was read."] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores by measure in the order of ``topics``, a report, the head of the file, and by topic all documents, best
    first, unless they are too many."""

    topics: list[str]
    scores: dict[str, list[float]]
    report: Report
    head: list[str]
    rankings: dict[str, str]

    def as_document(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"report": asdict(self.report)}


def first_documents(run: AnyReader) -> dict[str, list[str]]:
    """Return the topics of a run with their first documents: enough to tell which collection it is on."""
    return {ranking.topic: ranking.documents[:_FIRST] for ranking in run}


def can_score(measure: str) -> bool:
    """Say whether scores under a measure, as ir-measures spells it, can be computed here."""
    try:
        parsed = ir_measures.parse_measure(measure)
        # An assertion refuses a parameter that the measure does not take, or the lack of one that it needs.
        is_supported = any(registry[name].supports(parsed) for name in _PROVIDERS)
    except (ValueError, NameError, SyntaxError, AttributeError, KeyError, TypeError, AssertionError):
        return False
    return is_supported and all(1 <= parsed.params.get(name, 1) <= _LARGEST for name in ("cutoff", "rel"))


def score_run(
    run: AnyReader,
    judged: Judged,
    measures: Mapping[str, str],
    progress: Callable[[int], object] = lambda done: None,
    *,
    providers: Sequence[str] = _PROVIDERS,
    most_characters: int = MOST_CHARACTERS,
) -> Scored:
    """Return the scores of a run under every measure, given by name with the spelling of ir-measures.

    A judged topic that the run does not answer counts as 0. Equal scores are ordered as trec_eval does, under every
    measure. ``progress`` is told how many topics are done. Of documents so many characters are kept.

    Raises
    ------
    Unreadable
        If it can't be read, or a document occurs twice for a topic.
    """
    report, rankings = Report(), _Rankings(most_characters)
    scorer, least, most, without = (_Scorer(judged, measures, providers) for _ in range(4))
    for ranking in run:
        topic = ranking.topic
        report.n_topics += 1
        report.n_documents += len(ranking.documents)
        if len({*ranking.documents}) < len(ranking.documents):
            _refuse_repeated(ranking)
        single = ranking.scores.astype(np.float32)
        is_ranked, has_ties = _check_order(ranking, single, report)
        grades = judged.get(topic)
        if grades is None:
            _note(report, "foreign", (ranking.line, topic))
            continue
        documents = ranking.documents if is_ranked else _as_trec_eval_ranks(ranking, single)
        rankings.add(topic, documents)
        _count_judged(documents, grades, report)
        if has_ties:
            _score_ties(topic, documents, np.sort(single)[::-1], grades, least, most)
        if topic in documents:
            _note(report, "itself", (ranking.line, topic))
            without.add(topic, [document for document in documents if document != topic])
        if scorer.add(topic, documents):
            progress(report.n_topics)
    report.tag, report.n_lines = run.tag, run.n_lines
    report.remarks = [asdict(remark) for remark in run.remarks]
    missing = [topic for topic in judged if topic not in scorer.places]
    report.n_answered = len(scorer.places)
    report.missing, report.n_missing, report.n_judged_topics = missing[:MOST_NAMED], len(missing), len(judged)
    empty = [topic for topic, grades in judged.items() if all(grade < 1 for grade in grades.values())]
    report.empty, report.n_empty = empty[:MOST_NAMED], len(empty)
    report.n_negative = sum(grade < 0 for grades in judged.values() for grade in grades.values())
    scores = scorer.finished()
    if report.n_tied:
        lows, highs = least.means_beside(scores), most.means_beside(scores)
        moved = [name for name, text in measures.items() if _rises_with_grades(text)]
        report.ties = {name: [lows[name], highs[name]] for name in moved}
    if report.n_itself:
        report.without_itself = without.means_beside(scores)
    return Scored(list(judged), scores, report, run.head, rankings.by_topic)


def step_of(judged: Judged, measure: str) -> float:
    """Return how far one relevant document at the top of one topic moves the mean, at most over the topics: where it is
    alone, or stands above all others of its topic that are relevant."""
    scorers = [_Scorer(judged, {measure: measure}, _PROVIDERS) for _ in range(3)]
    for topic, grades in judged.items():
        ideal = sorted(
            (document for document in grades if grades[document] > 0), key=lambda document: -grades[document]
        )
        # No document has a blank in its name.
        for scorer, ranking in zip(scorers, (ideal[:1], ideal, [" ", *ideal[1:]]), strict=True):
            scorer.add(topic, ranking or [" "])
    alone, with_it, without = (np.array(scorer.finished()[measure]) for scorer in scorers)
    return float(np.maximum(alone, with_it - without).max() / len(judged))


def _as_trec_eval_ranks(ranking: Ranking, single: FloatArray) -> list[str]:
    """Return documents by score in single precision, then by name, both descending (form_res_rels.c, trec_eval 9)."""
    return [document for _, document in sorted(zip(single.tolist(), ranking.documents, strict=True), reverse=True)]


def _count_judged(documents: list[str], grades: Mapping[str, int], report: Report) -> None:
    report.n_unjudged += len(documents) - len(grades.keys() & documents)
    is_judged = [document in grades for document in documents[:_TOP]]
    report.n_at_10 += len(is_judged[:_FIRST])
    report.n_unjudged_at_10 += is_judged[:_FIRST].count(False)
    report.n_top += len(is_judged)
    report.n_judged_at_top += sum(is_judged)
    report.n_hardly_judged += sum(is_judged) < HARDLY_JUDGED * len(is_judged)


#: Measures that never fall when of two documents side by side the one of the higher grade comes first.
_RISING = {"AP", "Bpref", "IPrec", "P", "R", "RR", "Rprec", "Success", "nDCG"}


def _rises_with_grades(measure: str) -> bool:
    parsed = ir_measures.parse_measure(measure)
    return parsed.NAME in _RISING and "gains" not in parsed.params


def _score_ties(
    topic: str, documents: list[str], scores: FloatArray, grades: Mapping[str, int], least: "_Scorer", most: "_Scorer"
) -> None:
    """Score the orders of equal scores that are worst and best for a run, where grades tell them apart.

    ``scores`` are those of the documents, descending. What is judged and not relevant is worse than what is not judged,
    for measures that look at judged documents alone.
    """
    grade_of = {document: grade if grade > 0 else -1 for document, grade in grades.items()}
    worth = np.array([grade_of.get(document, 0) for document in documents])
    worst, best = np.lexsort((worth, -scores)), np.lexsort((-worth, -scores))
    if (worth[worst] != worth[best]).any():
        for scorer, order in ((least, worst), (most, best)):
            scorer.add(topic, [documents[place] for place in order.tolist()])


def _note(report: Report, kind: str, place: tuple[int, str]) -> None:
    setattr(report, f"n_{kind}", getattr(report, f"n_{kind}") + 1)
    named = getattr(report, kind)
    if len(named) < MOST_NAMED:
        named.append(place)


def _refuse_repeated(ranking: Ranking) -> None:
    again = repeated(ranking)
    named = ", ".join(
        f"line {line:,}: document {name}, a duplicate of line {first:,}" for line, name, first in again[:MOST_NAMED]
    )
    raise Unreadable(
        f"Topic {ranking.topic} names {'a document' if len(again) == 1 else 'documents'} twice ({named}). Which of the "
        "lines counts is not for us to say: leave all but one out."
    )


def _check_order(ranking: Ranking, single: FloatArray, report: Report) -> tuple[bool, bool]:
    """Count topics with ties, and those whose ranks and scores contradict each other; return whether the lines are in
    the order in which trec_eval ranks them, and whether scores are equal."""
    ranks, steps = ranking.ranks, np.diff(single)
    is_descending = bool((steps <= 0).all())
    n_distinct = len(single) if is_descending and steps.all() else len(np.unique(single))
    has_ties = n_distinct < len(single)
    if has_ties:
        _note(report, "tied", (ranking.line, ranking.topic))
        if len(np.unique(ranking.scores)) > n_distinct:
            _note(report, "single", (ranking.line, ranking.topic))
    if ranks is None:
        _note(report, "disordered", (ranking.line, ranking.topic))
    elif not (is_descending and (ranks[1:] > ranks[:-1]).all()):
        order = np.argsort(ranks, kind="stable")
        wrong = np.flatnonzero(np.diff(single[order]) > 0)
        if len(wrong):
            _note(report, "disordered", (ranking.line_of(int(order[wrong[0] + 1])), ranking.topic))
    return is_descending and not has_ties, has_ties


class _Rankings:
    """The documents of each topic as trec_eval ranks them, while they are few enough to be kept."""

    def __init__(self, most_characters: int) -> None:
        self.by_topic: dict[str, str] = {}
        self._room = most_characters

    def add(self, topic: str, documents: list[str]) -> None:
        if self._room < 0:
            return
        self._room -= sum(map(len, documents)) + len(documents)
        if self._room < 0:
            self.by_topic.clear()
            return
        self.by_topic[topic] = " ".join(documents)


_Batch = dict[str, dict[str, float]]
#: How much of a ranking a measure looks at: all, what is not below the last judged document, or so many documents.
_Reach = int | Literal["all", "judged"]
#: Measures of trec_eval that no document below the last judged one changes.
_OF_JUDGED = {"AP", "Bpref", "IPrec", "P", "R", "RR", "Rprec", "Success", "infAP", "nDCG"}


class _Scorer:
    """Scores of a run that comes in parts.

    Evaluators are given no more of a ranking than their measures look at: most measures nothing below the last document
    that is judged.
    """

    def __init__(self, judged: Judged, measures: Mapping[str, str], providers: Sequence[str]) -> None:
        self._judged = judged
        self._order = {topic: place for place, topic in enumerate(judged)}
        parsed = {name: ir_measures.parse_measure(text) for name, text in measures.items()}
        distinct: dict[Any, Any] = {}
        self._wanted = {name: distinct.setdefault(measure, measure) for name, measure in parsed.items()}
        self._provider = FallbackProvider(  # type: ignore[no-untyped-call]
            [registry[name] for name in providers]
        )
        #: By identity: hashing a measure spells it out.
        self._scores = {id(measure): np.zeros(len(judged)) for measure in distinct}
        groups: dict[tuple[_Reach, str], set[Any]] = {}
        for measure in distinct:
            # Beside one with gains of its own, ir_measures gives these to nDCG without any, whichever it meets first.
            gains = str(measure.params.get("gains", ""))
            groups.setdefault((_reach(measure), gains), set()).add(measure)
        self._groups = [(reach, group, _Batch()) for (reach, _), group in groups.items()]
        self.places: dict[str, int] = {}

    def add(self, topic: str, documents: list[str]) -> bool:
        """Take the documents of a judged topic, best first; return whether a batch was scored.

        Evaluators order equal scores each in their own way, so they are given scores that differ.
        """
        self.places[topic] = self._order[topic]
        grades = self._judged[topic]
        n = len(documents)
        n_to_judged = next((n - place for place, document in enumerate(reversed(documents)) if document in grades), 1)
        for reach, _, batch in self._groups:
            depth = {"all": n, "judged": n_to_judged}[reach] if isinstance(reach, str) else reach
            batch[topic] = {document: float(-rank) for rank, document in enumerate(documents[:depth])}
        is_full = len(self.places) % _BATCH == 0
        if is_full:
            self._score()
        return is_full

    def _score(self) -> None:
        for _, group, batch in self._groups:
            judged = {topic: self._judged[topic] for topic in batch}
            for metric in self._provider.evaluator(group, judged).iter_calc(batch) if batch else ():
                self._scores[id(metric.measure)][self._order[metric.query_id]] = metric.value
            batch.clear()

    def finished(self) -> dict[str, list[float]]:
        """Return scores by the name of the measure."""
        self._score()
        return {name: self._scores[id(measure)].tolist() for name, measure in self._wanted.items()}

    def means_beside(self, scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
        """Return the means of these scores by measure, topics that were added here with their scores here."""
        own = self.finished()
        places = self.places.values()
        return {
            name: (fsum(known) + fsum(own[name][place] - known[place] for place in places)) / len(known)
            for name, known in scores.items()
        }


def _reach(measure: Any) -> _Reach:
    if measure.NAME == "RR" and "cutoff" in measure.params:
        return int(measure.params["cutoff"])
    return "judged" if measure.NAME in _OF_JUDGED else "all"


def read_judgements(lines: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return grades by topic and document, of lines that were checked when they were put in."""
    judged: dict[str, dict[str, int]] = {}
    for line in lines:
        topic, _, document, grade = line.split()
        judged.setdefault(topic, {})[document] = int(grade)
    return judged
