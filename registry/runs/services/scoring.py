"""Scoring uploads: a worker's step in a child, what is kept of it, and topic scores for a result on record."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet

from analysis.runs.reading import Exhausted, ReportLine, Unreadable
from analysis.runs.reports import is_complete
from analysis.runs.scoring import HARDLY_JUDGED, MOST_NAMED
from registry.accounts.models import User
from registry.catalog.models import Collection, Topic
from registry.core.messages import say
from registry.core.services import enqueue_jobs
from registry.results.models import Result
from registry.results.services.endings import MOST_CHANGES, Change, replace_result, room_left
from registry.runs import queries
from registry.runs.models import Answer, Judgements, OwnCollection, OwnMeasure, Upload, Work
from registry.runs.pipeline.packing import DECIMALS, pack_rankings, pack_scores, unpack_rankings, unpack_scores
from registry.runs.pipeline.spawning import Order, Stopped, do_in_child
from registry.runs.services.studying import study_own_board, study_own_boards
from registry.runs.services.uploading import charge_visitor
from registry.runs.verdicts import standardized_runs

logger = logging.getLogger(__name__)

#: The share of topics that a run may leave out: the mean of one that answers a single topic would be its score.
LEFT_OUT = 0.1
#: Of the first twenty documents of all topics, the share that must be judged; real runs had 0.60 and more.
JUDGED = 0.5
#: The share of topics that may have hardly a judged document there; real runs had 0.08 at most.
HARDLY = 0.2
#: Reported of a run that is scored against sealed judgements: nothing that tells which documents or topics are judged.
_REPORTED_OF_SEALED = (
    "tag", "n_lines", "n_topics", "n_documents", "tied", "n_tied", "disordered", "n_disordered", "remarks",
)  # fmt: skip
_NONE_LEFT = "All answers that the sealed judgements of this collection give are used up."


@dataclass(frozen=True, slots=True)
class ScoredWork:
    """Fields to keep of a piece of work; ``answer`` where it was held against sealed judgements."""

    digest: str
    fields: dict[str, Any]
    answer: Answer | None = None


def score(digest: str) -> ScoredWork | None:
    """Score a run, or read a table of topic scores; None where nobody wants it any more."""
    work = Work.objects.select_related("judgements").filter(pk=digest, state=Work.State.WAITING).first()
    if work is None:
        return None
    judgements = work.judgements
    is_sealed = bool(judgements and judgements.is_sealed)
    lines = queries.lines_of(judgements) if judgements else b""
    order = Order(work.kind, bytes(work.content), work.measures, lines, is_sealed)
    uploads = Upload.objects.filter(work=digest)
    try:
        findings = do_in_child(
            order,
            # How far it is would tell which topics are judged.
            tell=lambda done: is_sealed or uploads.filter(n_done__lt=done).update(n_done=done),
            is_wanted=uploads.exists,
        )
    except Stopped:
        return None
    except Unreadable as refused:
        _charge(uploads, refused.seconds)
        return ScoredWork(digest, _refused(str(refused), is_passing=isinstance(refused, Exhausted)))
    _charge(uploads, findings["seconds"])
    if judgements is None:
        return ScoredWork(digest, _kept(findings, findings["means"], _report_of_table(findings["dropped"])))
    means = {name: sum(scores) / len(scores) for name, scores in findings["scores"].items()}
    report = findings["report"] | {"precision": findings.get("precision", {})}
    if is_sealed:
        return _answered(work, judgements, findings, means)
    if not is_complete(report):
        report["elsewhere"] = _elsewhere(work)
    elif judgements.collection:
        fields = [*standardized_runs(judgements.collection, findings["topics"], findings["scores"])]
        report |= {"standardized": [asdict(field) for field in fields]} if fields else {}
    if report["n_missing"] == report["n_judged_topics"]:
        topic, names = report["foreign"][0][1], [fit["name"] for fit in report["elsewhere"]]
        return ScoredWork(digest, _refused(say("run-none-judged", topic=topic, names=", ".join(names), n=len(names))))
    return ScoredWork(digest, _kept(findings, means, report, pack_rankings(findings["rankings"])))


def _elsewhere(work: Work) -> list[dict[str, Any]]:
    """Return the collections that a run seems to be of, where it is not this one."""
    assert work.judgements is not None
    fits, seconds = queries.recognize(bytes(work.content))
    _charge(Upload.objects.filter(work=work), seconds)
    if any(fit.collection.pk == work.judgements.collection_id for fit in fits):
        return []
    return [
        {"slug": fit.collection.slug, "name": fit.collection.name, "n_topics": fit.n_topics, "n_shared": fit.n_shared}
        for fit in fits
    ]


def _report_of_table(dropped: Sequence[str]) -> dict[str, Any]:
    """Report the topics of a table that have blank cells: means over different topics are not compared."""
    if not dropped:
        return {}
    rest = f" and {len(dropped) - MOST_NAMED:,} more" if len(dropped) > MOST_NAMED else ""
    policy = "Means are without them: means over different topics are not compared. Executions are compared with them."
    where = ", ".join(dropped[:MOST_NAMED]) + rest
    line = ReportLine("Topics with a blank cell", len(dropped), policy, where)
    return {"remarks": [asdict(line)], "left_out": list(dropped)}


def _charge(uploads: QuerySet[Upload], seconds: float) -> None:
    """Charge the visitor who sent it first, if one did."""
    charge_visitor(uploads.order_by("created_at").values_list("visitor", flat=True).first() or "", seconds)


def _answered(work: Work, judgements: Judgements, findings: dict[str, Any], means: dict[str, float]) -> ScoredWork:
    """Return one mean at two decimals, or a refusal: either tells something, and is counted."""
    refusal = why_no_run(findings["report"])
    owner = work.uploads.order_by("created_at").values_list("owner_id", flat=True).first()
    answer = Answer(judgements=judgements, user_id=owner, is_refused=bool(refusal))
    if refusal:
        logger.warning("user %s: judgements %s were asked with what is no run", owner, judgements.pk)
        return ScoredWork(work.digest, _refused(refusal), answer)
    rounded = {name: round(mean, DECIMALS) for name, mean in means.items()}
    report = {name: findings["report"][name] for name in _REPORTED_OF_SEALED}
    return ScoredWork(work.digest, _kept(findings | {"scores": {}}, rounded, report), answer)


def why_no_run(report: Mapping[str, Any]) -> str:
    """Return why sealed judgements refuse a run, by the rule and without a count; blank where they don't."""
    if report["n_missing"] > LEFT_OUT * report["n_judged_topics"]:
        return "It leaves out more than one in ten topics. Sealed judgements take whole runs only."
    n_answered = report["n_judged_topics"] - report["n_missing"]
    is_judged = report["n_judged_at_top"] >= JUDGED * report["n_top"]
    if is_judged and report["n_hardly_judged"] <= HARDLY * n_answered:
        return ""
    return (
        f"Too few of its top documents are judged. Sealed judgements need {JUDGED:.0%} of the first twenty judged over "
        f"all topics, and {HARDLY_JUDGED:.0%} on {1 - HARDLY:.0%} of topics. We don't say which are judged."
    )


