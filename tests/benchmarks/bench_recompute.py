"""Recomputing every leaderboard of the shipped data, against simulating the adjusted mean of each as the paper does.

Ours reads, analyses, standardizes and writes a snapshot; the rival only simulates the maximum of each leaderboard's N
normals 100,000 times and searches the adjusted mean, for a sample of leaderboards, scaled to all of them.

Then by leaderboard, in processor time: the whole analysis against reading the same rows and Carterette's analysis of
them alone, which was all that a page had before there were verdicts.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.table import BenchmarkRow

ROOT = Path(__file__).parents[2]
N_SIMULATIONS = 100_000
N_SAMPLED = 40
N_BY_BOARD = 300

_BY_BOARD = """
import json, sys, time, django
django.setup()
from analysis.best import analyse_best
from registry.leaderboards.models import Analysis
from registry.leaderboards.queries.boards import read_board
from registry.leaderboards.studies import analyse_leaderboard
analysed = Analysis.objects.filter(snapshot__isnull=False).order_by("leaderboard")
pks = list(analysed.values_list("leaderboard", flat=True))
pks = pks[:: max(1, len(pks) // int(sys.argv[1]))]

def equal_means_alone(pk):
    inputs = read_board(pk).inputs
    means = [row.value for row in inputs.rows if row.is_counted]
    if inputs.n_topics and len(set(means)) > 1 and len(means) >= 5:
        analyse_best(means, n_topics=inputs.n_topics, tail=0.8)

seconds = []
for function in (equal_means_alone, lambda pk: analyse_leaderboard(pk, is_forced=True)):
    start = time.process_time()
    for pk in pks:
        function(pk)
    seconds.append((time.process_time() - start) / len(pks))
print(json.dumps({"rival": seconds[0], "ours": seconds[1], "n": len(pks)}))
"""

_RIVAL = """
import json, sys, time, django
django.setup()
import numpy as np
from registry.leaderboards.models import Analysis
n_simulations, n_sampled = map(int, sys.argv[1:])
analysed = Analysis.objects.filter(snapshot__isnull=False, n_counted__gte=5).order_by("leaderboard")
counts = list(analysed.values_list("n_counted", flat=True))
sampled = counts[:: max(1, len(counts) // n_sampled)]
rng = np.random.default_rng(1)
start = time.perf_counter()
for n in sampled:
    maxima = np.empty(n_simulations)
    for first in range(0, n_simulations, 10_000):
        maxima[first : first + 10_000] = rng.standard_normal((10_000, n)).max(axis=1)
    np.quantile(maxima, 0.8)
seconds = time.perf_counter() - start
print(json.dumps({"seconds": seconds * sum(counts) / sum(sampled), "n": len(counts)}))
"""


def rows() -> list[BenchmarkRow]:
    """One row with one process, one with a process a core."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        environment = os.environ | {
            "PLUMBLINE_HOME": folder, "DJANGO_SETTINGS_MODULE": "registry.settings", "OPENBLAS_NUM_THREADS": "1",
            "DATABASE_URL": "", "REDIS_URL": "",
        }  # fmt: skip
        _manage(environment, "migrate", "--create", "-v0")
        _manage(environment, "load_shipped_data", "-v0")
        seconds = {n: _recompute(environment, n) for n in (1, os.cpu_count() or 1)}
        rival = _told(environment, _RIVAL, N_SIMULATIONS, N_SAMPLED)
        by_board = _told(environment, _BY_BOARD, N_BY_BOARD)
    return [
        BenchmarkRow(
            "recomputing every leaderboard",
            f"{n_boards:,} leaderboards, {n} process{'es' * (n > 1)}",
            taken,
            f"{N_SIMULATIONS:,} simulations of each of {rival['n']:,} (scaled from {N_SAMPLED})",
            rival["seconds"],
            f"{n_boards / taken:.0f} leaderboards/s",
        )
        for n, (taken, n_boards) in seconds.items()
    ] + [
        BenchmarkRow(
            "one leaderboard, on average",
            f"{by_board['n']} leaderboards, processor time",
            by_board["ours"],
            "reading its rows and Carterette's analysis alone",
            by_board["rival"],
        )
    ]


def _told(environment: dict[str, str], script: str, *arguments: int) -> dict[str, Any]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _recompute(environment: dict[str, str], n_processes: int) -> tuple[float, int]:
    """Seconds, start of the processes included, and the number of leaderboards."""
    start = time.perf_counter()
    output = _manage(environment, "recompute", "--all", "--processes", str(n_processes))
    return time.perf_counter() - start, int(output.split()[0])


def _manage(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout
