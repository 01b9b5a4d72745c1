"""The figures of papers on Robust04, as they ship with the product."""

from functools import cache

from tests.data.shipped import table


@cache
def robust04_papers() -> tuple[list[int], list[float], list[float], list[str]]:
    """Return year, best baseline AP, best proposed AP and first author of 109 papers, in the order of the survey."""
    rows = [row for row in table("results/robust04_papers.csv") if row["measure"] == "AP"]
    before = [row for row in rows if row["role"] == "baseline"]
    after = [row for row in rows if row["role"] == "proposed"]
    assert [row["paper_url"] for row in before] == [row["paper_url"] for row in after]
    years = [int(row["year"]) for row in after]
    authors = [row["paper"].split("(")[0].strip() for row in after]
    return years, [float(row["value"]) for row in before], [float(row["value"]) for row in after], authors


@cache
def robust04_runs() -> list[float]:
    """Return AP of the 110 runs originally submitted."""
    rows = table("results/trec_adhoc.csv")
    return [float(row["value"]) for row in rows if (row["collection"], row["measure"]) == ("trec-2004-robust", "AP")]
