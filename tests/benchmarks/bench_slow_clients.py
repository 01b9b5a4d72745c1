"""How long a reader waits for a page while others send slowly, read slowly, or say nothing at all.

As ``./run`` serves the site, and as a team does: two workers on PostgreSQL and Redis, where ``DATABASE_URL`` and
``REDIS_URL`` name servers. No proxy stands in between. The rival is the same page without them, in the same minute.
"""

import os
import re
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.benchmarks.bench_pages import PAGES, prepare
from tests.benchmarks.server import read, seconds_to_read, serving
from tests.benchmarks.table import BenchmarkRow, percentiles
from tests.slow_clients import Crowd

N_ROUNDS = 10
N_REQUESTS = 100
PAGE = PAGES["page of a leaderboard"]


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """Yield SQLite, and a fresh PostgreSQL database where there is a server."""
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


def rows() -> list[BenchmarkRow]:
    """Return one row a load and shape."""
    with databases() as urls:
        return [
            row
            for name, url in urls.items()
            for row in _of_shape(url, f"{'two workers' if url else 'one worker'}, {name}{' and Redis' if url else ''}")
        ]


def _of_shape(database_url: str, shape: str) -> list[BenchmarkRow]:
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        environment = prepare(Path(folder) / "site", database_url, files=["robust04_papers"]).environment
        if database_url:
            environment["REDIS_URL"] = os.environ.get("REDIS_URL", "")
        with serving(environment, n_workers=2 if database_url else 1) as port:
            return [_measure(port, what, load, shape) for what, load in _loads(port).items()]


def _loads(port: int) -> dict[str, Callable[[], Crowd]]:
    bodies = {
        f"{n} half-open {'bodies' if n > 1 else 'body'}": lambda n=n: Crowd.with_half_open_bodies(port, n)
        for n in (1, 20, 200)
    }
    return bodies | {
        "200 idle headers": lambda: Crowd.with_idle_headers(port, 200),
        "20 slow uploads": lambda: Crowd.with_slow_uploads(port, 20),
        "20 slow readers": lambda: Crowd.with_slow_readers(port, 20, _large_file(port)),
    }


def _large_file(port: int) -> str:
    return next(iter(re.findall(r"/static/[^\"]*plotly[^\"]*\.js", read(port, PAGE).decode())))


def _measure(port: int, what: str, load: Callable[[], Crowd], shape: str) -> BenchmarkRow:
    # In turns, so that other work on the machine disturbs both alike.
    alone, among = [], []
    for _ in range(N_ROUNDS):
        alone += [seconds_to_read(port, PAGE) for _ in range(N_REQUESTS)]
        with load():
            time.sleep(0.3)
            among += [seconds_to_read(port, PAGE) for _ in range(N_REQUESTS)]
    p50, p99 = percentiles(among)
    p50_alone, p99_alone = percentiles(alone)
    note = (
        f"p50 {1e3 * p50:.2f} ms, p99 {1e3 * p99:.2f} ms; quiet {1e3 * p50_alone:.2f} and {1e3 * p99_alone:.2f} ms; "
        f"p99 {p99 / p99_alone:.2f} times"
    )
    return BenchmarkRow(what, shape, p99, "quiet", p99_alone, note)
