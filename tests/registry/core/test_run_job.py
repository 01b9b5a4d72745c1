"""A job is done once, with its state, by whoever holds its lease."""

import os
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from registry.core import jobs, services
from registry.core.jobs import KINDS, ROUTINES, Kind, Routine, held
from registry.core.models import Heartbeat, Job, RoutineState
from registry.core.services import (
    begin_routines,
    enqueue_jobs,
    release_leases,
    run_claimed,
    run_due_routine,
    run_job,
    run_routine,
)
from registry.journal.models import Entry
from tests.registry.factory import make_entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def job() -> Job:
    enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": 7}])
    return Job.objects.get()


def write(leaderboard_id: int) -> None:
    make_entry("test.step.ran", subject_id=leaderboard_id)


def fail(leaderboard_id: int) -> None:
    write(leaderboard_id)
    raise LookupError(f"leaderboard {leaderboard_id} is gone")


def effects() -> list[str]:
    return list(Entry.objects.filter(action="test.step.ran").values_list("subject_id", flat=True))


def expire(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(leased_until=Now() - timedelta(seconds=1))


def test_the_step_gets_the_arguments_and_the_job_is_done(job: Job) -> None:
    assert run_claimed(str(job.pk), write)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error, job.leased_until) == ("done", 1, "", None)
    assert job.finished_at is not None
    assert effects() == ["7"]


def test_a_leased_job_is_left_alone(job: Job) -> None:
    Job.objects.update(state="running", attempts=1, leased_until=Now() + timedelta(minutes=1))
    assert not run_claimed(str(job.pk), write)
    assert effects() == []


def test_an_expired_lease_can_be_taken_over(job: Job) -> None:
    Job.objects.update(
        state="running", attempts=1, leased_until=Now() - timedelta(seconds=1), error="LookupError: not yet"
    )
    assert run_claimed(str(job.pk), write)
    assert (Job.objects.get().attempts, Job.objects.get().error) == (2, "")


def test_what_a_step_wrote_is_undone_when_it_fails(job: Job, caplog: pytest.LogCaptureFixture) -> None:
    assert not run_claimed(str(job.pk), fail)
    assert [line.getMessage().endswith(": attempt 1 failed") for line in caplog.records] == [True]
    job.refresh_from_db()
    assert effects() == []
    assert (job.state, job.attempts) == ("running", 1)
    assert job.error.strip().endswith("LookupError: leaderboard 7 is gone")
    assert timedelta(0) < job.leased_until - timezone.now() < timedelta(seconds=3)


def test_a_job_waits_twice_as_long_after_each_attempt_and_is_given_up_after_the_fourth(job: Job) -> None:
    for attempt, wait in ((1, 2), (2, 4), (3, 8)):
        run_claimed(str(job.pk), fail)
        job.refresh_from_db()
        assert job.attempts == attempt
        assert timedelta(seconds=wait - 1) < job.leased_until - timezone.now() <= timedelta(seconds=wait)
        expire(job)
    run_claimed(str(job.pk), fail)
    expire(job)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("failed", 4)
    assert "leaderboard 7 is gone" in job.error
    assert job.finished_at is not None
    assert not run_claimed(str(job.pk), write)


