"""Published means from the data that ships with the product."""

import csv
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).parents[1] / "data" / "results"
FILES = {"trec-7-adhoc": "trec_adhoc.csv", "trec-2004-robust": "robust04_papers.csv"}


def published_means(collection: str, measure: str = "AP", role: str | None = None) -> np.ndarray:
    """Means of a collection under a measure in the order of the file, of one role or of all."""
    with (RESULTS / FILES[collection]).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if (row["collection"], row["measure"]) == (collection, measure)]
    return np.array([float(row["value"]) for row in rows if role in (None, row["role"])])
