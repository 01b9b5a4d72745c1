"""Score matrices for tests: those that ship with the product, and those of TREC that lie beside the checkout."""

from functools import cache
from pathlib import Path

import numpy as np

from analysis.scores import ScoreMatrix, parse_score_table
from tests.shared_data import shared_file

SHIPPED = Path(__file__).parents[2] / "data" / "topic_scores"


@cache
def _read(path: Path) -> ScoreMatrix:
    return parse_score_table(path.read_bytes())


def shipped_matrix(name: str) -> ScoreMatrix:
    """A matrix of data/topic_scores/, for example ``trec-dl-2019-passage__nDCG-at-10``."""
    return _read(SHIPPED / f"{name}.csv")


def shared_matrix(name: str) -> ScoreMatrix:
    """A matrix of the shared data, for example ``trec-8-adhoc__AP``; skips the test where it is absent."""
    return _read(shared_file(f"per_topic/{name}.csv"))


def distinct_matrix(name: str) -> ScoreMatrix:
    """A matrix of the shared data without rows that are constant, or the same as an earlier one."""
    matrix = shared_matrix(name)
    first = dict(reversed([(row.tobytes(), place) for place, row in enumerate(matrix.scores)]))
    return matrix.select([matrix.systems[row] for row in sorted(first.values()) if np.ptp(matrix.scores[row]) > 0])
