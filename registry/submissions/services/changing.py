"""Changing a submission: only in the version that the change was made on, and only in a state that allows it."""

from collections.abc import Iterable
from typing import Any

from django.db.models import F

from registry.accounts.models import User
from registry.core.listing import in_words
from registry.journal.models import Entry
from registry.journal.services import record
from registry.submissions.models import Submission
from registry.submissions.queries.changes import SUBJECT, changes_since


class Conflict(Exception):
    """Somebody changed the submission since the version that this change was made on; nothing was done.

    ``changes`` says, in words, who did what meanwhile.
    """

    def __init__(self, submission: Submission, changes: list[str], message: str = "") -> None:
        meanwhile = f"Somebody changed this meanwhile: {in_words(changes) or 'see its present state'}."
        super().__init__(message or meanwhile)
        self.submission = submission
        self.changes = changes


def conflict(current: Submission, version: int) -> Conflict:
    """What was done to the submission since this version, or that it never was in it."""
    if version > current.version:
        return Conflict(current, [], f"There is no version {version} of this; the present one is {current.version}.")
    return Conflict(current, changes_since(current, version))


class WrongState(Exception):
    """The submission is in a state that does not allow this; nothing was done."""

    def __init__(self, submission: Submission, wanted: str) -> None:
        super().__init__(f"This submission is {submission.get_state_display()} and cannot be {wanted}.")
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
        subject_type=SUBJECT,
        subject_id=submission.pk,
        actor=actor,
        reason=reason,
        before=facts.get("before"),
        after=after,
    )
