"""Average precision of a run on other collections like this one (Cormack & Lynam 2006); and studies of uploads, as the
process that scores runs makes them.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Annotated, Any, Literal

import msgspec

from analysis.boards import METHODS, BoardInputs, make_snapshot
from analysis.comparisons import MetaAnalysis, meta_analysis
from analysis.documents import (
    Agreement,
    AveragePrecisionInterval,
    JudgedRun,
    LimitCorrection,
    MapInterval,
    PairedDifference,
    agreement_probability,
    average_precision_intervals,
    judge_pair,
    judge_run,
    list_agreement,
    logit_map_interval,
    map_interval,
    mean_agreement,
    paired_difference,
    split_run,
)
from analysis.errors import ArgumentError
from analysis.results import Interval
from analysis.runs.reading import Unreadable
from analysis.runs.reports import run_of
from analysis.runs.scoring import read_judgements
from analysis.scores import Judgements, Run, ScoreMatrix

Tell = Callable[[int, int], None]

#: Counted up whenever a study answers otherwise.
VERSION = "1"
#: What changes by less is not resampled to anything else.
NO_ERROR = 1e-12


@dataclass(frozen=True, slots=True)
class TopicPrecision:
    """AP on one topic."""

    topic: str
    n_relevant: Annotated[int, "Relevant documents."]
    n_found: Annotated[int, "Those that the run returned."]
    estimate: Annotated[float, "AP, 0 to 1."]
    logit: Annotated[Interval | None, "95% intervals of AP by three methods; None where one has no answer."]
    linear: Annotated[Interval | None, "95% intervals of AP by three methods; None where one has no answer."]
    bca: Annotated[Interval | None, "95% intervals of AP by three methods; None where one has no answer."]
    correction: Annotated[LimitCorrection | None, "Which limit for few relevant documents replaced the logit interval."]


@dataclass(frozen=True, slots=True)
class ListAgreement:
    """Counts of intervals by one method, from one half of the collection, that hold the AP of the other half."""

    method: Literal["logit", "linear", "bca"]
    found: Agreement


@dataclass(frozen=True, slots=True)
class MeanAgreement:
    """Intervals of a mean, each from one half of the collection, against its value in the other half."""

    measure: Literal["MAP", "L-MAP"]
    first_holds_second: bool
    second_holds_first: bool


@dataclass(frozen=True, slots=True)
class Halves:
    """The collection split in two by a hash of the documents' names."""

    n_topics: Annotated[int, "That both halves can measure."]
    n_dropped: Annotated[int, "The other topics."]
    expected: Annotated[float, "Share of values that an honest 95% interval of the other half holds."]
    lists: tuple[ListAgreement, ...]
    means: tuple[MeanAgreement, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs on the same resampled collections, the first minus the second."""

    linear: Annotated[PairedDifference, "Of AP."]
    logit: Annotated[PairedDifference, "Of logit AP."]
    topics: Annotated[tuple[str, ...], "In the order of their differences."]
    n_without_error: Annotated[int, "Topics on which no resample changes that of logit AP; they are not combined."]
    combined: Annotated[MetaAnalysis | None, "Those of logit AP by topic as one test (random effects); None of one."]


@dataclass(frozen=True, slots=True)
class DocumentStudy:
    """Intervals of a run for other documents on the same topics."""

    grade: Annotated[int, "From this grade on a document is relevant."]
    depth: Annotated[int, "How many documents of a topic were looked at."]
    n_resamples: Annotated[int, "Resampled collections."]
    seed: int
    topics: Annotated[tuple[TopicPrecision, ...], "In the order of the judgements."]
    n_undefined: Annotated[int, "Judged topics without a relevant document, which have no AP; they are left out."]
    n_unanswered: Annotated[int, "Topics for which the run returned nothing; their AP is 0."]
    means: Annotated[tuple[MapInterval, ...], "MAP and the mean of logit AP over these, by bootstrap and by formula."]
    halves: Annotated[Halves | None, "None where no topic can be measured in both halves."]
    pair: Annotated[Pair | None, "None of one run."]


def document_study(
    run: Run, other: Run | None = None, *, judgements: Judgements, grade: int, depth: int, tell: Tell
) -> DocumentStudy:
    """Return intervals of AP on every topic and of its means, their validation, and the difference from another run.

    ``tell`` is called for every ranked list that is resampled. ``ArgumentError`` if no topic has a relevant document.
    """
    judged = judge_run(run, judgements, minimum_grade=grade, depth=depth)
    seed = METHODS.seed
    means = tuple(
        function(judged.lists, seed, method=method, progress=tell)
        for function in (map_interval, logit_map_interval)
        for method in _MEAN_METHODS
    )
    return DocumentStudy(
        grade=grade,
        depth=judged.lists[0].depth,
        n_resamples=means[0].n_resamples,
        seed=seed,
        topics=_topics(judged, tell),
        n_undefined=len(judged.undefined_topics),
        n_unanswered=len(judged.unanswered_topics),
        means=means,
        halves=_halves(run, judgements, grade, depth, tell),
        pair=_pair(run, other, judgements, grade, depth, tell) if other else None,
    )


_METHODS: tuple[Literal["logit", "linear", "bca"], ...] = ("logit", "linear", "bca")
_MEAN_METHODS: tuple[Literal["bootstrap", "parametric"], ...] = ("bootstrap", "parametric")
_MEANS: tuple[Literal["MAP", "L-MAP"], ...] = ("MAP", "L-MAP")


def _topics(judged: JudgedRun, tell: Tell) -> tuple[TopicPrecision, ...]:
    by_method = [
        average_precision_intervals(judged.lists, METHODS.seed, method=method, progress=tell) for method in _METHODS
    ]
    rows = zip(judged.topics, judged.lists, *by_method, strict=True)
    return tuple(_topic(topic, ranked.relevant_ranks.size, intervals) for topic, ranked, *intervals in rows)


def _topic(topic: str, n_found: int, by_method: list[AveragePrecisionInterval]) -> TopicPrecision:
    first, *_ = by_method
    logit, linear, bca = (estimate.interval for estimate in by_method)
    return TopicPrecision(topic, first.n_relevant, n_found, first.estimate, logit, linear, bca, first.correction)


def _halves(run: Run, judgements: Judgements, grade: int, depth: int, tell: Tell) -> Halves | None:
    try:
        split = split_run(run, judgements, minimum_grade=grade, depth=depth)
        lists = tuple(
            ListAgreement(method, list_agreement(split.first, split.second, METHODS.seed, method=method, progress=tell))
            for method in _METHODS
        )
    except ArgumentError:  # No topic that both halves can measure, or no interval on any.
        return None
    means = []
    for measure in _MEANS:
        agreement = mean_agreement([split], METHODS.seed, measure=measure)
        means.append(MeanAgreement(measure, agreement.first.within == 1.0, agreement.second.within == 1.0))
    return Halves(len(split.topics), len(split.dropped_topics), agreement_probability(), lists, tuple(means))


def _pair(run: Run, other: Run, judgements: Judgements, grade: int, depth: int, tell: Tell) -> Pair:
    judged = judge_pair(run, other, judgements, minimum_grade=grade, depth=depth)
    linear, logit = (paired_difference(judged.pairs, METHODS.seed, scale=scale, progress=tell) for scale in _SCALES)
    tests = [
        (effect, error)
        for effect, error in zip(logit.topic_differences, logit.topic_standard_errors, strict=True)
        if error > NO_ERROR
    ]
    combined = meta_analysis(*zip(*tests, strict=True)) if len(tests) > 1 else None
    return Pair(linear, logit, judged.topics, len(judged.topics) - len(tests), combined)


_SCALES: tuple[Literal["linear", "logit"], ...] = ("linear", "logit")


def study_board(content: bytes) -> dict[str, Any]:
    """Return the text of a snapshot, as public ones are made."""
    order = json.loads(content)
    inputs = msgspec.convert(order["inputs"], BoardInputs)
    matrix = ScoreMatrix(**order["matrix"]) if order["matrix"] else None
    return {"content": make_snapshot(inputs, matrix).text}


def study_documents(content: bytes, judgements: bytes, tell: Callable[[int], None]) -> dict[str, Any]:
    """Return how far other documents would move a run, or raise ``Unreadable``; ``tell`` gets the lists done so far."""
    order = json.loads(content)
    judged = Judgements(read_judgements(judgements.decode().splitlines()))
    runs = [run_of(rankings) for rankings in order["runs"]]
    done = count(1)
    try:
        findings = document_study(
            *runs, judgements=judged, grade=order["grade"], depth=order["depth"], tell=lambda *_: tell(next(done))
        )
    except ArgumentError as error:
        raise Unreadable(f"{error.argument} {error.reason}") from error
    return {"content": msgspec.json.encode(findings).decode()}
