"""Looking up the names of a table among all that ship, against a query for each row.

The rival finds no spelling but the stored ones, by an index, and asks nothing.
"""

import json
import tempfile
from pathlib import Path

from tests.benchmarks.bench_loading import Database
from tests.benchmarks.table import BenchmarkRow

N_ROWS = 10_000

_MEASURED = f"""
import json
from contextlib import suppress
import django
django.setup()
from django.db.models import Q
from registry.catalog.models import Collection, Measure
from registry.catalog.queries import CatalogNames
from analysis.readers.rejections import Refused
from tests.benchmarks.table import best_of

names = ["Robust04", "TREC 2004 Robust", "scifact", "DL19 passage", "beir/fiqa/test", "DL19", "TREC-COVID", "nobody"]
rows = [(names[n % len(names)], "MAP" if n % 3 else "ndcg_cut_10") for n in range({N_ROWS})]

def ours():
    found = CatalogNames()
    for collection, measure in rows:
        with suppress(Refused):
            found.measure(measure, on=found.collection(collection, under=measure))

def rival():
    for collection, measure in rows:
        Collection.objects.filter(Q(slug__iexact=collection) | Q(aliases__alias__iexact=collection)).first()
        Measure.objects.filter(Q(name__iexact=measure) | Q(aliases__alias__iexact=measure)).first()

print(json.dumps([best_of(CatalogNames), best_of(ours), best_of(rival, 1)]))
"""


def rows() -> list[BenchmarkRow]:
    """Reading all names once, and a table's names with that."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        database = Database(Path(folder, "names"))
        database.run("migrate", "--create", "-v0")
        database.run("load_catalog", "-v0")
        reading, ours, rival = json.loads(database.call(["-c", _MEASURED]))
    return [
        BenchmarkRow("all names read", "what ships", reading),
        BenchmarkRow("names of a table", f"{N_ROWS:,} rows", ours, "a query a row", rival),
    ]
