"""Scores that ship, as the papers need them."""

import csv
from pathlib import Path

import numpy as np

from analysis.scores import ScoreMatrix, parse_score_table


def unnamed_matrix(data: Path, name: str) -> ScoreMatrix:
    """Topic scores of runs without names, such as ``trec-7-adhoc__AP``."""
    return parse_score_table((data / "topic_scores" / "unnamed" / f"{name}.csv").read_bytes())


def published_rows(data: Path, file: str, collection: str, role: str = "") -> list[dict[str, str]]:
    """The rows of a file of published results under AP; in one role, or in all."""
    with (data / "results" / file).open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if (row["collection"], row["measure"]) == (collection, "AP")]
    return [row for row in rows if role in ("", row["role"])]


def values_of(rows: list[dict[str, str]]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The scores of such rows, in their order."""
    return np.array([float(row["value"]) for row in rows])
