"""A record that grows: loaded, analysed, searched, shown, dumped, restored and verified at ten thousand results and
ten times as many, with the exponent by which each grows.

On SQLite, and on PostgreSQL where ``DATABASE_URL`` names a server. ``PLUMBLINE_BENCHMARK_RESULTS`` names other sizes,
as 10000,100000,1000000: the last takes most of an hour. Leaderboards are those that ship, over and over.
"""

import json
import math
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.benchmarks.bench_loading import Database
from tests.benchmarks.bench_slow_clients import databases
from tests.benchmarks.made_load import make_load
from tests.benchmarks.table import BenchmarkRow

SIZES = os.environ.get("PLUMBLINE_BENCHMARK_RESULTS", "10000,100000")
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


#: What was done, how long it took, what else is to be said of it.
Step = tuple[str, float, str]


def rows() -> list[BenchmarkRow]:
    """A row for each step and size, the last of a step with its exponent."""
    measured: dict[str, list[tuple[int, float, str]]] = {}
    for n_results in map(int, SIZES.split(",")):
        with databases() as urls:
            for database, url in urls.items():
                for what, seconds, note in _measure(n_results, url):
                    measured.setdefault(f"{what}, {database}", []).append((n_results, seconds, note))
    return [row for what, steps in measured.items() for row in _rows_of(what, steps)]


def _rows_of(what: str, steps: list[tuple[int, float, str]]) -> Iterator[BenchmarkRow]:
    for place, (n_results, seconds, note) in enumerate(steps):
        if 0 < place == len(steps) - 1:
            exponent = _exponent([(size, taken) for size, taken, _ in steps])
            note = f"{note}; " * bool(note) + f"grows by the power {exponent:.2f}" + " (!)" * (exponent > MOST)
        yield BenchmarkRow(what, f"{n_results:,} results", seconds, note=note)


def _exponent(points: list[tuple[int, float]]) -> float:
    """The slope of the logarithms, by least squares."""
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
        loaded = site.measure("load_shipped_data", str(home / "data"))
        yield "load", loaded["seconds"], f"peak {loaded['mib']:.0f} MiB"
        for n_processes in (1, 2):
            taken = _timed(site, "recompute", "--all", "--processes", str(n_processes), "-v0")
            yield f"analyse all, {n_processes} at a time", taken, ""
        yield "index for search", _timed(site, "index_search", "-v0"), f"{_bytes(site, url) / 1e6:,.0f} MB on disk"
        site.run("collectstatic", "--noinput", "-v0")
        for what, seconds in json.loads(site.call(["-W", "ignore", "-c", _SHOWN])).items():
            yield what, seconds, "processor time"
        taken = _timed(site, "export_dump", "-v0")
        (dump,) = [path.parent for path in (home / "site").rglob("manifest.json")]
        yield "dump", taken, f"{sum(path.stat().st_size for path in dump.iterdir()) / 1e6:,.0f} MB"
        copy.run("migrate", "--create", "-v0")
        restored = copy.measure("load_dump", str(dump))
        yield "restore", restored["seconds"], f"peak {restored['mib']:.0f} MiB"
        verified = site.measure("verify")
        yield "verify", verified["seconds"], f"peak {verified['mib']:.0f} MiB"


def _timed(site: Database, *arguments: str) -> float:
    started = time.perf_counter()
    site.run(*arguments)
    return time.perf_counter() - started


def _bytes(site: Database, url: str) -> int:
    if not url:
        return Path(site.environment["PLUMBLINE_HOME"], site.FILE).stat().st_size
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT pg_database_size(%s)", [urlsplit(url).path[1:]]).fetchone()
    assert found
    return int(found[0])
