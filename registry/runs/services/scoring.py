"""Scoring what was handed in: a worker's step in a child, and what of it is kept."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import QuerySet

from registry.catalog.models import Collection
from registry.runs.limits import charge_visitor
from registry.runs.models import Answer, Judgements, Upload, Work
from registry.runs.pipeline.packing import pack_rankings, pack_scores
from registry.runs.pipeline.reading import Exhausted, ReportLine, Unreadable
from registry.runs.pipeline.scoring import HARDLY_JUDGED, MOST_NAMED
from registry.runs.pipeline.sealing import DECIMALS
from registry.runs.pipeline.spawning import Order, Stopped, do_in_child
from registry.runs.queries import answers_left, lines_of
from registry.runs.services.scoring_again import ask_for_missing_scores
from registry.runs.services.studying import study_own_boards

logger = logging.getLogger(__name__)

#: The share of topics that a run may leave out: the mean of one that answers a single topic would be its score.
LEFT_OUT = 0.1
#: Of the first twenty documents of all topics, the share that must be judged; real runs had 0.60 and more.
JUDGED = 0.5
#: The share of topics that may have hardly a judged document there; real runs had 0.08 at most.
HARDLY = 0.2
#: What is said of a run scored against sealed judgements: nothing that tells which documents or topics are judged.
_SAID_OF_SEALED = (
    "tag", "n_lines", "n_topics", "n_documents", "tied", "n_tied", "disordered", "n_disordered", "remarks",
)  # fmt: skip
_NONE_LEFT = "All answers that the sealed judgements of this collection give are used up."


@dataclass(frozen=True, slots=True)
class ScoredWork:
    """What is to be kept of a piece of work; ``answer`` where it was held against sealed judgements."""

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
    lines = lines_of(judgements) if judgements else b""
    order = Order(work.kind, bytes(work.content), work.measures, lines, is_sealed)
    uploads = Upload.objects.filter(work=digest)
    try:
        found = do_in_child(
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
    _charge(uploads, found["seconds"])
    means = {name: sum(one) / len(one) for name, one in found["scores"].items()}
    if judgements is None:
        return ScoredWork(digest, _kept(found, means, _said_of_table(found["dropped"])))
    report = found["report"] | {"precision": found.get("precision", {})}
    if is_sealed:
        return _answered(work, judgements, found, means)
    if report["n_missing"] == report["n_judged_topics"]:
        message = (
            f"None of its topics is judged here; the first of them is {report['foreign'][0][1]!r}. Is it a run on this "
            "collection, and are topics called as its judgements call them?"
        )
        return ScoredWork(digest, _refused(message))
    return ScoredWork(digest, _kept(found, means, report, pack_rankings(found["rankings"])))


def _said_of_table(dropped: Sequence[str]) -> dict[str, Any]:
    """What is said of a table with cells that are blank: means over different topics are not compared."""
    if not dropped:
        return {}
    rest = f" and {len(dropped) - MOST_NAMED:,} more" if len(dropped) > MOST_NAMED else ""
    policy = "They are left out, for every system: means over different topics are not compared."
    where = ", ".join(dropped[:MOST_NAMED]) + rest
    line = ReportLine("Topics with a blank cell", len(dropped), policy, where)
    return {"remarks": [asdict(line)], "left_out": list(dropped)}


def _charge(uploads: QuerySet[Upload], seconds: float) -> None:
    """Take what it cost from the budget of the visitor who sent it first, if one did."""
    charge_visitor(uploads.order_by("created_at").values_list("visitor", flat=True).first() or "", seconds)


def _answered(work: Work, judgements: Judgements, found: dict[str, Any], means: dict[str, float]) -> ScoredWork:
    """One mean at two decimals, or a refusal: either tells something, and is counted."""
    refusal = why_no_run(found["report"])
    owner = work.uploads.order_by("created_at").values_list("owner_id", flat=True).first()
    answer = Answer(judgements=judgements, user_id=owner, is_refused=bool(refusal))
    if refusal:
        logger.warning("user %s: judgements %s were asked with what is no run", owner, judgements.pk)
        return ScoredWork(work.digest, _refused(refusal), answer)
    rounded = {name: round(mean, DECIMALS) for name, mean in means.items()}
    report = {name: found["report"][name] for name in _SAID_OF_SEALED}
    return ScoredWork(work.digest, _kept(found | {"scores": {}}, rounded, report), answer)


def why_no_run(report: Mapping[str, Any]) -> str:
    """Why sealed judgements score no such thing; blank where they do. It says the rule and nothing that was counted."""
    if report["n_missing"] > LEFT_OUT * report["n_judged_topics"]:
        return "It leaves out more than one in ten topics. Sealed judgements take whole runs only."
    n_answered = report["n_judged_topics"] - report["n_missing"]
    is_judged = report["n_judged_at_top"] >= JUDGED * report["n_top"]
    if is_judged and report["n_hardly_judged"] <= HARDLY * n_answered:
        return ""
    return (
        "Too few of the documents at its top are judged. Sealed judgements take a run if of its first twenty documents "
        f"{JUDGED:.0%} are judged over all topics, and {HARDLY_JUDGED:.0%} or more on {1 - HARDLY:.0%} of the topics. "
        "Which ones are is not told."
    )


def save_score(scored: ScoredWork | None) -> None:
    """Keep what was found, in place of what was sent; nothing of sealed judgements where no answer is left."""
    if scored is None:
        return
    fields, answer = scored.fields, scored.answer
    if answer:
        # Whoever else counts now waits here.
        collection = Collection.objects.select_for_update().get(judgements=answer.judgements)
        if not answers_left(collection):
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
    found: dict[str, Any], means: dict[str, float], report: Mapping[str, Any], rankings: bytes = b""
) -> dict[str, Any]:
    return {
        "state": Work.State.DONE,
        "means": means,
        "report": report,
        "head": "".join(found.get("head", [])),
        "scores": pack_scores(found["topics"], found["scores"]) if found["scores"] else b"",
        "rankings": rankings,
    }
