"""Sets, ranks and tiers at 10,000 resamples, against the model confidence set of arch."""

import tracemalloc
from collections.abc import Callable

import numpy as np
from arch.bootstrap import MCS

from analysis.rankings import confidence_set_for_best, model_confidence_set, rank_intervals, tie_tiers
from analysis.scores import ScoreMatrix
from analysis.winners import estimate_winner
from tests.analysis.simulated import noisy_matrix
from tests.benchmarks.table import BenchmarkRow, best_of


def shared_task(n_systems: int, spread: float = 0.08) -> ScoreMatrix:
    """Runs on 50 topics whose true means have the spread of a TREC pool, or are equal."""
    means = np.random.default_rng(n_systems).normal(0.25, spread, n_systems)
    return noisy_matrix(means, seed=n_systems)


def peak_megabytes(function: Callable[[], object]) -> float:
    """Most memory that Python and NumPy held during one call."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def arch_set(matrix: ScoreMatrix, n_resamples: int) -> MCS:
    """The rival. Its default blocks of topics are for time series, hence block_size=1."""
    rival = MCS(-matrix.scores.T, size=0.05, reps=n_resamples, block_size=1, method="R", seed=1)
    rival.compute()
    return rival


def row(what: str, size: str, function: Callable[[], object], repeats: int = 3, **rival: object) -> BenchmarkRow:
    note = f"peak {peak_megabytes(function):.0f} MB"
    rival["note"] = f"{note}; {rival['note']}" if "note" in rival else note
    return BenchmarkRow(what, size, best_of(function, repeats), **rival)


def rows() -> list[BenchmarkRow]:
    small, large, flat, middle = shared_task(103), shared_task(1000), shared_task(1000, spread=0), shared_task(300)
    n_members = confidence_set_for_best(small, rng=1).n_members
    rivals = []
    arch_seconds = best_of(lambda: rivals.append(arch_set(small, 10_000)), repeats=1)
    arch = {"rival": "arch MCS", "rival_seconds": arch_seconds}
    too_large = "arch would hold 8 B k² bytes = 80 GB"
    return [
        row(
            "confidence set for the best run",
            "103 x 50, B = 10,000",
            lambda: confidence_set_for_best(small, rng=1),
            **arch,
            note=f"{n_members} runs, arch {len(rivals[0].included)}; arch holds 8 B k² bytes = 0.85 GB",
        ),
        row(
            "- two-step",
            "103 x 50, B = 10,000",
            lambda: confidence_set_for_best(small, two_step=True, rng=1),
        ),
        row(
            "confidence set for the best run",
            "1,000 x 50, B = 10,000",
            lambda: confidence_set_for_best(large, rng=1),
            note=too_large,
        ),
        row(
            "- all runs equal",
            "1,000 x 50, B = 10,000",
            lambda: confidence_set_for_best(flat, rng=1),
            repeats=1,
            note=too_large,
        ),
        row("model confidence set", "103 x 50, B = 10,000", lambda: model_confidence_set(small, rng=1), **arch),
        row("model confidence set", "1,000 x 50, B = 10,000", lambda: model_confidence_set(large, rng=1), repeats=1),
        row(
            "simultaneous rank intervals",
            "300 x 50, B = 10,000",
            lambda: rank_intervals(middle, simultaneous=True, rng=1),
        ),
        row(
            "rank intervals per run",
            "300 x 50, B = 10,000",
            lambda: rank_intervals(middle, simultaneous=False, rng=1),
            repeats=1,
        ),
        row("tie tiers", "103 x 50, B = 10,000", lambda: tie_tiers(small, rng=1)),
        row("winner with all alternatives", "103 x 50, B = 10,000", lambda: estimate_winner(small, rng=1)),
    ]
