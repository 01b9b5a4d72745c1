"""Putting results in the place of others: what stood is ended and linked, and what hangs on it moves along."""

from datetime import datetime
from typing import Any

from registry.accounts.models import User
from registry.journal.services import record_many
from registry.results.models import CONTENT, EARNED, CorrectionRequest, Result, TopicScores

RESULT_SUPERSEDED = "results.result.superseded"


def copy_of(result: Result, **columns: Any) -> Result:
    """A new row, not saved yet, that says the same but for these columns: nobody recorded it, and nobody ended it."""
    fields = [field.attname for field in Result._meta.concrete_fields if not field.primary_key]
    nobody = {"recorded_by_id": None, "ended_at": None, "ended_by_id": None, "ending": "", "superseded_by_id": None}
    return Result(**{name: getattr(result, name) for name in fields} | nobody | columns)


def supersede(successors: dict[int, Result], *, actor: User | None, reason: str, moment: datetime) -> None:
    """End the results with these ids, each with a journal entry that says what changes, and save what takes their
    place: it inherits their replicates, the open requests to correct them, and, where the value stays the same, their
    per-topic scores."""
    if not successors:
        return
    ended = list(Result.objects.filter(pk__in=successors).order_by("pk"))
    entries = record_many([_change(old, successors[old.pk]) for old in ended], actor=actor, reason=reason)
    for old, entry in zip(ended, entries, strict=True):
        old.ended_at, old.ended_by, old.ending = moment, entry, Result.Ending.SUPERSEDED
        successors[old.pk].recorded_by_id = successors[old.pk].recorded_by_id or entry.pk
        _keep_earned(old, successors[old.pk])
    Result.objects.bulk_update(ended, ["ended_at", "ended_by", "ending"], batch_size=100)
    # Only now: one row alone may stand under a key.
    Result.objects.bulk_create(successors[old.pk] for old in ended)
    for old in ended:
        old.superseded_by = successors[old.pk]
    Result.objects.bulk_update(ended, ["superseded_by"], batch_size=200)
    replicates = list(Result.objects.standing().filter(replicate_of__in=ended))
    for replicate in replicates:
        if replicate.replicate_of_id in successors:
            replicate.replicate_of = successors[replicate.replicate_of_id]
    Result.objects.bulk_update(replicates, ["replicate_of"], batch_size=200)
    for request in CorrectionRequest.objects.open().filter(result__in=ended):
        CorrectionRequest.objects.filter(pk=request.pk).update(result=successors[request.result_id])
    copy_topic_scores(
        {old.pk: successors[old.pk] for old in ended if old.score.says_the_same_as(successors[old.pk].score)}
    )


def copy_topic_scores(copies: dict[int, Result]) -> None:
    """Give each of these results the per-topic scores of the one with the id before it, where that has any."""
    vectors = TopicScores.objects.standing().vectors(copies)
    TopicScores.objects.bulk_create(
        TopicScores(result=copies[pk], scores=scores, recorded_at=copies[pk].recorded_at)
        for pk, scores in vectors.items()
    )


def _keep_earned(old: Result, new: Result) -> None:
    """Let the new row keep what reading the same score a second time has earned the old one; files don't know of it."""
    is_same = old.score.says_the_same_as(new.score)
    if is_same and new.provenance == Result.Provenance.TRANSCRIBED and old.provenance in EARNED:
        new.provenance = old.provenance


def _change(old: Result, new: Result) -> dict[str, Any]:
    differing = [name for name in CONTENT if getattr(old, name) != getattr(new, name)]
    links = ("system_id", "paper_id", "replicate_of_id")
    differing += [name for name in links if getattr(old, name) != getattr(new, name)]
    before, after = ({name: _plain(getattr(row, name)) for name in differing} for row in (old, new))
    return {
        "action": RESULT_SUPERSEDED,
        "subject_type": "result",
        "subject_id": old.pk,
        "before": before,
        "after": after,
    }


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
