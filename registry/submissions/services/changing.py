"""Changing a submission: in the version that the change was made on, in a state that allows it, and once a request.

The findings of a check are stored here, too.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from operator import attrgetter
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone

from registry.accounts.models import User
from registry.core.bulk import update_rows
from registry.core.listing import in_words
from registry.core.messages import say
from registry.core.refusals import DatabaseBusy, outage_of
from registry.journal.models import Entry
from registry.journal.services import record
from registry.submissions.models import IdempotencyKey, Signal, Submission, SubmittedRow
from registry.submissions.pipeline.checking import check_rows
from registry.submissions.queries import changes_since

#: The fields of a submission that nobody has decided on.
UNDECIDED = {"decided_at": None, "decided_by": None, "decision_reason": ""}
_FINDINGS = ("outcome", "rejections", "collection_id", "key", "existing_id", "content")
_BATCH = 200
#: How long a request may be repeated.
KEPT = timedelta(hours=48)
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_WAIT_MILLISECONDS = 5000


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
    """Return the conflict that says what changed since this version, or that there is no such version yet."""
    if version > current.version:
        return Conflict(current, [], say("no-version", version=version, current=current.version))
    return Conflict(current, changes_since(current, version))


class WrongState(Exception):
    """The submission is in a state that does not allow this; nothing was done."""

    def __init__(self, submission: Submission, wanted: str) -> None:
        super().__init__(say("wrong-state", state=submission.get_state_display(), wanted=wanted))
        self.submission = submission


class RowsRefused(Exception):
    """Rows cannot be published as they are; the check of the submission says which and why."""

    def __init__(self, submission: Submission, n_rows: int) -> None:
        super().__init__(say("rows-refused", n=n_rows))
        self.submission = submission
        self.n_rows = n_rows


def advance(submission: Submission, *, version: int, states: Iterable[str], wanted: str, **changes: Any) -> Submission:
    """Return the submission one version further, with these changes; call it first in the transaction of the change.

    Raise ``Conflict`` if it is not in this version any more; ``WrongState`` if it is in none of these states: it cannot
    be ``wanted``.
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
    """Record and return the journal entry of a change: ``facts`` are ``before`` and ``after``; the version is added."""
    after = {"version": submission.version, **facts.get("after", {})}
    return record(
        action=f"submissions.{action}",
        subject=submission,
        actor=actor,
        reason=reason,
        before=facts.get("before"),
        after=after,
    )


@contextmanager
def checking_all(submission: Submission, rows: Sequence[SubmittedRow], **step: Any) -> Iterator[Submission]:
    """Yield the submission one step further (``advance``), inside the transaction of the change.

    All rows are checked before the transaction, and the findings are stored at its end.
    """
    check_rows(rows, submission)
    with transaction.atomic():
        submission = advance(submission, **step)
        yield submission
        save_findings(submission, rows)


def save_findings(submission: Submission, checked: Iterable[SubmittedRow]) -> None:
    """Store the findings of a check that differ from those of the last."""
    by_line = {row.line: row for row in checked}
    stored = [row for row in submission.rows.all() if row.line in by_line]
    findings = attrgetter(*_FINDINGS)
    changed = [(row.pk, by_line[row.line]) for row in stored if findings(row) != findings(by_line[row.line])]
    update_rows(SubmittedRow, _FINDINGS, [(pk, *findings(row)) for pk, row in changed])
    contents: dict[int, set[tuple[str, str, str]]] = defaultdict(set)
    for signal in Signal.objects.filter(row__submission=submission):
        contents[signal.row_id].add(signal.content)
    outdated = [
        row for row in stored if contents[row.pk] != {signal.content for signal in by_line[row.line].found_signals}
    ]
    Signal.objects.filter(row__in=[row.pk for row in outdated if contents[row.pk]]).delete()
    save_signals((row.pk, by_line[row.line]) for row in outdated)


def save_signals(rows: Iterable[tuple[int, SubmittedRow]]) -> None:
    """Store the signals of checked rows that have none stored yet; rows come with their primary keys."""
    signals = []
    for pk, row in rows:
        for signal in row.found_signals:
            signal.row_id = pk
            signals.append(signal)
    Signal.objects.bulk_create(signals, batch_size=_BATCH)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, new or repeated: an HTTP status, and the document of the answer, unless it is gone."""

    status: int
    body: Mapping[str, Any] | None
    is_replayed: bool = False


class KeyRefused(Exception):
    """Nothing was done under this key, which is ``malformed``, ``reused`` for another request or ``in_progress``."""

    def __init__(self, code: str) -> None:
        super().__init__(say(f"key-{code}"))
        self.code = code


def answer_once(*, user: User, key: str, digest: str, act: Callable[[], Answer]) -> Answer:
    """Return the answer of ``act``, or the earlier one where the same request came before under this key.

    Key, effect and answer are committed together: after a crash nothing of them is left, and the request can be sent
    again. The same request waits while the first is being answered. An exception of ``act`` undoes everything, the use
    of the key included.

    Raise ``KeyRefused`` with why nothing was done.
    """
    if not _KEY.fullmatch(key):
        raise KeyRefused("malformed")
    with transaction.atomic():
        stored = _claim(user, key, digest)
        if earlier := _answer_of(stored, digest):
            return earlier
        answer = act()
        IdempotencyKey.objects.filter(pk=stored.pk).update(status=answer.status, body=answer.body)
    return answer


def kept_answer(*, user: User, key: str, digest: str) -> Answer | None:
    """Return the answer to the same request before; None for one that is new, or still being answered.

    It saves the work before ``answer_once`` for a request that came before, and raises as that does.
    """
    if not _KEY.fullmatch(key):
        raise KeyRefused("malformed")
    stored = IdempotencyKey.objects.filter(user=user, key=key, status__isnull=False).first()
    return _answer_of(stored, digest) if stored else None


def _answer_of(stored: IdempotencyKey, digest: str) -> Answer | None:
    """Return the answer to the request of this digest under the key; None while there is none."""
    if stored.digest != digest:
        raise KeyRefused("reused")
    return None if stored.status is None else Answer(stored.status, stored.body, is_replayed=True)


def _claim(user: User, key: str, digest: str) -> IdempotencyKey:
    """Return the row of this key: a new one, or that of an earlier request once it is answered."""
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(f"SET LOCAL lock_timeout = {_WAIT_MILLISECONDS}")
            # Waits for a transaction that is about to commit the same key.
            IdempotencyKey.objects.bulk_create(
                [IdempotencyKey(user=user, key=key, digest=digest)], ignore_conflicts=True
            )
            if connection.vendor == "postgresql":
                # LOCAL holds until the end of the outermost transaction.
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
    except OperationalError as error:
        if isinstance(outage_of(error), DatabaseBusy):
            raise KeyRefused("in_progress") from error
        raise
    return IdempotencyKey.objects.get(user=user, key=key)


def prune_keys() -> int:
    """Delete keys that are too old for their requests to be repeated, and return how many."""
    deleted, _ = IdempotencyKey.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    return deleted
