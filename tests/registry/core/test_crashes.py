"""Whatever is killed, emptied or doubled: every job has its effect once, or fails where everybody sees it."""

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.registry.core.lab import Lab, RedisServer, ask, descendants, free_port, until

pytestmark = pytest.mark.slow


_TEN_BUSY_LOOPS = """
import os, time
for _ in range(9):
    if not os.fork():
        break
until = time.monotonic() + 240
while time.monotonic() < until:
    pass
"""

#: To a database whose clock is set back, every moment that is kept lies as much later.
_SET_CLOCK = """
import sys
from datetime import timedelta
import django
django.setup()
from django.apps import apps
from django.db import models, transaction
with transaction.atomic():
    for model in apps.get_app_config("core").get_models():
        names = [field.name for field in model._meta.fields if isinstance(field, models.DateTimeField)]
        if names:
            model.objects.update(**{name: models.F(name) - timedelta(seconds=int(sys.argv[1])) for name in names})
"""


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
    os.kill(worker.pid, signal.SIGTERM)
    worker.wait(timeout=60)
    assert "running" not in lab.states()
    assert lab.effects() == sorted(set(lab.effects()))


@pytest.mark.postgres
@pytest.mark.redis
def test_a_queue_that_was_emptied_is_filled_again(team_lab: Lab) -> None:
    team_lab.add_jobs(jobs(*range(20)))
    team_lab.empty_broker()
    team_lab.start_worker()
    team_lab.until_done(20, 180)
    assert team_lab.effects() == list(range(20))


def test_a_worker_that_lost_its_children_works_again(lab: Lab) -> None:
    worker = lab.start_worker()
    number = 0
    for _ in range(3):
        lab.add_jobs(jobs(number, number + 1))
        number += 2
        lab.until_done(number, 60)
        for child in descendants(worker.pid):
            os.kill(child, signal.SIGKILL)
    lab.add_jobs(jobs(number))
    lab.until_done(number + 1, 30)
    assert worker.poll() is None
    assert lab.effects() == list(range(number + 1))


def test_work_that_takes_longer_than_its_lease_is_done_once(lab: Lab) -> None:
    lab.add_jobs(jobs(1, 2, seconds=6))
    lab.start_worker()
    lab.until_done(2, 60)
    assert lab.effects() == [1, 2]
    assert lab.query("SELECT max(attempts) FROM core_job") == [(1,)]


def test_a_clock_that_is_set_back_and_forward_loses_doubles_and_delays_nothing(lab: Lab) -> None:
    lab.add_jobs(jobs(*range(60), seconds=0.2))
    worker = lab.start_worker()
    for n_done, seconds in ((5, -3600), (15, 7200), (25, -86_400)):
        until(lambda n_done=n_done: len(lab.effects()) >= n_done, 120, f"{n_done} jobs done")
        lab.run("-c", _SET_CLOCK, str(seconds))
    lab.kill(worker)
    lab.run("-c", _SET_CLOCK, "-172800")  # what it held is leased for two more days, and routines began in the future
    lab.start_worker()
    lab.until_done(60, 180)
    assert lab.effects() == list(range(60))


def test_beside_ten_busy_loops_everything_is_done_and_nothing_twice(lab: Lab) -> None:
    """The work goes on many times slower than the clock: leases run out, and are renewed."""
    lab.environment |= {"PLUMBLINE_JOB_CPU_SECONDS": "4"}
    lab.add_jobs([*jobs(*range(4), cpu_seconds=1.5), *jobs(*range(4, 12))])
    lab.start_worker()
    until(lambda: "running" in lab.states(), 60, "a job is running")
    lab.start(sys.executable, "-c", _TEN_BUSY_LOOPS)
    lab.until_done(12, 240)
    assert lab.effects() == list(range(12))


