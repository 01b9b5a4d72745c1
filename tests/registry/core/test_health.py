"""The health page: what an operator should look at, cheaply; 503 without a database."""

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from registry.core.jobs import ROUTINES, Routine
from registry.core.models import Heartbeat, Job, RoutineState
from registry.core.refusals import DatabaseAway, DatabaseMissing
from registry.core.services import enqueue_jobs, record_heartbeat, run_routine

ROOT = Path(__file__).parents[3]


def read(client: Client) -> dict[str, Any]:
    response = client.get("/-/health/")
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    health: dict[str, Any] = response.json()
    return health


@pytest.mark.django_db
def test_an_empty_site_without_a_worker(client: Client) -> None:
    health = read(client)
    assert health["ok"] is True
    assert health["problems"] == ["no worker is running: one was never seen"]
    assert health["jobs"] == {"queued": 0, "running": 0, "failed": 0, "oldest_queued_seconds": None}
    assert health["worker"] == {"alive": False, "heartbeat_seconds": None}


@pytest.mark.django_db
def test_a_site_at_work(client: Client) -> None:
    record_heartbeat()
    enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": pk} for pk in range(4)])
    first, second, *_ = Job.objects.all()
    Job.objects.filter(pk=first.pk).update(created_at=Now() - timedelta(seconds=90))
    Job.objects.filter(pk=second.pk).update(state="running")
    Heartbeat.objects.create(name="another", beaten_at=timezone.now() - timedelta(hours=1))
    health = read(client)
    assert health["problems"] == []
    assert (health["jobs"]["queued"], health["jobs"]["running"]) == (3, 1)
    assert 90 <= health["jobs"]["oldest_queued_seconds"] < 100
    assert health["worker"]["alive"]
    assert 0 <= health["worker"]["heartbeat_seconds"] < 10


@pytest.mark.django_db
def test_failed_jobs_are_a_problem(client: Client) -> None:
    record_heartbeat()
    enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": 1}])
    Job.objects.update(state="failed")
    assert read(client)["problems"] == ["failed jobs: 1; see manage.py jobs"]


@pytest.mark.django_db
def test_a_routine_that_failed_three_times_in_a_row_is_a_problem(
    client: Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failures = [LookupError("no room for dumps")] * 4

    def step() -> None:
        if failures:
            raise failures.pop()

    record_heartbeat()
    monkeypatch.setitem(ROUTINES, "test.dump", Routine("test.dump", step, every=600, expires=600))
    for problems in ([], [], ["test.dump failed 3 times"], ["test.dump failed 4 times"]):
        assert not run_routine("test.dump")
        named = read(client)["problems"]
        assert [named[0].startswith(f"the routine {start}") for start in problems] == [True] * len(named)
    call_command("jobs")
    assert "LookupError: no room for dumps" in capsys.readouterr().out
    assert run_routine("test.dump")
    assert read(client)["problems"] == []


@pytest.mark.django_db
def test_a_routine_whose_process_ends_every_time_is_a_problem(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that is ended for its memory: nobody is left to say that it failed."""
    record_heartbeat()

    def die() -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(ROUTINES, "test.dump", Routine("test.dump", die, every=600, expires=600))
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            run_routine("test.dump")
        assert not run_routine("test.dump")  # somebody seems to be at it
        RoutineState.objects.update(leased_until=Now() - timedelta(seconds=1))
    assert read(client)["problems"] == ["the routine test.dump failed 3 times in a row; see manage.py jobs"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("seconds", "is_running", "alive"), [(25, False, True), (100, False, False), (100, True, False)]
)
def test_a_worker_counts_as_gone_after_a_while(client: Client, seconds: int, is_running: bool, alive: bool) -> None:
    record_heartbeat()
    Heartbeat.objects.update(beaten_at=Now() - timedelta(seconds=seconds))
    if is_running:
        enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": 1}])
        Job.objects.update(state="running")
    health = read(client)
    assert health["worker"]["alive"] is alive
    # Some of them may pass until it is read.
    last_seen = rf"last seen {seconds // 10}\d s ago"
    assert any(re.search(last_seen, problem) for problem in health["problems"]) is not alive


@pytest.mark.django_db
def test_a_disk_that_is_nearly_full_is_a_problem(client: Client, settings: Any) -> None:
    record_heartbeat()
    settings.PLUMBLINE_LOW_DISK_BYTES = 10**18
    (problem,) = read(client)["problems"]
    assert re.fullmatch(r"the disk is nearly full: [\d,]+ MB are free", problem)


@pytest.mark.django_db
def test_a_folder_that_takes_no_file_is_a_problem(client: Client, settings: Any, tmp_path: Path) -> None:
    record_heartbeat()
    (tmp_path / "file").touch()
    settings.HOME = tmp_path / "file"
    health = read(client)
    assert health["problems"] == ["no file can be written: File exists"]
    assert health["storage"]["writable"] is False


@pytest.fixture
def read_only_database(db: None) -> Iterator[None]:
    record_heartbeat()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on" if is_postgres() else "PRAGMA query_only = on")
        yield
        if not is_postgres():
            cursor.execute("PRAGMA query_only = off")


def is_postgres() -> bool:
    return bool(connection.vendor == "postgresql")


def test_a_database_that_takes_no_row_is_a_problem(read_only_database: None, client: Client) -> None:
    health = read(client)
    (problem,) = health["problems"]
    assert re.match("nothing can be stored in the database: (attempt to write|cannot execute INSERT)", problem)
    assert health["ok"] is True
    assert health["storage"]["writable"] is False


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "code", "error"),
    [
        (OperationalError, sqlite3.SQLITE_CANTOPEN, DatabaseMissing.cause),
        (OperationalError, sqlite3.SQLITE_BUSY, DatabaseAway.cause),
        (InterfaceError, None, DatabaseAway.cause),
        (DatabaseError, None, DatabaseAway.cause),
    ],
)
def test_it_says_that_the_database_does_not_answer_and_what_whoever_runs_the_site_may_do(
    client: Client, caplog: pytest.LogCaptureFixture, kind: Any, code: Any, error: str
) -> None:
    def fail(*_: object) -> None:
        cause = sqlite3.OperationalError("it says no")
        cause.sqlite_errorcode = code
        raise kind("it says no") from cause if code else None

    with connection.execute_wrapper(fail):
        response = client.get("/-/health/")
    assert (response.status_code, response["Retry-After"], response.json()["error"]) == (503, "30", error)
    assert "the database does not answer" in caplog.text


@pytest.mark.slow
@pytest.mark.sqlite
def test_it_answers_503_where_a_database_never_answers() -> None:
    code = (
        "import django; django.setup(); from django.test import Client;"
        "response = Client(headers={'host': 'localhost'}).get('/-/health/'); "
        "print(response.status_code, response['Retry-After'], response.text)"
    )
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgres://nobody@127.0.0.1:{silent.getsockname()[1]}/nothing"
        environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "registry.settings"}
        command = [sys.executable, "-W", "ignore", "-c", code]
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=240)
    status, wait, body = done.stdout.split(" ", 2)
    assert (status, wait) == ("503", "30")
    message = "The database does not answer."
    part = {"field": "", "code": "unavailable", "message": message}
    assert json.loads(body) == {"ok": False, "status": 503, "error": message, "errors": [part]}
