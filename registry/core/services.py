"""Background jobs: written with the change that needs them, claimed with a lease, done once.

The ``Job`` row is the queue. Workers ask for it (``core.worker``), and whoever writes one wakes them; with Redis a
message wakes one of Celery's up. A sign that is lost, doubled or late costs time and nothing else:

* a row is written in the caller's transaction and its message sent after the commit;
* a claim is one conditional update on the database's clock; ``attempts`` is its fence, and it is renewed while it is
  worked on;
* effect and state change commit together, and only while the fence holds;
* ``sweep`` sends again what was lost and fails, visibly, what keeps killing its worker.

Routines are claimed in the same way, each by the one row that says how it went.
"""

import logging
import math
import traceback
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import Error, models, transaction
from django.db.models import F
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from registry.core.jobs import KINDS, ROUTINES, Place, held, turn
from registry.core.logs import about
from registry.core.models import Bucket, Heartbeat, Job, RoutineState
from registry.core.querysets import JobQuerySet
from registry.core.refusals import outage_of
from registry.core.storage import not_waiting
from registry.core.waking import wake

logger = logging.getLogger(__name__)

#: The Celery tasks that do jobs: of all, and of those that somebody waits for, which have a queue of their own.
RUN_JOB, RUN_AWAITED, AWAITED = "core.run_job", "core.run_awaited_job", "awaited"
SWEEP = "core.sweep"
_BATCH = 500
_MAX_ERROR_LENGTH = 4000


def enqueue_jobs(*, kind: str, args: Iterable[dict[str, Any]]) -> int:
    """Add a job for each of the arguments whose work does not wait already; return how many.

    A job that failed earlier gives way to the new one for the same work. Call it in the transaction of the change
    that needs the work. It never fails because of the broker: what could not be published, the sweep publishes.

    On PostgreSQL a waiting job may be claimed by a worker that does not see the caller's change yet; work whose
    input can change therefore also needs a sweep of its own that finds what is behind (``enqueue_overdue_jobs``).
    """
    if kind not in KINDS:
        raise ValueError(f"no such kind of job: {kind!r}")
    awaited_at = Now() if KINDS[kind].awaited else None
    wanted = {Job.key_for(kind, arguments): arguments for arguments in args}
    rows = [Job(kind=kind, args=arguments, key=key, awaited_at=awaited_at) for key, arguments in wanted.items()]
    if not rows:
        return 0
    with transaction.atomic():
        added = []
        for start in range(0, len(rows), _BATCH):
            batch = rows[start : start + _BATCH]
            Job.objects.failed().filter(key__in=[job.key for job in batch]).delete()
            Job.objects.bulk_create(batch, ignore_conflicts=True)
            stored = set(Job.objects.filter(pk__in=[job.pk for job in batch]).values_list("pk", flat=True))
            added += [job.pk for job in batch if job.pk in stored]
        transaction.on_commit(lambda: _publish(added), robust=True)
    return len(added)


def enqueue_overdue_jobs(*, kind: str, args: Iterable[dict[str, Any]]) -> int:
    """Add jobs as ``enqueue_jobs`` does, for a sweep that looks for undone work; return how many.

    Leaves out what is being worked on, and what was given up less than an hour ago: poison
    must not come back with every sweep.
    """
    wanted = {Job.key_for(kind, arguments): arguments for arguments in args}
    keys = list(wanted)
    for start in range(0, len(keys), _BATCH):
        for key in Job.objects.keys_not_to_repeat(keys[start : start + _BATCH]):
            wanted.pop(key, None)
    return enqueue_jobs(kind=kind, args=wanted.values())


def hurry_jobs(jobs: Iterable[tuple[str, dict[str, Any]]]) -> None:
    """Have workers do queued jobs, by kind and arguments, before those that nobody waits for: their page is looked at.

    The reader of the page waits for nobody: if it can't be stored just now, the jobs keep their place in the queue.
    """
    keys = [Job.key_for(*job) for job in jobs]
    if not keys:
        return
    queued = Job.objects.filter(state=Job.State.QUEUED, key__in=keys, awaited_at__isnull=True)
    try:
        with not_waiting():
            if hurried := list(queued.values_list("pk", flat=True)):
                queued.filter(pk__in=hurried).update(awaited_at=Now())
                transaction.on_commit(partial(_publish, hurried), robust=True)
    except Error as error:
        if outage_of(error) is None:
            raise


