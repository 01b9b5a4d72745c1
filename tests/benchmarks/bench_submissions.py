"""Handing in: a table of 10,000 rows; submissions of programs one by one and as one; a page while they come.

SQLite, and PostgreSQL as well where ``DATABASE_URL`` names a server. Server and client share the machine.
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from tests.benchmarks.bench_loading import Database, result_lines, write_catalog
from tests.benchmarks.bench_pages import PAGES, prepare
from tests.benchmarks.server import ROOT, serving, working
from tests.benchmarks.table import BenchmarkRow

N_ROWS, N_RECORDED = 10_000, 3_000
N_SUBMISSIONS = 1_000
N_REQUESTS = 1_000
PER_SECOND = 50
_PAUSE = 0.02
_TOKEN = """
from registry.accounts.models import User
from registry.accounts.services import create_token
person = User.objects.create_user("program")
print(create_token(user=person, name="bench", scopes=["read", "submit"], days=1).secret)
"""


def rows() -> list[BenchmarkRow]:
    """The table, then the API and the page on each database."""
    found = [_long_table()]
    with databases() as named:
        for name, url in named.items():
            with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
                environment = prepare(Path(folder), url, files=["robust04_papers"])
                token = _run(environment, "manage.py", "shell", "-v0", "-c", _TOKEN).strip()
                with serving(environment) as port, working(environment):
                    found += [*_by_programs(port, token, name), *_page_meanwhile(port, token, name)]
    return found


def _long_table() -> BenchmarkRow:
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        home = Path(folder)
        write_catalog(home)
        recorded, handed_in = home / "recorded.csv", home / "table.csv"
        header, *lines = result_lines(N_ROWS)
        recorded.write_text("\n".join([header, *lines[:N_RECORDED]]) + "\n", encoding="utf-8")
        # A third of what stands has another score in the table.
        changed = [line.replace(",0.", ",0.9", 1) for line in lines[:1000]]
        handed_in.write_text("\n".join([header, *changed, *lines[1000:]]) + "\n", encoding="utf-8")
        measured = {}
        for way in ("ours", "obvious"):
            database = Database(home / way)
            database.run("migrate", "--create", "-v0")
            database.run("load_catalog", str(home), "-v0")
            database.run("load_results", str(recorded), "-v0")
            measured[way] = database.call(["-m", "tests.benchmarks.long_table", way, str(handed_in)])
    found = {way: json.loads(text) for way, text in measured.items()}
    seconds = {way: sum(one["steps"].values()) for way, one in found.items()}
    steps = ", ".join(f"{step} {taken:.2f} s" for step, taken in found["ours"]["steps"].items())
    memory = "; ".join(
        f"{way} {N_ROWS / seconds[way]:,.0f} rows/s, peak {one['mib']:.0f} MiB (+{one['added_mib']:.0f})"
        for way, one in found.items()
    )
    size = f"{N_ROWS:,} rows, {N_RECORDED:,} of them on the record"
    rival = "a form and its queries for each row"
    return BenchmarkRow(
        "table read, stored, checked, previewed", size, seconds["ours"], rival, seconds["obvious"], f"{memory}; {steps}"
    )


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """SQLite, and a fresh PostgreSQL database where there is a server."""
    server = urlsplit(os.environ.get("DATABASE_URL", ""))
    if not server.scheme.startswith("postgres"):
        yield {"SQLite": ""}
        return
    name = f"plumbline_bench_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield {"SQLite": "", "PostgreSQL": server._replace(path=f"/{name}").geturl()}
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _run(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


def _row(number: int) -> dict[str, str]:
    return {
        "collection": "trec-2004-robust",
        "measure": "AP",
        "system": f"system {number}",
        "value": f"0.{2000 + number % 1500}",
        "role": "proposed",
        "paper": f"Paper {number // 10}",
    }


class _Program:
    """A client that keeps its connection."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def submit(self, rows: list[dict[str, str]]) -> None:
        headers = self._headers | {"Idempotency-Key": uuid.uuid4().hex}
        body = json.dumps({"results": rows, "submit": True})
        status, location, said = self._ask("POST", "/api/v1/submissions/", body, headers)
        while status == 202:
            # Much is left to a worker; asked for more often than told to, so as to say when it was done.
            time.sleep(_PAUSE)
            status, _, said = self._ask("GET", location)
        if status != 201:
            raise RuntimeError(f"submitting was answered {status}: {said[:500]!r}")

    def _ask(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str, bytes]:
        self._connection.request(method, path, body, headers or self._headers)
        answer = self._connection.getresponse()
        return answer.status, answer.getheader("Location", ""), answer.read()


def _by_programs(port: int, token: str, database: str) -> list[BenchmarkRow]:
    program = _Program(port, token)
    program.submit([_row(0)])

    def timed(act: Any) -> float:
        start = time.perf_counter()
        act()
        return time.perf_counter() - start

    singly = timed(lambda: [program.submit([_row(number)]) for number in range(1, N_SUBMISSIONS + 1)])
    numbers = range(N_SUBMISSIONS + 1, 2 * N_SUBMISSIONS + 1)
    together = timed(lambda: program.submit([_row(number) for number in numbers]))
    size = f"{N_SUBMISSIONS:,} results, each checked and stored"
    return [
        BenchmarkRow(f"submissions one by one, {database}", size, singly, note=f"{N_SUBMISSIONS / singly:,.0f}/s"),
        BenchmarkRow(
            f"the same number as one batch, {database}", size, together, "one by one", singly,
            f"{N_SUBMISSIONS / together:,.0f}/s",
        ),
    ]  # fmt: skip


def _page_meanwhile(port: int, token: str, database: str) -> list[BenchmarkRow]:
    (what, address), *_ = PAGES.items()
    _latencies(port, address, 50)
    quiet = _latencies(port, address, N_REQUESTS)
    stop, n_sent = threading.Event(), [0]

    def arrive() -> None:
        """Fifty a second by the clock, however long the answers take."""
        program, start = _Program(port, token), time.perf_counter()
        while not stop.is_set():
            program.submit([_row(10 * N_SUBMISSIONS + n_sent[0])])
            n_sent[0] += 1
            stop.wait(max(0.0, start + n_sent[0] / PER_SECOND - time.perf_counter()))

    sender = threading.Thread(target=arrive)
    start = time.perf_counter()
    sender.start()
    busy = _latencies(port, address, N_REQUESTS)
    seconds = time.perf_counter() - start
    stop.set()
    sender.join()
    note = (
        f"p50 and p99 {_quantiles(busy)} against {_quantiles(quiet)} quiet; {n_sent[0] / seconds:.0f} arrived a second"
    )
    size = f"{N_REQUESTS:,} requests, one connection"
    name = f"{what} while {PER_SECOND} submissions/s arrive, {database}"
    return [BenchmarkRow(name, size, statistics.median(busy), "quiet", statistics.median(quiet), note)]


def _quantiles(latencies: list[float]) -> str:
    return f"{1e3 * statistics.median(latencies):.2f} and {1e3 * statistics.quantiles(latencies, n=100)[98]:.1f} ms"


def _latencies(port: int, address: str, n: int) -> list[float]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    found = []
    for _ in range(n):
        start = time.perf_counter()
        connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        answer.read()
        found.append(time.perf_counter() - start)
        if answer.status != 200:
            raise RuntimeError(f"{address} answered {answer.status}")
    connection.close()
    return found
