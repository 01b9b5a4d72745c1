"""The figures of papers on Robust04, as they ship with the product."""

import csv
from functools import cache
from pathlib import Path

RESULTS = Path(__file__).parents[2] / "data" / "results"


@cache
def robust04_papers() -> tuple[list[int], list[float], list[float], list[str]]:
    """Year, best baseline AP, best proposed AP and first author of 109 papers, in the order of the survey."""
    with (RESULTS / "robust04_papers.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["measure"] == "AP"]
    before = [row for row in rows if row["role"] == "baseline"]
    after = [row for row in rows if row["role"] == "proposed"]
    assert [row["paper_url"] for row in before] == [row["paper_url"] for row in after]
    years = [int(row["year"]) for row in after]
    authors = [row["paper"].split("(")[0].strip() for row in after]
    return years, [float(row["value"]) for row in before], [float(row["value"]) for row in after], authors


@cache
def robust04_runs() -> list[float]:
    """AP of the 110 runs originally submitted."""
    with (RESULTS / "trec_adhoc.csv").open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        return [
            float(row["value"]) for row in rows if (row["collection"], row["measure"]) == ("trec-2004-robust", "AP")
        ]