def _publish(jobs: list[uuid.UUID]) -> int:
    """Wake workers up for these jobs; return how many messages were sent before the first that could not be.

    Without Redis one sign wakes all workers, and counts as no message.
    """
    if not settings.REDIS_URL:
        if jobs:
            wake()
        return 0
    sent = []
    try:
        with current_app.producer_or_acquire() as producer:
            for pk, is_awaited in _with_waiting(jobs):
                name, where = (RUN_AWAITED, {"queue": AWAITED}) if is_awaited else (RUN_JOB, {})
                current_app.send_task(name, args=[str(pk)], **where, producer=producer, retry=False, ignore_result=True)
                sent.append(pk)
    except (OperationalError, OSError) as error:
        logger.warning("the broker does not answer (%s): %d jobs wait for the sweep", error, len(jobs) - len(sent))
    for start in range(0, len(sent), _BATCH):
        Job.objects.filter(pk__in=sent[start : start + _BATCH]).update(published_at=Now())
    return len(sent)


def _with_waiting(jobs: list[uuid.UUID]) -> Iterator[tuple[uuid.UUID, bool]]:
    """Yield the jobs in their order, each with whether somebody waits for it."""
    for start in range(0, len(jobs), _BATCH):
        batch = jobs[start : start + _BATCH]
        awaited = {*Job.objects.filter(pk__in=batch, awaited_at__isnull=False).values_list("pk", flat=True)}
        yield from ((pk, pk in awaited) for pk in batch)


def run_job(job_id: str, place: Place = Place.FOR_ALL) -> bool:
    """Do one job as its kind says (``run_claimed``); the sweep deals with kinds that this version lacks.

    A large job for which no turn is free stays queued; whoever had the turn wakes a worker up for it.
    """
    name = Job.objects.filter(pk=job_id).values_list("kind", flat=True).first()
    kind = KINDS.get(name or "")
    if kind is None:
        return False
    if kind.name not in _taking_turns(place):
        return run_claimed(job_id, kind.step, save=kind.save)
    with turn(place) as is_ours:
        done = is_ours and run_claimed(job_id, kind.step, save=kind.save)
    if is_ours:
        waiting = (jobs.filter(kind__in=_taking_turns(place)) for jobs in _in_turn(place))
        nexts = (jobs.values_list("pk", flat=True)[:1] for jobs in waiting)
        _publish(next((first for jobs in nexts if (first := list(jobs))), []))
    return done


def run_next_job(place: Place = Place.FOR_ALL) -> bool:
    """Do the next job (``JobQuerySet.in_turn``), a small one if no turn is free; return whether one was done.

    Places that are kept do only jobs that somebody waits for.
    """
    for waiting in _in_turn(place) if Job.objects.claimable().exists() else ():
        for jobs in (waiting, waiting.exclude(kind__in=_taking_turns(place))):
            pk = jobs.values_list("pk", flat=True).first()
            if pk is None:
                break  # None waits, small or large.
            if run_job(str(pk), place):
                return True
    return False


def _taking_turns(place: Place) -> list[str]:
    """Return the kinds of jobs of which few are done at once: large ones; in places that are kept, all that nobody
    sent, so that whoever sends something finds one of them free."""
    return [kind.name for kind in KINDS.values() if kind.large or (place is Place.KEPT and not kind.awaited)]


def _in_turn(place: Place) -> Iterator[JobQuerySet]:
    """Yield jobs that can be claimed in such a place, in their order: what somebody waits for comes first."""
    return islice(Job.objects.claimable().in_turn(), 2 if place is Place.KEPT else None)


