"""Results that come one by one over the API, each with a token: how many a second, beside a worker that analyses.

On SQLite, with one web process, under the names of the shipped catalog; the clients share the machine.
"""

import json
import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

from tests.benchmarks.bench_faults import PREPARE
from tests.benchmarks.bench_idle import processor_seconds_of
from tests.benchmarks.table import BenchmarkRow
from tests.registry.core.lab import Lab

N_SENT = int(os.environ.get("PLUMBLINE_BENCHMARK_SUBMISSIONS", "1000"))
N_CLIENTS = 4


def rows() -> list[BenchmarkRow]:
    """Return one row: seconds of a submission, with how many a second and what each took of a processor."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(Path(folder) / "site")
        try:
            return [_measure(lab)]
        finally:
            lab.close()


def _measure(lab: Lab) -> BenchmarkRow:
    lab.run("manage.py", "load_catalog", "data", "-v0")
    tokens = lab.run("-c", PREPARE).split()
    port = lab.start_web(PLUMBLINE_COMPUTE_SECONDS="1000000")
    lab.start_worker()
    used, started = processor_seconds_of([lab.web.pid]), time.monotonic()
    with ThreadPoolExecutor(N_CLIENTS) as clients:
        taken = list(clients.map(lambda client: _send(port, tokens, client), range(N_CLIENTS)))
    seconds = time.monotonic() - started
    used = (processor_seconds_of([lab.web.pid]) - used) / N_SENT
    ((n_stored,),) = lab.query("SELECT count(*) FROM submissions_submission")
    note = f"{N_SENT / seconds:.0f} a second, {1000 * used:.1f} ms of a processor each; {n_stored} stored"
    return BenchmarkRow("submit one result", f"{sum(taken):,} taken, {N_CLIENTS} clients", seconds / N_SENT, note=note)


def _send(port: int, tokens: list[str], client: int) -> int:
    """Return how many of a client's submissions were taken, over one connection."""
    connection, n_taken = HTTPConnection("127.0.0.1", port, timeout=60), 0
    for number in range(client, N_SENT, N_CLIENTS):
        row = {
            "collection": "trec-2004-robust",
            "measure": "AP",
            "system": f"system {number}",
            "value": f"0.{3000 + number}",
        }
        body = {"results": [row | {"role": "proposed", "paper_url": "https://doi.org/10.1145/2766462.2767812"}]}
        headers = {"Authorization": f"Bearer {tokens[number % len(tokens)]}", "Content-Type": "application/json"}
        connection.request("POST", "/api/v1/submissions/", json.dumps(body), headers)
        answer = connection.getresponse()
        answer.read()
        n_taken += answer.status == 201
    connection.close()
    return n_taken
