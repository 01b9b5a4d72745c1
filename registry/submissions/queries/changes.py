"""What was done with a submission."""

from analysis.readers.columns import COLUMNS, FORMER_COLUMNS
from analysis.readers.text import shorten
from registry.journal.models import Entry
from registry.submissions.models import Submission

SUBJECT = "submission"
PUBLISHED = "submissions.submission.published"


def entries_of(submission: Submission) -> list[Entry]:
    """What was done with the submission, the oldest first."""
    entries = Entry.objects.filter(subject_type=SUBJECT, subject_id=str(submission.pk))
    return list(entries.select_related("actor").order_by("pk"))


def published_entry(submission: Submission) -> Entry | None:
    """The entry of the public log with everything that the submission put on the record; None before that."""
    return Entry.objects.filter(subject_type=SUBJECT, subject_id=str(submission.pk), action=PUBLISHED).first()


def changes_since(submission: Submission, version: int) -> list[str]:
    """Who did what to the submission since it was in this version, in words."""
    entries = entries_of(submission)
    known = [n for n, entry in enumerate(entries) if 0 < (entry.after or {}).get("version", 0) <= version]
    return [_in_words(entry) for entry in entries[max(known, default=-1) + 1 :]]


def _in_words(entry: Entry) -> str:
    details = details_of(entry)
    return f"{entry.actor_name}: {what_was_done(entry)}" + (f" ({details})" if details else "")


def what_was_done(entry: Entry) -> str:
    """What an entry is about: submission returned, row changed 3."""
    what = entry.action.removeprefix("submissions.").replace(".", " ").replace("_", " ")
    line = (entry.after or {}).get("line")
    return f"{what} {line}" if line else what


def details_of(entry: Entry) -> str:
    """What stood in the first cells of a row that were changed, and what stands there now; else blank.

    First by the order of columns in a file: PostgreSQL keeps no order of keys.
    """
    if not (entry.after or {}).get("line"):
        return ""
    before, after = ((facts or {}).get("cells") or {} for facts in (entry.before, entry.after))
    changed = [column for column in (*COLUMNS, *FORMER_COLUMNS) if before.get(column) != after.get(column)]
    return ", ".join(
        f"{column} {shorten(after.get(column, ''))!r} in place of {shorten(before.get(column, ''))!r}"
        for column in changed[:3]
    )
