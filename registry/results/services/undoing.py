"""Undoing, in one action, everything that one journal entry did to results."""

from collections.abc import Collection
from typing import Any

from django.core.exceptions import ValidationError

from registry.accounts.models import User
from registry.journal.models import Entry
from registry.journal.services import record
from registry.results.models import Paper, Result, System
from registry.results.queries import MERGE_UNDONE, confirmed_since
from registry.results.services.endings import (
    Cause,
    Superseded,
    Withdrawn,
    changing_the_record,
    copy_of,
    require_confirmation,
    require_no_replicates,
)

BATCH_UNDONE = "results.batch.undone"


def undo_batch(*, entry: Entry, actor: User | None, reason: str, confirmed_rows: int | None = None) -> Entry:
    """Withdraw what the entry added and restore what it superseded or withdrew; return the journal entry of undoing.

    Nothing is edited in place: what is restored is a copy, recorded now. What was superseded or withdrawn after the
    entry is left alone; a result that people only confirmed since is undone all the same.

    Raise ``ValidationError`` without a reason, with nothing left to undo, or if results of other entries are replicates
    of its results; ``MassChange`` if it changes many results, and ``confirmed_rows`` is not their number.
    """
    with changing_the_record(actor=actor, reason=reason) as change:
        if entry.action.endswith(MERGE_UNDONE):
            raise ValidationError("this undid a merge; merge the two again", code="nothing")
        confirmed = confirmed_since(entry)
        standing = _standing(recorded_by=entry) | _standing(pk__in=confirmed)
        missing = withdrawn_by(entry)
        if not standing and not missing:
            raise ValidationError("nothing of it is left to undo", code="nothing")
        require_no_replicates(standing)
        require_confirmation(actor=actor, n_rows=len(standing), confirmed_rows=confirmed_rows)
        before = {old.superseded_by_id: old for old in Result.objects.filter(superseded_by__recorded_by=entry)}
        restored = {pk: before[first] for pk in standing if (first := confirmed.get(pk, pk)) in before}
        _require_names([*restored.values(), *missing])
        undone = record(
            action=BATCH_UNDONE,
            subject=entry,
            actor=actor,
            reason=change.reason,
            before={"action": entry.action, "subject": f"{entry.subject_type} {entry.subject_id}"},
            after={"withdrawn": len(standing) - len(restored), "restored": len(restored) + len(missing)},
        )
        own = {"recorded_by_id": undone.pk, "recorded_at": change.moment}
        causes: dict[int, Cause] = dict.fromkeys(standing, Withdrawn(undone))
        causes |= {pk: Superseded(copy_of(old, **own)) for pk, old in restored.items()}
        change.end(causes)
        change.record_again({old.pk: copy_of(old, **own) for old in missing})
    return undone


def n_undoable(entry: Entry) -> int:
    """Return how many results undoing the entry would change."""
    if entry.action.endswith(MERGE_UNDONE):
        return 0
    return entry.recorded_results.standing().count() + len(confirmed_since(entry)) + len(withdrawn_by(entry))


def _standing(**which: Any) -> dict[int, Result]:
    return {result.pk: result for result in Result.objects.standing().filter(**which).select_for_update()}


def withdrawn_by(entry: Entry) -> list[Result]:
    """Return the results that the entry withdrew and that neither stand again nor have come back since.

    Where one came back and ended again, the entry that ended it again is the one to undo.
    """
    withdrawn = entry.ended_results.filter(ending=Result.Ending.WITHDRAWN)
    keys = ("leaderboard_id", "system_id", "paper_id", "source")
    of_these = Result.objects.filter(
        leaderboard__in=withdrawn.values("leaderboard"), system__in=withdrawn.values("system")
    )
    standing = set(of_these.standing().values_list(*keys))
    since = set(of_these.filter(recorded_by__gt=entry).exclude(ended_by=entry).values_list(*keys, "printed", "unit"))
    return [
        result
        for result in withdrawn
        if (key := tuple(getattr(result, name) for name in keys)) not in standing
        and (*key, result.printed, result.unit) not in since
    ]


def _require_names(results: Collection[Result]) -> None:
    """Refuse to restore results under names that lead to others."""
    systems = System.objects.filter(pk__in={result.system_id for result in results}, merged_into__isnull=False)
    papers = Paper.objects.filter(pk__in={result.paper_id for result in results}, merged_into__isnull=False)
    names: list[System | Paper] = [*systems[:1], *papers[:1]]
    for merged in names:
        message = f"{merged} was merged into {merged.merged_into} since; undo that first, from its entry in the log"
        raise ValidationError(message, code="merged")
