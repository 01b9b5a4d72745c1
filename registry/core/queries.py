"""How background work stands, for the health page and for operators."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count
from django.db.models.functions import Now

from registry.core.models import Heartbeat, Job


@dataclass(frozen=True, slots=True)
class Workload:
    """Numbers of jobs, how long the oldest waits, how long ago a worker was seen. Ages are in seconds."""

    n_queued: int
    n_running: int
    n_failed: int
    oldest_queued_age: float | None
    heartbeat_age: float | None

    @property
    def is_worker_alive(self) -> bool:
        """Whether a worker was seen lately; one job of full length keeps it from being seen for no longer."""
        patience = settings.PLUMBLINE_JOB_LEASE_SECONDS if self.n_running else 3 * settings.PLUMBLINE_SWEEP_SECONDS
        return self.heartbeat_age is not None and self.heartbeat_age <= max(patience, 30)

    @property
    def problems(self) -> tuple[str, ...]:
        """What an operator should look at, in words; empty when all is well."""
        problems = []
        if not self.is_worker_alive:
            seen = "was never seen" if self.heartbeat_age is None else f"was last seen {self.heartbeat_age:.0f} s ago"
            problems.append(f"no worker is running: one {seen}")
        if self.n_failed:
            problems.append(f"failed jobs: {self.n_failed}; see manage.py jobs")
        return tuple(problems)


def read_workload() -> Workload:
    """How background work stands now, by the database's clock."""
    counts = dict(
        Job.objects.filter(state__in=["queued", "running", "failed"]).values_list("state").annotate(Count("pk"))
    )
    oldest = Job.objects.filter(state=Job.State.QUEUED).annotate(now=Now()).order_by("created_at")
    heartbeat = Heartbeat.objects.filter(name=Heartbeat.WORKER).annotate(now=Now())
    return Workload(
        n_queued=counts.get("queued", 0),
        n_running=counts.get("running", 0),
        n_failed=counts.get("failed", 0),
        oldest_queued_age=_age(oldest.values_list("now", "created_at").first()),
        heartbeat_age=_age(heartbeat.values_list("now", "beaten_at").first()),
    )


def _age(times: tuple[datetime, datetime] | None) -> float | None:
    """Seconds between now and then; None where there is no then."""
    return max(0.0, (times[0] - times[1]) / timedelta(seconds=1)) if times else None
