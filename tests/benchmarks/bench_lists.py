"""Lists, searches and the client, with what ships and with 1,000,000 made-up results; one Granian worker, SQLite.

Every request asks for something else, a page or a text, so that no kept answer is counted; the rival is an empty view
beside them. The client's round trip is a leaderboard as records, the second time that it is asked for, against
fetching the same answer with ``http.client`` alone. Client and server share the machine.
"""

import http.client
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from tests.benchmarks.bench_loading import ROOT, Database
from tests.benchmarks.server import EMPTY, serving
from tests.benchmarks.shipped import shipped_site
from tests.benchmarks.table import BenchmarkRow

N_RESULTS, N_SYSTEMS = 1_000_000, 125_000
_N_COLLECTIONS, _N_MEASURES = 200, 10
_N_REQUESTS = 12
_TEXTS = ("bm25", "dense", "rerank", "fusion", "sparse", "hybrid", "late", "expansion", "colbert", "t5", "robust", "ap")

_BOARDS = """
import json, django
django.setup()
from registry.results.models import Result
found = Result.objects.standing().order_by().values_list("leaderboard__collection__slug", "leaderboard__measure__name")
from django.db.models import Count
most = found.annotate(n=Count("pk")).order_by("-n", "leaderboard__collection__slug", "leaderboard__measure__name")
print(json.dumps([Result.objects.standing().count(), [row[:2] for row in most[:12]]]))
"""


_CLIENT = """
import json, sys, time
path, port, boards = sys.argv[1:]
sys.path.insert(0, path)
from plumbline import Site
site, seconds, rows = Site(f"http://127.0.0.1:{port}"), [], []
for names in json.loads(boards):
    # Kept from the first answer on, for the rival as well.
    rows.append(len(site.leaderboard(*names).results))
    start = time.perf_counter()
    site.leaderboard(*names)
    seconds.append(time.perf_counter() - start)
print(json.dumps({"seconds": seconds, "rows": rows}))
"""


def rows() -> list[BenchmarkRow]:
    """One row for each list and site, and the client's."""
    measured = []
    for make in (shipped_site, _large_site):
        with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
            site = make(Path(folder) / "site")
            site.run("index_search", "-v0")
            site.run("collectstatic", "--noinput", "-v0")
            n_results, boards = json.loads(site.call(["-c", _BOARDS]))
            with serving(site.environment) as port:
                measured += _measure(site, port, f"{n_results:,} results", boards)
    return measured


def _measure(site: Database, port: int, size: str, boards: Sequence[tuple[str, str]]) -> list[BenchmarkRow]:
    addresses = {
        "page of systems": [f"/systems/?page={page}" for page in range(1, _N_REQUESTS + 1)],
        "page of papers": [f"/papers/?page={page}" for page in range(1, _N_REQUESTS + 1)],
        "page of the log": [f"/log/?page={page}" for page in range(1, _N_REQUESTS + 1)],
        "leaderboards, API": [f"/api/v1/leaderboards/?page_size={100 + n}" for n in range(_N_REQUESTS)],
        "results of a leaderboard, API": [
            f"/api/v1/leaderboards/{quote(collection)}/{quote(measure)}/results/" for collection, measure in boards
        ],
        "search, page": [f"/search/?q={text}" for text in _TEXTS],
        "search, API": [f"/api/v1/search/?q={text}" for text in _TEXTS],
    }
    empty = statistics.median(_seconds(lambda: _get(port, EMPTY)) for _ in range(20))
    measured = []
    for what, asked in addresses.items():
        taken = [_seconds(lambda address=address: _get(port, address)) for address in asked]
        note = f"slowest {1e3 * max(taken):,.0f} ms"
        measured.append(BenchmarkRow(what, size, statistics.median(taken), "empty view", empty, note))
    return [*measured, _client(site, port, size, boards)]


def _client(site: Database, port: int, size: str, boards: Sequence[tuple[str, str]]) -> BenchmarkRow:
    found = json.loads(site.call(["-c", _CLIENT, str(ROOT / "clients/python/src"), str(port), json.dumps(boards)]))
    theirs = []
    for collection, measure in boards:
        address = f"/leaderboards/{quote(collection)}/{quote(measure)}.json"
        theirs.append(_seconds(lambda address=address: _get(port, address)))
    size = f"{size}; {statistics.median(found['rows']):,.0f} on the leaderboard"
    ours = statistics.median(found["seconds"])
    return BenchmarkRow("client, a leaderboard", size, ours, "http.client", statistics.median(theirs))


def _seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def _get(port: int, address: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", address)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{address} answered {answer.status}")
    return body


def _large_site(home: Path) -> Database:
    """2,000 leaderboards of 500 results each, eight results to a system and seven systems to a paper."""
    database, folder = Database(home), home.parent
    collections = [f"bench-{number},Bench {number},50" for number in range(_N_COLLECTIONS)]
    (folder / "collections.csv").write_text("\n".join(["slug,name,n_topics", *collections]) + "\n", encoding="utf-8")
    measures = [f"P@{cutoff},0,1" for cutoff in range(1, _N_MEASURES + 1)]
    (folder / "measures.csv").write_text("\n".join(["name,low,high", *measures]) + "\n", encoding="utf-8")
    (folder / "results.csv").write_text("\n".join(_lines()) + "\n", encoding="utf-8")
    database.run("migrate", "--create", "-v0")
    database.run("load_catalog", str(folder), "-v0")
    database.run("load_results", str(folder / "results.csv"), "-v0")
    return database


def _lines() -> Iterator[str]:
    yield "collection,measure,system,value,year,role,team,paper,paper_url,source"
    kinds, n_boards = _TEXTS[:8], _N_COLLECTIONS * _N_MEASURES
    for number in range(N_RESULTS):
        system, place = divmod(number, N_RESULTS // N_SYSTEMS)
        name = f"{kinds[system % 8]}-{kinds[system // 8 % 8]} run{system}"
        paper, board = system // 7, (system + 250 * place) % n_boards
        yield (
            f"bench-{board // _N_MEASURES},P@{board % _N_MEASURES + 1},{name},0.{number * 7919 % 10_000:04d},"
            f"{1990 + system % 30},proposed,team {system % 500},Author{paper} et al. (paper {paper}),"
            f"https://example.org/papers/{paper},bench"
        )
