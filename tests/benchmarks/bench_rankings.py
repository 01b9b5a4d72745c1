"""Sets, ranks and tiers at 10,000 resamples, against the model confidence set of arch and all differences in NumPy.

Times are of processors, not of clocks.
"""

import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np
from arch.bootstrap import MCS

from analysis.best import confidence_set_for_best, estimate_winner, model_confidence_set
from analysis.ranks import rank_intervals, tie_tiers
from analysis.scores import ScoreMatrix
from tests.analysis.simulated import noisy_matrix
from tests.benchmarks.table import BenchmarkRow, processor_seconds


def shared_task(n_systems: int, spread: float = 0.08) -> ScoreMatrix:
    """Return runs on 50 topics whose true means have the spread of a TREC pool, or are equal."""
    means = np.random.default_rng(n_systems).normal(0.25, spread, n_systems)
    return noisy_matrix(means, seed=n_systems)


def peak_megabytes(function: Callable[[], object]) -> float:
    """Return most memory that Python and NumPy held during one call."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def arch_set(matrix: ScoreMatrix, n_resamples: int) -> MCS:
    """Compute the rival’s. Its default blocks of topics are for time series, hence block_size=1."""
    rival = MCS(-matrix.scores.T, size=0.05, reps=n_resamples, block_size=1, method="R", seed=1)
    rival.compute()
    return rival


class AllDifferences:
    """The rival: every studentised difference of every draw is formed, block by block, anew at each step."""

    def __init__(self, matrix: ScoreMatrix, n_resamples: int = 10_000) -> None:
        n_topics = matrix.n_topics
        residuals = matrix.scores - matrix.means[:, None]
        covariance = residuals @ residuals.T / (n_topics * (n_topics - 1.0))
        variance = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
        np.fill_diagonal(variance, np.inf)
        self.weights = (1 / np.sqrt(variance)).astype(np.float32)
        self.statistics = (matrix.means - matrix.means[:, None]) * self.weights
        draws = np.random.default_rng(1).standard_normal((n_resamples, n_topics)) @ residuals.T
        self.draws = (draws / np.sqrt(n_topics * (n_topics - 1.0))).astype(np.float32)

    def largest(self, left_out: np.ndarray | None = None, sign: int = 1) -> np.ndarray:
        """Return that of each run to any other that is not left out, shape (n_systems, n_resamples)."""
        n_systems = len(self.weights)
        maxima = np.empty((n_systems, len(self.draws)), dtype=np.float32)
        for start in range(0, len(self.draws), 128):
            block = sign * self.draws[start : start + 128]
            for system in range(n_systems):
                differences = block - block[:, [system]]
                differences *= self.weights[system]
                if left_out is not None:
                    differences[:, left_out[system]] = -np.inf
                differences.max(axis=1, out=maxima[system, start : start + len(block)])
        return maxima

    def step_down(self, *, simultaneous: bool) -> None:
        """Compute rank intervals: what is decided is left out, until nothing more is."""
        better, worse = (np.zeros(self.weights.shape, dtype=bool) for _ in range(2))
        while True:
            null = self.largest(better)
            if not simultaneous:
                null = np.maximum(null, self.largest(worse, sign=-1))
            limit = np.quantile(null.max(axis=0) if simultaneous else null, 0.95, axis=-1, keepdims=True)
            more = self.statistics > limit, -self.statistics > limit
            if (more[0] <= better).all() and (simultaneous or (more[1] <= worse).all()):
                return
            better, worse = better | more[0], worse | more[1]


def row(what: str, size: str, function: Callable[[], object], repeats: int = 3, **rival: object) -> BenchmarkRow:
    note = f"peak {peak_megabytes(function):.0f} MB"
    rival["note"] = f"{note}; {rival['note']}" if "note" in rival else note
    return BenchmarkRow(what, size, processor_seconds(function, repeats), **rival)


def rows() -> list[BenchmarkRow]:
    small, large, flat, middle = shared_task(103), shared_task(1000), shared_task(1000, spread=0), shared_task(300)
    n_members = confidence_set_for_best(small, rng=1).n_members
    rivals = []
    arch_seconds = processor_seconds(lambda: rivals.append(arch_set(small, 10_000)), 1)
    arch = {"rival": "arch MCS", "rival_seconds": arch_seconds}

    def against(matrix: ScoreMatrix, call: Callable[[AllDifferences], object]) -> dict[str, object]:
        seconds = processor_seconds(lambda: call(AllDifferences(matrix)), 1)
        return {"rival": "all differences", "rival_seconds": seconds}

    ranked = (
        (
            "simultaneous rank intervals",
            partial(rank_intervals, simultaneous=True, rng=1),
            lambda rival: rival.step_down(simultaneous=True),
        ),
        (
            "rank intervals per run",
            partial(rank_intervals, simultaneous=False, rng=1),
            lambda rival: rival.step_down(simultaneous=False),
        ),
        # The two steps of the set, and all pairs.
        ("tiers with the set", partial(tie_tiers, rng=1), lambda rival: [rival.largest() for _ in range(3)]),
    )
    return [
        row(
            "confidence set for the best run",
            "103 x 50, B = 10,000",
            lambda: confidence_set_for_best(small, rng=1),
            **arch,
            note=f"{n_members} runs, arch {len(rivals[0].included)}; arch holds 8 B k² bytes = 0.85 GB",
        ),
        row("confidence set for the best run", "1,000 x 50, B = 10,000", lambda: confidence_set_for_best(large, rng=1)),
        row(
            "- all runs equal",
            "1,000 x 50, B = 10,000",
            lambda: confidence_set_for_best(flat, rng=1),
            repeats=1,
            **against(flat, lambda rival: rival.largest()),
        ),
        row("model confidence set", "103 x 50, B = 10,000", lambda: model_confidence_set(small, rng=1), **arch),
        row("model confidence set", "1,000 x 50, B = 10,000", lambda: model_confidence_set(large, rng=1), repeats=1),
        *[
            row(what, f"{scores.n_systems} x 50, B = 10,000", partial(call, scores), **against(scores, rival))
            for what, call, rival in ranked
            for scores in (small, middle)
        ],
        row("second opinions on the winner", "103 x 50, B = 10,000", lambda: estimate_winner(small, rng=1)),
    ]
