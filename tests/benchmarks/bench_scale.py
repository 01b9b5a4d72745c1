"""A record that grows: loaded, analysed, searched, shown, dumped, restored and verified at ten thousand results and
ten times as many, with the exponent by which the processor time of each grows.

On SQLite, or on PostgreSQL where ``DATABASE_URL`` names a server: there Celery's workers analyse all, for which
``redis-server`` must be at hand. ``PLUMBLINE_BENCHMARK_RESULTS`` names other sizes, as 10000,100000,1000000: the last
takes hours. With ``PLUMBLINE_BENCHMARK_WORKERS`` so many workers analyse, and that is all that follows the load.
Leaderboards are those that ship, over and over.
"""

import json
import math
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import psycopg

from tests.benchmarks.bench_loading import Database
from tests.benchmarks.bench_slow_clients import databases
from tests.benchmarks.made_load import make_load
from tests.benchmarks.table import BenchmarkRow
from tests.registry.core.lab import Lab, RedisServer

SIZES = os.environ.get("PLUMBLINE_BENCHMARK_RESULTS", "10000,100000")
WORKERS = int(os.environ.get("PLUMBLINE_BENCHMARK_WORKERS", "0"))
#: An exponent above this says that something breaks first.
MOST = 1.1

_SHOWN = """
import json, django
django.setup()
from collections import Counter
from django.test import Client
from registry.catalog.models import Leaderboard
from registry.core.kept import kept_answers
from registry.results.models import Result
from tests.benchmarks.table import processor_seconds
client = Client(SERVER_NAME="localhost")
sizes = Counter(Result.objects.values_list("leaderboard", flat=True)).most_common()
board = Leaderboard.objects.get(pk=sizes[len(sizes) // 10][0]).get_absolute_url()
def answer(path, is_kept=False):
    if not is_kept:
        kept_answers.clear()
    assert client.get(path).status_code == 200, path
paths = {"a leaderboard": board, "the list of leaderboards": "/leaderboards/", "a search": "/search/?q=bm25+trec"}
seconds = {name: processor_seconds(lambda: answer(path), 5) for name, path in paths.items()}
answer(board)
seconds["a leaderboard, kept"] = processor_seconds(lambda: answer(board, is_kept=True), 20)
print(json.dumps(seconds))
"""


_STALE = """
SELECT count(*) FROM catalog_leaderboard AS board
LEFT JOIN leaderboards_analysis AS analysis ON analysis.leaderboard_id = board.id
WHERE board.results_version > 0 AND analysis.results_version IS DISTINCT FROM board.results_version
"""


class Step(NamedTuple):
    """What was done, how long it took on the clock and of processors, what else is to be said of it."""

    what: str
    seconds: float
    processor: float
    note: str = ""


def rows() -> list[BenchmarkRow]:
    """Return a row for each step and size, the last of a step with its exponent."""
    measured: dict[str, list[tuple[int, Step]]] = {}
    for n_results in map(int, SIZES.split(",")):
        with databases() as urls:
            database, url = list(urls.items())[-1]
            for step in _measure(n_results, url):
                print(f"{n_results:,} results, {database}: {step}", file=sys.stderr, flush=True)
                measured.setdefault(f"{step.what}, {database}", []).append((n_results, step))
    return [row for what, steps in measured.items() for row in _rows_of(what, steps)]


def _rows_of(what: str, steps: list[tuple[int, Step]]) -> Iterator[BenchmarkRow]:
    for place, (n_results, step) in enumerate(steps):
        notes = [f"{step.processor:,.4g} s of a processor", step.note]
        if 0 < place == len(steps) - 1 and step.processor:
            exponent = _exponent([(size, taken.processor) for size, taken in steps])
            notes.append(f"grows by the power {exponent:.2f}" + " (!)" * (exponent > MOST))
        yield BenchmarkRow(what, f"{n_results:,} results", step.seconds, note="; ".join(filter(None, notes)))


