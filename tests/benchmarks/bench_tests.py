"""All pairs of a large TREC pool under five paired tests, against a loop over SciPy; two vectors that are sent."""

import os
import time

import django
import numpy as np
import scipy.stats

from analysis.comparisons import compare_family, randomized_tukey_hsd, step_down_max_t, tukey_hsd
from analysis.scores import ScoreMatrix
from tests.benchmarks.table import BenchmarkRow, best_of, processor_seconds

N_SYSTEMS, N_TOPICS, N_RESAMPLES = 129, 50, 10_000
TESTS = ("t", "wilcoxon", "sign", "randomization", "bootstrap-shift")
RIVAL_PAIRS = 40
SENT_TOPICS = (50, 500, 2_000, 10_000)


def rows() -> list[BenchmarkRow]:
    """Time five tests one by one and together, the joint procedures, and what a web process computes of two vectors."""
    matrix = _matrix()
    size = f"{N_SYSTEMS} x {N_TOPICS}, {N_SYSTEMS * (N_SYSTEMS - 1) // 2} pairs"
    rivals = {test: _loop_over_scipy(matrix.scores, test) for test in TESTS}
    note = f"rival timed on {RIVAL_PAIRS} pairs and scaled"
    by_test = []
    for test in TESTS:
        ours = best_of(lambda test=test: compare_family(matrix, test=test, n_resamples=N_RESAMPLES, rng=1), 3)
        by_test.append(BenchmarkRow(f"all pairs: {test}", size, ours, "loop over SciPy", rivals[test], note))
    together = BenchmarkRow(
        f"all pairs: five tests, B={N_RESAMPLES}",
        size,
        sum(row.ours_seconds for row in by_test),
        "loop over SciPy",
        sum(rivals.values()),
        note,
    )
    joint = [
        ("step-down max-t", lambda: step_down_max_t(matrix, n_resamples=N_RESAMPLES, rng=1)),
        ("Tukey HSD", lambda: tukey_hsd(matrix)),
        ("randomized Tukey HSD", lambda: randomized_tukey_hsd(matrix, n_resamples=N_RESAMPLES, rng=1)),
    ]
    return [
        *by_test,
        together,
        *(BenchmarkRow(what, size, best_of(run, 3)) for what, run in joint),
        *map(_two_sent, SENT_TOPICS),
    ]


def _two_sent(n_topics: int) -> BenchmarkRow:
    """Return every test of the scores of two systems, as a web process computes them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    django.setup()
    from registry.tools.pairs.pair_documents import vectors_document

    rng = np.random.default_rng(0)
    first = rng.random(n_topics).round(4)
    second = np.clip(first + rng.normal(0, 0.1, n_topics), 0, 1).round(4)
    matrix = ScoreMatrix(["first", "second"], [str(topic) for topic in range(n_topics)], [first, second])
    seconds = processor_seconds(lambda: vectors_document(matrix, 0.01), 3)
    return BenchmarkRow("two vectors, every test", f"2 x {n_topics}", seconds, note="processor time")


def _matrix() -> ScoreMatrix:
    """Return scores with the variance components of TREC ad hoc runs under AP."""
    rng = np.random.default_rng(0)
    scores = rng.normal(0.24, 0.1, (N_SYSTEMS, 1)) + rng.normal(0, 0.16, N_TOPICS)
    scores = np.clip(scores + rng.normal(0, 0.12, (N_SYSTEMS, N_TOPICS)), 0, 1).round(4)
    return ScoreMatrix([str(row) for row in range(N_SYSTEMS)], [str(topic) for topic in range(N_TOPICS)], scores)


def _loop_over_scipy(scores: np.ndarray, test: str) -> float:
    """Time all pairs, from a random sample of them; SciPy vectorised over resamples, as its users would."""
    pairs = np.random.default_rng(1).integers(0, N_SYSTEMS, (RIVAL_PAIRS, 2))
    start = time.perf_counter()
    for first, second in pairs:
        difference = scores[first] - scores[second] + (first == second) * np.linspace(-1, 1, N_TOPICS)
        if test == "t":
            scipy.stats.ttest_1samp(difference, 0)
        elif test == "wilcoxon":
            scipy.stats.wilcoxon(difference, correction=True, method="asymptotic")
        elif test == "sign":
            scipy.stats.binomtest(int((difference > 0).sum()), int((difference != 0).sum()))
        elif test == "randomization":
            scipy.stats.permutation_test(
                (difference,), _mean, permutation_type="samples", vectorized=True, n_resamples=N_RESAMPLES, rng=1
            )
        else:
            scipy.stats.bootstrap((difference,), _mean, method="percentile", n_resamples=N_RESAMPLES, rng=1)
    return (time.perf_counter() - start) / RIVAL_PAIRS * N_SYSTEMS * (N_SYSTEMS - 1) / 2


def _mean(values: np.ndarray, axis: int) -> np.ndarray:
    return values.mean(axis=axis)