def test_a_lease_that_is_renewed_lasts_as_long_again_and_one_that_was_lost_is_told(
    job: Job, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.PLUMBLINE_JOB_LEASE_SECONDS = 100
    services._renew(Job.objects.filter(pk=job.pk))
    job.refresh_from_db()
    assert timedelta(seconds=90) < job.leased_until - timezone.now() <= timedelta(seconds=100)
    assert caplog.messages == []
    Heartbeat.objects.all().delete()
    services._renew(Job.objects.none())
    assert caplog.messages == ["a lease was lost: what is computed will be dropped"]
    assert Heartbeat.objects.exists(), "the worker is alive all the same"


def test_a_run_that_lost_its_lease_is_dropped(job: Job) -> None:
    def be_overtaken(leaderboard_id: int) -> str:
        Job.objects.update(attempts=F("attempts") + 1)
        return str(leaderboard_id)

    assert not run_claimed(str(job.pk), be_overtaken, save=write)
    assert effects() == []
    assert Job.objects.get().state == "running"


def test_a_failure_after_the_lease_was_lost_does_not_touch_the_new_run(job: Job) -> None:
    def be_overtaken(leaderboard_id: int) -> None:
        Job.objects.update(attempts=F("attempts") + 1, error="")
        raise LookupError

    assert not run_claimed(str(job.pk), be_overtaken, save=write)
    assert Job.objects.get().error == ""


def test_a_job_is_done_as_its_kind_says(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, job.kind, Kind(job.kind, lambda leaderboard_id: leaderboard_id + 1, write))
    assert run_job(str(job.pk))
    assert not run_job(str(job.pk))
    assert effects() == ["8"]


def test_a_job_that_this_version_cannot_do_waits(job: Job) -> None:
    Job.objects.update(kind="core.teleport")
    assert not run_job(str(job.pk))
    assert (Job.objects.get().state, Job.objects.get().attempts) == ("queued", 0)


def test_a_claim_holds_for_as_long_as_a_lease_and_its_message_is_done_with(job: Job, settings: Any) -> None:
    Job.objects.update(published_at=Now())

    def look(leaderboard_id: int) -> int:
        job.refresh_from_db()
        return leaderboard_id

    settings.PLUMBLINE_JOB_LEASE_SECONDS = 100
    assert run_claimed(str(job.pk), look, save=write)
    assert (job.state, job.attempts, job.published_at) == ("running", 1, None)
    assert timedelta(seconds=90) < job.leased_until - timezone.now() <= timedelta(seconds=100)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done of two routines: one every hour, one every minute that begins with the worker."""
    names: list[str] = []
    hourly = Routine("test.hourly", lambda: names.append("hourly"), every=3600, expires=60)
    first = Routine("test.first", lambda: names.append("first"), every=60, expires=60, at_start=True)
    monkeypatch.setattr(services, "ROUTINES", {routine.name: routine for routine in (hourly, first)})
    return names


def start_of(name: str, seconds_ago: float) -> None:
    RoutineState.objects.filter(pk=name).update(started_at=Now() - timedelta(seconds=seconds_ago))


def test_a_routine_is_done_when_its_time_has_come(done: list[str]) -> None:
    assert not run_due_routine(), "none before routines began"
    begin_routines()
    assert RoutineState.objects.get(pk="test.first").started_at == datetime(1970, 1, 1, tzinfo=UTC)
    assert RoutineState.objects.get(pk="test.hourly").started_at > timezone.now() - timedelta(minutes=1)
    assert run_due_routine()
    assert not run_due_routine()
    assert done == ["first"]
    start_of("test.hourly", 3590)
    start_of("test.first", 50)
    assert not run_due_routine()
    start_of("test.hourly", 3600)
    start_of("test.first", 60)
    assert [run_due_routine() for _ in range(3)] == [True, True, False]
    assert done == ["first", "hourly", "first"]
    # Somebody is at it.
    start_of("test.hourly", 3600)
    RoutineState.objects.update(leased_until=Now() + timedelta(seconds=9))
    assert not run_due_routine()
    begin_routines()
    assert RoutineState.objects.get(pk="test.hourly").started_at.year > 1970, "it goes on waiting"
    assert RoutineState.objects.get(pk="test.first").started_at.year == 1970


def test_who_lost_a_routine_to_another_says_nothing_of_it_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def be_overtaken() -> None:
        RoutineState.objects.update(n_starts=F("n_starts") + 1, error="of the other")

    monkeypatch.setitem(ROUTINES, "test.once", Routine("test.once", be_overtaken, every=60, expires=60))
    run_routine("test.once")
    state = RoutineState.objects.get()
    assert (state.error, state.succeeded_at) == ("of the other", None)


def test_the_routine_of_a_process_that_ended_has_failed_and_is_free(done: list[str]) -> None:
    begin_routines()
    RoutineState.objects.filter(pk="test.hourly").update(leased_until=Now() + timedelta(seconds=99))
    assert not run_routine("test.hourly")
    release_leases()
    assert list(RoutineState.objects.filter(leased_until__isnull=False).values_list("pk", flat=True)) == ["test.hourly"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "ROUTINES", {"test.hourly": Routine("test.hourly", die, every=9, expires=9)})
        with pytest.raises(KeyboardInterrupt):
            run_routine("test.hourly")
    state = RoutineState.objects.get(pk="test.hourly")
    assert (state.n_failures, state.error) == (1, "its process ended without a word")


def die() -> None:
    raise KeyboardInterrupt


@pytest.fixture
def renewals(settings: Any) -> Iterator[list[str]]:
    """What a lease of a few milliseconds is told."""
    settings.PLUMBLINE_JOB_LEASE_SECONDS = 0.008
    yield []
    names = [thread.name for thread in threading.enumerate()]
    assert [name for name in names if name.startswith("Thread-") and "_keep" in name] == []


def test_a_lease_is_renewed_until_the_end_also_after_the_database_was_away(
    renewals: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    enough, closed = threading.Event(), list[int]()

    def renew() -> None:
        assert threading.current_thread().daemon
        renewals.append("renewed")
        if len(renewals) == 3:
            enough.set()
        raise DatabaseError("away")

    monkeypatch.setattr(jobs, "connections", SimpleNamespace(close_all=lambda: closed.append(len(renewals))))
    with held(renew, renewals.append):
        assert enough.wait(30)
    n = len(renewals)
    assert closed == [*range(1, n + 1), n], "after each failure, and at the end"
    assert caplog.messages == ["a lease could not be renewed: away"] * n
    assert set(renewals) == {"renewed"}
    threading.Event().wait(0.02)
    assert len(renewals) == n


def test_what_takes_too_much_of_a_processor_is_given_up(
    renewals: list[str], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    settings.PLUMBLINE_JOB_CPU_SECONDS = -1
    over = threading.Event()
    with held(lambda: None, lambda why: (renewals.append(why), over.set())):
        assert over.wait(30)
    assert set(renewals) == {"given up: it took more than -1 s of processor time (PLUMBLINE_JOB_CPU_SECONDS)"}
    assert set(ended) == {1}
