"""``python -m tests.benchmarks.made_load N FOLDER`` writes a folder of N results in the layout of ``data/``.

They are the leaderboards that ship, over and over: each copy has collections and systems of its own names and scores
a little off, so that boards, models, papers and what is to be said of them are as frequent as on record. A folder of
fewer than ship holds leaderboards drawn at random. ``manage.py load_shipped_data FOLDER`` loads it.
"""

import argparse
import csv
import itertools
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

DATA = Path(__file__).parents[2] / "data"
#: Rows of one file.
_MOST = 50_000

Row = dict[str, str]


def make_load(n_results: int, folder: Path) -> None:
    """Write measures, sources, papers, collections and results; the same for the same number."""
    results = folder / "results"
    results.mkdir(parents=True)
    for name in ("measures.csv", "sources.csv", "papers.csv", "models.csv"):
        (folder / name).write_bytes((DATA / name).read_bytes())
    boards = _shipped_boards()
    random.Random(n_results).shuffle(boards)
    columns = dict.fromkeys(column for board in boards for column in board[0])
    rows = itertools.islice(_copies(boards), n_results)
    named: dict[str, int] = {}
    for number in itertools.count():
        part = list(itertools.islice(rows, _MOST))
        if not part:
            break
        named.update({row["collection"]: 1 for row in part})
        _write(results / f"made_{number:03}.csv", columns, part)
    collections = _read(DATA / "collections.csv")
    n_copies = -(-n_results // sum(map(len, boards)))
    copies = (row | _renamed(row, number) for number in range(n_copies) for row in collections)
    _write(folder / "collections.csv", list(collections[0]), [row for row in copies if row["slug"] in named])


def _shipped_boards() -> list[list[Row]]:
    boards: dict[tuple[str, str], list[Row]] = {}
    for path in sorted((DATA / "results").glob("*.csv")):
        for row in _read(path):
            boards.setdefault((row["collection"], row["measure"]), []).append(row)
    return list(boards.values())


def _copies(boards: list[list[Row]]) -> Iterator[Row]:
    for number in itertools.count():
        for row in itertools.chain.from_iterable(boards):
            yield row | _copied(row, number)


def _copied(row: Row, number: int) -> Row:
    if not number:
        return {}
    copy, collection = f"Copy {number} of ", f"{row['collection']}-{number}"
    # Of a collection all are off by the same: what is said to be one run has one score.
    score = f"{float(row['value']) * random.Random(collection).uniform(0.97, 1.0):.5f}"
    systems = {name: copy + row[name] for name in ("system", "replicate_of") if row.get(name)}
    notes = re.sub("the same (scores|run) as ", rf"\g<0>{copy}", row.get("notes", ""))
    return {"collection": collection, "value": score, "notes": notes, **systems}


def _renamed(row: Row, number: int) -> Row:
    if not number:
        return {}
    return {"slug": f"{row['slug']}-{number}", "name": f"{row['name']} ({number})", "aliases": "", "ir_datasets_id": "",
            "mteb_task": ""}  # fmt: skip


def _read(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _write(path: Path, columns: Iterable[str], rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(columns), restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n_results", type=int)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    make_load(arguments.n_results, arguments.folder)
