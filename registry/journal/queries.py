"""Reading the journal."""

from collections.abc import Collection
from pathlib import Path

from registry.core.loading import digest_of
from registry.journal.models import Entry
from registry.journal.underway import Underway


def loaded_digests(action: str) -> dict[str, str]:
    """The digest of every file at its last load with this action, by the file's label; none where rows were refused."""
    entries = Entry.objects.filter(action=action, subject_type="file").order_by("pk").values_list("subject_id", "after")
    return {label: "" if after.get("refused") else after.get("digest", "") for label, after in entries if after}


def last_digest(action: str, label: str) -> str:
    """The digest of one file at its last load with this action; blank where there was none or rows were refused."""
    entries = Entry.objects.filter(action=action, subject_type="file", subject_id=label).order_by("-pk")
    after = entries.values_list("after", flat=True).first() or {}
    return "" if after.get("refused") else after.get("digest", "")


def is_to_load(path: Path, action: str) -> bool:
    """Whether the file is there, and was not loaded with this action as it is."""
    return path.exists() and last_digest(action, path.name) != digest_of(path)


def journal_version(subject_types: Collection[str] = ()) -> str:
    """A text that changes whenever the public record does, or what it says of these types of subjects."""
    entries = Entry.objects.filter(subject_type__in=subject_types) if subject_types else Entry.objects
    return str(entries.order_by("-pk").values_list("pk", Underway()).first())
