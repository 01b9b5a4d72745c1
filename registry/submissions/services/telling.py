"""Mails about submissions: decisions on them, their results that were undone, and what waits for editors.

Each is a job, so that nobody who decides waits for a mail server.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from analysis.readers.text import shorten
from registry.accounts.models import User
from registry.core.http import site_address
from registry.core.mail import deliver
from registry.core.messages import say
from registry.core.services import enqueue_jobs
from registry.core.templatetags.formatting import plural
from registry.journal.models import Entry
from registry.leaderboards.templatetags.verdicts import place
from registry.results.models import CorrectionRequest, Result
from registry.results.querysets import ResultQuerySet
from registry.results.services.undoing import BATCH_UNDONE
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.queries import PUBLISHED, SUBJECT

TELL_CONTRIBUTOR = "submissions.tell_contributor"
TELL_UNDONE = "submissions.tell_undone"
TELL_EDITOR = "submissions.tell_editor"
_SUBJECTS = {
    "submissions.submission.returned": "mail-returned",
    "submissions.submission.refused": "mail-refused",
    "submissions.submission.published": "mail-published",
}
#: Results or submissions that a mail names; the rest is counted.
MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Named:
    """One line of a mail, and the path of the page that shows it; blank without one."""

    text: str
    path: str = ""


def tell_contributor_later(submission: Submission) -> None:
    """Enqueue a mail to the contributor about the last decision; call it in the transaction of that."""
    entries = Entry.objects.filter(subject_type=SUBJECT, subject_id=str(submission.pk))
    enqueue_jobs(kind=TELL_CONTRIBUTOR, args=[{"entry_id": entries.latest("pk").pk}])


def tell_contributor(entry_id: int) -> bool:
    """Send the mail about the decision of this entry, and return whether it went out."""
    entry = Entry.objects.select_related("actor").get(pk=entry_id)
    submission = Submission.objects.select_related("contributor").filter(pk=entry.subject_id).first()
    if submission is None:
        return False
    rows = submission.rows.order_by("line").select_related(
        "result__system", "result__leaderboard__collection", "result__leaderboard__measure"
    )
    n_rows = rows.count()
    context = {
        "entry": entry,
        "decision": entry.action.rpartition(".")[2],
        "submission": submission,
        "n_rows": n_rows,
        "lines": [_named_row(row) for row in rows[:MOST_NAMED]],
        "n_more": max(0, n_rows - MOST_NAMED),
    }
    subject = say(_SUBJECTS[entry.action])
    return _send(submission.contributor, subject, "decision", f"decision-{entry.pk}", context)


def _named_row(row: SubmittedRow) -> Named:
    if row.result:
        return Named(_with_rank(row.result), row.result.get_absolute_url())
    cells = {name: shorten(text, 80) for name, text in row.cells.items()}
    score = f"{cells.get('system', f'row {row.line}')}, {cells.get('value', 'no score')}"
    place = [cells[name] for name in ("collection", "measure") if name in cells]
    return Named(f"{score} on {' '.join(place)}" if place else score)


def _with_rank(result: Result) -> str:
    """Return system, score and leaderboard, with the rank among comparable results, and a tie for first if analysed."""
    text = f"{result.system}, {result.shown} on {result.leaderboard}"
    field = Result.objects.comparable().filter(leaderboard=result.leaderboard_id)
    if not field.filter(pk=result.pk).exists():
        return text
    better = Q(value__gt=result.value) if result.leaderboard.measure.higher_is_better else Q(value__lt=result.value)
    shown = place(result)
    standing = f", {shown['standing']}" if shown.get("standing") and not shown["stale"] else ""
    return f"{text}: rank {field.filter(better).count() + 1:,} of {field.count():,}{standing}"


def tell_undone_later(*, moment: datetime, leaderboard_ids: Collection[int], **_: Any) -> None:
    """Enqueue mails to contributors whose results were taken off the record at this moment, in that transaction."""
    undone = _undone(moment).filter(leaderboard__in=leaderboard_ids)
    submissions = undone.values_list("recorded_by__subject_id", flat=True).distinct()
    people = Submission.objects.filter(pk__in=list(submissions)).values_list("contributor", flat=True).distinct()
    enqueue_jobs(kind=TELL_UNDONE, args=[{"user_id": pk, "moment": moment.isoformat()} for pk in people])


def _undone(moment: datetime) -> ResultQuerySet:
    """Return the results of submissions that were withdrawn or undone at this moment."""
    undone = Q(ending=Result.Ending.WITHDRAWN) | Q(superseded_by__recorded_by__action=BATCH_UNDONE)
    return Result.objects.filter(undone, ended_at=moment, recorded_by__action=PUBLISHED)


def tell_undone(user_id: int, moment: str) -> bool:
    """Send the mail about results of a person that others undid, and return whether it went out."""
    undone_at = parse_datetime(moment)
    assert undone_at is not None
    contributor = User.objects.get(pk=user_id)
    theirs = [str(pk) for pk in contributor.submissions.values_list("pk", flat=True)]
    undone = _undone(undone_at).filter(recorded_by__subject_id__in=theirs).exclude(ended_by__actor=contributor)
    names = ("system", "leaderboard__collection", "leaderboard__measure", "ended_by__actor")
    results = list(undone.select_related(*names).order_by("pk"))
    if not results or results[0].ended_by is None:
        return False
    context = {
        "entry": results[0].ended_by,
        "n_results": len(results),
        "lines": [
            Named(f"{result.system}, {result.shown} on {result.leaderboard}", result.get_absolute_url())
            for result in results[:MOST_NAMED]
        ],
        "n_more": max(0, len(results) - MOST_NAMED),
    }
    return _send(contributor, say("mail-undone", n=len(results)), "undone", f"undone-{results[0].pk}", context)


def tell_editors_later() -> int:
    """Enqueue a mail to every editor about what waits, and return how many; none where nothing waits."""
    if not (Submission.objects.pending().exists() or CorrectionRequest.objects.open().exists()):
        return 0
    editors = User.objects.filter(Q(is_editor=True) | Q(is_superuser=True), is_active=True)
    day = f"{timezone.now():%Y-%m-%d}"
    return enqueue_jobs(
        kind=TELL_EDITOR, args=[{"user_id": pk, "day": day} for pk in editors.values_list("pk", flat=True)]
    )


def tell_editor(user_id: int, day: str) -> bool:
    """Send an editor the mail about what waits, and return whether it went out."""
    submissions = Submission.objects.pending().exclude(contributor=user_id).select_related("contributor")
    requests = CorrectionRequest.objects.open().for_listing()
    n_submissions, n_requests = submissions.count(), requests.count()
    if not n_submissions + n_requests:
        return False
    context = {
        "n_submissions": n_submissions,
        "submissions": [_named_submission(submission) for submission in submissions[:MOST_NAMED]],
        "n_requests": n_requests,
        "requests": [
            Named(f"{request.get_kind_display()} of {request.result}", request.get_absolute_url())
            for request in requests[:MOST_NAMED]
        ],
    }
    parts = [
        plural(n, words)
        for n, words in ((n_submissions, "submission,submissions"), (n_requests, "request,requests"))
        if n
    ]
    subject = say("mail-waiting", parts=" and ".join(parts))
    return _send(User.objects.get(pk=user_id), subject, "waiting", f"{day}-{user_id}", context)


def _named_submission(submission: Submission) -> Named:
    first = submission.rows.order_by("line").first()
    cells = first.cells if first else {}
    contents = ", ".join(shorten(cells[name], 60) for name in ("system", "collection", "measure") if cells.get(name))
    since = f"{submission.submitted_at:%Y-%m-%d}" if submission.submitted_at else ""
    path = submission.get_absolute_url()
    return Named(f"{since}, {submission.contributor.public_name}: {contents or 'no readable row'}", path)


def _send(person: User, subject: str, name: str, message_id: str, context: dict[str, Any]) -> bool:
    """Return whether a mail went out: none goes to people who left or have no verified address."""
    if not (address := person.mail_address):
        return False
    message = EmailMessage(
        subject=settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + subject,
        body=render_to_string(f"submissions/{name}_mail.txt", context | {"site": site_address()}),
        to=[address],
        # A worker that dies before it notes the job as done sends it again; mail programs tell by the id.
        headers={"Message-ID": f"<{message_id}@plumbline>", "Auto-Submitted": "auto-generated"},
    )
    return deliver(message)
