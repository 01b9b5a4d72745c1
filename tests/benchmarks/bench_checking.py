"""How long a reader waits for a page while ten people have tables of 10,000 rows checked.

As ``./run`` serves the site, and as a team does: two workers on PostgreSQL and Redis, where ``DATABASE_URL`` and
``REDIS_URL`` name servers. A reader asks for a kept page a hundred times a second over one connection, in turns alone,
among ten people whose tables a worker checks, and among ten whose tables are checked by the thread that answers pages,
which is the rival. Server, worker, reader and the ten share the machine.
"""

import http.client
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

from tests.benchmarks.bench_pages import PAGES, prepare
from tests.benchmarks.bench_submissions import databases
from tests.benchmarks.contributors import N_CLIENTS, N_ROWS, Person, checking, make_people
from tests.benchmarks.server import serving, working
from tests.benchmarks.table import BenchmarkRow

N_ROUNDS = 2
SECONDS = 12
_A_SECOND = 100
PAGE = PAGES["page of a leaderboard"]


def rows() -> list[BenchmarkRow]:
    """One row a shape."""
    with databases() as found:
        return [
            _of_shape(url, f"{'two workers' if url else 'one worker'}, {name}{' and Redis' if url else ''}")
            for name, url in found.items()
        ]


def _of_shape(database_url: str, shape: str) -> BenchmarkRow:
    n_workers = 2 if database_url else 1
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        environment = prepare(Path(folder), database_url, files=["robust04_papers"])
        if database_url:
            environment["REDIS_URL"] = os.environ.get("REDIS_URL", "")
        people = make_people(environment)
        with (
            working(environment),
            serving(environment, n_workers=n_workers) as ours,
            serving(environment, n_workers=n_workers, site="tests.benchmarks.answered_here") as here,
        ):
            return _measure(ours, here, people, shape)


def _measure(ours: int, here: int, people: list[Person], shape: str) -> BenchmarkRow:
    # In turns, so that other work on the machine disturbs all alike.
    waits: dict[str, list[float]] = {"quiet": [], "ours": [], "here": []}
    taken: dict[str, list[float]] = {"ours": [], "here": []}
    for _ in range(N_ROUNDS):
        for what, port in (("ours", ours), ("here", here)):
            _wait_for_worker(ours)
            waits["quiet"] += _read(port)
            with checking(port, people) as seconds:
                time.sleep(1)
                waits[what] += _read(port)
            taken[what] += seconds
    told = {what: _described(found) for what, found in waits.items()}
    p99 = {what: _p99(found) for what, found in waits.items()}
    tables = "; ".join(
        f"{what} {len(each)} tables, {statistics.median(each):.1f} s each" for what, each in taken.items()
    )
    times = p99["ours"] / p99["quiet"]
    note = f"{told['ours']}; quiet {told['quiet']}; here {told['here']}; p99 {times:.2f} times quiet; {tables}"
    size = f"{N_CLIENTS} clients, {N_ROWS:,} rows, {shape}"
    return BenchmarkRow("p99 of a page while tables are checked", size, p99["ours"], "checked here", p99["here"], note)


def _wait_for_worker(port: int) -> None:
    """Until no job is left, and no file system is still busy with what they wrote."""
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        jobs = json.loads(_get(connection, "/-/health/", encoding="identity"))["jobs"]
        if jobs["failed"]:
            raise RuntimeError(f"{jobs['failed']} jobs failed")
        if not jobs["queued"] + jobs["running"]:
            return
        time.sleep(0.5)


def _read(port: int) -> list[float]:
    """What each request of a reader took, who asks by the clock: one that comes late keeps the next ones waiting."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    _get(connection, PAGE)
    found = []
    start = time.perf_counter()
    for number in range(SECONDS * _A_SECOND):
        due = start + number / _A_SECOND
        began = time.perf_counter()
        if began < due:
            time.sleep(due - began)
            # Whoever sleeps too long has nobody to blame.
            due = time.perf_counter()
        _get(connection, PAGE)
        found.append(time.perf_counter() - due)
    connection.close()
    return found


def _get(connection: http.client.HTTPConnection, path: str, *, encoding: str = "gzip") -> bytes:
    connection.request("GET", path, headers={"Accept-Encoding": encoding})
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
    return content


def _median(seconds: list[float]) -> float:
    """Not a number where no table was done in time."""
    return statistics.median(seconds) if seconds else float("nan")


def _p99(waits: list[float]) -> float:
    return statistics.quantiles(waits, n=100)[98]


def _described(waits: list[float]) -> str:
    return (
        f"p50 {1e3 * statistics.median(waits):.2f} ms, p99 {1e3 * _p99(waits):.2f} ms, most {1e3 * max(waits):.0f} ms"
    )
