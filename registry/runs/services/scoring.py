"""Scoring what was handed in: a worker's step in a child, and what of it is kept."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from registry.runs.models import Judgements, Probe, Upload, Work
from registry.runs.pipeline.packing import pack_rankings, pack_scores
from registry.runs.pipeline.reading import Unreadable
from registry.runs.pipeline.spawning import Order, Stopped, do_in_child
from registry.runs.queries import lines_of

logger = logging.getLogger(__name__)

#: Runs of one person whose top documents are so much the same, within so long, are alike; so many are scored.
ALIKE = 0.8
MOST_ALIKE = 3
ALIKE_WITHIN = timedelta(days=7)
#: The share of topics that a run may leave out: the mean of one that answers a single topic would be its score.
LEFT_OUT = 0.1
#: What is said of a run scored against sealed judgements: nothing that tells which documents or topics are judged.
_SAID_OF_SEALED = ("tag", "n_lines", "n_topics", "n_documents", "tied", "n_tied", "disordered", "n_disordered")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is to be kept of a piece of work; ``probe`` where it was scored against sealed judgements."""

    digest: str
    fields: dict[str, Any]
    probe: Probe | None = None


def score(digest: str) -> Outcome | None:
    """Score a run, or read a table of topic scores; None where nobody wants it any more."""
    work = Work.objects.select_related("judgements").filter(pk=digest, state=Work.State.WAITING).first()
    if work is None:
        return None
    judgements = work.judgements
    order = Order(work.kind, bytes(work.content), work.measures, lines_of(judgements) if judgements else b"")
    uploads = Upload.objects.filter(work=digest)
    try:
        found = do_in_child(
            order,
            tell=lambda done: uploads.filter(n_done__lt=done).update(n_done=done),
            is_wanted=uploads.exists,
        )
    except Stopped:
        return None
    except Unreadable as refused:
        return _refused(digest, str(refused))
    if judgements and judgements.is_sealed and found["report"]["n_missing"] > LEFT_OUT * judgements.n_topics:
        return _refused(digest, "It leaves out more than one in ten topics. Sealed judgements take whole runs only.")
    if judgements is None:
        return _kept(digest, found, {name: sum(one) / len(one) for name, one in found["scores"].items()}, {})
    probe = _probe(work, judgements, found["sketch"]) if judgements.is_sealed else None
    if probe and probe.n_alike >= MOST_ALIKE:
        logger.warning("user %s probes judgements %s: %s alike", probe.user_id, judgements.pk, probe.n_alike)
        message = (
            f"It is nearly the same as {probe.n_alike} runs that you had scored here within a week. These judgements "
            "are sealed, and the scores of many small changes would tell them. Try again in some days."
        )
        return _refused(digest, message, probe)
    means = {name: sum(one) / len(one) for name, one in found["scores"].items()}
    if judgements.is_sealed:
        means = {name: round(mean, judgements.decimals) for name, mean in means.items()}
    said = _SAID_OF_SEALED if judgements.is_sealed else found["report"].keys()
    report = {name: found["report"][name] for name in said}
    return _kept(digest, found, means, report, probe, gives_topics=judgements.gives_topic_scores)


def save_score(outcome: Outcome | None) -> None:
    """Keep what was found, in place of what was sent."""
    if outcome is None:
        return
    Work.objects.filter(pk=outcome.digest, state=Work.State.WAITING).update(content=b"", **outcome.fields)
    if outcome.probe:
        outcome.probe.save()


def _refused(digest: str, message: str, probe: Probe | None = None) -> Outcome:
    return Outcome(digest, {"state": Work.State.REFUSED, "refusal": message}, probe)


def _kept(
    digest: str,
    found: dict[str, Any],
    means: dict[str, float],
    report: dict[str, Any],
    probe: Probe | None = None,
    *,
    gives_topics: bool = True,
) -> Outcome:
    fields = {
        "state": Work.State.DONE,
        "means": means,
        "report": report,
        "head": "".join(found.get("head", [])),
        "scores": pack_scores(found["topics"], found["scores"]) if gives_topics else b"",
        "rankings": b"" if probe else pack_rankings(found.get("rankings", {})),
    }
    return Outcome(digest, fields, probe)


def _probe(work: Work, judgements: Judgements, sketch: list[int]) -> Probe:
    """What the run has at its top, beside what the same person had scored before."""
    user = work.uploads.order_by("created_at").values_list("owner_id", flat=True)[0]
    since = timezone.now() - ALIKE_WITHIN
    earlier = Probe.objects.filter(user=user, judgements=judgements, created_at__gte=since)
    n_alike = sum(resemblance(sketch, one) >= ALIKE for one in earlier.values_list("sketch", flat=True))
    return Probe(user_id=user, judgements=judgements, sketch=sketch, n_alike=n_alike)


def resemblance(one: list[int], other: list[int]) -> float:
    """The share of what either holds that both hold, from 0 to 1, as their smallest hashes tell it (Broder 1997)."""
    smallest = sorted({*one, *other})[: max(len(one), len(other))]
    shared = set(one) & set(other)
    return sum(value in shared for value in smallest) / len(smallest) if smallest else 1.0
