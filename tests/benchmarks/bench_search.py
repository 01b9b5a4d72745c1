"""Searching 200,000 results' systems, papers and leaderboards, against the obvious way: every word anywhere in a name.

The rival asks each table for rows that contain all words (``icontains``) and for how many there are. It finds no
alias, no spelling and no slip of the pen.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.bench_loading import Database, write_catalog
from tests.benchmarks.table import BenchmarkRow

N_RESULTS, N_SYSTEMS = 200_000, 25_000
_KINDS = ("bm25", "dense", "sparse", "hybrid", "rerank", "expansion", "fusion", "retriever", "late", "distilled")

_MEASURED = """
import json, time
import django
django.setup()
from django.db.models import Q
from registry.catalog.models import Collection, Measure
from registry.results.models import Paper, System
from registry.search.models import IndexState, Term
from registry.search.queries import first_of_each_kind, read_search
from registry.search.services import index_registry
from tests.benchmarks.table import best_of

start = time.perf_counter()
n_things = index_registry(is_forced=True)
seconds = time.perf_counter() - start
IndexState.objects.update(seen="something")
start = time.perf_counter()
index_registry()
again = time.perf_counter() - start

system = System.objects.order_by("pk")[1000].name
texts = ["dense", "de", "d", system, "retrievr", "bench 1", "P@3", "unheard of", "paper", "team 7 bm25"]

def ours(text):
    search = read_search(text)
    return first_of_each_kind(search, 6)

def rival(text):
    for model, fields in (
        (Collection, ["name", "slug"]), (Measure, ["name", "long_name"]),
        (System, ["name", "team"]), (Paper, ["cite", "title", "authors", "doi"]),
    ):
        wanted = Q()
        for word in text.split():
            one = Q()
            for field in fields:
                one |= Q(**{f"{field}__icontains": word})
            wanted &= one
        found = model.objects.filter(wanted)
        found.count(), list(found[:6])

times = {text: (best_of(lambda: ours(text)), best_of(lambda: rival(text))) for text in texts}
print(json.dumps({
    "things": n_things, "terms": Term.objects.count(), "times": list(times.values()),
    "seconds": seconds, "again": again,
}))
"""


def rows() -> list[BenchmarkRow]:
    """Making the index, bringing it up to date, and searching: the typical and the slowest text."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        home = Path(folder)
        write_catalog(home)
        results = home / "results.csv"
        results.write_text("\n".join(_lines()) + "\n", encoding="utf-8")
        database = Database(home / "search")
        database.run("migrate", "--create", "-v0")
        database.run("load_catalog", folder, "-v0")
        database.run("load_results", str(results), "-v0")
        found = json.loads(database.call(["-c", _MEASURED]))
    size = f"{N_RESULTS:,} results, {found['things']:,} things, {found['terms']:,} terms"
    ours, rival = ([pair[side] for pair in found["times"]] for side in (0, 1))
    middle = len(ours) // 2
    return [
        BenchmarkRow("index made", size, found["seconds"]),
        BenchmarkRow("index compared, nothing changed", size, found["again"]),
        BenchmarkRow("search, median of texts", size, sorted(ours)[middle], "icontains", sorted(rival)[middle]),
        BenchmarkRow("search, slowest of texts", size, max(ours), "icontains", max(rival)),
    ]


def _lines() -> Iterator[str]:
    """As many systems to a result, and as many papers to a system, as on record; names of words and numbers."""
    yield "collection,measure,system,value,year,role,team,paper,paper_url,source"
    for number in range(N_RESULTS):
        system, place = divmod(number, N_RESULTS // N_SYSTEMS)
        name = f"{_KINDS[system % 10]}-{_KINDS[system // 10 % 10]} run{system}"
        paper, board = system // 7, (system + 25 * place) % 200
        yield (
            f"bench-{board // 10},P@{board % 10 + 1},{name},0.{number * 7919 % 10_000:04d},{1990 + system % 30},"
            f"proposed,team {system % 500},Author{paper} et al. (paper {paper}),https://example.org/papers/{paper},bench"
        )
