"""The bootstrap over documents at the size of TREC-6: 3,652 lists of 1,000 documents, 2,000 resamples each.

Lists are simulated. The rival draws one Poisson count for every document of a list, vectorised over the resamples. Both
are timed on the same 24 lists and scaled to all of them; the whole task, with its intervals, is timed in full.
"""

import resource
import time

import numpy as np

from analysis.documents import RankedList, average_precision, average_precision_intervals, bootstrap_average_precision
from tests.analysis.ranked_lists import direct_bootstrap, simulated_list
from tests.benchmarks.table import BenchmarkRow, best_of

N_LISTS, N_RESAMPLES, N_TIMED = 3652, 2000, 24


def trec6_like(rng: np.random.Generator) -> list[RankedList]:
    """50 topics whose numbers of relevant documents average about 92, as in TREC-6, seen by 73 systems or so."""
    numbers = np.round(np.exp(rng.normal(np.log(58.0), 0.95, 50)))
    quality = rng.normal(2.1, 0.45, N_LISTS)
    return [simulated_list(rng, max(3.0, numbers[index % 50]), quality[index]) for index in range(N_LISTS)]


def rows() -> list[BenchmarkRow]:
    """Ours against the direct way, and the whole task."""
    rng = np.random.default_rng(1997)
    lists = trec6_like(rng)
    some = [lists[index] for index in range(0, N_LISTS, N_LISTS // N_TIMED)][:N_TIMED]
    ours = best_of(lambda: [bootstrap_average_precision(one, 1, n_resamples=N_RESAMPLES) for one in some], 3)
    direct = best_of(lambda: [direct_bootstrap(one, N_RESAMPLES, rng) for one in some], 3)
    scale = N_LISTS / len(some)
    shape = f"{N_LISTS} lists x {N_RESAMPLES}"
    found = np.mean([one.relevant_ranks.size for one in lists])
    means = f"mean R {np.mean([one.n_relevant for one in lists]):.0f}, {found:.0f} of them retrieved"
    quality = f"MAP {np.mean([average_precision(one) for one in lists]):.2f}"
    table = [
        BenchmarkRow(
            "bootstrap of AP over documents",
            shape,
            ours * scale,
            "one count a document",
            direct * scale,
            f"both scaled from {len(some)} lists; {means}, {quality}",
        )
    ]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    average_precision_intervals(lists, 1, n_resamples=N_RESAMPLES)
    seconds = time.perf_counter() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    note = f"measured in full, one core; peak memory grew by {grown:.0f} MB"
    table.append(BenchmarkRow("logit intervals, small-sample limits and all", shape, seconds, note=note))
    return table
