"""What workers do for followers."""

from celery import shared_task
from django.utils import timezone

from registry.core.models import Job
from registry.core.services import run_claimed
from registry.following import services


@shared_task(name="following.compose_digests")
def compose_digests() -> None:
    """Write the digests for which it is time, and see to those that were not sent yet."""
    services.compose_digests(now=timezone.now())
    services.look_after_digests()


@shared_task(name=Job.Kind.SEND_DIGEST.value)
def send_digest(job_id: str) -> None:
    """Send one digest."""
    run_claimed(job_id, services.send_digest, save=services.close_digest)
