"""Deciding on many submissions at once, each by itself; and undoing what was decided together as one."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from registry.accounts.models import User
from registry.catalog.queries import names_of_scores
from registry.core.messages import say
from registry.journal.models import Entry
from registry.journal.services import record
from registry.results.services.endings import MassChange, n_recent, require_confirmation
from registry.results.services.undoing import n_undoable, undo_batch
from registry.submissions.models import Submission
from registry.submissions.queries import published_entry
from registry.submissions.services.changing import Conflict, WrongState, advance, journal
from registry.submissions.services.reviewing import (
    UNDECIDED,
    RowsRefused,
    publish_part,
    publish_submission,
    refuse_submission,
    return_submission,
)

PUBLISH, PART, RETURN, REFUSE = "publish", "part", "return", "refuse"
_DECIDED, _UNDONE = "submissions.batch.decided", "submissions.batch.undone"
_SUBJECT = "batch"
#: Submissions that one transaction decides on, which costs less than one each: whoever else writes waits for it.
_AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of many: the submissions that were decided, and why others were left."""

    done: list[Submission] = field(default_factory=list)
    left: list[tuple[Submission, str]] = field(default_factory=list)


def decide(
    *, submission: Submission, decision: str, version: int, actor: User, reason: str, lines: Any = (), **publishing: Any
) -> Submission:
    """Return the submission as it was decided; takes and raises what the service of the decision does.

    ``lines`` are those of the rows that are published alone, for that decision.
    """
    given: dict[str, Any] = {"submission": submission, "version": version, "actor": actor, "reason": reason}
    if decision == PART:
        publishing.pop("count_same", None)
        return publish_part(**given, lines=lines, **publishing)
    if decision == PUBLISH:
        return publish_submission(**given, **publishing)
    return return_submission(**given) if decision == RETURN else refuse_submission(**given)


def decide_all(
    *, chosen: Iterable[tuple[Submission, int]], decision: str, actor: User, reason: str, rule: str = ""
) -> Decided:
    """Decide on each of these in the version that was seen; what can't be decided is left, with why.

    ``rule`` says by what they were proposed, for the journal.

    Raises
    ------
    ValidationError
        Without a reason, where one is needed.
    """
    if decision != PUBLISH and not reason.strip():
        raise ValidationError(say("decide-reason"), code="reason")
    decided = Decided()
    publishing = {"names": names_of_scores()} if decision == PUBLISH else {}
    waiting = list(chosen)
    for start in range(0, len(waiting), _AT_ONCE):
        with transaction.atomic():
            for submission, version in waiting[start : start + _AT_ONCE]:
                given: dict[str, Any] = {"version": version, "actor": actor, "reason": reason, **publishing}
                try:
                    done = decide(submission=submission, decision=decision, **given)
                except (Conflict, WrongState, RowsRefused, MassChange) as error:
                    decided.left.append((submission, str(error)))
                except ValidationError as error:
                    decided.left.append((submission, error.messages[0]))
                else:
                    decided.done.append(done)
    if decided.done:
        versions = {str(done.pk): done.version for done in decided.done}
        after = {"decision": decision, "rule": rule, "submissions": versions}
        record(action=_DECIDED, subject=(_SUBJECT, decision), actor=actor, reason=reason, after=after)
    return decided


def last_decided(actor: User) -> Entry | None:
    """Return the entry of what somebody decided together last; None where that was undone, or nothing was."""
    entry = Entry.objects.filter(actor=actor, action__in=(_DECIDED, _UNDONE)).order_by("-pk").first()
    return entry if entry and entry.action == _DECIDED else None


@transaction.atomic
def undo_decided(*, entry: Entry, actor: User, reason: str, confirmed_rows: int | None = None) -> list[Submission]:
    """Undo what was decided together, and return the submissions that changed.

    Published results are taken off the record, as by their own entries; what was returned or refused waits again. What
    somebody changed since is left.

    Raises
    ------
    ValidationError
        Without a reason.
    MassChange
        If it takes very much off the record, and ``confirmed_rows`` does not say how much.
    """
    if not reason.strip():
        raise ValidationError(say("decide-reason"), code="reason")
    decided = (entry.after or {})["submissions"]
    submissions = Submission.objects.in_bulk(list(decided))
    published = [(submission, published_entry(submission)) for submission in submissions.values()]
    undoable = [(submission, made, n) for submission, made in published if made and (n := n_undoable(made))]
    require_confirmation(actor=actor, n_rows=sum(n for _, _, n in undoable), confirmed_rows=confirmed_rows)
    for _, made, n in undoable:
        # What was confirmed is confirmed for all of them.
        undo_batch(entry=made, actor=actor, reason=reason, confirmed_rows=n_recent(actor) + n)
    changed = [submission for submission, _, _ in undoable]
    for submission in submissions.values():
        is_as_decided = submission.version == decided[str(submission.pk)]
        if submission.state in (Submission.State.RETURNED, Submission.State.REFUSED) and is_as_decided:
            changed.append(_reopen(submission, actor, reason))
    record(action=_UNDONE, subject=entry, actor=actor, reason=reason, after={"submissions": len(changed)})
    return changed


def _reopen(submission: Submission, actor: User, reason: str) -> Submission:
    states = (Submission.State.RETURNED, Submission.State.REFUSED)
    changes: dict[str, Any] = {"state": Submission.State.IN_REVIEW, **UNDECIDED}
    submission = advance(submission, version=submission.version, states=states, wanted="reopened", **changes)
    journal(submission, "submission.reopened", actor=actor, reason=reason)
    return submission
