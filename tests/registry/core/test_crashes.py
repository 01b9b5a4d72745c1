"""Whatever is killed, emptied or doubled: every job has its effect once, or fails where everybody sees it."""

import os
import signal
import socket
import time
from collections.abc import Iterator

import pytest

from tests.registry.core.lab import Lab, RedisServer, free_port, until

pytestmark = pytest.mark.slow


def jobs(*numbers: int, **arguments: object) -> list[dict[str, object]]:
    return [{"number": number} | arguments for number in numbers]


def test_killing_the_worker_loses_and_doubles_nothing(lab: Lab) -> None:
    lab.add_jobs(jobs(*range(40), seconds=0.1))
    for n_done in (5, 20):
        worker = lab.start_worker()
        until(lambda n_done=n_done: len(lab.effects()) >= n_done, 60, f"{n_done} jobs done")
        lab.kill(worker)
    assert lab.states() != {"done": 40}
    lab.start_worker()
    lab.until_done(40, 180)
    assert lab.effects() == list(range(40))


def test_a_worker_that_is_asked_to_stop_finishes_what_it_began(lab: Lab) -> None:
    lab.add_jobs(jobs(*range(20), seconds=0.3))
    worker = lab.start_worker()
    until(lambda: len(lab.effects()) >= 2, 60, "2 jobs done")
    started = time.monotonic()
    os.kill(worker.pid, signal.SIGTERM)
    worker.wait(timeout=10)
    assert time.monotonic() - started < 10
    assert "running" not in lab.states()
    assert lab.effects() == sorted(set(lab.effects()))


def test_a_queue_that_was_emptied_is_filled_again(lab: Lab) -> None:
    lab.add_jobs(jobs(*range(20)))
    lab.empty_broker()
    lab.start_worker()
    lab.until_done(20, 180)
    assert lab.effects() == list(range(20))


def test_what_is_asked_for_without_a_worker_is_done_when_one_comes(lab: Lab) -> None:
    lab.add_jobs(jobs(*range(5)))
    assert lab.states() == {"queued": 5}
    lab.start_worker()
    lab.until_done(5, 180)


def test_messages_delivered_again_have_no_second_effect(lab: Lab) -> None:
    lab.add_jobs(jobs(*range(3), seconds=0.2))
    again = (
        "from registry.core.models import Job; from registry.core import services;"
        "services._publish(list(Job.objects.values_list('pk', flat=True)) * 5)"
    )
    lab.run("manage.py", "shell", "-v0", "-c", again)
    lab.start_worker()
    lab.until_done(3, 180)
    time.sleep(2)
    assert lab.effects() == [0, 1, 2]
    assert lab.query("SELECT max(attempts) FROM core_job") == [(1,)]


def test_poison_fails_visibly_and_the_others_are_done(lab: Lab) -> None:
    lab.add_jobs(
        [*jobs(100, behaviour="kill"), *jobs(101, behaviour="fail"), *jobs(102, seconds=999), *jobs(*range(9))]
    )
    lab.start_worker()
    until(lambda: lab.states() == {"done": 9, "failed": 3}, 60, "three jobs failed, nine done")
    assert lab.effects() == list(range(9))
    errors = {
        str(args): str(error) for args, error in lab.query("SELECT args, error FROM core_job WHERE state = 'failed'")
    }
    by_number = {number: error for args, error in errors.items() for number in ("100", "101", "102") if number in args}
    assert by_number["100"].startswith("given up after 2 attempts: the worker died")
    assert by_number["101"].strip().endswith("LookupError: the topics are missing")
    assert by_number["102"].startswith("given up after 2 attempts: the worker died")


def test_bad_messages_stop_nobody(embedded_lab: Lab) -> None:
    embedded_lab.add_jobs(jobs(*range(3)))
    queue = embedded_lab.home / "broker" / "celery"
    (good, *_) = sorted(queue.glob("*.msg"))
    bad = {"half": good.read_bytes()[:200], "empty": b"", "binary": os.urandom(300), "list": b"[]", "json": b"{}"}
    for name, content in bad.items():
        (queue / f"00000000000000000001_{name}.msg").write_bytes(content)
    worker = embedded_lab.start_worker()
    embedded_lab.until_done(3, 180)
    assert worker.poll() is None
    assert {path.stem.partition("_")[2] for path in queue.glob("*.bad")} == set(bad)


@pytest.mark.postgres
@pytest.mark.redis
def test_a_database_that_drops_every_connection_stops_no_worker(team_lab: Lab) -> None:
    team_lab.add_jobs(jobs(*range(30), seconds=0.2))
    worker = team_lab.start_worker()
    until(lambda: len(team_lab.effects()) >= 5, 60, "5 jobs done")
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    assert team_lab.query(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}") != []
    team_lab.until_done(30, 180)
    assert worker.poll() is None
    assert team_lab.effects() == list(range(30))


@pytest.mark.postgres
@pytest.mark.redis
def test_a_worker_outlives_its_broker(team_lab: Lab, redis_server: RedisServer) -> None:
    worker = team_lab.start_worker()
    team_lab.add_jobs(jobs(1))
    team_lab.until_done(1, 180)
    redis_server.kill()
    team_lab.add_jobs(jobs(2))
    time.sleep(5)
    redis_server.start()
    team_lab.until_done(2, 180)
    assert worker.poll() is None


@pytest.fixture
def black_hole() -> Iterator[socket.socket]:
    """A server that accepts and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(16)
        yield server


@pytest.mark.postgres
@pytest.mark.redis
def test_nobody_waits_for_a_broker_that_refuses(team_lab: Lab) -> None:
    answering = team_lab.environment["REDIS_URL"]
    quick = team_lab.add_jobs(jobs(1))
    team_lab.environment["REDIS_URL"] = f"redis://127.0.0.1:{free_port()}/0"
    assert team_lab.add_jobs(jobs(2)) < quick + 2
    team_lab.environment["REDIS_URL"] = answering
    team_lab.start_worker()
    team_lab.until_done(2, 180)


@pytest.mark.postgres
@pytest.mark.redis
def test_nobody_waits_long_for_a_broker_that_never_answers(team_lab: Lab, black_hole: socket.socket) -> None:
    answering = team_lab.environment["REDIS_URL"]
    quick = team_lab.add_jobs(jobs(1))
    team_lab.environment["REDIS_URL"] = f"redis://127.0.0.1:{black_hole.getsockname()[1]}/0"
    assert team_lab.add_jobs(jobs(2)) < quick + 6
    team_lab.environment["REDIS_URL"] = answering
    team_lab.start_worker()
    team_lab.until_done(2, 180)
