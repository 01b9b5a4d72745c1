"""Reading the journal."""

from pathlib import Path

from django.db.models import Max

from registry.core.loading import digest_of
from registry.journal.models import Entry


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


def last_entry_id() -> int:
    """The id of the latest entry, 0 without any: it changes whenever the public record does."""
    return Entry.objects.aggregate(last=Max("pk"))["last"] or 0


def last_entry_about(subject_type: str, subject_id: str) -> int:
    """The id of the latest entry about one thing, 0 without any."""
    entries = Entry.objects.filter(subject_type=subject_type, subject_id=subject_id)
    return entries.aggregate(last=Max("pk"))["last"] or 0
