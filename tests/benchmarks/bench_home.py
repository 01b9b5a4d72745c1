"""The first page with all that ships, without a kept answer: its processor time in one process, and its queries."""

import json
import tempfile
from pathlib import Path

from tests.benchmarks.shipped import shipped_site
from tests.benchmarks.table import BenchmarkRow

_MEASURE = """
import json, django
django.setup()
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from tests.benchmarks.table import processor_seconds
client = Client(SERVER_NAME="localhost")
def ask():
    cache.clear()
    assert client.get("/").status_code == 200
ask()
with CaptureQueriesContext(connection) as captured:
    ask()
print(json.dumps([processor_seconds(ask, 10), len(captured)]))
"""


def rows() -> list[BenchmarkRow]:
    """Return the row of the first page."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        site = shipped_site(Path(folder) / "site")
        site.run("collectstatic", "--noinput", "-v0")
        seconds, n_queries = json.loads(site.call(["-c", _MEASURE]).splitlines()[-1])
    return [BenchmarkRow("first page, nothing kept", "processor time", seconds, note=f"{n_queries} queries")]
