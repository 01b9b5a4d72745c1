"""What workers do for submissions."""

from datetime import UTC, datetime

from celery import shared_task

from registry.core.models import Job
from registry.core.services import run_claimed
from registry.submissions.services import checks, errands, idempotency, reviewing, telling


@shared_task(name=Job.Kind.CHECK_SUBMISSION.value)
def check_submission(job_id: str) -> None:
    """Check the rows of a long table."""
    # Checked outside of the transaction that marks the job done: the chunks are committed as they come.
    run_claimed(job_id, checks.check_submission, save=lambda _: None)


@shared_task(name=Job.Kind.TELL_CONTRIBUTOR.value)
def tell_contributor(job_id: str) -> None:
    """Send the mail about a decision."""
    # Sent outside of the transaction that marks the job done: a slow mail server keeps nobody from writing.
    run_claimed(job_id, telling.tell_contributor, save=lambda _: None)


@shared_task(name=Job.Kind.RUN_ERRAND.value)
def run_errand(job_id: str) -> None:
    """Answer a large request."""
    # Answered outside of the transaction that marks the job done: views have transactions of their own.
    run_claimed(job_id, errands.answer_errand, save=errands.keep_answer)


@shared_task(name="submissions.publish_due")
def publish_due() -> None:
    """Publish what was accepted under an embargo that is over."""
    reviewing.publish_due(today=datetime.now(UTC).date())


@shared_task(name="submissions.prune_keys")
def prune_keys() -> None:
    """Forget the idempotency keys that nobody will use again, and answers that nobody comes back for."""
    idempotency.prune_keys()
    errands.prune_errands()
