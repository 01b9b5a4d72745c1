"""What a leaderboard of 300 results, its JSON twin and the static files weigh in each coding, and what packing costs.

As the site answers: kept pages are packed once, the page of an account at every request, static files when collected.
"""

import http.client
import json
import statistics
import tempfile
import time
from pathlib import Path

from registry.core.http import _PACK
from tests.benchmarks.bench_pages import AS_BROWSERS, PAGES, prepare
from tests.benchmarks.server import serving
from tests.benchmarks.table import BenchmarkRow, best_of

CODINGS = ("identity", "gzip", "br", "zstd")
STATIC = ("css/site.css", "plotly.min.js")
N_REQUESTS = 200


def rows() -> list[BenchmarkRow]:
    """One row an address and coding: its kept answer against the uncompressed one, and what packing it took."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder, serving(prepare(Path(folder))) as port:
        collected = json.loads(Path(folder, "static", "staticfiles.json").read_text())["paths"]
        static = {name: f"/static/{collected[name]}" for name in STATIC}
        return [
            row
            for what, address in (PAGES | static).items()
            for row in _codings(port, what, address, is_packed_here=what in PAGES)
        ]


def _codings(port: int, what: str, address: str, *, is_packed_here: bool) -> list[BenchmarkRow]:
    content, plain_bytes, plain_seconds = _timed(port, address, "identity")
    measured = []
    for coding in (*CODINGS, AS_BROWSERS):
        _, n_bytes, seconds = _timed(port, address, coding)
        packing = 1e3 * best_of(lambda coding=coding: _PACK[coding](content)) if coding in _PACK else 0.0
        note = f"{n_bytes / 1e3:.1f} kB, {100 * n_bytes / plain_bytes:.1f} %"
        note += f", packed once in {packing:.1f} ms" if packing and is_packed_here else ""
        measured.append(BenchmarkRow(f"{what}, {coding}", "kept", seconds, "identity", plain_seconds, note))
    return measured


def _timed(port: int, address: str, coding: str) -> tuple[bytes, int, float]:
    """The body, how many bytes were sent, and the median of the seconds that it took."""
    found = [_get(port, address, coding) for _ in range(N_REQUESTS)]
    return found[0][0], len(found[0][0]), statistics.median(seconds for _, seconds in found)


def _get(port: int, address: str, coding: str) -> tuple[bytes, float]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    start = time.perf_counter()
    connection.request("GET", address, headers={"Accept-Encoding": coding})
    answer = connection.getresponse()
    body = answer.read()
    seconds = time.perf_counter() - start
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{address} answered {answer.status}")
    return body, seconds
