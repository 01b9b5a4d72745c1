"""A job is written with the change that needs it, once, and its message is sent after the commit."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from celery import current_app
from django.db import transaction

from registry.core.models import Job
from registry.core.services import enqueue_jobs, hurry_jobs

pytestmark = pytest.mark.django_db

KIND = "leaderboards.analyse_leaderboard"
Capture = Callable[..., Any]


@pytest.fixture
def broker(settings: Any) -> None:
    """Where there is Redis, messages are sent; here they go nowhere."""
    settings.REDIS_URL = settings.REDIS_URL or "redis://somewhere/0"


def enqueue(*leaderboards: int) -> int:
    return enqueue_jobs(kind=KIND, args=[{"leaderboard_id": pk} for pk in leaderboards])


def test_a_job_is_written_once_for_its_arguments_as_long_as_it_waits() -> None:
    assert enqueue(1, 2, 2) == 2
    assert enqueue(1, 3) == 1
    assert sorted(job.args["leaderboard_id"] for job in Job.objects.all()) == [1, 2, 3]
    assert set(Job.objects.values_list("state", "attempts")) == {("queued", 0)}


@pytest.mark.parametrize(("state", "states"), [("running", ["queued", "running"]), ("failed", ["queued"])])
def test_what_is_being_done_is_queued_once_more_and_what_failed_gives_way(state: str, states: list[str]) -> None:
    enqueue(1)
    Job.objects.update(state=state)
    assert enqueue(1) == 1
    assert sorted(Job.objects.values_list("state", flat=True)) == states


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no such kind of job: 'core\.teleport'"):
        enqueue_jobs(kind="core.teleport", args=[{}])


def test_a_change_that_is_rolled_back_leaves_no_job_and_no_message(django_capture_on_commit_callbacks: Capture) -> None:
    with django_capture_on_commit_callbacks() as callbacks, transaction.atomic():
        enqueue(1)
        transaction.set_rollback(True)
    assert callbacks == []
    assert not Job.objects.exists()


def test_messages_go_out_until_one_cannot_be_sent(
    broker: None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Capture,
) -> None:
    sent: list[tuple[object, ...]] = []

    def send(name: str, **options: Any) -> None:
        if len(sent) == 2:
            raise OSError("connection refused")
        assert options.pop("producer")
        sent.append((name, options))

    monkeypatch.setattr(current_app, "send_task", send)
    with caplog.at_level(logging.WARNING), django_capture_on_commit_callbacks(execute=True):
        enqueue(1, 2, 3, 4, 5)
        assert sent == []
    published = set(Job.objects.filter(published_at__isnull=False).values_list("pk", flat=True))
    assert len(published) == 2
    assert {(name, *options.pop("args")) for name, options in sent} == {("core.run_job", str(pk)) for pk in published}
    # Whoever asked for the work does not wait for a broker, and nobody reads what a job returns.
    assert [options for _, options in sent] == [{"retry": False, "ignore_result": True}] * 2
    assert "3 jobs wait for the sweep" in caplog.text


def test_what_somebody_waits_for_has_a_queue_of_its_own(
    broker: None, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Capture
) -> None:
    sent: list[tuple[str, str | None, list[str]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, queue=None, **_: sent.append((name, queue, args)))
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(1, 2)
        enqueue_jobs(kind="runs.score", args=[{"digest": "0" * 64}])
    first, second, scoring = Job.objects.order_by("kind", "args")
    expected = [("core.run_job", None, [str(job.pk)]) for job in (first, second)]
    assert sent == [*expected, ("core.run_awaited_job", "awaited", [str(scoring.pk)])]
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(2):  # Who looks at its page again has it done no sooner.
            hurry_jobs([(KIND, {"leaderboard_id": 2}), (KIND, {"leaderboard_id": 3})])
    assert sent == [("core.run_awaited_job", "awaited", [str(second.pk)])]


def test_whoever_changed_something_is_not_told_that_no_worker_could_be_woken_up(
    broker: None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Capture,
) -> None:
    def fail(*_: object, **options: object) -> None:
        raise LookupError("no such broker")

    monkeypatch.setattr(current_app, "send_task", fail)
    with django_capture_on_commit_callbacks(execute=True):
        assert enqueue(1) == 1
    assert "no such broker" in caplog.text
