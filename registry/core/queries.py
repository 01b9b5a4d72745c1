"""How background work stands, for the health page and for operators; and what apps above this one tell there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Min
from django.db.models.functions import Now

from registry.core.models import Heartbeat, Job, RoutineState

#: As many failures of a routine in a row are a problem.
_FAILURES_TOLD = 3


@dataclass(frozen=True, slots=True)
class Workload:
    """Numbers of jobs, how long the oldest waits, how long ago a worker was seen, and which routines fail how often in
    a row. Ages are in seconds."""

    n_queued: int
    n_running: int
    n_failed: int
    oldest_queued_age: float | None
    heartbeat_age: float | None
    failing: tuple[tuple[str, int], ...] = ()
    #: How long the oldest of those waits that somebody waits for.
    oldest_awaited_age: float | None = None

    @property
    def is_worker_alive(self) -> bool:
        """Whether a worker was seen lately: it gives a sign with every sweep, and where it renews a lease."""
        patience = max(30, 3 * settings.PLUMBLINE_SWEEP_SECONDS, settings.PLUMBLINE_JOB_LEASE_SECONDS / 2)
        return self.heartbeat_age is not None and self.heartbeat_age <= patience

    @property
    def problems(self) -> tuple[str, ...]:
        """What an operator should look at, in words; empty when all is well."""
        problems = []
        if not self.is_worker_alive:
            seen = "was never seen" if self.heartbeat_age is None else f"was last seen {self.heartbeat_age:.0f} s ago"
            problems.append(f"no worker is running: one {seen}")
        if self.n_failed:
            problems.append(f"failed jobs: {self.n_failed}; see manage.py jobs")
        for name, times in self.failing:
            problems.append(f"the routine {name} failed {times} times in a row; see manage.py jobs")
        return tuple(problems)


def read_workload() -> Workload:
    """How background work stands now, by the database's clock."""
    counts = dict(
        Job.objects.filter(state__in=["queued", "running", "failed"]).values_list("state").annotate(Count("pk"))
    )
    queued = Job.objects.filter(state=Job.State.QUEUED)
    since = queued.aggregate(now=Min(Now()), oldest=Min("created_at"), awaited=Min("awaited_at"))
    heartbeat = Heartbeat.objects.filter(name=Heartbeat.WORKER).annotate(now=Now())
    return Workload(
        n_queued=counts.get("queued", 0),
        n_running=counts.get("running", 0),
        n_failed=counts.get("failed", 0),
        oldest_queued_age=_age((since["now"], since["oldest"])),
        heartbeat_age=_age(heartbeat.values_list("now", "beaten_at").first()),
        oldest_awaited_age=_age((since["now"], since["awaited"])),
        failing=tuple(
            (name, one.n_failures) for name, one in sorted(read_routines().items()) if one.n_failures >= _FAILURES_TOLD
        ),
    )


@dataclass(frozen=True, slots=True)
class RoutineProgress:
    """How a routine stands: whether somebody is at it, how often it failed in a row, and last when."""

    is_running: bool
    n_failures: int
    started_at: datetime | None


def read_routines() -> dict[str, RoutineProgress]:
    """How every routine stands, by its name; a process that ended in the middle of one has failed."""
    rows = RoutineState.objects.annotate(now=Now()).values_list(
        "name", "n_failures", "started_at", "leased_until", "now"
    )
    return {
        name: RoutineProgress(
            is_running=leased_until is not None and leased_until > now,
            n_failures=n_failures + (leased_until is not None and leased_until <= now),
            started_at=started_at,
        )
        for name, n_failures, started_at, leased_until, now in rows
    }


def _age(times: tuple[datetime, datetime | None] | None) -> float | None:
    """Seconds between now and then; None where there is no then."""
    return max(0.0, (times[0] - times[1]) / timedelta(seconds=1)) if times and times[1] else None


#: A section, and what an operator should look at, in words.
Section = Callable[[], tuple[dict[str, Any], Sequence[str]]]

SECTIONS: dict[str, Section] = {}


def register_section(name: str, section: Section) -> None:
    """Have the health page show this."""
    SECTIONS[name] = section
