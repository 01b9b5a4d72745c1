"""Tables that were gathered later: rows in the import format, and where results of MTEB were first reported.

Rows have their line. A table of a lab's pages has cells, which become rows here.
"""

import csv
import gzip
import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path

from analysis.readers.upstream.platforms import short_revision
from builder.results import COLUMNS
from builder.tables import Row, join_notes, read_table

#: File of ours -> the gathered files in it.
FILES = {
    "trec_domain_tracks.csv": ["trec_more_rows.csv.gz"],
    "mteb_members.csv": ["released_suite_members.csv", "released_suites_as_published.csv"],
}
#: What results of the mteb package name as their source.
_OF_MTEB = "embeddings-benchmark/results"
_LINES = re.compile(r"(.+)#L(\d+)$")
_TOUCHE = "touche-webis-de/touche-webis-de.github.io"
#: Pages of Touché whose figures are by the relevance judgements of a collection here -> the collection. The page of
#: 2020's first task has two tables by other judgements than the later, corrected ones.
_OF_TOUCHE = {
    "clef20/touche20-web/argument-retrieval-for-comparative-questions.html": "clueweb12-touche-2020-task-2",
    "clef21/touche21-web/argument-retrieval-for-controversial-questions-results-relevance.html": (
        "argsme-touche-2021-task-1"
    ),
    "clef21/touche21-web/argument-retrieval-for-comparative-questions-results-relevance.html": (
        "clueweb12-touche-2021-task-2"
    ),
    "clef22/touche22-web/argument-retrieval-for-controversial-questions-results-relevance.html": "touche-2022-task-1",
    "clef22/touche22-web/argument-retrieval-for-comparative-questions-results-relevance.html": "touche-2022-task-2",
}


def build_later(shared: Path) -> dict[str, list[Row]]:
    """Return the rows of each file of ours."""
    files = {
        ours: [_row(row) for name in names for row in read_packed(shared / "record4" / name)]
        for ours, names in FILES.items()
    }
    return files | {"touche.csv": _touche(read_table(shared / "more4" / "touche" / "touche_tables.csv"))}


def read_packed(path: Path) -> list[Row]:
    """Return the rows of a table, which may be packed."""
    if path.suffix != ".gz":
        return read_table(path)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def with_collections(subsets: Iterable[Row], released: Iterable[Row], there: Collection[str]) -> list[Row]:
    """Return the subsets of tasks, those of later collections and of those that are ``there`` with their slug."""
    later = {(row["task"], row["subset"], row["split"]): row for row in released}
    rows = []
    for row in subsets:
        place = later.get((row["task"], row["subset"], row["split"]))
        if place and (place["in_catalogue"] == "no" or place["collection"] in there):
            row |= {"collection": place["collection"], "in_shipped_collections": "yes"}
        rows.append(row)
    return rows


def date_reports(rows: Iterable[Row], blocks: Path) -> None:
    """Say of results of MTEB which commit brought them to its repository, and on what they were computed.

    Blank where that was not looked up, or the file does not say.
    """
    reported: dict[str, list[tuple[int, int, Row]]] = defaultdict(list)
    for block in read_packed(blocks):
        reported[block["path"]].append((int(block["line_from"]), int(block["line_to"]), block))
    for row in rows:
        if row["source"] == _OF_MTEB:
            match = _LINES.match(row["locator"])
            of_file = reported[match[1]] if match else []
            blocks_there = (block for first, last, block in of_file if match and first <= int(match[2]) <= last)
            block = next(blocks_there, None)
            row["date"] = block["reported"] if block else ""
            row["evaluator"] = f"mteb {block['mteb_version']}" if block and block["mteb_version"] else ""
            row["dataset_revision"] = short_revision(block["dataset_revision"]) if block else ""
            row["year"] = row["date"][:4]
            if block and block["reported_is_bound"] == "yes":
                row["notes"] = join_notes(
                    row["notes"], "reported on this day or before, at the start of the repository"
                )


def _row(gathered: Row) -> Row:
    return {name: gathered.get(name, "") for name in COLUMNS}


def _touche(cells: Iterable[Row]) -> list[Row]:
    rows = []
    for line in cells:
        if collection := _OF_TOUCHE.get(line["path"]):
            team, system, value, *_ = line["cells"].split(" | ")
            is_baseline = "baseline" in team.casefold()
            year = f"20{line['path'][4:6]}"
            rows.append(
                _row({})
                | {
                    "collection": collection,
                    "measure": "nDCG@5",
                    "system": system,
                    "value": value,
                    "year": year,
                    "role": "baseline" if is_baseline else "trec_run",
                    "team": re.sub(r"\s*\(\s*baseline\s*\)", "", team),
                    "source": _TOUCHE,
                    "locator": f"{line['path']}#L{line['line']}",
                    "comparability": "standard",
                }
            )
    return rows
