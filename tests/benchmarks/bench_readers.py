"""How long a reader waits while others have the dearest computed that anybody may ask for, without a pause.

The site has everything that ships, and is served as ``./run`` serves it; its reader and the others come from addresses
of their own on this machine. The reader asks for a kept page, and for pages of the map of the site that nobody asked
for yet. What the others ask for is the leaderboard on earlier days under other assumptions, a new page each time, and
every fourth time one of the dearest tables to be reviewed or compared. The rival is the same reader without them, in
the same minute; medians of several rounds for what is kept.
"""

import http.client
import itertools
import random
import re
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from html import unescape
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.benchmarks.bench_dearest import sent
from tests.benchmarks.server import read, seconds_to_read, serving
from tests.benchmarks.shipped import shipped_site
from tests.benchmarks.table import BenchmarkRow, percentiles

N_ROUNDS = 3
N_REQUESTS = 100
#: Pages of the map of the site, for each load; half of them quiet, half among others.
N_PAGES = 60
#: Connections, and the addresses that they come from.
LOADS = ((1, 1), (4, 1), (16, 1), (64, 1), (16, 16), (64, 16))
KEPT_PAGE = "/leaderboards/trec-2004-robust/AP/"
YEARS, MULTIPLIERS, SCALES = range(2004, 2020), (2, 3, 5, 10, 100), ("published", "residual", "borrowed")
SORTS = ("system", "team", "year", "role", "provenance", "z")
_LOCATION = re.compile(r"<loc>([^<]+)</loc>")
#: A form is taken with a token that its cookie has, too.
_TOKEN = {"Cookie": f"csrftoken={'a' * 32}", "X-CSRFToken": "a" * 32}

#: Method, path and body.
Asked = tuple[str, str, str]


def rows() -> list[BenchmarkRow]:
    """Return two rows a number of connections and addresses: what is kept, and what isn't."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        site = shipped_site(Path(folder) / "site")
        with serving(site.environment, site="registry.rsgi") as port:
            pages = _pages(port)
            return [row for number, load in enumerate(LOADS) for row in _measure(port, pages, number, *load)]


def _measure(port: int, pages: list[str], load: int, n_connections: int, n_addresses: int) -> list[BenchmarkRow]:
    quiet, among, answers = [], [], Counter[int]()
    seconds_to_read(port, KEPT_PAGE)
    # None has used its budget up for another load.
    addresses = [f"127.0.{load + 1}.{number + 1}" for number in range(n_addresses)]
    asked = _dear()[load :: len(LOADS)]
    fresh = pages[load * N_PAGES : (load + 1) * N_PAGES]
    reader = f"127.1.{load}.1"
    unkept = [seconds_to_read(port, page, reader) for page in fresh[::2]]
    for number in range(N_ROUNDS):
        quiet.append(percentiles([seconds_to_read(port, KEPT_PAGE) for _ in range(N_REQUESTS)]))
        with _computing(port, n_connections, addresses, asked[number::N_ROUNDS]) as of_round:
            time.sleep(1)
            among.append(percentiles([seconds_to_read(port, KEPT_PAGE) for _ in range(N_REQUESTS)]))
            if number == 0:
                unkept_among = [seconds_to_read(port, page, reader) for page in fresh[1::2]]
        answers += of_round
    connections = f"{n_connections} connection{'s' * (n_connections > 1)}"
    size = f"{connections}, {n_addresses} address{'es' * (n_addresses > 1)}"
    fates = f"{answers[200]} computed, {answers[429]} refused, {answers.total() - answers[200] - answers[429]} others"
    slowest = max(zip(unkept_among, fresh[1::2], strict=True))[1]
    medians = [tuple(map(statistics.median, zip(*rounds, strict=True))) for rounds in (quiet, among)]
    return [
        _row("a kept page", size, *medians, fates),
        _row(
            "pages never asked for", size, percentiles(unkept), percentiles(unkept_among), f"{fates}; slowest {slowest}"
        ),
    ]


def _row(what: str, size: str, quiet: tuple[float, ...], among: tuple[float, ...], fates: str) -> BenchmarkRow:
    note = (
        f"p50 {1e3 * among[0]:.1f} ms, p99 {1e3 * among[1]:.1f} ms; quiet {1e3 * quiet[0]:.1f} and "
        f"{1e3 * quiet[1]:.1f} ms; p99 {among[1] / quiet[1]:.1f} times; {fates}"
    )
    return BenchmarkRow(what, size, among[1], "quiet", quiet[1], note)


def _pages(port: int) -> list[str]:
    """Return the pages of the map of the site, in any order."""
    pages = [page for part in _located(port, "/sitemap.xml") for page in _located(port, part)]
    random.Random(3).shuffle(pages)
    return pages


def _located(port: int, sitemap: str) -> list[str]:
    return [urlsplit(unescape(place)).path for place in _LOCATION.findall(read(port, sitemap).decode())]


def _dear() -> list[Asked]:
    """Return requests that each have to be computed."""
    bodies = itertools.cycle((path, body) for path, body in sent() if "accounts" not in path)
    asked: list[Asked] = []
    for path in _variants():
        asked.append(("GET", path, ""))
        if len(asked) % 4 == 3:
            place, body = next(bodies)
            is_json = "content_type" in body
            asked.append(("POST", place, body["data"] if is_json else urlencode(body["data"])))
    random.Random(4).shuffle(asked)
    return asked


def _variants() -> list[str]:
    """Return addresses of a leaderboard that each have to be computed."""
    choices = list(itertools.product(YEARS, MULTIPLIERS, SCALES, SORTS, ("", "-")))
    random.Random(1).shuffle(choices)
    return [
        f"{KEPT_PAGE}?published_by={year}-12-31&rows=300&n_multiplier={n}&scale={scale}&sort={minus}{sort}"
        for year, n, scale, sort, minus in choices
    ]


@contextmanager
def _computing(port: int, n_connections: int, addresses: list[str], dear: list[Asked]) -> Iterator[Counter[int]]:
    """Have so many connections ask for one page after the other; yield how often they got which status, at the end."""
    answers: Counter[int] = Counter()
    ours, theirs = Pipe()
    # A process of their own, so that the reader does not wait for Python's lock here.
    others = Process(target=_ask, args=(port, n_connections, addresses, dear, theirs))
    others.start()
    try:
        yield answers
    finally:
        ours.send("end")
        answers.update(ours.recv())
        others.join()


def _ask(port: int, n_connections: int, addresses: list[str], dear: list[Asked], pipe: "Connection[Any, Any]") -> None:
    answers, ends = Counter[int](), threading.Event()
    asked = itertools.cycle(dear)

    def ask(number: int) -> None:
        source = (addresses[number % len(addresses)], 0)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120, source_address=source)
        while not ends.is_set():
            method, path, body = next(asked)
            kind = "application/json" if path.startswith("/api/") else "application/x-www-form-urlencoded"
            connection.request(method, path, body or None, {"Content-Type": kind, **_TOKEN} if body else {})
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
