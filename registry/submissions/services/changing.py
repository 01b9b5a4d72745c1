"""Changing a submission: only in the version that the change was made on, and only in a state that allows it.

And keeping what the check of rows found.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import F

from registry.accounts.models import User
from registry.core.bulk import update_rows
from registry.core.listing import in_words
from registry.core.messages import say
from registry.journal.models import Entry
from registry.journal.services import record
from registry.submissions.models import Signal, Submission, SubmittedRow
from registry.submissions.pipeline.checking import check_rows
from registry.submissions.queries import changes_since


class Conflict(Exception):
    """Somebody changed the submission since the version that this change was made on; nothing was done.

    ``changes`` says, in words, who did what meanwhile.
    """

    def __init__(self, submission: Submission, changes: list[str], message: str = "") -> None:
        meanwhile = say("changed-meanwhile", changes=in_words(changes) or say("see-state"))
        super().__init__(message or meanwhile)
        self.submission = submission
        self.changes = changes


def conflict(current: Submission, version: int) -> Conflict:
    """Return what was done to the submission since this version, or that it never was in it."""
    if version > current.version:
        return Conflict(current, [], say("no-version", version=version, current=current.version))
    return Conflict(current, changes_since(current, version))


class WrongState(Exception):
    """The submission is in a state that does not allow this; nothing was done."""

    def __init__(self, submission: Submission, wanted: str) -> None:
        super().__init__(say("wrong-state", state=submission.get_state_display(), wanted=wanted))
        self.submission = submission


def advance(submission: Submission, *, version: int, states: Iterable[str], wanted: str, **changes: Any) -> Submission:
    """The submission one version further, with these changes; call it first in the transaction of the whole change.

    Raises
    ------
    Conflict
        If it is not in this version any more.
    WrongState
        If it is in none of these states: it cannot be ``wanted``.
    """
    states = list(states)
    mine = Submission.objects.filter(pk=submission.pk, version=version, state__in=states)
    if not mine.update(version=F("version") + 1, **changes):
        current = Submission.objects.filter(pk=submission.pk).first()
        if current is None:
            raise Conflict(submission, ["it was deleted"])
        if current.version != version:
            raise conflict(current, version)
        raise WrongState(current, wanted)
    return Submission.objects.select_related("contributor").get(pk=submission.pk)


def journal(submission: Submission, action: str, *, actor: User | None, reason: str = "", **facts: Any) -> Entry:
    """The journal entry of a change: ``facts`` with ``before`` and ``after``, and the version that it led to."""
    after = {"version": submission.version, **facts.get("after", {})}
    return record(
        action=f"submissions.{action}",
        subject=submission,
        actor=actor,
        reason=reason,
        before=facts.get("before"),
        after=after,
    )


_FOUND = ("outcome", "rejections", "collection_id", "key", "existing_id", "content")
_BATCH = 200


@contextmanager
def checking_all(submission: Submission, rows: Sequence[SubmittedRow], **step: Any) -> Iterator[Submission]:
    """The submission one step further (``advance``), to be changed in its transaction: all rows are checked before it,
    and what was found of them is kept at its end."""
    check_rows(rows, submission)
    with transaction.atomic():
        submission = advance(submission, **step)
        yield submission
        save_findings(submission, rows)


def save_findings(submission: Submission, checked: Iterable[SubmittedRow]) -> None:
    """Store what the check found of the rows of which it found something else before."""
    by_line = {row.line: row for row in checked}
    stored = [row for row in submission.rows.all() if row.line in by_line]
    changed = [(row.pk, by_line[row.line]) for row in stored if _found(row) != _found(by_line[row.line])]
    update_rows(SubmittedRow, _FOUND, [(pk, *_found(row)) for pk, row in changed])
    known = defaultdict(set)
    for row_id, *told in Signal.objects.filter(row__submission=submission).values_list(
        "row_id", "code", "severity", "message"
    ):
        known[row_id].add(tuple(told))
    warned = [row for row in stored if known[row.pk] != {one.told for one in by_line[row.line].found}]
    Signal.objects.filter(row__in=[row.pk for row in warned if known[row.pk]]).delete()
    save_signals((row.pk, by_line[row.line]) for row in warned)


def save_signals(rows: Iterable[tuple[int, SubmittedRow]]) -> None:
    """Store the signals of checked rows, given with their keys, that have none yet."""
    signals = []
    for pk, row in rows:
        for one in row.found:
            one.row_id = pk
            signals.append(one)
    Signal.objects.bulk_create(signals, batch_size=_BATCH)


def _found(row: SubmittedRow) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in _FOUND)
