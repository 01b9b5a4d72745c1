"""How long a reader waits for a kept page while others have pages computed, without a pause.

The site is served as ``./run`` serves it; its reader and the others come from addresses of their own on this machine.
What the others ask for is the leaderboard on earlier days under other assumptions, a new page each time. The rival is
the same page without them, in the same minute; medians of several rounds.
"""

import http.client
import itertools
import random
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.benchmarks.bench_pages import PAGES, prepare
from tests.benchmarks.server import serving
from tests.benchmarks.table import BenchmarkRow

N_ROUNDS = 5
N_REQUESTS = 200
#: Connections, and the addresses that they come from.
LOADS = ((1, 1), (4, 1), (16, 1), (64, 1), (16, 16), (64, 16))
PAGE = PAGES["page of a leaderboard"]
YEARS, MULTIPLIERS, SCALES = range(2004, 2020), (2, 3, 5, 10, 100), ("published", "residual", "borrowed")
SORTS = ("system", "team", "year", "role", "provenance", "z")
READER = "127.0.0.1"


def rows() -> list[BenchmarkRow]:
    """One row a number of connections and addresses."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        environment = prepare(Path(folder))
        with serving(environment, site="registry.rsgi") as port:
            return [_measure(port, number, *load) for number, load in enumerate(LOADS)]


def _measure(port: int, load: int, n_connections: int, n_addresses: int) -> BenchmarkRow:
    quiet, among, answers = [], [], Counter[int]()
    _get(port, PAGE)
    # None has used its budget up for another load.
    addresses = [f"127.0.{load + 1}.{number + 1}" for number in range(n_addresses)]
    variants = _variants()[load :: len(LOADS)]
    for number in range(N_ROUNDS):
        quiet.append(_percentiles(_times(port)))
        with _computing(port, n_connections, addresses, variants[number::N_ROUNDS]) as of_round:
            time.sleep(1)
            among.append(_percentiles(_times(port)))
        answers += of_round
    p50, p99 = (statistics.median(one) for one in zip(*among, strict=True))
    p50_quiet, p99_quiet = (statistics.median(one) for one in zip(*quiet, strict=True))
    note = (
        f"p50 {1e3 * p50:.2f} ms, p99 {1e3 * p99:.2f} ms; quiet {1e3 * p50_quiet:.2f} and {1e3 * p99_quiet:.2f} ms; "
        f"p99 {p99 / p99_quiet:.1f} times; {answers[200]} pages computed, {answers[429]} refused"
    )
    connections = f"{n_connections} connection{'s' * (n_connections > 1)}"
    size = f"{connections}, {n_addresses} address{'es' * (n_addresses > 1)}"
    return BenchmarkRow("a kept page", size, p99, "quiet", p99_quiet, note)


def _variants() -> list[str]:
    """Addresses of a leaderboard that each have to be computed."""
    choices = list(itertools.product(YEARS, MULTIPLIERS, SCALES, SORTS, ("", "-")))
    random.Random(1).shuffle(choices)
    return [
        f"{PAGE}?published_by={year}-12-31&rows=300&n_multiplier={n}&scale={scale}&sort={minus}{sort}"
        for year, n, scale, sort, minus in choices
    ]


@contextmanager
def _computing(port: int, n_connections: int, addresses: list[str], variants: list[str]) -> Iterator[Counter[int]]:
    """While so many connections have one page computed after the other: how often they got which status, at the end."""
    answers: Counter[int] = Counter()
    ours, theirs = Pipe()
    # A process of their own, so that the reader does not wait for Python's lock here.
    others = Process(target=_ask, args=(port, n_connections, addresses, variants, theirs))
    others.start()
    try:
        yield answers
    finally:
        ours.send("end")
        answers.update(ours.recv())
        others.join()


def _ask(
    port: int, n_connections: int, addresses: list[str], variants: list[str], pipe: "Connection[Any, Any]"
) -> None:
    answers, ends = Counter[int](), threading.Event()
    asked = itertools.cycle(variants)

    def ask(number: int) -> None:
        source = (addresses[number % len(addresses)], 0)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120, source_address=source)
        while not ends.is_set():
            connection.request("GET", next(asked))
            answer = connection.getresponse()
            answer.read()
            answers[answer.status] += 1
        connection.close()

    with ThreadPoolExecutor(n_connections) as pool:
        asking = pool.map(ask, range(n_connections))
        pipe.recv()
        ends.set()
        list(asking)
    pipe.send(answers)


def _times(port: int) -> list[float]:
    return [_get(port, PAGE) for _ in range(N_REQUESTS)]


def _get(port: int, path: str) -> float:
    """Seconds until a page has come over a connection of its own."""
    start = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120, source_address=(READER, 0))
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
    return time.perf_counter() - start


def _percentiles(times: list[float]) -> tuple[float, float]:
    return statistics.median(times), statistics.quantiles(times, n=100)[98]
