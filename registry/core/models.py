"""Background work as rows, the queue of record; and how often what may be done."""

import json
import uuid
from typing import Any

from django.db import models
from django.db.models import Q

from registry.core.querysets import JobQuerySet, RoutineStateQuerySet


class Job(models.Model):
    """One unit of background work, written in the transaction that needs it.

    A worker claims the row with a lease, which it renews; ``attempts`` is the fence: what a claim computes is kept
    only if nobody claimed the job since. Where there is Redis, Celery wakes workers up; a sweep publishes again what
    was lost and fails, visibly, what keeps killing its worker.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=60, help_text="The name of a ``core.jobs.Kind``.")
    args = models.JSONField(help_text="Ids only, made by the registry itself.")
    key = models.CharField(max_length=200, help_text="Kind and arguments; at most one queued job has a given key.")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True, help_text="When a worker was last woken up for it.")
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    awaited_at = models.DateTimeField(null=True, blank=True, help_text="Since when somebody waits for it.")
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], condition=Q(state="queued"), name="job_queued_once"),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed"]), name="job_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "created_at"], name="job_by_state"),
            models.Index(fields=["state", "awaited_at"], condition=Q(awaited_at__isnull=False), name="job_awaited"),
            models.Index(fields=["key"], name="job_by_key"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.args} ({self.state})"

    @staticmethod
    def key_for(kind: str, args: dict[str, Any]) -> str:
        """Return a text that is the same for the same work."""
        return f"{kind} {json.dumps(args, sort_keys=True)}"


class RoutineState(models.Model):
    """The last run of a routine; ``n_starts`` is the fence of whoever holds the lease."""

    name = models.CharField(primary_key=True, max_length=60, help_text="The name of a ``core.jobs.Routine``.")
    started_at = models.DateTimeField(null=True, blank=True)
    succeeded_at = models.DateTimeField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    n_starts = models.PositiveIntegerField(default=0)
    n_failures = models.PositiveIntegerField(default=0, help_text="In a row, since it last succeeded.")
    error = models.TextField(blank=True, help_text="Of the last failure; blank once it succeeded.")

    objects = RoutineStateQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class Heartbeat(models.Model):
    """When somebody was last alive: one row per role."""

    WORKER = "worker"

    name = models.CharField(primary_key=True, max_length=20)
    beaten_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Bucket(models.Model):
    """A bucket of tokens (``core.limits``): how often something was done lately. A full one is the same as none."""

    name = models.CharField(primary_key=True, max_length=120, help_text="What is limited, and a hash of for whom.")
    full_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.name
