"""Taking everything that ships home and loading it into an empty site, against Django's ``dumpdata`` and ``loaddata``.

The rivals are given the same tables, and the accounts that these name, as JSON; ours writes three formats, and its load
checks the files and compares the digest. Each in a process of its own; seconds and memory are taken inside it.
"""

import json
import tempfile
from pathlib import Path

from tests.benchmarks.bench_loading import Database
from tests.benchmarks.shipped import shipped_site
from tests.benchmarks.table import BenchmarkRow

_LABELS = """
import json, django
django.setup()
from registry.dumps.tables import RECORDED
models = [table.model for table in RECORDED if not table.model._meta.auto_created]
print(json.dumps(["accounts.User", *(model._meta.label for model in models)]))
"""


def rows() -> list[BenchmarkRow]:
    """One row for writing, one for loading."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as name:
        folder = Path(name)
        site = shipped_site(folder / "site")
        labels, fixture = json.loads(site.call(["-c", _LABELS])), folder / "everything.json"
        written = site.measure("export_dump")
        rival = site.measure("dumpdata", *labels, "--output", str(fixture))
        (dump,) = (folder / "site" / "dumps").iterdir()
        manifest = json.loads((dump / "manifest.json").read_bytes())
        n_rows = sum(table["rows"] for table in manifest["tables"] if table["name"] != "scores")
        ours, theirs = Database(folder / "ours"), Database(folder / "theirs")
        for database in (ours, theirs):
            database.run("migrate", "--create", "-v0")
        loaded = ours.measure("load_dump", str(dump))
        again = theirs.measure("loaddata", str(fixture))
        size = f"{n_rows:,} rows, {_megabytes(*dump.iterdir())} packed three times, JSON {_megabytes(fixture)}"
    return [
        BenchmarkRow("dump", size, written["seconds"], "dumpdata", rival["seconds"], _peaks(written, rival)),
        BenchmarkRow("restore", size, loaded["seconds"], "loaddata", again["seconds"], _peaks(loaded, again)),
    ]


def _megabytes(*files: Path) -> str:
    return f"{sum(file.stat().st_size for file in files) / 1e6:,.0f} MB"


def _peaks(ours: dict[str, float], theirs: dict[str, float]) -> str:
    return f"peak {ours['mib']:,.0f} MiB against {theirs['mib']:,.0f} MiB"
