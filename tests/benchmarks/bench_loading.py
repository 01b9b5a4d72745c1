"""Loading 100,000 results, against Django's ``loaddata`` of the same rows.

Each in a process of its own with an SQLite file of its own, migrated and with the catalog loaded beforehand; seconds
and memory are of the loading alone, taken inside the process.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.table import BenchmarkRow

ROOT = Path(__file__).parents[2]
N_RESULTS = 100_000
_N_COLLECTIONS, _N_MEASURES = 20, 10

_MEASURED = """
import json, resource, sys, time
import django
django.setup()
from django.core.management import call_command
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
call_command(*sys.argv[1:], verbosity=0)
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"seconds": seconds, "mib": peak / 1024, "added_mib": (peak - before) / 1024}))
"""


def rows() -> list[BenchmarkRow]:
    """Return one row for a first load, one for a second that changes nothing."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        return _measure(Path(folder))


def _measure(folder: Path) -> list[BenchmarkRow]:
    write_catalog(folder)
    results, fixture = folder / "results.csv", folder / "results.json"
    results.write_text("\n".join(result_lines(N_RESULTS)) + "\n", encoding="utf-8")
    ours, theirs = Database(folder / "ours"), Database(folder / "theirs")
    for database in (ours, theirs):
        database.run("migrate", "--create", "-v0")
    ours.run("load_catalog", str(folder), "-v0")
    first = ours.measure("load_results", str(results))
    second = ours.measure("load_results", str(results))
    tables = ("journal.entry", "catalog", "results")
    ours.run("dumpdata", *tables, "-o", str(fixture), "-v0")
    rival = theirs.measure("loaddata", str(fixture))
    size = f"{N_RESULTS:,} results, {results.stat().st_size / 1e6:.0f} MB"
    return [
        _row("first load", size, first, "loaddata", rival),
        _row("second load, nothing changed", size, second, "", None),
    ]


def _row(what: str, size: str, ours: dict[str, float], rival: str, theirs: dict[str, float] | None) -> BenchmarkRow:
    note = _figures(ours) + (f"; {rival} {_figures(theirs)}" if theirs else "")
    return BenchmarkRow(what, size, ours["seconds"], rival, theirs and theirs["seconds"], note)


def _figures(measured: dict[str, float]) -> str:
    speed = N_RESULTS / measured["seconds"]
    return f"{speed:,.0f} rows/s, peak {measured['mib']:.0f} MiB (+{measured['added_mib']:.0f} while loading)"


class Database:
    """An SQLite file of its own, and commands run against it in processes of their own."""

    FILE = "bench.sqlite3"

    def __init__(self, home: Path) -> None:
        home.mkdir()
        self.environment = os.environ | {
            "DATABASE_URL": f"sqlite:///{home / self.FILE}",
            "PLUMBLINE_HOME": str(home),
            "DJANGO_SETTINGS_MODULE": "registry.settings",
            "SECRET_KEY": "only-for-benchmarks-only-for-benchmarks-only-for-benchmarks",
            "REDIS_URL": "",
        }

    def run(self, *arguments: str) -> None:
        self.call([str(ROOT / "manage.py"), *arguments])

    def measure(self, *arguments: str) -> dict[str, float]:
        # Before its last line stands what the command says.
        return json.loads(self.call(["-c", _MEASURED, *arguments]).splitlines()[-1])

    def call(self, arguments: list[str]) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{arguments[1:]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout


def write_catalog(folder: Path) -> None:
    """Write a catalog of 20 collections and 10 measures."""
    collections = [f"bench-{number},Bench {number},50" for number in range(_N_COLLECTIONS)]
    (folder / "collections.csv").write_text("\n".join(["slug,name,n_topics", *collections]) + "\n", encoding="utf-8")
    measures = [f"P@{cutoff},0,1" for cutoff in range(1, _N_MEASURES + 1)]
    (folder / "measures.csv").write_text("\n".join(["name,low,high", *measures]) + "\n", encoding="utf-8")


def result_lines(n_results: int) -> Iterator[str]:
    """Return a file of results on that catalog: every system on every leaderboard, ten systems a paper."""
    yield "collection,measure,system,value,year,role,team,paper,paper_url,source,locator,notes"
    n_leaderboards = _N_COLLECTIONS * _N_MEASURES
    for number in range(n_results):
        system, leaderboard = divmod(number, n_leaderboards)
        collection, cutoff = divmod(leaderboard, _N_MEASURES)
        paper = system // 10
        yield (
            f"bench-{collection},P@{cutoff + 1},system {system},0.{number * 7919 % 10_000:04d},{1990 + system % 30},"
            f"proposed,team {system % 50},Paper {paper},https://example.org/papers/{paper},bench,"
            f"Table {number % 9 + 1},row {number} of the generated file"
        )
