"""Scoring runs on a collection of one's own under a measure that came later, from the documents that are kept."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from registry.core.services import enqueue_jobs
from registry.runs.models import OwnCollection, OwnMeasure, Upload, Work
from registry.runs.pipeline.packing import pack_scores, unpack_rankings, unpack_scores
from registry.runs.pipeline.reading import Unreadable
from registry.runs.pipeline.spawning import Order, Stopped, do_in_child
from registry.runs.queries import SCORE_AGAIN, lines_of, sent_to_own, without_measure
from registry.runs.services.studying import study_own_board


@dataclass(frozen=True, slots=True)
class ScoredAgain:
    """What a worker found of each run that lacked a measure, by the key of its upload."""

    measure: OwnMeasure
    found: dict[str, dict[str, Any]]


def ask_for_missing_scores(measures: Iterable[OwnMeasure], sent: Sequence[Upload]) -> None:
    """Have a worker score what was scored before a measure was there."""
    lacking = [one.pk for one in measures if without_measure(one, sent)]
    if lacking:
        enqueue_jobs(kind=SCORE_AGAIN, args=[{"measure_id": pk} for pk in lacking])


def score_again(measure_id: int) -> ScoredAgain | None:
    """Scores of the runs that lack the measure; None where nobody wants them any more."""
    measure = OwnMeasure.objects.select_related("collection").filter(pk=measure_id).first()
    if measure is None:
        return None
    wanted = OwnMeasure.objects.filter(pk=measure_id)
    found = {}
    for run in without_measure(measure, sent_to_own(measure.collection)):
        work = Work.objects.select_related("judgements").filter(pk=run.work_id).exclude(rankings=b"").first()
        if work is None or work.judgements is None:
            continue
        lines = "".join(_lines(work)).encode()
        order = Order("run", lines, {measure.name: measure.ir_measures}, lines_of(work.judgements))
        try:
            found[run.pk] = do_in_child(order, is_wanted=wanted.exists)
        except Stopped:
            return None
        except Unreadable:
            # It stays as it is, and the page of the collection says that it lacks the measure.
            continue
    return ScoredAgain(measure, found)


def _lines(work: Work) -> Iterator[str]:
    """A run with the documents in the order in which they were ranked."""
    for topic, text in unpack_rankings(bytes(work.rankings)).items():
        documents = text.split()
        for rank, document in enumerate(documents, 1):
            yield f"{topic} Q0 {document} {rank} {len(documents) - rank} again\n"


def save_again(scored: ScoredAgain | None) -> None:
    """Put the scores beside those that there were; whatever else was found of a run stays."""
    if scored is None or not scored.found:
        return
    # Whoever adds scores under another measure meanwhile waits here.
    OwnCollection.objects.select_for_update().filter(pk=scored.measure.collection_id).first()
    for upload in Upload.objects.filter(pk__in=scored.found).select_related("work__judgements"):
        work = upload.work
        if scored.measure.name not in work.means:
            Upload.objects.filter(pk=upload.pk).update(work=_with(work, scored.measure, scored.found[upload.pk]))
    Work.objects.filter(uploads=None).delete()
    study_own_board(scored.measure)


def _with(work: Work, measure: OwnMeasure, found: dict[str, Any]) -> Work:
    """The same work with the scores under one more measure."""
    table, own = (
        unpack_scores(bytes(work.scores)),
        dict(zip(found["topics"], found["scores"][measure.name], strict=True)),
    )
    scores = table.scores | {measure.name: [own[topic] for topic in table.topics]}
    kept = {name: getattr(work, name) for name in ("kind", "judgements", "state", "head", "rankings")}
    kept |= {
        "content": b"",
        "measures": work.measures | {measure.name: measure.ir_measures},
        "report": work.report | {"precision": work.report.get("precision", {}) | found["precision"]},
        "means": work.means | {measure.name: sum(own.values()) / len(own)},
        "scores": pack_scores(table.topics, scores),
    }
    told = f"{work.digest} {measure.name} {measure.ir_measures}"
    again, _ = Work.objects.get_or_create(digest=hashlib.sha256(told.encode()).hexdigest(), defaults=kept)
    return again
