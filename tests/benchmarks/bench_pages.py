"""A leaderboard of 300 results and its JSON twin: kept, from one Granian worker, against an empty view; and not kept.

What it takes to make one is processor time of one process. Granian and the client share the machine, so requests a
second are a lower bound.
"""

import http.client
import statistics
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.benchmarks.bench_loading import Database
from tests.benchmarks.server import EMPTY, serving
from tests.benchmarks.table import BenchmarkRow

PAGES = {
    "page of a leaderboard": "/leaderboards/trec-2004-robust/AP/",
    "its JSON twin": "/leaderboards/trec-2004-robust/AP.json",
}
#: What browsers say they can read.
AS_BROWSERS = "gzip, deflate, br, zstd"
N_ROUNDS = 10
N_REQUESTS = 320
N_CONNECTIONS = 16

_COUNT = """
import sys, django
django.setup()
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from registry.core.kept import kept_answers
from tests.benchmarks.table import processor_seconds
client = Client(SERVER_NAME="localhost")
def answer(address, *, is_kept):
    if not is_kept:
        kept_answers.clear()
    assert client.get(address).status_code == 200
def count(address, *, is_kept):
    answer(address, is_kept=is_kept)
    with CaptureQueriesContext(connection) as captured:
        answer(address, is_kept=is_kept)
    return len(captured)
for address in sys.argv[1:]:
    seconds = processor_seconds(lambda: answer(address, is_kept=False), 20)
    print(count(address, is_kept=True), seconds, count(address, is_kept=False))
"""


def rows() -> list[BenchmarkRow]:
    """Return one row a page and number of connections."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        database = prepare(Path(folder) / "site")
        counted = database.call(["-c", _COUNT, *PAGES.values()])
        counts = dict(zip(PAGES, (line.split() for line in counted.splitlines()), strict=True))
        queries = {what: n_queries for what, (n_queries, *_) in counts.items()}
        built = [
            BenchmarkRow(f"{what}, not kept", "300 results", float(seconds), note=f"{n_queries} SQL queries")
            for what, (_, seconds, n_queries) in counts.items()
        ]
        with serving(database.environment) as port:
            return [*built, *(row for n in (1, N_CONNECTIONS) for row in _measure(port, n, queries))]


def _measure(port: int, n_connections: int, queries: dict[str, str]) -> list[BenchmarkRow]:
    # In turns, so that other work on the machine disturbs all of them alike.
    rounds = [
        {address: _times(port, address, n_connections) for address in (EMPTY, *PAGES.values())} for _ in range(N_ROUNDS)
    ]
    times = {address: _together([times_by_address[address] for times_by_address in rounds]) for address in rounds[0]}
    empty = statistics.median(times[EMPTY][0])
    measured = []
    for what, address in PAGES.items():
        latencies, per_second, n_bytes = times[address]
        p50, p99 = statistics.median(latencies), statistics.quantiles(latencies, n=100)[98]
        note = (
            f"p50 {1e3 * p50:.2f} ms, p99 {1e3 * p99:.2f} ms, {per_second:,.0f} requests/s (empty view "
            f"{times[EMPTY][1]:,.0f}), {p50 / empty:.1f} times the empty view, {queries[what]} SQL queries"
        )
        size = f"300 results, {n_bytes / 1e3:.0f} kB, {n_connections} connection{'s' * (n_connections > 1)}"
        measured.append(BenchmarkRow(what, size, p50, "empty view", empty, note))
    return measured


def _together(rounds: list[tuple[list[float], float, int]]) -> tuple[list[float], float, int]:
    latencies = [latency for latencies, _, _ in rounds for latency in latencies]
    return latencies, statistics.median(per_second for _, per_second, _ in rounds), rounds[0][2]


def _times(port: int, address: str, n_connections: int) -> tuple[list[float], float, int]:
    """Ask as a browser does, compressed, over open connections; return seconds of each, requests a second, bytes."""
    share = N_REQUESTS // n_connections
    _requests(port, address, 5)
    start = time.perf_counter()
    with ThreadPoolExecutor(n_connections) as pool:
        answers = list(pool.map(lambda _: _requests(port, address, share), range(n_connections)))
    seconds = time.perf_counter() - start
    latencies = [latency for of_connection, _ in answers for latency in of_connection]
    return latencies, share * n_connections / seconds, answers[0][1]


def _requests(port: int, address: str, n: int) -> tuple[list[float], int]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    latencies, n_bytes = [], 0
    for _ in range(n):
        start = time.perf_counter()
        connection.request("GET", address, headers={"Accept-Encoding": AS_BROWSERS})
        answer = connection.getresponse()
        n_bytes = len(answer.read())
        latencies.append(time.perf_counter() - start)
        if answer.status != 200:
            raise RuntimeError(f"{address} answered {answer.status}")
    connection.close()
    return latencies, n_bytes


def prepare(
    home: Path, database_url: str = "", *, files: Sequence[str] = ("robust04_papers", "trec_adhoc")
) -> Database:
    """Return a site with the Robust04 leaderboard, analysed."""
    database = Database(home)
    database.environment["OPENBLAS_NUM_THREADS"] = "1"
    if database_url:
        database.environment["DATABASE_URL"] = database_url
    results = (f"data/results/{name}.csv" for name in files)
    for arguments in (
        ["migrate", "--create"], ["load_catalog", "data"], ["load_results", *results],
        ["recompute", "trec-2004-robust", "AP"], ["collectstatic", "--noinput"],
    ):  # fmt: skip
        database.run(*arguments, "-v0")
    return database