def save_score(scored: ScoredWork | None) -> None:
    """Keep the findings in place of what was sent; nothing of sealed judgements where no answer is left."""
    if scored is None:
        return
    fields, answer = scored.fields, scored.answer
    if answer:
        # Whoever else counts now waits here.
        collection = Collection.objects.select_for_update().get(judgements=answer.judgements)
        if not queries.answers_left(collection):
            fields, answer = _refused(_NONE_LEFT, is_passing=True), None
    n_kept = Work.objects.filter(pk=scored.digest, state=Work.State.WAITING).update(content=b"", **fields)
    if answer and n_kept:
        answer.save()
    sent = Upload.objects.filter(work=scored.digest, own_collection__isnull=False)
    for upload in sent.select_related("own_collection"):
        assert upload.own_collection is not None
        study_own_boards(upload)
        ask_for_missing_scores(upload.own_collection.measures.all(), [upload])


def _refused(message: str, *, is_passing: bool = False) -> dict[str, Any]:
    return {"state": Work.State.REFUSED, "refusal": message, "is_passing": is_passing}


def _kept(
    findings: dict[str, Any], means: dict[str, float], report: Mapping[str, Any], rankings: bytes = b""
) -> dict[str, Any]:
    return {
        "state": Work.State.DONE,
        "means": means,
        "report": report,
        "head": "".join(findings.get("head", [])),
        "scores": pack_scores(findings["topics"], findings["scores"]) if findings["scores"] else b"",
        "rankings": rankings,
    }


#: A measure, and the findings on each run that lacked it, by the key of its work.
ScoredAgain = tuple[OwnMeasure, dict[str, dict[str, Any]]]


