"""Extremes of normals and the adjusted mean: exact against the simulation of the 2015 paper, in the same run."""

import mpmath
import numpy as np

from analysis.best import (
    analyse_best,
    analyse_summary,
    best_set_from_means,
    corrected_best_from_means,
    gupta_constant,
    maximum_distribution,
)
from tests.benchmarks.table import BenchmarkRow, best_of

N_SAMPLES = 100_000
PAPER = {"mean": 0.2, "sd": 0.08, "best": 0.303, "n_results": 103, "n_topics": 50}
STANDARD_ERROR = 0.08 / 50**0.5


def simulated_maxima(n: int) -> np.ndarray:
    """Return the paper's way: the largest of n normals, many times over."""
    rng = np.random.default_rng(20150809)
    return np.concatenate([rng.standard_normal((1000, n)).max(axis=1) for _ in range(N_SAMPLES // 1000)])


def exact_quantile(n: int, probability: float) -> float:
    with mpmath.workdps(50):
        share = mpmath.exp(mpmath.log(mpmath.mpf(probability)) / n)
        return float(mpmath.sqrt(2) * mpmath.erfinv(2 * share - 1))


def quantile_rows() -> list[BenchmarkRow]:
    rows = []
    for n in (103, 1000):
        truth = exact_quantile(n, 0.95)
        ours = maximum_distribution(n).ppf(0.95)
        simulated = float(np.quantile(simulated_maxima(n), 0.95))
        rows.append(
            BenchmarkRow(
                "95 % point of MxVD",
                f"N = {n}",
                best_of(lambda n=n: maximum_distribution(n).ppf(0.95), 50),
                f"simulation of {N_SAMPLES:,}",
                best_of(lambda n=n: np.quantile(simulated_maxima(n), 0.95), 1),
                f"relative error {abs(ours / truth - 1):.0e}, simulated {abs(simulated / truth - 1):.0e}",
            )
        )
    return rows


def adjusted_mean_row() -> BenchmarkRow:
    truth = 0.303 - exact_quantile(103, 0.8) * STANDARD_ERROR

    def simulate() -> float:
        return 0.303 - float(np.quantile(simulated_maxima(103), 0.8)) * STANDARD_ERROR

    ours = analyse_summary(**PAPER).adjusted_mean
    return BenchmarkRow(
        "adjusted mean",
        "TREC-7, N = 103",
        best_of(lambda: analyse_summary(**PAPER), 50),
        f"simulation of {N_SAMPLES:,}",
        best_of(simulate, 1),
        f"error {abs(ours - truth):.0e}, simulated {abs(simulate() - truth):.0e}",
    )


def leaderboard_row() -> BenchmarkRow:
    means = np.random.default_rng(1).normal(0.3, 0.05, 300)

    def analyse() -> None:
        analyse_best(means, n_topics=50)
        best_set_from_means(means, n_topics=50, residual_variance=0.012, degrees_of_freedom=10)
        corrected_best_from_means(means, error_variance=0.012 / 50, degrees_of_freedom=18.0)

    analyse()
    return BenchmarkRow("analysis, best set and winner of a leaderboard", "300 means", best_of(analyse, 50))


def rows() -> list[BenchmarkRow]:
    constants = iter(range(2000, 3000))  # a new k each time: the constants are kept
    finite = iter(range(2000, 3000))
    return [
        *quantile_rows(),
        adjusted_mean_row(),
        BenchmarkRow(
            "95 % point, correlation 0.6",
            "N = 103",
            best_of(lambda: maximum_distribution(103, correlation=0.6).ppf(0.95), 20),
        ),
        BenchmarkRow("Gupta's constant, first time", "k = 2000", best_of(lambda: gupta_constant(next(constants)), 10)),
        BenchmarkRow(
            "Gupta's constant, first time",
            "k = 2000, 49 degrees of freedom",
            best_of(lambda: gupta_constant(next(finite), 0.95, 49), 10),
        ),
        leaderboard_row(),
    ]
