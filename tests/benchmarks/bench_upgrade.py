"""A site goes to this release from an earlier one, with readers on: how long nobody is answered, and with what then.

``PLUMBLINE_BENCHMARK_BEFORE`` names a checkout of the earlier release, as ``git worktree add --detach FOLDER COMMIT``
makes it. Its commands load and analyse all that it ships, on SQLite; then it is stopped, and this one prepares the
database and serves, as ./run does.
"""

import os
import sys
import tempfile
import threading
import time
from collections import Counter
from http.client import HTTPConnection
from pathlib import Path
from subprocess import DEVNULL, Popen, run

from tests.benchmarks.table import BenchmarkRow
from tests.registry.core.lab import ROOT, free_port

BEFORE = os.environ.get("PLUMBLINE_BENCHMARK_BEFORE", "")
PATHS = ("/", "/leaderboards/", "/collections/", "/models/", "/papers/", "/search/?q=bm25", "/api/v1/leaderboards/")
PATHS += ("/leaderboards/beir-scifact/nDCG@10/", "/leaderboards/beir-scifact/nDCG@10.json")
#: How long readers go on before, and after somebody was answered again.
_SECONDS = 60.0


class Readers(threading.Thread):
    """Asks for pages of each kind in turn until told to stop; statuses by moment, 0 where nothing answers."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port, self.seen, self._is_over = port, list[tuple[float, int, str]](), threading.Event()

    def run(self) -> None:
        while not self._is_over.is_set():
            for path in PATHS:
                self.seen.append((time.monotonic(), self._status(path), path))
                time.sleep(0.02)

    def end(self) -> None:
        self._is_over.set()
        self.join()

    def _status(self, path: str) -> int:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()


def rows() -> list[BenchmarkRow]:
    """Measure what preparing the database takes, how long nobody was answered, and what was before and after."""
    if not BEFORE:
        return []
    with tempfile.TemporaryDirectory() as home:
        return _measure(os.environ | {"PLUMBLINE_HOME": home, "DATABASE_URL": "", "REDIS_URL": ""})


def _measure(environment: dict[str, str]) -> list[BenchmarkRow]:
    before, port = Path(BEFORE), free_port()
    for command in (["prepare"], ["recompute", "--all", "--processes", "2", "-v0"], ["index_search", "-v0"]):
        _manage(before, environment, *command)
    readers, old = Readers(port), _serve(before, environment, port)
    readers.start()
    time.sleep(_SECONDS)
    stopped = time.monotonic()
    old.terminate()
    old.wait()
    _manage(ROOT, environment, "prepare")
    prepared = time.monotonic() - stopped
    new, worker = _serve(ROOT, environment, port), _start(ROOT, environment, "manage.py", "work")
    try:
        time.sleep(_SECONDS)
        readers.end()
    finally:
        for process in (new, worker):
            process.terminate()
            process.wait()
    again = min(moment for moment, status, _ in readers.seen if moment > stopped and status == 200)
    served, after = ([seen for seen in readers.seen if part(seen[0])] for part in (stopped.__gt__, again.__le__))
    return [
        BenchmarkRow("prepare what an earlier release left", "all that it ships", prepared),
        BenchmarkRow("no answer", "from its end to the next page", again - stopped),
        BenchmarkRow("the earlier one answered", f"{len(served):,} requests", _SECONDS, note=_counts(served)),
        BenchmarkRow("this one answers", f"{len(after):,} requests", time.monotonic() - again, note=_counts(after)),
    ]


def _counts(seen: list[tuple[float, int, str]]) -> str:
    statuses = Counter(status for _, status, _ in seen)
    failed = sorted({f"{status} {path}" for _, status, path in seen if status != 200})
    return ", ".join([*(f"{n:,} × {status}" for status, n in statuses.most_common()), *failed[:5]])


def _manage(checkout: Path, environment: dict[str, str], *arguments: str) -> None:
    run([sys.executable, "manage.py", *arguments], cwd=checkout, env=environment, check=True, stdout=DEVNULL)


def _serve(checkout: Path, environment: dict[str, str], port: int) -> "Popen[bytes]":
    return _start(checkout, environment, "-m", "registry.serving", "--port", str(port), "--workers", "1")


def _start(checkout: Path, environment: dict[str, str], *arguments: str) -> "Popen[bytes]":
    return Popen([sys.executable, *arguments], cwd=checkout, env=environment, stdout=DEVNULL, stderr=DEVNULL)