def ask_for_missing_scores(measures: Iterable[OwnMeasure], sent: Sequence[Upload]) -> None:
    """Have a worker score the runs that were scored before a measure was there."""
    lacking = [measure.pk for measure in measures if queries.without_measure(measure, sent)]
    if lacking:
        enqueue_jobs(kind=queries.SCORE_AGAIN, args=[{"measure_id": pk} for pk in lacking])


def score_again(measure_id: int) -> ScoredAgain | None:
    """Score the runs that lack the measure; None where nobody wants that any more."""
    measure = OwnMeasure.objects.select_related("collection").filter(pk=measure_id).first()
    if measure is None:
        return None
    wanted = OwnMeasure.objects.filter(pk=measure_id)
    lacking = {run.work_id for run in queries.without_measure(measure, queries.sent_to_own(measure.collection))}
    findings = {}
    for work in Work.objects.select_related("judgements").filter(pk__in=lacking).exclude(rankings=b""):
        assert work.judgements is not None
        lines = "".join(_lines(work)).encode()
        order = Order("run", lines, {measure.name: measure.ir_measures}, queries.lines_of(work.judgements))
        try:
            findings[work.pk] = do_in_child(order, is_wanted=wanted.exists)
        except Stopped:
            return None
        except Unreadable:
            # It stays as it is, and the page of the collection says that it lacks the measure.
            continue
    return measure, findings


def _lines(work: Work) -> Iterator[str]:
    """Yield the lines of a run with its documents in the order in which they were ranked."""
    for topic, text in unpack_rankings(bytes(work.rankings)).items():
        documents = text.split()
        for rank, document in enumerate(documents, 1):
            yield f"{topic} Q0 {document} {rank} {len(documents) - rank} again\n"


def save_again(scored: ScoredAgain | None) -> None:
    """Add the scores to those that there were; the other findings on a run stay.

    Work on judgements of somebody's own collection is of runs that were sent to it alone.
    """
    measure, findings = scored or (None, {})
    if measure is None or not findings:
        return
    # Whoever adds scores under another measure meanwhile waits here.
    OwnCollection.objects.select_for_update().filter(pk=measure.collection_id).first()
    for work in Work.objects.filter(pk__in=findings):
        if measure.name not in work.means:
            _add(work, measure, findings[work.pk])
    study_own_board(measure)


def _add(work: Work, measure: OwnMeasure, findings: dict[str, Any]) -> None:
    table, values = unpack_scores(bytes(work.scores)), findings["scores"][measure.name]
    own = dict(zip(findings["topics"], values, strict=True))
    scores = table.scores | {measure.name: [own[topic] for topic in table.topics]}
    work.measures |= {measure.name: measure.ir_measures}
    work.means |= {measure.name: sum(own.values()) / len(own)}
    work.report["precision"] = work.report.get("precision", {}) | findings["precision"]
    work.scores = pack_scores(table.topics, scores)
    work.save(update_fields=["measures", "means", "report", "scores"])


@transaction.atomic
def record_recomputed(*, upload: Upload, actor: User | None = None) -> Result:
    """Put the run's topic scores behind the claimed result, and return that.

    Raise ``ValidationError`` if the mean is not the printed one, the topics are others than those on record, or the
    account has changed as much as it may.
    """
    assert upload.claimed is not None
    if actor and not room_left(actor):
        message = f"An account changes {MOST_CHANGES} results within an hour here; go on later."
        raise ValidationError(message, code="too_many")
    result = Result.objects.select_for_update().get(pk=upload.claimed.pk)
    agreement = queries.agreement_of(upload)
    if agreement is None or not agreement.is_same:
        raise ValidationError("The mean of the run is not the reported score.", code="differs")
    table = unpack_scores(bytes(upload.work.scores))
    scores = dict(zip(table.topics, table.scores[result.leaderboard.measure.name], strict=True))
    collection = Collection.objects.select_for_update().get(pk=result.leaderboard.collection_id)
    topics = list(Topic.objects.filter(collection=collection).values_list("label", flat=True))
    if not topics:
        topics = table.topics
        Topic.objects.bulk_create(
            Topic(collection=collection, position=place, label=label) for place, label in enumerate(topics)
        )
    if set(topics) != set(scores):
        raise ValidationError("The judgements have other topics than those on record.", code="topics")
    reason, changes = "recomputed from its run", {"provenance": Result.Provenance.RECOMPUTED.value}
    recorded = replace_result(result=result, changes=changes, actor=actor, reason=reason)
    change = Change(actor, reason)
    change.put_topic_scores({recorded.pk: [scores[topic] for topic in topics]})
    change.tell()
    Upload.objects.filter(claimed=result).update(claimed=recorded)
    return recorded
