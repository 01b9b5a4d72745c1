"""Published means from the data that ships with the product."""

import csv
from functools import cache
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).parents[1] / "data" / "results"
#: What the reference values were computed from, elsewhere; what came later moves no test.
REFERENCE_FILES = tuple(
    f"{name}.csv"
    for name in (
        "anserini", "msmarco_passage", "mteb", "mteb_more", "pyserini", "rank_llm", "robust04_papers", "tirex",
        "trec_adhoc", "trec_other_tracks",
    )
)  # fmt: skip
FILES = {"trec-7-adhoc": "trec_adhoc.csv", "trec-2004-robust": "robust04_papers.csv"}


def published_means(collection: str, measure: str = "AP", role: str | None = None) -> np.ndarray:
    """Means of a collection under a measure in the order of the file, of one role or of all."""
    with (RESULTS / FILES[collection]).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if (row["collection"], row["measure"]) == (collection, measure)]
    return np.array([float(row["value"]) for row in rows if role in (None, row["role"])])


@cache
def _all_rows() -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for name in REFERENCE_FILES:
        with (RESULTS / name).open(encoding="utf-8", newline="") as file:
            found += csv.DictReader(file)
    # Some rows are known to be doubtful, the same run or a partial mean since the references were computed.
    return [row for row in found if row["comparability"] in ("standard", "same_run", "doubtful", "partial_mean")]


@cache
def _rows_by_board() -> dict[tuple[str, str], list[dict[str, str]]]:
    found: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in _all_rows():
        found.setdefault((row["collection"], row["measure"]), []).append(row)
    return found


def comparable_rows(collection: str, measure: str) -> tuple[list[float], list[str]]:
    """Scores and families of the comparable results, whoever made them: team, else paper, else system.

    Executions of one system are one result with their mean; scores of 0 are left out.
    """
    rows = _rows_by_board().get((collection, measure), [])
    originals = [row for row in rows if not row.get("replicate_of")]
    executions: dict[str, list[float]] = {}
    for row in rows:
        if row.get("replicate_of"):
            executions.setdefault(row["replicate_of"], []).append(float(row["value"]))
    means = [float(np.mean([float(row["value"]), *executions.get(row["system"], [])])) for row in originals]
    families = [_family(row) for row in originals]
    kept = [place for place, mean in enumerate(means) if mean != 0]
    return [means[place] for place in kept], [families[place] for place in kept]


def complete_rows(collections: tuple[str, ...], measure: str, *, toolkits: bool) -> tuple[np.ndarray, list[str]]:
    """Scores, shape (n_systems, n_collections), and families of the systems with a result on each collection."""
    scores: dict[str, dict[str, float]] = {}
    families: dict[str, str] = {}
    for collection in collections:
        for row in _rows_by_board()[collection, measure]:
            if toolkits or row["role"] != "reference_implementation":
                scores.setdefault(row["system"], {})[row["collection"]] = float(row["value"])
                families[row["system"]] = _family(row)
    complete = [system for system, by_name in scores.items() if len(by_name) == len(collections)]
    return (
        np.array([[scores[system][name] for name in collections] for system in complete]),
        [families[system] for system in complete],
    )


def _family(row: dict[str, str]) -> str:
    """Team, else paper, else system; not every file has each of them."""
    return (row.get("team") or row.get("paper_url") or row["system"]).casefold()
