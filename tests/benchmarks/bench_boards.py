"""A leaderboard of 300 results that is not kept: as it stands, and under assumptions that are computed on the spot.

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

BOARD = "/leaderboards/trec-2004-robust/AP"
ANSWERS = {
    "as it stands, the page": f"{BOARD}/",
    "as it stands, JSON": f"{BOARD}.json",
    "as it stands, the API": f"/api/v1{BOARD}/",
    "under assumptions, the page": f"{BOARD}/?n_multiplier=3",
    "under assumptions, JSON": f"{BOARD}.json?n_multiplier=3",
}

_MEASURE = """
import json, sys, django
django.setup()
from django.core.cache import caches
from django.db import connection
from django.test import Client
from tests.benchmarks.table import processor_seconds
client = Client(SERVER_NAME="localhost")
def answer(address):
    caches["default"].clear()
    assert client.get(address).status_code == 200
def count_queries(address):
    asked = []
    def count(execute, sql, *rest):
        asked.append(sql)
        return execute(sql, *rest)
    answer(address)
    with connection.execute_wrapper(count):
        answer(address)
    return len(asked)
for address in sys.argv[1:]:
    n_queries = count_queries(address)
    print(json.dumps([processor_seconds(lambda: answer(address), 20), n_queries]))
"""


def rows() -> list[BenchmarkRow]:
    """One row an answer."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        measured = subprocess.run(
            [sys.executable, "-c", _MEASURE, *ANSWERS.values()],
            cwd=ROOT, env=prepare(Path(folder)), check=True, capture_output=True, text=True,
        )  # fmt: skip
    found = []
    for what, line in zip(ANSWERS, measured.stdout.splitlines(), strict=True):
        seconds, n_queries = json.loads(line)
        found.append(BenchmarkRow(what, "300 results", seconds, note=f"{n_queries} SQL queries"))
    return found