def run_routine(name: str, *, only_due: bool = False) -> bool:
    """Do a routine once, unless somebody is at it; return whether it succeeded. Its row tells how it went."""
    routine, states = ROUTINES[name], RoutineState.objects.filter(pk=name)
    RoutineState.objects.get_or_create(name=name)
    free = states.free()
    if only_due:
        free = free.due(routine.every)
    with transaction.atomic():
        # A lease that ran out belonged to a process that died.
        died = free.filter(leased_until__isnull=False)
        died.update(leased_until=None, n_failures=F("n_failures") + 1, error="its process ended without a word")
        claimed = free.update(started_at=Now(), leased_until=_lease_end(), n_starts=F("n_starts") + 1)
        if not claimed:
            return False
        mine = states.filter(n_starts=states.get().n_starts)
    try:
        with about(name), held(partial(_renew, mine), partial(_end_routine, mine)):
            routine.step()
    except Exception:  # Whatever goes wrong is recorded; the routine runs again when it is due.
        logger.exception("the routine %s failed", name)
        _end_routine(mine, traceback.format_exc())
        return False
    mine.update(leased_until=None, succeeded_at=Now(), n_failures=0, error="")
    return True


def _end_routine(mine: "models.QuerySet[RoutineState]", error: str) -> None:
    mine.update(leased_until=None, n_failures=F("n_failures") + 1, error=error[-_MAX_ERROR_LENGTH:])


def run_due_routine() -> bool:
    """Do a routine that is due; return whether there was one."""
    due = next((name for name, seconds in _seconds_to_routines().items() if seconds <= 0), "")
    if due:
        run_routine(due, only_due=True)
    return bool(due)


def seconds_to_next_routine() -> float:
    """Return the seconds until a routine is due that nobody is at; infinity without one."""
    return max(0.0, min(_seconds_to_routines().values(), default=math.inf))


def _seconds_to_routines() -> dict[str, float]:
    """Return the seconds until each routine is due that nobody is at, in the order of their declarations."""
    free = RoutineState.objects.free().annotate(now=Now())
    rows = free.values_list("name", "started_at", "now")
    ages = {name: (now - started_at).total_seconds() for name, started_at, now in rows if started_at}
    # A start later than now is by a clock that was set back since: it is due.
    since = {name: age if age >= 0 else math.inf for name, age in ages.items()}
    return {name: routine.every - since[name] for name, routine in ROUTINES.items() if name in since}


def begin_routines() -> None:
    """Let routines wait for their first time from now on, except for those that begin with the worker."""
    RoutineState.objects.bulk_create(
        [RoutineState(name=name, started_at=Now()) for name in ROUTINES], ignore_conflicts=True
    )
    first = [routine.name for routine in ROUTINES.values() if routine.at_start]
    RoutineState.objects.filter(pk__in=first).update(started_at=datetime(1970, 1, 1, tzinfo=UTC))


def run_claimed(job_id: str, step: Callable[..., Any], *, save: Callable[[Any], object] | None = None) -> bool:
    """Do one job unless it is at work, done or given up; return whether this call did it.

    ``step(**args)`` runs in the transaction that marks the job done. With ``save``, ``step`` computes outside of any
    transaction and only ``save(result)`` runs inside: SQLite has one writer at a time, and arithmetic should not keep
    it waiting.

    A step is repeatable and writes only through the database: it may be run again after a crash, and what it wrote is
    rolled back when it fails or when its lease ran out and the job was claimed again.
    """
    job = _claim(job_id)
    if job is None:
        return False
    with about(f"job-{job.pk.hex}"):
        return _run(job, step, save)


def _run(job: Job, step: Callable[..., Any], save: Callable[[Any], object] | None) -> bool:
    """Do a job that was claimed; return whether it was done, and claimed by nobody else since."""
    mine = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts)
    try:
        if save:
            with held(partial(_renew, mine), partial(_give_up, mine)):
                computed = step(**job.args)
        with transaction.atomic():
            if not mine.update(state=Job.State.DONE, finished_at=Now(), leased_until=None, error=""):
                logger.warning("%s: claimed again meanwhile, this run is dropped", job)
                return False
            if save:
                save(computed)
            else:
                step(**job.args)
    except Exception:  # Whatever goes wrong in a step is recorded with its job, and tried again.
        logger.exception("%s: attempt %d failed", job, job.attempts)
        _record_failure(mine, job.attempts, traceback.format_exc())
        return False
    return True


