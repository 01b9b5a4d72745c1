"""From draft to decision: handing in, reviewing, returning, refusing, publishing; rows that say what stands already."""

from collections.abc import Collection, Iterable
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.readers.rejections import Rejection
from analysis.readers.scores import parse_unit
from registry.accounts.models import User
from registry.catalog.queries import CatalogNames, names_of_scores
from registry.core.bulk import update_rows
from registry.core.messages import say
from registry.results.models import Confirmation, Paper, Result
from registry.results.pipeline.rows import ResultRow
from registry.results.services.corrections import confirm_result
from registry.results.services.mass_changes import MOST_CHANGES, require_confirmation, room_left
from registry.results.services.papers import describe_paper
from registry.results.services.recording import record_results
from registry.results.services.topic_scores import attach_topic_scores
from registry.submissions.models import Comment, Submission, SubmittedRow
from registry.submissions.pipeline.checking import check_rows, read_together
from registry.submissions.queries import PUBLISHED, SUBJECT
from registry.submissions.services.changing import advance, checking_all, conflict, journal, save_findings
from registry.submissions.services.telling import tell_contributor_later

KIND = Confirmation.Kind.SECOND_TRANSCRIPTION


@transaction.atomic
def count_second_readings(*, submission: Submission, actor: User) -> int:
    """Return how many results rose because the contributor's rows say the same, as a reviewer has it.

    One account has at most as many counted within an hour as it may change without being asked.

    Raises
    ------
    ValidationError
        Where the hour is used up.
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
                kind=KIND,
                printed=row.cells["value"],
                unit=parse_unit(row.cells.get("unit", "")),
                actor=actor,
            )
    except ValidationError:
        return False
    row.existing = result
    row.save(update_fields=["existing"])
    return True


State = Submission.State
Parsed = ResultRow | list[Rejection]
UNDECIDED = {"decided_at": None, "decided_by": None, "decision_reason": ""}


class RowsRefused(Exception):
    """Rows cannot be published as they are; the check of the submission says which and why."""

    def __init__(self, submission: Submission, n_rows: int) -> None:
        super().__init__(say("rows-refused", n=n_rows))
        self.submission = submission
        self.n_rows = n_rows


@transaction.atomic
def submit(*, submission: Submission, version: int, actor: User, drop_refused: bool = False) -> Submission:
    """The submission, handed in for review; refused rows are dropped, where that is wished, or keep it back."""
    submitted = advance(
        submission,
        version=version,
        states=Submission.OPEN,
        wanted="submitted",
        state=State.SUBMITTED,
        submitted_at=timezone.now(),
        **UNDECIDED,
    )
    refused = submission.rows.refused()
    n_refused = refused.count()
    if n_refused and not drop_refused:
        raise RowsRefused(submission, n_refused)
    refused.delete()
    if not submission.rows.exists():
        raise ValidationError(say("all-refused"), code="empty")
    journal(submitted, "submission.submitted", actor=actor, after={"rows_dropped": n_refused})
    return submitted


def start_review(*, submission: Submission, version: int, actor: User) -> Submission:
    """The submission in review, its rows compared with what stands today."""
    step = {"version": version, "states": [State.SUBMITTED], "wanted": "reviewed", "state": State.IN_REVIEW}
    with checking_all(submission, list(submission.rows.all()), **step) as submission:
        journal(submission, "submission.review_started", actor=actor)
    return submission


def check_again(*, submission: Submission, version: int) -> None:
    """Compare the rows with what stands today; nobody changes anything by that, so the version stays.

    Raises
    ------
    Conflict
        If it is not in this version any more.
    """
    rows = list(submission.rows.all())
    check_rows(rows, submission)
    with transaction.atomic():
        current = Submission.objects.select_for_update().get(pk=submission.pk)
        if current.version != version:
            raise conflict(current, version)
        save_findings(current, rows)


def return_submission(*, submission: Submission, version: int, actor: User, reason: str) -> Submission:
    """The submission, given back to its contributor to be changed."""
    return _decide(submission, version, actor, reason, State.RETURNED, "returned")


def refuse_submission(*, submission: Submission, version: int, actor: User, reason: str) -> Submission:
    """The submission, refused for good."""
    return _decide(submission, version, actor, reason, State.REFUSED, "refused")


@transaction.atomic
def _decide(
    submission: Submission, version: int, actor: User, reason: str, state: Submission.State, wanted: str
) -> Submission:
    reason = reason.strip()
    if not reason:
        raise ValidationError(say("decide-reason"), code="reason")
    submission = advance(
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
    journal(submission, f"submission.{wanted}", actor=actor, reason=reason)
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

    With ``count_same``, rows that say what stands already count as its second transcription (``second_readings``).
    ``names`` are those of the catalog of now, for whoever publishes many. ``beside`` are rows that these came with.

    Raises
    ------
    RowsRefused
        If a row cannot be taken any more, because the record or the catalog changed since it was checked. Nothing is
        done then.
    MassChange
        If it supersedes very much and ``confirmed_rows`` does not say how much (``results.services.mass_changes``).
    """
    # Before the transaction: whoever else writes waits for that. The version says that no row has changed by then.
    rows = read_together(submission.rows.all(), names or names_of_scores(), beside=beside)
    with transaction.atomic():
        decided = advance(
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
            # They are among the changes of the last hour by now.
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

    They are published as a submission of their own, which is undone as any. ``reason`` is what is asked of the rest.

    Raises
    ------
    ValidationError
        Where the lines are none of its rows, or all of them.
    RowsRefused, MassChange
        As ``publish_submission`` does; nothing is done then.
    """
    in_review = {"state": State.IN_REVIEW}
    rest = advance(submission, version=version, states=Submission.PENDING, wanted="published", **in_review)
    chosen = rest.rows.filter(line__in=lines)
    n_chosen = chosen.count()
    if not 0 < n_chosen < rest.rows.count():
        raise ValidationError(say("part-choose"), code="lines")
    told = {"contributor": rest.contributor, "way": rest.way, "submitted_at": rest.submitted_at}
    digest = sha256(f"{rest.digest} {rest.version}".encode()).hexdigest()
    part = Submission.objects.create(state=State.SUBMITTED, digest=digest, **told)
    chosen.update(submission=part)
    for paper in rest.papers.all():
        part.papers.create(identity=paper.identity, description=paper.description)
    publish_submission(
        submission=part, version=part.version, actor=actor, confirmed_rows=confirmed_rows, beside=rest.rows.all()
    )
    journal(rest, "submission.part_published", actor=actor, after={"rows": n_chosen, "part": str(part.pk)})
    if reason.strip():
        add_comment(submission=rest, author=actor, text=reason)
    return rest


@transaction.atomic
def take_back(*, submission: Submission, version: int, actor: User) -> Submission:
    """The submission as a draft again, before anybody began to review it."""
    submission = advance(
        submission, version=version, states=[State.SUBMITTED], wanted="taken back", state=State.DRAFT, submitted_at=None
    )
    journal(submission, "submission.taken_back", actor=actor)
    return submission


@transaction.atomic
def delete_draft(*, submission: Submission, version: int, actor: User) -> None:
    """Remove a draft or a returned submission with everything in it: none of it was ever public."""
    submission = advance(submission, version=version, states=Submission.OPEN, wanted="deleted")
    journal(submission, "submission.deleted", actor=actor, before={"rows": submission.rows.count()})
    submission.delete()


@transaction.atomic
def add_comment(*, submission: Submission, author: User, text: str) -> Comment:
    """The new comment on a submission, whatever its state; it does not make a new version of it."""
    text = text.strip()
    if not text:
        raise ValidationError(say("comment-empty"), code="empty")
    return Comment.objects.create(submission=submission, author=author, text=text)


def _record(submission: Submission, parsed: list[Parsed], actor: User | None, reason: str) -> int:
    """Put the rows on the record, and note with each the result that it became: how many superseded another."""
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
        raise RowsRefused(submission, report.refused + report.withdrawn)
    rows = submission.rows.values_list("pk", "line")
    update_rows(SubmittedRow, ["result_id"], [(pk, standing[line]) for pk, line in rows])
    if told := dict(submission.rows.exclude(topics={}).exclude(result=None).values_list("result", "topics")):
        attach_topic_scores(told, label=str(submission), actor=actor, reason=reason)
    _describe_papers(submission, actor, reason)
    return report.superseded


def _describe_papers(submission: Submission, actor: User | None, reason: str) -> None:
    """Have the record say of the papers of the published results what the submission tells of them."""
    told = {one.identity: one.description for one in submission.papers.all()}
    if not told:
        return
    published = set(submission.rows.filter(result__isnull=False).values_list("result__paper", flat=True).distinct())
    for paper in Paper.objects.filter(identity__in=told).select_related("merged_into"):
        today = paper.merged_into or paper
        # A row may have been given another paper since.
        if today.pk in published:
            describe_paper(paper=today, description=told[paper.identity], actor=actor, reason=reason)
