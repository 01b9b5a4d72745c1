"""Background jobs: how fast they are written, done, and picked up again after a crash.

Workers ask the database, or Redis wakes Celery's up: a server of its own, started here.
"""

import contextlib
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.table import BenchmarkRow
from tests.registry.core.lab import Lab, RedisServer, free_port, until

_N_JOBS = 400

_ENQUEUE = """
import json, sys, time
from tests.registry.core.chaos_app import enqueue_jobs
started = time.perf_counter()
enqueue_jobs(kind="test.behave", args=[{"number": number} for number in range(int(sys.argv[1]))])
print(time.perf_counter() - started)
"""


def rows() -> list[BenchmarkRow]:
    """Enqueueing, draining, waiting and recovering, by asking and with Redis."""
    with _lab() as lab:
        found = [_enqueue(lab, "asking"), _drain(lab, "asking"), *_recover(lab)]
    if shutil.which("redis-server"):
        with tempfile.TemporaryDirectory() as folder:
            server = RedisServer(Path(folder))
            with _lab(server.url) as lab:
                found += [_enqueue(lab, "Redis"), _drain(lab, "Redis")]
            server.kill()
    return [*found, *_enqueue_without_broker()]


@contextlib.contextmanager
def _lab(redis_url: str = "") -> Iterator[Lab]:
    with tempfile.TemporaryDirectory() as home:
        lab = Lab(Path(home), redis_url=redis_url)
        try:
            yield lab
        finally:
            lab.close()


def _enqueue(lab: Lab, how: str) -> BenchmarkRow:
    seconds = float(lab.run("-c", _ENQUEUE, str(_N_JOBS)))
    return BenchmarkRow(f"write a job, {how}", f"{_N_JOBS} jobs", seconds / _N_JOBS)


def _enqueue_without_broker() -> Iterator[BenchmarkRow]:
    """Yield what the caller waits for when Redis is down."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(16)
        places = {"refuses": free_port(), "never answers": silent.getsockname()[1]}
        for how, port in places.items():
            with _lab(f"redis://127.0.0.1:{port}/0") as lab:
                seconds = float(lab.run("-c", _ENQUEUE, "1"))
            yield BenchmarkRow(f"write a job while Redis {how}", "1 job", seconds)


def _drain(lab: Lab, how: str) -> BenchmarkRow:
    lab.start_worker()
    until(lambda: len(lab.effects()) >= 20, 60, "the first jobs done")
    n_before, started = len(lab.effects()), time.monotonic()
    lab.until_done(_N_JOBS, 120)
    seconds = (time.monotonic() - started) / (_N_JOBS - n_before)
    note = f"{1 / seconds:.0f} jobs/s with two processes on SQLite"
    return BenchmarkRow(f"do an empty job, {how}", f"{_N_JOBS} jobs", seconds, note=note)


def _recover(lab: Lab) -> Iterator[BenchmarkRow]:
    """Yield how long after a crash everything is done; the lab's lease is 4 s and its sweep comes every second."""
    lab.close()
    number = _N_JOBS

    def add(n_jobs: int, seconds: float) -> None:
        nonlocal number
        lab.add_jobs([{"number": number + index, "seconds": seconds} for index in range(n_jobs)])
        number += n_jobs

    add(1, 0)
    started = time.monotonic()
    worker = lab.start_worker()
    lab.until_done(number, 60)
    yield BenchmarkRow("start a worker, to its first job done", "1 job", time.monotonic() - started)

    add(10, 0.5)
    until(lambda: bool(lab.query("SELECT 1 FROM core_job WHERE state = 'running'")), 30, "a job is running")
    lab.kill(worker)
    started = time.monotonic()
    lab.start_worker()
    lab.until_done(number, 60)
    yield BenchmarkRow(
        "kill -9 at work, start again, to all done", "10 jobs of 0.5 s", time.monotonic() - started, note="lease 4 s"
    )
