"""Observations that the model of variances is fitted on: residual variances, with what predicts them.

From real matrices, from runs scored with judgements, and from the same runs with judgements thinned to about 1, 2, 4
and 10 documents a topic, drawn by how early runs have them: few real pools are that sparse.
"""

import csv
from pathlib import Path

from builder.tables import Row

_NUMBERS = [
    "n_topics",
    "n_systems",
    "mean",
    "best",
    "top_mean",
    "top_square",
    "top_square_inverse",
    "residual_variance",
    "log_sd_topics",
]
COLUMNS = ["collection", "group", "measure", "kind", "is_shared_task", *_NUMBERS, "source"]
_KINDS = {"matrix": "matrix", "runs": "runs", "thin": "thinned judgements"}


def build_variance_observations(record: Path) -> list[Row]:
    """Return the rows of ``variance_observations.csv``, by group, collection and measure."""
    with (record / "variance_observations.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    observations = [
        {
            **{name: row[name] for name in ("collection", "group", "measure", "source", *_NUMBERS)},
            "kind": _KINDS[row["kind"]],
            "is_shared_task": "true" if row["shared_task"] == "1" else "false",
        }
        for row in rows
    ]
    return sorted(
        observations, key=lambda row: (row["group"], row["collection"], row["kind"], row["measure"], row["source"])
    )
