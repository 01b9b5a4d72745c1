"""Digests: written with how far they told, sent until a mail server takes them."""

import logging
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse

from registry.accounts.models import User
from registry.core.mail import deliver
from registry.core.services import enqueue_jobs, enqueue_overdue_jobs
from registry.following.access import stop_token
from registry.following.documents import Section, describe_changes, describe_methods, digest_subject
from registry.following.models import Digest, Following
from registry.following.queries import Changes, read_changes, settled_entry
from registry.following.querysets import digest_day
from registry.results.models import Paper, System

logger = logging.getLogger(__name__)

SEND_DIGEST = "following.send_digest"

#: A sent digest is kept for some days, in case somebody asks what became of it.
_KEPT = timedelta(days=7)

_PEOPLE_PER_RUN = 200


def compose_digests(*, now: datetime) -> int:
    """Write a digest to everybody for whom it is time and something changed; how many were written."""
    follow_merges()
    people = Following.objects.due(now).order_by("user").values_list("user", flat=True).distinct()
    until = settled_entry(now)
    known: dict[Hashable, _News] = {}
    return sum(_compose(user_id, now, until, known) for user_id in people[:_PEOPLE_PER_RUN])


@transaction.atomic
def follow_merges() -> None:
    """Let followers of a system or paper that was merged follow what it was merged into."""
    for kind in ("system", "paper"):
        moved = Following.objects.filter(**{f"{kind}__merged_into__isnull": False}).select_related(kind)
        for following in moved.select_for_update(of=("self",)):
            target = {kind: cast("System | Paper", following.thing).merged_into_id}
            if Following.objects.filter(user=following.user_id, **target).exists():
                following.delete()
            else:
                Following.objects.filter(pk=following.pk).update(**target)


@dataclass(frozen=True, slots=True)
class _News:
    """What there is to tell of one thing; no section where nothing but methods changed."""

    changes: Changes
    section: Section | None


def _news(following: Following, until: int, known: dict[Hashable, _News]) -> _News:
    """What is new for this person; those who were told up to the same point share the answer, and the work."""
    until = max(until, following.told_entry)
    key = (following.kind, following.thing.pk, following.told_entry, following.told_snapshot_id, until)
    if key not in known:
        changes = read_changes(following, until)
        known[key] = _News(changes, describe_changes(changes))
    return known[key]


def _compose(user_id: int, now: datetime, until: int, known: dict[Hashable, _News]) -> bool:
    """Whether there was something to tell this person.

    The digest, the job that sends it and how far it told are written in one transaction, and only while nobody else
    told meanwhile: no change is lost or told twice, whatever dies when.
    """
    due = Following.objects.due(now).filter(user=user_id)
    followings = list(Following.objects.of(User(pk=user_id)).filter(pk__in=due.values("pk")).select_related("user"))
    news = [_news(following, until, known) for following in followings]
    sections = [one.section for one in news if one.section]
    sections += describe_methods(one.changes for one in news)
    with transaction.atomic():
        if not all(_note_told(following, one, now) for following, one in zip(followings, news, strict=True)):
            logger.info("what person %d follows changed while a digest was written; the next run writes it", user_id)
            transaction.set_rollback(True)
            return False
        if sections:
            _write_digest(user_id, followings[-1].site, sections)
    return bool(sections)


def _note_told(was: Following, news: _News, now: datetime) -> bool:
    mine = Following.objects.filter(pk=was.pk, every=was.every, told_entry=was.told_entry, told_on=was.told_on)
    return bool(
        mine.update(told_entry=news.changes.until, told_snapshot_id=news.changes.snapshot_id, told_on=digest_day(now))
    )


def _write_digest(user_id: int, site: str, sections: list[Section]) -> None:
    site = settings.SITE_URL or site
    context = {"site": site, "sections": sections, "token": stop_token(user_id)}
    body = render_to_string("following/digest.txt", context)
    digest = Digest.objects.create(user_id=user_id, site=site, subject=digest_subject(sections), body=body)
    enqueue_jobs(kind=SEND_DIGEST, args=[{"digest_id": digest.pk}])


@dataclass(frozen=True, slots=True)
class Sending:
    """What became of a digest."""

    digest_id: int
    state: str


def send_digest(digest_id: int) -> Sending | None:
    """Hand a digest to the mail server; None where there is nothing to do any more.

    A worker that dies between this and ``close_digest`` has it sent again, under the same Message-ID, by which mail
    programs know it for the same.
    """
    digest = Digest.objects.waiting().select_related("user").filter(pk=digest_id).first()
    if digest is None:
        return None
    address = digest.user.mail_address
    if not address:
        return Sending(digest.pk, Digest.State.DROPPED)
    is_taken = deliver(_message(digest, address))
    return Sending(digest.pk, Digest.State.SENT if is_taken else Digest.State.REFUSED)


def close_digest(sending: Sending | None) -> None:
    """Note what became of a digest."""
    if sending:
        Digest.objects.waiting().filter(pk=sending.digest_id).update(state=sending.state, closed_at=Now())


def _message(digest: Digest, address: str) -> EmailMessage:
    stop = digest.site + reverse("following:digests-stop", args=[stop_token(digest.user_id)])
    host = urlsplit(digest.site).hostname or "localhost"
    return EmailMessage(
        subject=f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{digest.subject}",
        body=digest.body,
        to=[address],
        headers={
            "Message-ID": f"<digest-{digest.pk}-{digest.created_at:%Y%m%d%H%M%S}@{host}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "List-Id": f"Plumbline digests <digests.{host}>",
            "Auto-Submitted": "auto-generated",
        },
    )


def look_after_digests() -> None:
    """Have digests sent that wait without a job, and forget those that were closed days ago."""
    waiting = Digest.objects.waiting().order_by("pk").values_list("pk", flat=True)
    enqueue_overdue_jobs(kind=SEND_DIGEST, args=[{"digest_id": pk} for pk in waiting])
    Digest.objects.filter(closed_at__lt=Now() - _KEPT).delete()
