"""People who follow something, and days on which digests are made."""

from datetime import datetime, timedelta
from typing import Any

from django.core import mail
from django.core.mail import EmailMessage
from django.utils import timezone

from registry.accounts.models import User
from registry.core.models import Job
from registry.core.services import run_job
from registry.following import services
from registry.following.digests import SEND_DIGEST, compose_digests
from registry.following.models import Following
from tests.registry.accounts.people import make_person

SITE = "http://testserver"


def make_following(thing: Any, user: User | None = None, every: str = "day") -> Following:
    return services.follow(user=user or make_person(), thing=thing, every=every, site=SITE)


def later(days: int = 2) -> datetime:
    """A moment when everything that happens in a test is long over: two days on every daily digest is due."""
    return timezone.now() + timedelta(days=days)


def send_all() -> None:
    """What a worker does with the jobs that wait."""
    for job in Job.objects.filter(kind=SEND_DIGEST, state__in=["queued", "running"]):
        run_job(str(job.pk))


def digests(days: int = 2) -> list[EmailMessage]:
    """The mails that went out on that day."""
    before = len(mail.outbox)
    compose_digests(now=later(days))
    send_all()
    return mail.outbox[before:]
