"""Scoring runs on a collection of one's own under a measure that came later, from the documents that are kept."""

import hashlib
from collections.abc import Iterator
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
    """What a worker found of each run that lacked a measure, by the digest of its work."""

    measure: OwnMeasure
    found: dict[str, dict[str, Any]]


def ask_for_missing_scores(collection: OwnCollection) -> None:
    """Have a worker score what was scored before a measure was there."""
    sent = sent_to_own(collection)
    for measure in collection.measures.all():
        if without_measure(measure, sent):
            enqueue_jobs(kind=SCORE_AGAIN, args=[{"measure_id": measure.pk}])


def score_again(measure_id: int) -> ScoredAgain | None:
    """Scores of the runs that lack the measure; None where nobody wants them any more."""
    measure = OwnMeasure.objects.select_related("collection").filter(pk=measure_id).first()
    if measure is None:
        return None
    wanted = OwnMeasure.objects.filter(pk=measure_id)
    found = {}
    for run in without_measure(measure, sent_to_own(measure.collection)):
        work = Work.objects.select_related("judgements").get(pk=run.work_id)
        if not work.rankings or work.judgements is None:
            continue
        lines = "".join(_lines(work)).encode()
        order = Order("run", lines, {measure.name: measure.ir_measures}, lines_of(work.judgements))
        try:
            found[work.pk] = do_in_child(order, is_wanted=wanted.exists)
        except Stopped:
            return None
        except Unreadable:
            # It stays as it is, and its page says that it lacks the measure.
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
    name = scored.measure.name
    for digest, found in scored.found.items():
        work = Work.objects.filter(pk=digest).first()
        if work is None:
            continue
        table = unpack_scores(bytes(work.scores))
        own = dict(zip(found["topics"], found["scores"][name], strict=True))
        scores = table.scores | {name: [own[topic] for topic in table.topics]}
        told = f"{digest} {name} {scored.measure.ir_measures}"
        precision = work.report.get("precision", {}) | found["precision"]
        kept = {
            "kind": work.kind,
            "judgements": work.judgements,
            "measures": work.measures | {name: scored.measure.ir_measures},
            "state": work.state,
            "content": b"",
            "report": work.report | {"precision": precision},
            "head": work.head,
            "means": work.means | {name: sum(scores[name]) / len(table.topics)},
            "scores": pack_scores(table.topics, scores),
            "rankings": work.rankings,
        }
        again, _ = Work.objects.get_or_create(digest=hashlib.sha256(told.encode()).hexdigest(), defaults=kept)
        Upload.objects.filter(work=work, own_collection=scored.measure.collection_id).update(work=again)
    Work.objects.filter(uploads=None).delete()
    study_own_board(scored.measure)
