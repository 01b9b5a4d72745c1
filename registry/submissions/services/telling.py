"""Telling contributors by mail what was decided; a job of its own, so that no decision waits for a mail server."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string

from registry.core.http import site_address
from registry.core.mail import deliver
from registry.core.services import enqueue_jobs
from registry.journal.models import Entry
from registry.submissions.models import Submission
from registry.submissions.queries.changes import entries_of

TELL_CONTRIBUTOR = "submissions.tell_contributor"
_SUBJECTS = {
    "submissions.submission.returned": "Your submission came back to you",
    "submissions.submission.refused": "Your submission was refused",
    "submissions.submission.published": "Your results are published",
}


def tell_contributor_later(submission: Submission) -> None:
    """Have the contributor told of what was done last; call it in the transaction of that."""
    enqueue_jobs(kind=TELL_CONTRIBUTOR, args=[{"entry_id": entries_of(submission)[-1].pk}])


def tell_contributor(entry_id: int) -> bool:
    """Whether a mail went out about the decision of this entry; none does to who left or has no verified address."""
    entry = Entry.objects.select_related("actor").get(pk=entry_id)
    submission = Submission.objects.select_related("contributor").filter(pk=entry.subject_id).first()
    address = submission.contributor.mail_address if submission else ""
    if not submission or not address:
        return False
    context = {
        "entry": entry,
        "decision": entry.action.rpartition(".")[2],
        "submission": submission,
        "n_rows": submission.rows.count(),
        "site": site_address(),
    }
    message = EmailMessage(
        subject=settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + _SUBJECTS[entry.action],
        body=render_to_string("submissions/decision_mail.txt", context),
        to=[address],
        # A worker that dies before it has noted this sends it again; mail programs know it for the same by its id.
        headers={"Message-ID": f"<decision-{entry.pk}@plumbline>", "Auto-Submitted": "auto-generated"},
    )
    return deliver(message)