def _claim(job_id: str) -> Job | None:
    """Return the job, leased to the caller; None where there is nothing to do."""
    with transaction.atomic():
        claimed = (
            Job.objects.claimable()
            .filter(pk=job_id)
            .update(state=Job.State.RUNNING, leased_until=_lease_end(), attempts=F("attempts") + 1, published_at=None)
        )
        if not claimed:
            return None
        record_heartbeat()
        return Job.objects.get(pk=job_id)


def _lease_end() -> Any:
    return Now() + timedelta(seconds=settings.PLUMBLINE_JOB_LEASE_SECONDS)


def _renew(mine: "models.QuerySet[Any]") -> None:
    if not mine.update(leased_until=_lease_end()):
        logger.warning("a lease was lost: what is computed will be dropped")
    record_heartbeat()


def _give_up(mine: JobQuerySet, error: str) -> None:
    mine.update(state=Job.State.FAILED, error=error, finished_at=Now(), leased_until=None)


def _record_failure(mine: JobQuerySet, attempts: int, error: str) -> None:
    """Give the job up after its last attempt, else let its lease run out a little later: the sweep sends it again."""
    error = error[-_MAX_ERROR_LENGTH:]
    if attempts >= settings.PLUMBLINE_JOB_MAX_ATTEMPTS:
        _give_up(mine, error)
    else:
        mine.update(error=error, leased_until=Now() + timedelta(seconds=2**attempts))


@dataclass(frozen=True, slots=True)
class Sweep:
    """The outcome of one sweep, in numbers of jobs."""

    published: int
    failed: int
    pruned: int


def sweep() -> Sweep:
    """Set right what crashes and lost messages left behind; several may run at any time, and at once."""
    record_heartbeat()
    failed = _fail(Job.objects.of_unknown_kind(), "no such kind of job in this version")
    failed += _fail(
        Job.objects.exhausted(),
        f"given up after {settings.PLUMBLINE_JOB_MAX_ATTEMPTS} attempts: the worker died each time, or the job was "
        f"still running after {settings.PLUMBLINE_JOB_CLOCK_SECONDS} s",
    )
    overdue = list(Job.objects.to_publish().order_by("created_at").values_list("pk", flat=True))
    pruned, _ = Job.objects.to_prune().delete()
    Bucket.objects.filter(full_at__lt=Now()).delete()
    return Sweep(published=_publish(overdue), failed=failed, pruned=pruned)


def _fail(jobs: JobQuerySet, reason: str) -> int:
    failed = jobs.update(state=Job.State.FAILED, error=reason, finished_at=Now(), leased_until=None)
    if failed:
        logger.error("%d jobs failed: %s", failed, reason)
    return failed


def retry_failed_jobs() -> int:
    """Start every failed job of a known kind anew, with all its attempts; return how many."""
    failed = Job.objects.failed()
    return sum(
        enqueue_jobs(kind=kind, args=list(failed.filter(kind=kind).values_list("args", flat=True))) for kind in KINDS
    )


def release_leases() -> int:
    """Free jobs and routines whose worker is gone, where no worker can be running; return how many jobs."""
    # A lease is over only after its end, so one that ended this very moment is not.
    ended = Now() - timedelta(seconds=1)
    RoutineState.objects.filter(leased_until__isnull=False).update(leased_until=ended)
    return Job.objects.filter(state=Job.State.RUNNING).update(leased_until=ended, published_at=None)


def record_heartbeat() -> None:
    """Note that a worker is alive."""
    Heartbeat.objects.bulk_create(
        [Heartbeat(name=Heartbeat.WORKER, beaten_at=Now())],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["beaten_at"],
    )
