"""Writing to the journal: the one way a change is recorded."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from registry.journal.models import Entry

if TYPE_CHECKING:
    from registry.accounts.models import User


def record(
    *,
    action: str,
    subject_type: str,
    subject_id: object,
    actor: "User | None" = None,
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> Entry:
    """The new entry; call it in the transaction of the change it records. Without an actor, the site itself acted."""
    return Entry.objects.create(
        actor=actor,
        action=action,
        subject_type=subject_type,
        subject_id=str(subject_id),
        reason=reason,
        before=before,
        after=after,
    )


def record_many(entries: Iterable[dict[str, Any]], *, actor: "User | None" = None, reason: str = "") -> list[Entry]:
    """One entry for each, in the same order: the fields of ``record`` other than actor and reason."""
    return Entry.objects.bulk_create(
        Entry(actor=actor, reason=reason, **fields | {"subject_id": str(fields["subject_id"])}) for fields in entries
    )
