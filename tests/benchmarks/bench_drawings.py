"""The page of a collection with small drawings: all drawn anew, and drawn before.

Processor time of one process, as other work on the machine disturbs that least.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.bench_pages import prepare
from tests.benchmarks.server import ROOT
from tests.benchmarks.table import BenchmarkRow

PAGES = {"page of a collection": "/collections/trec-2004-robust/"}

_MEASURE = """
import json, sys, django
django.setup()
from django.core.cache import caches
from django.test import Client
from tests.benchmarks.table import processor_seconds
client = Client(SERVER_NAME="localhost")
def answer(address, *forgotten):
    for name in forgotten:
        caches[name].clear()
    response = client.get(address)
    assert response.status_code == 200
    return response.content.count(b'class="plumb small"')
for address in sys.argv[1:]:
    drawings = answer(address)
    anew, kept = (processor_seconds(lambda: answer(address, *names), 20) for names in (["drawings"], []))
    print(json.dumps([drawings, anew, kept]))
"""


def rows() -> list[BenchmarkRow]:
    """One row a page: drawings kept, against drawing them anew."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        environment = prepare(Path(folder))
        recompute = [sys.executable, "manage.py", "recompute", "-v0"]
        subprocess.run(recompute, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        measured = subprocess.run(
            [sys.executable, "-c", _MEASURE, *PAGES.values()],
            cwd=ROOT, env=environment, check=True, capture_output=True, text=True,
        )  # fmt: skip
    found = []
    for what, line in zip(PAGES, measured.stdout.splitlines(), strict=True):
        drawings, anew, kept = json.loads(line)
        found.append(BenchmarkRow(what, f"{drawings} drawings", kept, "all drawn anew", anew))
    return found
