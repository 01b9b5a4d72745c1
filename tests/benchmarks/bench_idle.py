"""What workers cost while there is nothing to do: processor time of all their processes, which other work on the
machine disturbs least.

They ask the database on SQLite, on PostgreSQL where ``DATABASE_URL`` names a server, or are Celery's with Redis; with
a registry that is empty, and with the one that ``PLUMBLINE_BENCHMARK_SITE`` names, whose routines have more to look at.
"""

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.benchmarks.bench_slow_clients import databases
from tests.benchmarks.shipped import SITE_VARIABLE
from tests.benchmarks.table import BenchmarkRow
from tests.registry.core.lab import Lab, RedisServer, descendants, until

_SECONDS = 120
_EVERY_MINUTE = {"core.sweep", "journal.seal_new", "search.index", "dumps.export_when_due", "dumps.clear_away"}


def rows() -> list[BenchmarkRow]:
    """Return a row for each way of finding jobs that is at hand."""
    return [_idle(what, lab) for what, lab in _labs()]


def _labs() -> Iterator[tuple[str, Lab]]:
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        homes = Path(folder)
        yield "asking, SQLite", Lab(homes / "sqlite")
        if there := os.environ.get(SITE_VARIABLE):
            yield "asking, SQLite, all that ships", Lab(homes / "shipped", template=Path(there))
        if url := stack.enter_context(databases()).get("PostgreSQL"):
            yield "asking, PostgreSQL", migrated_lab(homes / "postgresql", url)
        if shutil.which("redis-server"):
            server = RedisServer(homes)
            stack.callback(server.kill)
            yield "Celery, Redis and SQLite", Lab(homes / "redis", redis_url=server.url)


def migrated_lab(home: Path, url: str, redis_url: str = "") -> Lab:
    """Return a lab over a PostgreSQL database that was empty."""
    lab = Lab(home, url, redis_url)
    lab.environment["SECRET_KEY"] = "only-for-benchmarks-" * 3
    lab.run("manage.py", "migrate", "--create", "-v0")
    return lab


def _idle(what: str, lab: Lab) -> BenchmarkRow:
    lab.home.mkdir(exist_ok=True)
    # As the site has it, and not as tests of crashes want it.
    sweep = "10" if "REDIS_URL" in lab.environment else "30"
    lab.environment |= {"LAB_SWEEP_SECONDS": sweep, "LAB_JOB_LEASE_SECONDS": "60"}
    try:
        lab.query("DELETE FROM core_routinestate RETURNING name")
        lab.start_worker()
        lab.start_awaited()
        until(lambda: _is_settled(lab), 3000, "all is done that is done at the start")
        before = processor_seconds_of(lab.running())
        time.sleep(_SECONDS)
        seconds = (processor_seconds_of(lab.running()) - before) / _SECONDS
        n_processes = sum(1 + len(descendants(pid)) for pid in lab.running())
    finally:
        lab.close()
    note = f"{100 * seconds:.2f} % of a processor"
    return BenchmarkRow(f"wait for jobs, {what}", f"a second of {n_processes} processes", seconds, note=note)


def _is_settled(lab: Lab) -> bool:
    """Return whether nothing is to be done, and what comes every minute came once: its first time takes longer."""
    came = lab.query("SELECT name FROM core_routinestate WHERE succeeded_at IS NOT NULL AND leased_until IS NULL")
    return {str(name) for (name,) in came} >= _EVERY_MINUTE and {*lab.states()} <= {"done"}


def processor_seconds_of(pids: Iterable[int]) -> float:
    """Return what these processes and those that they started took of a processor up to now."""
    ticks = 0
    for pid in (process for root in pids for process in (root, *descendants(root))):
        ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")