def _exponent(points: list[tuple[int, float]]) -> float:
    """Return the slope of the logarithms, by least squares."""
    x, y = ([math.log(point[place]) for point in points] for place in (0, 1))
    middle, mean = sum(x) / len(x), sum(y) / len(y)
    return sum((a - middle) * (b - mean) for a, b in zip(x, y, strict=True)) / sum((a - middle) ** 2 for a in x)


def _measure(n_results: int, url: str) -> Iterator[Step]:
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        home = Path(folder)
        make_load(n_results, home / "data")
        site, copy = Database(home / "site"), Database(home / "copy")
        if url:
            site.environment["DATABASE_URL"] = url
        site.run("migrate", "--create", "-v0")
        yield _timed("load", lambda: _peak(site, "load_shipped_data", str(home / "data")))
        yield _analyse(site, url, home, WORKERS or 2)
        if WORKERS:
            return
        yield _timed("index for search", lambda: site.run("index_search", "-v0"))
        yield Step("database", 0, 0, f"{_bytes(site, url) / 1e6:,.0f} MB on disk")
        site.run("collectstatic", "--noinput", "-v0")
        for what, seconds in json.loads(site.call(["-W", "ignore", "-c", _SHOWN])).items():
            yield Step(what, seconds, seconds)
        yield _timed("dump", lambda: site.run("export_dump", "-v0"))
        (dump,) = [path.parent for path in (home / "site").rglob("manifest.json")]
        copy.run("migrate", "--create", "-v0")
        yield _timed("restore", lambda: _peak(copy, "load_dump", str(dump)))
        yield _timed("verify", lambda: _peak(site, "verify"))
        yield _analyse(site, url, home, 1)


def _analyse(site: Database, url: str, home: Path, n_workers: int) -> Step:
    """Analyse all anew: by Celery's workers on PostgreSQL, by processes of the command on SQLite."""
    if url:
        return _timed(f"analyse all, {n_workers} of Celery", partial(_analyse_by_celery, site, home, n_workers))
    command = ("recompute", "--all", "--processes", str(n_workers), "-v0")
    return _timed(f"analyse all, {n_workers} at a time", partial(site.run, *command))


def _peak(site: Database, *arguments: str) -> str:
    return f"peak {site.measure(*arguments)['mib']:.0f} MiB"


def _timed(what: str, act: Callable[[], str | None]) -> Step:
    started, used = time.perf_counter(), _processor_seconds()
    note = act()
    return Step(what, time.perf_counter() - started, _processor_seconds() - used, note or "")


def _processor_seconds() -> float:
    """Return what all processes used that were started here and have ended, with those that they started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _analyse_by_celery(site: Database, home: Path, n_workers: int) -> None:
    """Run workers of one process each, until no leaderboard is behind."""
    redis = RedisServer(home)
    team = Lab(home / f"team-{n_workers}", site.environment["DATABASE_URL"], redis.url)
    team.home.mkdir()
    team.environment |= site.environment | {"REDIS_URL": redis.url}
    team.query("UPDATE leaderboards_analysis SET results_version = 0 RETURNING leaderboard_id")
    command = [sys.executable, "-m", "celery", "-A", "registry", "worker", "--concurrency=1", "--loglevel=WARNING"]
    workers = [team.start(*command, "-n", f"{place}@%h", *["-B"] * (not place)) for place in range(n_workers)]
    try:
        while team.query(_STALE) != [(0,)]:
            time.sleep(2)
    finally:
        for worker in workers:
            worker.terminate()
            worker.wait()
        redis.kill()


def _bytes(site: Database, url: str) -> int:
    if not url:
        return Path(site.environment["PLUMBLINE_HOME"], site.FILE).stat().st_size
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_database_size(%s)", [urlsplit(url).path[1:]]).fetchone()
    assert row
    return int(row[0])
