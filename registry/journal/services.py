"""Writing to the journal: the one way a change is recorded."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db import models

from registry.core.loading import LoadReport
from registry.journal.models import Entry
from registry.journal.queries import go_underway
from registry.journal.sealing import seal_after_commit

if TYPE_CHECKING:
    from registry.accounts.models import User


def record(
    *,
    action: str,
    subject: models.Model | tuple[str, object],
    actor: "User | None" = None,
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> Entry:
    """Return the new entry about a row, or about what is called so; call it in the transaction of the change.

    Without an actor, the site itself acted.
    """
    go_underway()
    kind, key = subject if isinstance(subject, tuple) else (str(subject._meta.model_name), subject.pk)
    entry = Entry.objects.create(
        actor=actor, action=action, subject_type=kind, subject_id=str(key), reason=reason, before=before, after=after
    )
    seal_after_commit()
    return entry


def record_file(report: LoadReport, *, action: str, actor: "User | None", reason: str, **more: Any) -> Entry:
    """Return the new entry of a file that was loaded, with its digest, the counts of its report, and more."""
    counts = {"added": report.added, "changed": report.superseded, "unchanged": report.unchanged}
    after = {"digest": report.digest, **counts, **more}
    return record(action=action, subject=("file", report.label), actor=actor, reason=reason, after=after)


def record_many(entries: Iterable[dict[str, Any]], *, actor: "User | None" = None, reason: str = "") -> list[Entry]:
    """Return one new entry for each, in the same order: the fields of the entry other than actor and reason."""
    go_underway()
    written = Entry.objects.bulk_create(
        Entry(actor=actor, reason=reason, **fields | {"subject_id": str(fields["subject_id"])}) for fields in entries
    )
    seal_after_commit()
    return written
