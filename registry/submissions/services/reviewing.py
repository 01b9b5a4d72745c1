"""Reviewing submissions and deciding on them, one or many at once; and undoing what was decided together."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.readers.numbers import parse_unit
from analysis.readers.rejections import Rejection
from registry.accounts.models import User
from registry.catalog.queries import CatalogNames, names_of_scores
from registry.core.bulk import update_rows
from registry.core.messages import say
from registry.journal.models import Entry
from registry.journal.services import record
from registry.results.models import Confirmation, Paper, Result
from registry.results.pipeline.rows import ResultRow
from registry.results.services.corrections import confirm_result
from registry.results.services.endings import MOST_CHANGES, MassChange, n_recent, require_confirmation, room_left
from registry.results.services.papers import describe_paper
from registry.results.services.recording import record_results
from registry.results.services.topic_scores import attach_topic_scores
from registry.results.services.undoing import n_undoable, undo_batch
from registry.submissions.models import Comment, Submission, SubmittedRow
from registry.submissions.pipeline.checking import check_rows, read_together
from registry.submissions.queries import PUBLISHED, SUBJECT, published_entry
from registry.submissions.services import changing
from registry.submissions.services.telling import tell_contributor_later

State = Submission.State
PUBLISH, PART, RETURN, REFUSE = "publish", "part", "return", "refuse"
_DECIDED, _UNDONE = "submissions.batch.decided", "submissions.batch.undone"
#: Submissions that one transaction decides on: cheaper than one each, but other writers wait for it.
_AT_ONCE = 10


@transaction.atomic
def count_second_readings(*, submission: Submission, actor: User) -> int:
    """Count the contributor's rows that repeat the record as second readings, and return how many results rose by it.

    One account may count at most as many within an hour as it may change without confirmation.

    Raise ``ValidationError`` where the hour is used up.
    """
    room = room_left(actor)
    if not room:
        raise ValidationError(say("too-many-counted", n=MOST_CHANGES), code="too_many")
    rows = submission.rows.second_readings(submission.contributor).select_related("existing")
    return sum(_count(row, row.existing, submission.contributor, actor) for row in rows[:room] if row.existing)


def _count(row: SubmittedRow, existing: Result, reader: User, actor: User) -> bool:
    try:
        with transaction.atomic():
            result = confirm_result(
                result=existing,
                user=reader,
                kind=Confirmation.Kind.SECOND_TRANSCRIPTION,
                printed=row.cells["value"],
                unit=parse_unit(row.cells.get("unit", "")),
                actor=actor,
            )
    except ValidationError:
        return False
    row.existing = result
    row.save(update_fields=["existing"])
    return True


def start_review(*, submission: Submission, version: int, actor: User) -> Submission:
    """Return the submission in review, its rows compared with the record of today."""
    step = {"version": version, "states": [State.SUBMITTED], "wanted": "reviewed", "state": State.IN_REVIEW}
    with changing.checking_all(submission, list(submission.rows.all()), **step) as submission:
        changing.journal(submission, "submission.review_started", actor=actor)
    return submission


def check_again(*, submission: Submission, version: int) -> None:
    """Compare the rows with the record of today; nothing is changed by that, so the version stays.

    Raise ``Conflict`` if it is not in this version any more.
    """
    rows = list(submission.rows.all())
    check_rows(rows, submission)
    with transaction.atomic():
        current = Submission.objects.select_for_update().get(pk=submission.pk)
        if current.version != version:
            raise changing.conflict(current, version)
        changing.save_findings(current, rows)


def return_submission(*, submission: Submission, version: int, actor: User, reason: str) -> Submission:
    """Return the submission to its contributor, to be changed."""
    return _decide(submission, version, actor, reason, State.RETURNED, "returned")


def refuse_submission(*, submission: Submission, version: int, actor: User, reason: str) -> Submission:
    """Refuse the submission for good, and return it."""
    return _decide(submission, version, actor, reason, State.REFUSED, "refused")


@transaction.atomic
def _decide(submission: Submission, version: int, actor: User, reason: str, state: State, wanted: str) -> Submission:
    reason = reason.strip()
    if not reason:
        raise ValidationError(say("decide-reason"), code="reason")
    submission = changing.advance(
        submission,
        version=version,
        states=Submission.PENDING,
        wanted=wanted,
        state=state,
        decided_at=timezone.now(),
        decided_by=actor,
        decision_reason=reason,
    )
    if state == State.RETURNED and submission.contributor.deleted_at:
        raise ValidationError(say("contributor-left"), code="left")
    changing.journal(submission, f"submission.{wanted}", actor=actor, reason=reason)
    tell_contributor_later(submission)
    return submission


def publish_submission(
    *,
    submission: Submission,
    version: int,
    actor: User,
    reason: str = "",
    count_same: bool = False,
    confirmed_rows: int | None = None,
    names: CatalogNames | None = None,
    beside: Iterable[SubmittedRow] = (),
) -> Submission:
    """Return the submission with its rows on the record.

    With ``count_same``, rows that repeat the record count as its second transcription (``second_readings``).
    ``names`` is the catalog, for callers that publish many. ``beside`` are rows that these came with.

    Raise ``RowsRefused`` if a row cannot be taken any more, because the record or the catalog changed since it was
    checked; nothing is done then; ``MassChange`` if it supersedes many results and ``confirmed_rows`` does not say how
    much (``results.services.endings``).
    """
    # Before the transaction, for which other writers wait. The version tells whether a row has changed by then.
    rows = read_together(submission.rows.all(), names or names_of_scores(), beside=beside)
    with transaction.atomic():
        decided = changing.advance(
            submission,
            version=version,
            states=Submission.PENDING,
            wanted="published",
            state=State.PUBLISHED,
            decided_at=timezone.now(),
            decided_by=actor,
            decision_reason=reason.strip(),
        )
        if _record(submission, rows, actor, reason):
            # These changes count as those of the last hour by now.
            require_confirmation(actor=actor, n_rows=0, confirmed_rows=confirmed_rows)
        if count_same:
            count_second_readings(submission=decided, actor=actor)
        tell_contributor_later(decided)
    return decided


@transaction.atomic
def publish_part(
    *,
    submission: Submission,
    version: int,
    actor: User,
    lines: Collection[int],
    reason: str = "",
    confirmed_rows: int | None = None,
) -> Submission:
    """Return the rest of the submission, in review, once the rows of these lines are on the record.

    They are published as a submission of their own, which can be undone as any. ``reason`` is for the rest.

    Raise ``ValidationError`` where the lines are none of its rows, or all of them; ``RowsRefused`` or ``MassChange`` as
    ``publish_submission`` does; nothing is done then.
    """
    in_review = {"state": State.IN_REVIEW}
    rest = changing.advance(submission, version=version, states=Submission.PENDING, wanted="published", **in_review)
    chosen = rest.rows.filter(line__in=lines)
    n_chosen = chosen.count()
    if not 0 < n_chosen < rest.rows.count():
        raise ValidationError(say("part-choose"), code="lines")
    inherited = {"contributor": rest.contributor, "way": rest.way, "submitted_at": rest.submitted_at}
    digest = sha256(f"{rest.digest} {rest.version}".encode()).hexdigest()
    part = Submission.objects.create(state=State.SUBMITTED, digest=digest, **inherited)
    chosen.update(submission=part)
    for paper in rest.papers.all():
        part.papers.create(identity=paper.identity, description=paper.description)
    publish_submission(
        submission=part, version=part.version, actor=actor, confirmed_rows=confirmed_rows, beside=rest.rows.all()
    )
    changing.journal(rest, "submission.part_published", actor=actor, after={"rows": n_chosen, "part": str(part.pk)})
    if reason.strip():
        add_comment(submission=rest, author=actor, text=reason)
    return rest


@transaction.atomic
def add_comment(*, submission: Submission, author: User, text: str) -> Comment:
    """Return the new comment on a submission, in any state; its version stays."""
    text = text.strip()
    if not text:
        raise ValidationError(say("comment-empty"), code="empty")
    return Comment.objects.create(submission=submission, author=author, text=text)


def _record(submission: Submission, parsed: list[ResultRow | list[Rejection]], actor: User | None, reason: str) -> int:
    """Put the rows on the record, link each to its result, and return how many superseded another."""
    standing: dict[int, int] = {}
    report = record_results(
        rows=parsed,
        label=str(submission.pk),
        digest=submission.digest,
        action=PUBLISHED,
        subject_type=SUBJECT,
        actor=actor,
        reason=reason,
        standing=standing,
    )
    if report.refused or report.withdrawn:
        raise changing.RowsRefused(submission, report.refused + report.withdrawn)
    rows = submission.rows.values_list("pk", "line")
    update_rows(SubmittedRow, ["result_id"], [(pk, standing[line]) for pk, line in rows])
    if topics_by_result := dict(
        submission.rows.exclude(topics={}).exclude(result=None).values_list("result", "topics")
    ):
        attach_topic_scores(topics_by_result, label=str(submission), actor=actor, reason=reason)
    _describe_papers(submission, actor, reason)
    return report.superseded


def _describe_papers(submission: Submission, actor: User | None, reason: str) -> None:
    """Put what the submission says about the papers of its published results on the record."""
    descriptions = {paper.identity: paper.description for paper in submission.papers.all()}
    if not descriptions:
        return
    published = set(submission.rows.filter(result__isnull=False).values_list("result__paper", flat=True).distinct())
    for paper in Paper.objects.filter(identity__in=descriptions).select_related("merged_into"):
        current = paper.merged_into or paper
        # A row may have been given another paper since.
        if current.pk in published:
            describe_paper(paper=current, description=descriptions[paper.identity], actor=actor, reason=reason)


@dataclass(frozen=True, slots=True)
class Decided:
    """The submissions that were decided, and those that were left, with why."""

    done: list[Submission] = field(default_factory=list)
    left: list[tuple[Submission, str]] = field(default_factory=list)


def decide(
    *, submission: Submission, decision: str, version: int, actor: User, reason: str, lines: Any = (), **publishing: Any
) -> Submission:
    """Return the decided submission; takes and raises what the service of the decision does.

    ``lines`` are those of the rows to publish, for a part.
    """
    arguments: dict[str, Any] = {"submission": submission, "version": version, "actor": actor, "reason": reason}
    if decision == PART:
        publishing.pop("count_same", None)
        return publish_part(**arguments, lines=lines, **publishing)
    if decision == PUBLISH:
        return publish_submission(**arguments, **publishing)
    return return_submission(**arguments) if decision == RETURN else refuse_submission(**arguments)


def decide_all(
    *, chosen: Iterable[tuple[Submission, int]], decision: str, actor: User, reason: str, rule: str = ""
) -> Decided:
    """Decide on each of these in the version that was seen; what can't be decided is left, with why.

    ``rule`` is the rule that proposed them, for the journal.

    Raise ``ValidationError`` without a reason, where one is needed.
    """
    if decision != PUBLISH and not reason.strip():
        raise ValidationError(say("decide-reason"), code="reason")
    decided = Decided()
    publishing = {"names": names_of_scores()} if decision == PUBLISH else {}
    waiting = list(chosen)
    for start in range(0, len(waiting), _AT_ONCE):
        with transaction.atomic():
            for submission, version in waiting[start : start + _AT_ONCE]:
                arguments: dict[str, Any] = {"version": version, "actor": actor, "reason": reason, **publishing}
                try:
                    done = decide(submission=submission, decision=decision, **arguments)
                except (changing.Conflict, changing.WrongState, changing.RowsRefused, MassChange) as error:
                    decided.left.append((submission, str(error)))
                except ValidationError as error:
                    decided.left.append((submission, error.messages[0]))
                else:
                    decided.done.append(done)
    if decided.done:
        versions = {str(done.pk): done.version for done in decided.done}
        after = {"decision": decision, "rule": rule, "submissions": versions}
        record(action=_DECIDED, subject=("batch", decision), actor=actor, reason=reason, after=after)
    return decided


def last_decided(actor: User) -> Entry | None:
    """Return the entry of the last decision on many by this person; None where there is none, or it was undone."""
    entry = Entry.objects.filter(actor=actor, action__in=(_DECIDED, _UNDONE)).order_by("-pk").first()
    return entry if entry and entry.action == _DECIDED else None


@transaction.atomic
def undo_decided(*, entry: Entry, actor: User, reason: str, confirmed_rows: int | None = None) -> list[Submission]:
    """Undo a decision on many, and return the submissions that changed.

    Published results are taken off the record, as by their own entries; what was returned or refused waits again. A
    submission that somebody changed since is left.

    Raise ``ValidationError`` without a reason; ``MassChange`` if it takes many results off the record, and
    ``confirmed_rows`` does not say how much.
    """
    if not reason.strip():
        raise ValidationError(say("decide-reason"), code="reason")
    decided = (entry.after or {})["submissions"]
    submissions = Submission.objects.in_bulk(list(decided))
    published = [(submission, published_entry(submission)) for submission in submissions.values()]
    undoable = [(submission, batch, n) for submission, batch in published if batch and (n := n_undoable(batch))]
    require_confirmation(actor=actor, n_rows=sum(n for _, _, n in undoable), confirmed_rows=confirmed_rows)
    for _, batch, n in undoable:
        # The confirmation was for all of them.
        undo_batch(entry=batch, actor=actor, reason=reason, confirmed_rows=n_recent(actor) + n)
    changed = [submission for submission, _, _ in undoable]
    for submission in submissions.values():
        is_as_decided = submission.version == decided[str(submission.pk)]
        if submission.state in (State.RETURNED, State.REFUSED) and is_as_decided:
            changed.append(_reopen(submission, actor, reason))
    record(action=_UNDONE, subject=entry, actor=actor, reason=reason, after={"submissions": len(changed)})
    return changed


def _reopen(submission: Submission, actor: User, reason: str) -> Submission:
    states = (State.RETURNED, State.REFUSED)
    changes: dict[str, Any] = {"state": State.IN_REVIEW, **changing.UNDECIDED}
    submission = changing.advance(submission, version=submission.version, states=states, wanted="reopened", **changes)
    changing.journal(submission, "submission.reopened", actor=actor, reason=reason)
    return submission
