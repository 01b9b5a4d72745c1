"""Score matrices for tests, of those that ship with the product."""

from functools import cache

import numpy as np

from analysis.scores import ScoreMatrix, parse_score_table
from tests.data.shipped import DATA

TOPIC_SCORES = DATA / "topic_scores"


@cache
def shipped_matrix(name: str) -> ScoreMatrix:
    """Return a matrix of data/topic_scores/ or of those without names in it, for example ``trec-8-adhoc__AP``."""
    path = TOPIC_SCORES / f"{name}.csv"
    return parse_score_table((path if path.exists() else TOPIC_SCORES / "unnamed" / path.name).read_bytes())


def distinct_matrix(name: str) -> ScoreMatrix:
    """Return a matrix without rows that are constant, or the same as an earlier one."""
    matrix = shipped_matrix(name)
    first = dict(reversed([(row.tobytes(), place) for place, row in enumerate(matrix.scores)]))
    return matrix.select([matrix.systems[row] for row in sorted(first.values()) if np.ptp(matrix.scores[row]) > 0])
