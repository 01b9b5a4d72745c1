"""A job is done once, with its state, by whoever holds its lease."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from registry.core.jobs import KINDS, ROUTINES, Kind
from registry.core.models import Heartbeat, Job
from registry.core.services import RUN_JOB, enqueue_jobs, run_claimed, run_job
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


def test_a_second_delivery_has_no_second_effect(job: Job) -> None:
    assert [run_claimed(str(job.pk), write) for _ in range(3)] == [True, False, False]
    assert effects() == ["7"]


def test_a_job_that_is_gone_is_passed_over() -> None:
    assert not run_claimed(str(uuid.uuid4()), write)


def test_a_leased_job_is_left_alone(job: Job) -> None:
    Job.objects.update(state="running", attempts=1, leased_until=Now() + timedelta(minutes=1))
    assert not run_claimed(str(job.pk), write)
    assert effects() == []


def test_an_expired_lease_can_be_taken_over(job: Job) -> None:
    Job.objects.update(state="running", attempts=1, leased_until=Now() - timedelta(seconds=1))
    assert run_claimed(str(job.pk), write)
    assert Job.objects.get().attempts == 2


def test_what_a_step_wrote_is_undone_when_it_fails(job: Job) -> None:
    assert not run_claimed(str(job.pk), fail)
    job.refresh_from_db()
    assert effects() == []
    assert (job.state, job.attempts) == ("running", 1)
    assert job.error.strip().endswith("LookupError: leaderboard 7 is gone")
    assert timedelta(0) < job.leased_until - timezone.now() < timedelta(seconds=3)


def test_a_job_that_keeps_failing_is_given_up(job: Job, settings: Any) -> None:
    for attempt in range(1, settings.PLUMBLINE_JOB_MAX_ATTEMPTS + 1):
        run_claimed(str(job.pk), fail)
        expire(job)
        assert Job.objects.get().attempts == attempt
    job.refresh_from_db()
    assert job.state == "failed"
    assert "leaderboard 7 is gone" in job.error
    assert job.finished_at is not None
    assert not run_claimed(str(job.pk), write)


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


def test_what_a_step_computes_is_saved(job: Job) -> None:
    assert run_claimed(str(job.pk), lambda leaderboard_id: leaderboard_id + 1, save=write)
    assert effects() == ["8"]


def test_a_claim_is_a_sign_of_life(job: Job) -> None:
    run_claimed(str(job.pk), write)
    age = timezone.now() - Heartbeat.objects.get(name=Heartbeat.WORKER).beaten_at
    assert abs(age) < timedelta(seconds=5)


def test_a_job_is_done_as_its_kind_says(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, job.kind, Kind(job.kind, lambda leaderboard_id: leaderboard_id + 1, write))
    assert run_job(str(job.pk))
    assert not run_job(str(job.pk))
    assert effects() == ["8"]


def test_a_job_that_this_version_cannot_do_waits(job: Job) -> None:
    Job.objects.update(kind="core.teleport")
    assert not run_job(str(job.pk))
    assert (Job.objects.get().state, Job.objects.get().attempts) == ("queued", 0)


def test_workers_know_the_tasks_that_messages_name_and_the_clock_runs_all_routines() -> None:
    current_app.loader.import_default_modules()
    assert RUN_JOB in current_app.tasks
    schedule = current_app.conf.beat_schedule
    assert {name: entry["args"] for name, entry in schedule.items()} == {name: (name,) for name in ROUTINES}
    assert {entry["task"] for entry in schedule.values()} == {"core.run_routine"} <= set(current_app.tasks)
    assert schedule["core.sweep"]["options"]["expires"] == schedule["core.sweep"]["schedule"]
