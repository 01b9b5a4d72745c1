"""Rows that hold now or held then; and questions about background work, asked on the database's clock."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.db.models.functions import Now

from registry.core.jobs import KINDS

if TYPE_CHECKING:
    from registry.core.models import Job, RoutineState


Recorded = TypeVar("Recorded", bound=models.Model)


def end_of(day: date) -> datetime:
    """Return the last moment of the day."""
    return datetime.combine(day, time.max, tzinfo=UTC)


class RecordedQuerySet(models.QuerySet[Recorded]):
    """Rows that hold from ``recorded_at`` until ``ended_at``."""

    def standing(self) -> Self:
        """Return what holds now."""
        return self.filter(ended_at__isnull=True)

    def known_at(self, moment: datetime | None) -> Self:
        """Return what held at that moment; without one, what holds now."""
        if moment is None:
            return self.standing()
        return self.filter(Q(ended_at__isnull=True) | Q(ended_at__gt=moment), recorded_at__lte=moment)


class JobQuerySet(models.QuerySet["Job"]):
    """Jobs, by what is to happen to them next; web and workers may have other clocks than the database."""

    def unfinished(self) -> "JobQuerySet":
        """Return jobs that are queued or running: somebody may be waiting for these."""
        return self.filter(state__in=["queued", "running"])

    def failed(self) -> "JobQuerySet":
        """Return jobs given up after the last attempt; the error says why."""
        return self.filter(state="failed")

    def waiting(self) -> "JobQuerySet":
        """Return jobs that are free to be claimed: queued, or running under a lease that ran out."""
        return self.filter(Q(state="queued") | Q(_lease_ended(), state="running"))

    def claimable(self) -> "JobQuerySet":
        """Return waiting jobs with an attempt left."""
        return self.waiting().filter(attempts__lt=settings.PLUMBLINE_JOB_MAX_ATTEMPTS)

    def in_turn(self) -> "Iterator[JobQuerySet]":
        """Yield jobs of known kinds in turn: what somebody waits for, what else is to be done, what can wait longest;
        each in the order in which it is done, first those whose worker was lost: of one state, the first of many is
        found by an index. Whoever sent something goes before whoever looks at a page."""
        known, later = self.filter(kind__in=KINDS), [kind.name for kind in KINDS.values() if kind.later]
        is_sent = Q(kind__in=[kind.name for kind in KINDS.values() if kind.awaited])
        sent_first = ExpressionWrapper(is_sent, BooleanField()).desc()
        awaited = known.filter(awaited_at__isnull=False).order_by(sent_first, "awaited_at")
        others, last = known.exclude(kind__in=later), known.filter(kind__in=later)
        in_order = (awaited, others.order_by("created_at"), last.order_by("created_at"))
        yield from (jobs.filter(state=state) for jobs in in_order for state in ("running", "queued"))

    def exhausted(self) -> "JobQuerySet":
        """Return waiting jobs with no attempt left."""
        return self.waiting().filter(attempts__gte=settings.PLUMBLINE_JOB_MAX_ATTEMPTS)

    def of_unknown_kind(self) -> "JobQuerySet":
        """Return unfinished jobs of a kind that nothing in this version can do."""
        return self.unfinished().exclude(kind__in=KINDS)

    def to_publish(self) -> "JobQuerySet":
        """Return claimable jobs whose message must be lost.

        A sweep waits in the same queue as the jobs and is dropped when it waited for longer than its period. So when
        it runs, whatever was published well over a period ago has been delivered, and a long queue is not doubled. So
        it is with what was published before the clock was set back.
        """
        patience = timedelta(seconds=settings.PLUMBLINE_SWEEP_SECONDS + 5)
        unpublished = Q(published_at__isnull=True, created_at__lt=Now() - timedelta(seconds=2))
        published = Q(published_at__lt=Now() - patience) | Q(published_at__gt=Now())
        return self.claimable().filter(unpublished | published)

    def to_prune(self) -> "JobQuerySet":
        """Return jobs done some days ago. Failed ones stay until somebody has looked at them."""
        age = timedelta(days=settings.PLUMBLINE_JOB_KEEP_DAYS)
        return self.filter(state="done", finished_at__lt=Now() - age)

    def keys_not_to_repeat(self, keys: Iterable[str]) -> "models.QuerySet[Job, str]":
        """Return those of the keys that are unfinished, or failed a short while ago."""
        recently = Now() - timedelta(seconds=settings.PLUMBLINE_JOB_RETRY_SECONDS)
        tried = Q(state__in=["queued", "running"]) | Q(state="failed", finished_at__gte=recently)
        return self.filter(tried, key__in=list(keys)).values_list("key", flat=True)


class RoutineStateQuerySet(models.QuerySet["RoutineState"]):
    """Routines, by how they went."""

    def free(self) -> "RoutineStateQuerySet":
        """Return routines that nobody is at, or whose worker died."""
        return self.filter(Q(leased_until__isnull=True) | _lease_ended())

    def due(self, every: float) -> "RoutineStateQuerySet":
        """Return routines begun so many seconds ago or before, or by a clock that was set back since."""
        return self.filter(Q(started_at__lte=Now() - timedelta(seconds=every)) | Q(started_at__gt=Now()))


def _lease_ended() -> Q:
    """Return the condition that a lease ran out, or is so long that the clock was set back after it was given."""
    longest = 3 * max(settings.PLUMBLINE_JOB_LEASE_SECONDS, 2**settings.PLUMBLINE_JOB_MAX_ATTEMPTS)
    return Q(leased_until__lt=Now()) | Q(leased_until__gt=Now() + timedelta(seconds=longest))


def one_standing(*fields: str, name: str, **condition: bool) -> models.UniqueConstraint:
    """Return the constraint that only one row holds with these values, of those that meet the condition."""
    return models.UniqueConstraint(fields=fields, condition=Q(ended_at__isnull=True, **condition), name=name)
