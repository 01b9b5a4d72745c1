"""Swap rates of a large TREC pool in both designs, against a loop over pairs with SciPy's tests."""

import time

import numpy as np
import scipy.stats

from analysis.reliability import smallest_resolvable_difference, swap_rates, topics_needed
from tests.benchmarks.table import BenchmarkRow, best_of

N_SYSTEMS, N_TOPICS, N_SPLITS = 129, 50, 50
SIZES = (5, 10, 15, 20, 25)
DESIGNS = ("disjoint", "replacement")
RIVAL_PAIRS = 60


def rows() -> list[BenchmarkRow]:
    """Return each test in both designs, and the questions about topic-set size."""
    scores = _scores()
    n_pairs = 97 * 96 // 2
    size = f"{N_SYSTEMS} x {N_TOPICS}, {n_pairs} pairs, {len(SIZES)} sizes, {N_SPLITS} splits, 2 designs"
    note = f"rival timed on {RIVAL_PAIRS} pairs of each size and scaled"
    by_test = []
    for test in ("t", "wilcoxon", "sign"):
        ours = best_of(lambda test=test: [swap_rates(scores, test=test, design=design, rng=1) for design in DESIGNS], 2)
        rival = _loop_over_pairs(scores, test) * n_pairs * N_SPLITS * len(DESIGNS)
        by_test.append(BenchmarkRow(f"swap rates: {test}", size, ours, "loop over pairs, SciPy", rival, note))
    needed = best_of(lambda: topics_needed(0.02, residual_variance=0.0144))
    resolvable = best_of(lambda: smallest_resolvable_difference(0.012, N_TOPICS, N_SYSTEMS))
    return [
        *by_test,
        BenchmarkRow("topics needed", "difference .02", needed),
        BenchmarkRow("smallest resolvable difference", f"{N_SYSTEMS} x {N_TOPICS}", resolvable, note="cached"),
    ]


def _scores() -> np.ndarray:
    """Return scores with the variance components of TREC ad hoc runs under AP."""
    rng = np.random.default_rng(0)
    scores = rng.normal(0.24, 0.1, (N_SYSTEMS, 1)) + rng.normal(0, 0.16, N_TOPICS)
    return np.clip(scores + rng.normal(0, 0.12, (N_SYSTEMS, N_TOPICS)), 0, 1).round(4)


def _loop_over_pairs(scores: np.ndarray, test: str) -> float:
    """Return seconds per pair and split for all sizes together."""
    rng = np.random.default_rng(1)
    n_reversed = 0
    start = time.perf_counter()
    for size in SIZES:
        for _ in range(RIVAL_PAIRS):
            first, second = rng.choice(N_SYSTEMS, 2, replace=False)
            order = rng.permutation(N_TOPICS)
            seen, again = (
                scores[first, half] - scores[second, half] for half in (order[:size], order[size : 2 * size])
            )
            _test(seen, test)
            n_reversed += bool(seen.mean() * again.mean() < 0)
    assert n_reversed > 0
    return (time.perf_counter() - start) / RIVAL_PAIRS


def _test(differences: np.ndarray, test: str) -> float:
    if test == "t":
        return float(scipy.stats.ttest_1samp(differences, 0).pvalue)
    if test == "wilcoxon":
        return float(scipy.stats.wilcoxon(differences, method="asymptotic").pvalue)
    return float(scipy.stats.binomtest(int((differences > 0).sum()), differences.size).pvalue)
