"""Taking back, in one action, everything that one journal entry recorded."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.catalog.services import mark_leaderboards_changed
from registry.journal.models import Entry
from registry.journal.services import record
from registry.results.models import Result
from registry.results.services.mass_changes import require_confirmation
from registry.results.services.superseding import supersede

BATCH_UNDONE = "results.batch.undone"


@transaction.atomic
def undo_batch(*, entry: Entry, actor: User | None, reason: str, confirmed_rows: int | None = None) -> Entry:
    """The journal entry of undoing: what the batch added is withdrawn, what it superseded stands again.

    Nothing is edited in place: what stands again is a copy, recorded now. What was superseded or withdrawn after the
    batch is left alone.

    Raises
    ------
    ValidationError
        Without a reason, where nothing of the batch stands any more, or where results outside of it are replicates of
        its results.
    MassChange
        If it is much, and ``confirmed_rows`` does not say how much (see ``mass_changes``).
    """
    reason = reason.strip()
    if not reason:
        raise ValidationError("say why: the reason stands in the public journal", code="reason")
    standing = {result.pk: result for result in Result.objects.standing().filter(recorded_by=entry).select_for_update()}
    if not standing:
        raise ValidationError("nothing of it stands any more", code="nothing")
    _require_no_replicates(entry)
    require_confirmation(actor=actor, n_rows=len(standing), confirmed_rows=confirmed_rows)
    before = {old.superseded_by_id: old for old in Result.objects.filter(superseded_by__recorded_by=entry)}
    restored = {pk: _copy(before[pk]) for pk in standing if pk in before}
    undone = record(
        action=BATCH_UNDONE,
        subject_type="entry",
        subject_id=entry.pk,
        actor=actor,
        reason=reason,
        before={"action": entry.action, "subject": f"{entry.subject_type} {entry.subject_id}"},
        after={"withdrawn": len(standing) - len(restored), "restored": len(restored)},
    )
    moment = timezone.now()
    for copy in restored.values():
        copy.recorded_by, copy.recorded_at = undone, moment
    supersede(restored, actor=actor, reason=reason, moment=moment)
    added = Result.objects.standing().filter(recorded_by=entry)
    added.update(ended_at=moment, ended_by=undone, ending=Result.Ending.WITHDRAWN)
    mark_leaderboards_changed(leaderboard_ids={result.leaderboard_id for result in standing.values()})
    return undone


def _require_no_replicates(entry: Entry) -> None:
    outside = Result.objects.standing().filter(replicate_of__recorded_by=entry, replicate_of__ended_at__isnull=True)
    n_outside = outside.exclude(recorded_by=entry).count()
    if n_outside:
        raise ValidationError(f"{n_outside} replicates stand on these results; withdraw them first", code="replicates")


def _copy(old: Result) -> Result:
    """What stood before, as a new row to be saved."""
    fields = [field.attname for field in Result._meta.concrete_fields if not field.primary_key]
    new = Result(**{name: getattr(old, name) for name in fields})
    new.ended_at = new.ended_by_id = new.superseded_by_id = None
    new.ending = ""
    return new
