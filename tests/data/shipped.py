"""The tables in data/, read once."""

import csv
import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path

DATA = Path(__file__).parents[2] / "data"

COUNTED_ROLES = {"trec_run", "leaderboard", "proposed", "baseline"}

Row = dict[str, str]


@cache
def table(file_name: str | Path) -> list[Row]:
    """Return the rows of a CSV file of the folder, or of another one by its whole path."""
    with (DATA / file_name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert not any(None in row for row in rows), f"{file_name}: more cells than heads; is a comma missing its quotes?"
    return rows


@cache
def results() -> list[Row]:
    """Return the rows of every result file."""
    return [row for path in sorted((DATA / "results").glob("*.csv")) for row in table(f"results/{path.name}")]


@cache
def matrix(file: str) -> tuple[list[str], dict[str, list[float]]]:
    """Return the topics of a topic-scores file, and each system's scores in their order."""
    rows = table(f"topic_scores/{file}")
    systems = [name for name in rows[0] if name != "topic"]
    return [row["topic"] for row in rows], {name: [float(row[name]) for row in rows] for name in systems}


def counts(row: Row) -> bool:
    """Return whether a result counts towards the number of systems tried."""
    standard = row.get("comparability", "") in ("", "standard")
    return row["role"] in COUNTED_ROLES and standard and not row.get("replicate_of")


def number(row: Row) -> float:
    """Return the score on the scale of its measure."""
    return float(row["value"]) / (100 if row.get("unit") == "percent" else 1)


def compared(name: str) -> str:
    """Return a name as names are compared: one Unicode form, without case, single blanks."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip().casefold()


@cache
def counted_by_leaderboard() -> Counter[tuple[str, str]]:
    """Return how many results count, for each collection and measure."""
    return Counter((row["collection"], row["measure"]) for row in results() if counts(row))
