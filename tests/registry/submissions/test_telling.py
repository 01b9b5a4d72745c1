"""The mail about a decision: what it says, to whom it goes, and that no decision hangs on it."""

import smtplib

import pytest
from django.core import mail

from registry.core.models import Job
from registry.core.services import run_job, run_routine
from registry.results.models import Result
from registry.results.services.endings import withdraw_result
from registry.results.services.undoing import undo_batch
from registry.submissions.models import Submission
from registry.submissions.queries import published_entry
from registry.submissions.services.reviewing import publish_submission, refuse_submission
from registry.submissions.services.telling import TELL_CONTRIBUTOR, TELL_EDITOR, TELL_UNDONE
from tests.registry.accounts.people import make_person
from tests.registry.factory import make_result, make_system, make_user, make_variance
from tests.registry.leaderboards.boards import analyse
from tests.registry.submissions.world import make_submitted, row

pytestmark = pytest.mark.usefixtures("board")


def decided(service, **options) -> Submission:
    grace = make_user("grace", is_editor=True)
    submission = make_submitted(make_person("ada"), **options.pop("fields", {}))
    return service(submission=submission, version=submission.version, actor=grace, **options)


def do_jobs(kind: str = TELL_CONTRIBUTOR) -> Job:
    """Let a worker do the job of the mail; return the job."""
    (job,) = Job.objects.filter(kind=kind)
    run_job(str(job.pk))
    job.refresh_from_db()
    return job


def test_nobody_is_written_to_at_an_address_that_is_not_proved():
    submission = make_submitted(make_user("ada", email="ada@example.org"))
    editor = make_user(is_editor=True)
    refuse_submission(submission=submission, version=submission.version, actor=editor, reason="no")
    assert do_jobs().state == "done"
    assert mail.outbox == []


def test_a_dead_mail_server_keeps_no_decision_back(monkeypatch):
    def refuse(*_, **__):
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", refuse)
    submission = decided(publish_submission)
    assert submission.state == "published"
    assert do_jobs().state == "running"
    monkeypatch.undo()
    Job.objects.update(state="queued", leased_until=None)
    assert do_jobs().state == "done"
    assert len(mail.outbox) == 1


def test_a_mail_about_results_says_their_ranks_and_what_is_tied_now(board):
    for n in range(9):
        make_result(board, make_system(team=f"team {n}"), f"0.{23 + n}12", role=Result.Role.TREC_RUN)
    make_variance(board.measure, 0.0144, board.collection)
    decided(publish_submission)
    analyse(board)
    do_jobs()
    (message,) = mail.outbox
    assert f"- Model X, 0.3012 on {board}: rank 2 of 10, tied for first\n" in message.body


@pytest.mark.parametrize("is_undone", [True, False])
def test_who_handed_results_in_is_told_what_others_undo_of_them(is_undone):
    submission, grace = decided(publish_submission), make_user("heidi", is_editor=True)
    (result,) = Result.objects.standing()
    if is_undone:
        undo_batch(entry=published_entry(submission), actor=grace, reason="another collection")
    else:
        withdraw_result(result=result, actor=grace, reason="another collection")
    assert do_jobs(TELL_UNDONE).state == "done"
    (message,) = mail.outbox
    assert (message.to, message.subject) == (
        ["ada@example.org"],
        "[Plumbline] 1 result of yours was taken off the record",
    )
    assert "heidi took 1 result that you submitted off the record" in message.body
    assert f"another collection\n\n- {result.system}, {result.shown} on {result.leaderboard}\n" in message.body


def test_editors_are_told_once_a_day_what_waits():
    run_routine("submissions.tell_editors")
    assert not Job.objects.filter(kind=TELL_EDITOR).exists()
    grace, submission = make_person("grace", is_editor=True), make_submitted(make_person("ada"))
    run_routine("submissions.tell_editors")
    assert do_jobs(TELL_EDITOR).state == "done"
    (message,) = mail.outbox
    assert (message.to, message.subject) == ([grace.email], "[Plumbline] To review: 1 submission")
    assert "1 submission to review" in message.body
    assert f"ada: {row()['system']}, " in message.body
    assert f"/submissions/{submission.pk}/\n" in message.body
    run_routine("submissions.tell_editors", only_due=True)
    assert Job.objects.filter(kind=TELL_EDITOR, state="queued").count() == 0
