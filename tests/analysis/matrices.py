"""Score matrices for tests: those that ship with the product, and those of TREC that lie beside the checkout."""

from functools import cache
from pathlib import Path

from analysis.formats import parse_score_table
from analysis.scores import ScoreMatrix
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
