"""Means over a benchmark as papers, cards and pages print them: shown beside the mean of the scores on record."""

from collections import defaultdict
from collections.abc import Iterable

from builder.tables import Row

COLUMNS = ["suite", "measure", "system", "printed", "unit", "year", "paper", "paper_url", "source", "locator", "why"]
#: A name that stands for one system of the record: others are of several, or of none.
_MATCHED = ("agrees", "close (within .005)", "differs", "members incomplete")
#: Pages without a repository, of which a copy of the text was read: its place there leads nobody anywhere.
_OF_COPIES = "text_snippets/"
_BY_THE_SUITE = "as defined by"
#: Printed as the mean of a row whose scores have another one, and where that row is -> what is known of it.
_WHY = {
    ("lightonai/pylate", "docs/models/models.md#L30"): "the 13 scores beside it on the page have the mean 55.73",
    ("lightonai/pylate", "docs/models/models.md#L32"): "the 13 scores beside it on the page have the mean 56.71",
}


def build_printed_means(gathered: Iterable[Row], members: Iterable[Row]) -> list[Row]:
    """Return the printed means of benchmarks that are here, whose system is on record under a name of its own."""
    measures: dict[str, set[str]] = defaultdict(set)
    for member in members:
        measures[member["suite"]].add(member["measure"])
    rows = []
    for row in gathered:
        ours = measures.get(row["suite"], set())
        candidates = ours if row["measure"].startswith(_BY_THE_SUITE) else ours & {row["measure"]}
        if row["verdict"] in _MATCHED and len(candidates) == 1:
            locator = row["locator"].partition(f"; {_OF_COPIES}")[0]
            rows.append(
                {name: row.get(name, "") for name in COLUMNS}
                | {
                    "measure": next(iter(candidates)),
                    "system": row["system_on_record"],
                    "source": row["source"] or row["paper"],
                    "locator": "" if locator.startswith(_OF_COPIES) else locator,
                    "why": _WHY.get((row["source"], row["locator"]), ""),
                }
            )
    return sorted(rows, key=lambda row: [row[name] for name in COLUMNS])