@pytest.mark.postgres
@pytest.mark.redis
def test_messages_delivered_again_have_no_second_effect(team_lab: Lab) -> None:
    lab = team_lab
    lab.add_jobs(jobs(*range(3), seconds=0.2))
    again = (
        "from celery import current_app; from registry.core.models import Job\n"
        "for job in [*Job.objects.all()] * 5: current_app.send_task('core.run_job', args=[str(job.pk)])"
    )
    lab.shell(again)
    lab.start_worker()
    lab.until_done(3, 180)
    time.sleep(2)
    assert lab.effects() == [0, 1, 2]
    assert lab.query("SELECT max(attempts) FROM core_job") == [(1,)]


def test_poison_fails_visibly_and_the_others_are_done(lab: Lab) -> None:
    lab.environment |= {"LAB_JOB_CLOCK_SECONDS": "8"}
    lab.add_jobs(
        [*jobs(100, behaviour="kill"), *jobs(101, behaviour="fail"), *jobs(102, seconds=999), *jobs(*range(9))]
    )
    lab.start_worker()
    until(lambda: lab.states() == {"done": 9, "failed": 3}, 120, "three jobs failed, nine done")
    assert lab.effects() == list(range(9))
    errors = {
        str(args): str(error) for args, error in lab.query("SELECT args, error FROM core_job WHERE state = 'failed'")
    }
    numbers = ("100", "101", "102")
    by_number = {number: error for args, error in errors.items() for number in numbers if number in args}
    assert by_number["100"].startswith("given up after 2 attempts: the worker died")
    assert by_number["101"].strip().endswith("LookupError: the topics are missing")
    assert by_number["102"].startswith("given up after 2 attempts: the worker died")
    assert "in behave" in lab.worker_log  # where the one that never ended was


def test_work_without_end_fails_by_what_it_costs_the_first_time(lab: Lab) -> None:
    lab.environment |= {"PLUMBLINE_JOB_CPU_SECONDS": "1"}
    lab.add_jobs([*jobs(1, cpu_seconds=999), *jobs(2, seconds=2)])
    lab.start_worker()
    until(lambda: lab.states() == {"done": 1, "failed": 1}, 120, "one job failed, one done")
    ((error, attempts),) = lab.query("SELECT error, attempts FROM core_job WHERE state = 'failed'")
    assert str(error).startswith("given up: it took more than 1 s of processor time")
    assert attempts == 1


def test_a_web_process_that_is_killed_is_replaced_by_its_main_process(lab: Lab) -> None:
    def answers() -> bool:
        with suppress(ConnectionError):
            return ask(port, "/-/health/")[0].status == 200
        return False

    port = lab.start_web()
    until(answers, 60, "the site answers")
    before = children_of(lab.web.pid)
    for child in before:
        os.kill(child, signal.SIGKILL)
    until(lambda: not {*before} & {*children_of(lab.web.pid)} and answers(), 60, "it answers again")
    assert lab.web.poll() is None


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


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


@pytest.mark.postgres
@pytest.mark.redis
def test_a_worker_that_hears_nothing_starts_again(team_lab: Lab) -> None:
    worker = team_lab.start_worker()
    team_lab.add_jobs(jobs(1))
    team_lab.until_done(1, 180)
    team_lab.run("-m", "celery", "-A", "tests.registry.core.chaos_app", "control", "cancel_consumer", "celery")
    team_lab.add_jobs(jobs(2))
    team_lab.until_done(2, 120)
    assert "it starts again" in team_lab.worker_log
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
@pytest.mark.parametrize(("accepts", "seconds"), [(False, 2), (True, 6)])
def test_nobody_waits_long_for_a_broker_that_refuses_or_never_answers(
    team_lab: Lab, black_hole: socket.socket, accepts: bool, seconds: int
) -> None:
    answering = team_lab.environment["REDIS_URL"]
    quick = team_lab.add_jobs(jobs(1))
    port = black_hole.getsockname()[1] if accepts else free_port()
    team_lab.environment["REDIS_URL"] = f"redis://127.0.0.1:{port}/0"
    assert team_lab.add_jobs(jobs(2)) < quick + seconds
    team_lab.environment["REDIS_URL"] = answering
    team_lab.start_worker()
    team_lab.until_done(2, 180)
