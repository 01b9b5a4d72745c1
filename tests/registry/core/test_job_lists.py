"""Which jobs are to be done, sent again, told of and forgotten, and how the command lists them."""

import sqlite3
from contextlib import nullcontext, suppress
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any, Never

import pytest
from django.core.management import call_command, load_command_class
from django.db import OperationalError, ProgrammingError, connection
from django.db.models.functions import Now
from django.utils import timezone

from registry.core import services
from registry.core.jobs import KINDS, Kind
from registry.core.models import Bucket, Job, RoutineState
from registry.core.services import (
    Sweep,
    enqueue_jobs,
    enqueue_overdue_jobs,
    hurry_jobs,
    release_leases,
    retry_failed_jobs,
    run_claimed,
    run_next_job,
    sweep,
)
from registry.core.storage import not_waiting
from registry.results.models import TopicScores
from tests.registry.factory import make_result, make_topic_scores

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def done(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What was done by kinds that are small, large, awaited, and come later."""
    numbers: list[int] = []
    turns = {"small": {}, "large": {"large": True}, "soon": {"awaited": True}, "late": {"later": True}}
    for name, what in turns.items():
        monkeypatch.setitem(KINDS, f"test.{name}", Kind(f"test.{name}", lambda number: numbers.append(number), **what))
    return numbers


def add(number: int, *, kind: str = "test.small", age: float = 0, **fields: Any) -> Job:
    """A job that was made so many seconds ago; moments are given as seconds from now."""
    key = Job.key_for(kind, {"number": number})
    job = Job.objects.create(kind=kind, args={"number": number}, key=key)
    now = timezone.now()
    for name in ("leased_until", "published_at", "finished_at", "awaited_at"):
        if name in fields:
            fields[name] = now + timedelta(seconds=fields[name])
    Job.objects.filter(pk=job.pk).update(created_at=now - timedelta(seconds=age), **fields)
    return job


def numbers(jobs: Any) -> list[int]:
    return sorted(job.args["number"] for job in jobs)


def test_what_may_be_claimed_and_what_is_given_up(settings):
    settings.PLUMBLINE_JOB_MAX_ATTEMPTS = 3
    add(1)
    add(2, state="running", leased_until=60, attempts=1)
    add(3, state="running", leased_until=-5, attempts=2)
    add(4, state="running", leased_until=-5, attempts=3)
    add(5, state="failed", finished_at=-5)
    add(6, state="done", finished_at=-5)
    add(7, kind="test.gone")
    add(8, kind="test.gone", state="done", finished_at=-5)
    jobs = Job.objects
    assert numbers(jobs.unfinished()) == [1, 2, 3, 4, 7]
    assert numbers(jobs.failed()) == [5]
    assert numbers(jobs.waiting()) == [1, 3, 4, 7]
    assert numbers(jobs.claimable()) == [1, 3, 7]
    assert numbers(jobs.exhausted()) == [4]
    assert numbers(jobs.of_unknown_kind()) == [7]


def test_what_is_sent_again_and_what_is_forgotten(settings):
    settings.PLUMBLINE_SWEEP_SECONDS, settings.PLUMBLINE_JOB_KEEP_DAYS = 20, 2
    settings.PLUMBLINE_JOB_RETRY_SECONDS = 100
    add(1, age=1)
    add(2, age=4)
    add(3, age=60, published_at=-24)
    add(4, age=60, published_at=-27)
    add(5, age=60, state="running", leased_until=30, published_at=-60)
    add(6, state="done", finished_at=-2 * 86_400 + 60)
    add(7, state="done", finished_at=-2 * 86_400 - 60)
    add(8, state="failed", finished_at=-9 * 86_400)
    add(9, state="failed", finished_at=-90)
    assert numbers(Job.objects.to_publish()) == [2, 4]
    assert numbers(Job.objects.to_prune()) == [7]
    keys = [Job.key_for("test.small", {"number": number}) for number in range(1, 10)]
    assert sorted(Job.objects.keys_not_to_repeat(keys)) == [keys[0], keys[1], keys[2], keys[3], keys[4], keys[8]]
    assert enqueue_overdue_jobs(kind="test.small", args=[{"number": number} for number in range(1, 11)]) == 4
    assert numbers(Job.objects.failed()) == [9]


def test_a_sweep_says_what_it_did(settings, monkeypatch, caplog):
    settings.PLUMBLINE_JOB_MAX_ATTEMPTS = 2
    sent: list[int] = []
    monkeypatch.setattr(services, "_publish", lambda jobs: sent.extend(jobs) or len(sent))
    add(1, kind="test.gone", state="running", leased_until=30)
    dead = add(2, state="running", leased_until=-5, attempts=2)
    second, first = add(3, age=50), add(4, age=90)
    add(5, state="done", finished_at=-900 * 86_400)
    Bucket.objects.create(name="full", full_at=timezone.now() - timedelta(seconds=5))
    Bucket.objects.create(name="spent", full_at=timezone.now() + timedelta(seconds=60))
    assert sweep() == Sweep(published=2, failed=2, pruned=1)
    assert sent == [first.pk, second.pk]
    assert [bucket.name for bucket in Bucket.objects.all()] == ["spent"]
    assert [one.getMessage().partition(":")[0] for one in caplog.records] == ["1 jobs failed", "1 jobs failed"]
    dead.refresh_from_db()
    assert (dead.state, dead.leased_until) == ("failed", None)
    assert dead.error.startswith("given up after 2 attempts")
    assert dead.finished_at is not None
    assert sorted(Job.objects.failed().values_list("error", flat=True))[1] == "no such kind of job in this version"


def test_what_is_given_up_lets_go_of_its_lease_and_is_tried_a_little_later_before(settings):
    settings.PLUMBLINE_JOB_MAX_ATTEMPTS = 2
    job = add(1)

    def fail(number: int) -> None:
        raise LookupError(number)

    assert not run_claimed(str(job.pk), fail)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.finished_at) == ("running", 1, None)
    assert timedelta(seconds=1) < job.leased_until - timezone.now() <= timedelta(seconds=2)
    Job.objects.update(leased_until=Now() - timedelta(seconds=1))
    assert not run_claimed(str(job.pk), fail)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.leased_until) == ("failed", 2, None)
    assert job.finished_at is not None
    assert job.error.endswith("LookupError: 1\n")
    add(2, kind="test.gone", state="failed", finished_at=-5)
    assert retry_failed_jobs() == 1
    assert numbers(Job.objects.failed()) == [2]
    assert (Job.objects.get(state="queued").attempts, Job.objects.get(state="queued").error) == (0, "")


def test_the_next_job_is_one_that_somebody_waits_for_and_large_ones_wait_for_their_turn(done, monkeypatch):
    add(1, kind="test.late", age=90)
    add(2, kind="test.large", age=80)
    add(3, age=70)
    add(4, age=75)
    add(5, age=9, awaited_at=-1)
    add(6, kind="test.late", age=1, awaited_at=-2)
    while run_next_job():
        pass
    assert done == [6, 5, 2, 4, 3, 1]
    done.clear()
    add(7, kind="test.large", age=80)
    add(8, age=10)
    add(9, kind="test.late", age=10)
    add(10, kind="test.large", awaited_at=-1)
    monkeypatch.setattr(services, "turn", lambda: nullcontext(False))
    while run_next_job():
        pass
    assert done == [8, 9]
    assert numbers(Job.objects.unfinished()) == [7, 10]


def told(number: int, kind: str = "test.small") -> tuple[str, dict[str, int]]:
    return kind, {"number": number}


def awaited() -> list[int]:
    return numbers(Job.objects.filter(awaited_at__isnull=False))


def test_a_kind_that_somebody_waits_for_is_awaited_from_the_first():
    enqueue_jobs(kind="test.soon", args=[{"number": 1}])
    enqueue_jobs(kind="test.small", args=[{"number": 2}])
    assert awaited() == [1]


def test_a_job_whose_page_is_looked_at_is_done_next(done):
    for number in range(1, 5):
        add(number, age=10 - number)
    add(5, kind="test.late")
    hurry_jobs([told(5, "test.late"), told(4)])
    hurry_jobs(iter([told(9), told(2, "test.late")]))
    assert awaited() == [4, 5]
    earlier = timezone.now() - timedelta(hours=1)
    Job.objects.filter(kind="test.late").update(awaited_at=earlier)
    hurry_jobs([told(5, "test.late")])
    assert Job.objects.get(kind="test.late").awaited_at == earlier
    while run_next_job():
        pass
    assert done == [5, 4, 1, 2, 3]


def test_what_is_done_or_being_done_is_not_hurried():
    for number, state in enumerate(("running", "done", "failed")):
        add(number, state=state)
    hurry_jobs(told(number) for number in range(3))
    assert awaited() == []


def test_where_nothing_is_waited_for_nothing_is_asked(django_assert_num_queries):
    with django_assert_num_queries(0):
        hurry_jobs([])


def test_a_fault_of_ours_is_no_outage(monkeypatch):
    def fail() -> Never:
        raise ProgrammingError("no such column")

    monkeypatch.setattr(services, "not_waiting", fail)
    with pytest.raises(ProgrammingError):
        hurry_jobs([told(1)])


def test_who_looks_at_a_page_waits_for_nobody_who_writes(monkeypatch):
    add(1)

    def refuse() -> Never:
        cause = sqlite3.OperationalError("database is locked")
        cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise OperationalError("database is locked") from cause

    monkeypatch.setattr(services, "not_waiting", refuse)
    hurry_jobs([told(1)])
    assert awaited() == []


@pytest.mark.sqlite
def test_within_it_sqlite_waits_for_nobody_and_then_as_long_as_before():
    def patience() -> tuple[int]:
        with connection.cursor() as cursor:
            return cursor.execute("PRAGMA busy_timeout").fetchone()

    before = patience()
    with suppress(LookupError), not_waiting():
        assert patience() == (0,) != before
        raise LookupError
    assert patience() == before


def test_whoever_did_a_large_one_wakes_up_a_worker_for_the_next(done, monkeypatch):
    sent: list[Any] = []
    monkeypatch.setattr(services, "_publish", lambda jobs: sent.append(jobs) or len(jobs))
    first = add(1, kind="test.large", age=9)
    add(2, age=20)
    add(3, kind="test.large", age=2)
    older = add(4, kind="test.large", age=5)
    assert services.run_job(str(first.pk))
    assert (done, sent) == ([1], [[older.pk]])
    sent.clear()
    assert services.run_job(str(Job.objects.get(kind="test.small").pk))
    assert sent == []


def test_leases_of_who_is_gone_are_freed():
    add(1, state="running", leased_until=900, published_at=-1)
    add(2)
    RoutineState.objects.create(name="a", leased_until=timezone.now() + timedelta(hours=1))
    RoutineState.objects.create(name="b")
    assert release_leases() == 1
    assert numbers(Job.objects.claimable()) == [1, 2]
    assert {state.name for state in RoutineState.objects.free()} == {"a", "b"}
    assert RoutineState.objects.get(name="b").leased_until is None
    assert not Job.objects.filter(published_at__isnull=False).exists()


def test_jobs_are_listed_by_state_the_oldest_first_with_the_last_line_of_what_went_wrong(settings):
    def listed(*options: str) -> list[str]:
        out = StringIO()
        call_command("jobs", *options, stdout=out)
        return out.getvalue().splitlines()

    add(1, age=5)
    add(2, age=50, state="running", leased_until=60, attempts=1)
    add(3, age=20)
    add(4, age=1, state="failed", attempts=5, error="Traceback\n  in x\nLookupError: gone\n\n", finished_at=-1)
    add(5, age=99, state="done", finished_at=-1)
    RoutineState.objects.create(name="b.routine", n_failures=4, error="Traceback\nOSError: full\n\n")
    RoutineState.objects.create(name="a.routine", n_failures=2, error="KeyError")
    RoutineState.objects.create(name="c.routine")
    lines = listed()
    assert [line[21:] for line in lines[:4]] == [
        'failed  attempt 5  test.small {"number": 4}  LookupError: gone',
        'queued  attempt 0  test.small {"number": 3}',
        'queued  attempt 0  test.small {"number": 1}',
        'running  attempt 1  test.small {"number": 2}',
    ]
    assert lines[4:8] == [
        "a.routine  failed 2 times in a row  KeyError",
        "b.routine  failed 4 times in a row  OSError: full",
        "2 queued, 1 running, 1 failed",
        "no worker is running: one was never seen",
    ]
    assert lines[8:] == [
        "failed jobs: 1; see manage.py jobs",
        "the routine b.routine failed 4 times in a row; see manage.py jobs",
    ]
    assert "2 queued, 1 running, 1 failed (3 shown, 1 more)" in listed("--limit", "3")
    assert "2 queued, 1 running, 1 failed" in listed("--limit", "4")
    whole = listed("-v", "2")
    assert whole[1:4] == ["    Traceback", "      in x", "    LookupError: gone"]
    assert whole[4].endswith('queued  attempt 0  test.small {"number": 3}')
    assert whole[7:12] == [*lines[4:5], "    KeyError", lines[5], "    Traceback", "    OSError: full"]
    assert listed("--retry")[0] == "1 failed job is queued again."
    assert listed("--retry")[0] == "0 failed jobs are queued again."


def test_fifty_jobs_are_listed_where_nobody_says_how_many(capsys):
    Job.objects.bulk_create(Job(kind="test.small", args={}, key=f"key {number}") for number in range(51))
    call_command("jobs")
    lines = capsys.readouterr().out.splitlines()
    assert lines[50] == "51 queued, 0 running, 0 failed (50 shown, 1 more)"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("backup", ["FILE a new file; only you can read it"]),
        ("jobs", ["--retry start every failed job anew, with all its attempts",
                          "--limit LIMIT how many to list (default: 50)"]),
        ("migrate", ["--create Make the SQLite database where there is none."]),
        ("work", ["--processes PROCESSES how many work at once (default: 2)"]),
    ],
)  # fmt: skip
def test_a_command_says_what_its_options_are(command, told):
    parser = load_command_class("registry.core", command).create_parser("manage.py", command)
    help_text = " ".join(parser.format_help().split())
    for option in told:
        assert option in help_text


def test_what_held_at_a_moment_is_what_had_been_recorded_and_not_ended():
    day = datetime(2026, 1, 10, tzinfo=UTC)
    kept = [
        (day, None), (day - timedelta(days=2), day), (day - timedelta(days=2), day + timedelta(seconds=1)),
        (day + timedelta(seconds=1), None),
    ]  # fmt: skip
    rows = []
    for recorded_at, ended_at in kept:
        row = make_topic_scores(make_result(), [0.5])
        TopicScores.objects.filter(pk=row.pk).update(recorded_at=recorded_at, ended_at=ended_at)
        rows.append(row.pk)
    known = TopicScores.objects.known_at(day)
    assert set(known.values_list("pk", flat=True)) == {rows[0], rows[2]}
    for standing in (TopicScores.objects.known_at(None), TopicScores.objects.standing()):
        assert set(standing.values_list("pk", flat=True)) == {rows[0], rows[3]}


def test_jobs_of_one_change_are_added_once_each():
    assert enqueue_jobs(kind="test.small", args=[{"number": 1}, {"number": 2}, {"number": 1}]) == 2
    assert enqueue_jobs(kind="test.small", args=[]) == 0
    assert enqueue_jobs(kind="test.small", args=[{"number": 2}, {"number": 3}]) == 1
    assert numbers(Job.objects.all()) == [1, 2, 3]
    assert Job.key_for("a", {"x": 1, "b": 2}) == Job.key_for("a", {"b": 2, "x": 1})
    assert str(Job.objects.get(key='test.small {"number": 3}')) == "test.small {'number': 3} (queued)"
