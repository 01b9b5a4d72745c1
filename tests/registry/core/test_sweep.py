"""The sweep sends again what was lost, gives up what is poison, and tidies."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models.functions import Now

from registry.core.models import Job
from registry.core.services import Sweep, enqueue_jobs, sweep

pytestmark = pytest.mark.django_db


def make_job(**fields: Any) -> Job:
    enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": Job.objects.count()}])
    job = Job.objects.order_by("-created_at", "-args__leaderboard_id").first()
    Job.objects.filter(pk=job.pk).update(**fields)
    job.refresh_from_db()
    return job


def ago(seconds: float) -> Any:
    return Now() - timedelta(seconds=seconds)


@pytest.fixture(autouse=True)
def broker(settings: Any) -> None:
    """Where there is Redis, messages are sent; here they go nowhere."""
    settings.REDIS_URL = settings.REDIS_URL or "redis://somewhere/0"


@pytest.mark.parametrize(
    ("fields", "published"),
    [
        ({"created_at": ago(0)}, 0),
        ({"created_at": ago(2.5)}, 1),
        ({"published_at": ago(5)}, 0),
        ({"published_at": ago(35.5)}, 1),
        ({"state": "running", "attempts": 1, "created_at": ago(9), "leased_until": ago(-9)}, 0),
        ({"state": "running", "attempts": 1, "created_at": ago(9), "leased_until": ago(1)}, 1),
        ({"state": "done", "created_at": ago(9)}, 0),
        ({"state": "failed", "created_at": ago(9)}, 0),
    ],
)
def test_what_was_lost_is_published_again(fields: dict[str, Any], published: int) -> None:
    make_job(**fields)
    assert sweep() == Sweep(published=published, failed=0, pruned=0)
    assert sweep().published == 0


def test_a_job_that_keeps_killing_its_worker_fails_visibly(settings: Any) -> None:
    job = make_job(state="running", attempts=settings.PLUMBLINE_JOB_MAX_ATTEMPTS, leased_until=ago(1))
    assert sweep() == Sweep(published=0, failed=1, pruned=0)
    job.refresh_from_db()
    assert job.state == "failed"
    assert job.error.startswith("given up after 4 attempts: the worker died")
    assert job.finished_at is not None


def test_a_job_on_its_last_attempt_is_left_to_finish(settings: Any) -> None:
    make_job(state="running", attempts=settings.PLUMBLINE_JOB_MAX_ATTEMPTS, leased_until=ago(-60))
    assert sweep().failed == 0


def test_a_kind_that_nothing_can_do_fails() -> None:
    job = make_job(kind="core.teleport")
    assert sweep().failed == 1
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "no such kind of job in this version")


def test_old_jobs_that_are_done_go_and_failed_ones_stay() -> None:
    old = ago(8 * 86_400)
    make_job(state="done", finished_at=old)
    recent = make_job(state="done", finished_at=ago(86_400))
    failed = make_job(state="failed", finished_at=old)
    assert sweep().pruned == 1
    assert set(Job.objects.all()) == {recent, failed}


def test_the_number_of_queries_does_not_grow(django_assert_num_queries: Callable[..., Any]) -> None:
    for _ in range(3):
        make_job(published_at=ago(60))
    with django_assert_num_queries(8):
        sweep()


def test_jobs_lists_what_is_unfinished_and_what_failed(capsys: pytest.CaptureFixture[str]) -> None:
    make_job()
    make_job(state="done")
    make_job(state="failed", error="Traceback …\nValueError: no topics\n", attempts=4)
    call_command("jobs")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[1:3] for line in lines[:2]] == [["failed", "attempt 4"], ["queued", "attempt 0"]]
    assert lines[0].endswith("ValueError: no topics")
    assert lines[2] == "1 queued, 0 running, 1 failed"
    assert lines[3] == "no worker is running: one was never seen"
