"""Taking back, in one action, everything that one journal entry did to results."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from registry.accounts.models import User
from registry.catalog.services import mark_leaderboards_changed
from registry.journal.models import Entry
from registry.journal.services import record
from registry.results.models import Paper, Result, System
from registry.results.queries import MERGE_UNDONE, confirmed_since
from registry.results.services.endings import required_reason
from registry.results.services.mass_changes import require_confirmation
from registry.results.services.superseding import copy_of, copy_topic_scores, supersede

BATCH_UNDONE = "results.batch.undone"


@transaction.atomic
def undo_batch(*, entry: Entry, actor: User | None, reason: str, confirmed_rows: int | None = None) -> Entry:
    """The journal entry of undoing: what the entry added is withdrawn, what it superseded or withdrew stands again.

    Nothing is edited in place: what stands again is a copy, recorded now. What was superseded or withdrawn after the
    entry is left alone; that somebody confirmed a result since does not keep it.

    Raises
    ------
    ValidationError
        Without a reason, where there is nothing left to undo, or where results outside of it are replicates of its
        results.
    MassChange
        If it is much, and ``confirmed_rows`` does not say how much (see ``mass_changes``).
    """
    reason = required_reason(reason)
    if entry.action.endswith(MERGE_UNDONE):
        raise ValidationError("this undid a merge; merge the two again", code="nothing")
    confirmed = confirmed_since(entry)
    recorded, later = _standing(recorded_by=entry), _standing(pk__in=confirmed)
    standing = recorded | later
    missing = withdrawn_by(entry)
    if not standing and not missing:
        raise ValidationError("nothing of it is left to undo", code="nothing")
    _require_no_replicates(entry, later)
    require_confirmation(actor=actor, n_rows=len(standing), confirmed_rows=confirmed_rows)
    before = {old.superseded_by_id: old for old in Result.objects.filter(superseded_by__recorded_by=entry)}
    first = {pk: confirmed.get(pk, pk) for pk in standing}
    restored = {pk: copy_of(before[first[pk]]) for pk in standing if first[pk] in before}
    _require_names(restored.values())
    undone = record(
        action=BATCH_UNDONE,
        subject_type="entry",
        subject_id=entry.pk,
        actor=actor,
        reason=reason,
        before={"action": entry.action, "subject": f"{entry.subject_type} {entry.subject_id}"},
        after={"withdrawn": len(standing) - len(restored), "restored": len(restored) + len(missing)},
    )
    moment = timezone.now()
    for copy in restored.values():
        copy.recorded_by, copy.recorded_at = undone, moment
    supersede(restored, actor=actor, reason=reason, moment=moment)
    for added in (Result.objects.filter(recorded_by=entry), Result.objects.filter(pk__in=later)):
        added.standing().update(ended_at=moment, ended_by=undone, ending=Result.Ending.WITHDRAWN)
    _record_again(missing, undone, moment)
    mark_leaderboards_changed(leaderboard_ids={result.leaderboard_id for result in (*standing.values(), *missing)})
    return undone


def n_undoable(entry: Entry) -> int:
    """How many results undoing the entry would change."""
    if entry.action.endswith(MERGE_UNDONE):
        return 0
    return entry.recorded_results.standing().count() + len(confirmed_since(entry)) + len(withdrawn_by(entry))


def _standing(**which: Any) -> dict[int, Result]:
    return {result.pk: result for result in Result.objects.standing().filter(**which).select_for_update()}


def withdrawn_by(entry: Entry) -> list[Result]:
    """The results that the entry withdrew, and in the place of which nothing stands by now."""
    withdrawn = entry.ended_results.filter(ending=Result.Ending.WITHDRAWN)
    keys = ("leaderboard_id", "system_id", "paper_id", "source")
    standing = set(
        Result.objects.standing()
        .filter(leaderboard__in=withdrawn.values("leaderboard"), system__in=withdrawn.values("system"))
        .values_list(*keys)
    )
    return [one for one in withdrawn if tuple(getattr(one, key) for key in keys) not in standing]


def _require_names(results: Collection[Result]) -> None:
    """Refuse to have results stand under names that lead to others."""
    systems = System.objects.filter(pk__in={one.system_id for one in results}, merged_into__isnull=False)
    papers = Paper.objects.filter(pk__in={one.paper_id for one in results}, merged_into__isnull=False)
    names: list[System | Paper] = [*systems[:1], *papers[:1]]
    for merged in names:
        message = f"{merged} was merged into {merged.merged_into} since; undo that first, from its entry in the log"
        raise ValidationError(message, code="merged")


def _require_no_replicates(entry: Entry, later: Collection[int]) -> None:
    of_these = Q(replicate_of__recorded_by=entry, replicate_of__ended_at__isnull=True) | Q(replicate_of__in=later)
    replicates = Result.objects.standing().filter(of_these).exclude(recorded_by=entry)
    outside = set(replicates.values_list("pk", flat=True)) - set(later)
    if outside:
        message = f"{len(outside)} replicates stand on these results; withdraw them first"
        raise ValidationError(message, code="replicates")


def _record_again(missing: list[Result], undone: Entry, moment: datetime) -> None:
    """Record copies of results that were withdrawn; replicates behind what they are replicates of."""
    copies = {old.pk: copy_of(old, recorded_at=moment) for old in missing}
    for copy in copies.values():
        copy.recorded_by = undone
    Result.objects.bulk_create(copy for copy in copies.values() if not copy.replicate_of_id)
    replicates = [copy for copy in copies.values() if copy.replicate_of_id]
    for replicate in replicates:
        if replicate.replicate_of_id in copies:
            replicate.replicate_of = copies[replicate.replicate_of_id]
    Result.objects.bulk_create(replicates)
    copy_topic_scores(copies)
