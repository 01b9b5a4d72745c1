"""Open published results at their source, drawn at random, and print which of them stand there as they ship.

    python data/open_sources.py --repositories DIR [--each 30] [--seed 39] [--write]

``DIR/owner/name`` is a git repository, bare or not, with the commit that ``sources.csv`` names. Of each file of results
so many rows are drawn among those whose repository is there and whose locator names a line or a run file. The line is
read (of HTML the row of the table), and the number looked for on it; a run is scored by the judgements that its notes
name. Whether a number stands in the right column is for somebody's eyes: ``--write`` keeps the rows in ``opened.csv``.
The process exits with 1 where a number is missing from its line.
"""

import argparse
import random
import re
import subprocess
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path

import ir_measures
from builder.lines import is_same
from builder.tables import Row, read_table, write_table

COLUMNS = ["file", "collection", "measure", "system", "value", "source", "state", "locator", "stands"]
_PLACE = re.compile(r"(?P<path>.+?)#L(?P<first>\d+)(?:-L(?P<last>\d+))?(?: at (?P<state>\w+))?$")
_RUN = re.compile(r"(?P<path>.+\.txt) at (?P<state>\w+)$")
_JUDGEMENTS = "castorini/anserini-tools"
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?(?!\w)")


def draw_rows(data: Path, repositories: Path, n: int, seed: int) -> list[Row]:
    """Return the rows drawn, ``n`` of each file or all that it has, with the state that they were read in."""
    own, ours = data / "sources.csv", Path(__file__).with_name("sources.csv")
    states = {row["source"]: row["state"] for row in read_table(own if own.exists() else ours)}
    drawn, judged = [], states.get(_JUDGEMENTS, "")
    for path in sorted((data / "results").glob("*.csv")):
        rows = [
            row
            for row in read_table(path)
            if (_PLACE.match(row["locator"]) or _RUN.match(row["locator"]))
            and states.get(row["source"])
            and (repositories / row["source"]).exists()
        ]
        chosen = random.Random(f"{seed} {path.name}").sample(rows, min(n, len(rows)))
        drawn += [row | {"file": path.name, "state": states[row["source"]], "judged": judged} for row in chosen]
    return drawn


def stands(row: Row, repositories: Path) -> bool:
    """Say whether the lines that a row names hold its number, or its run has that score.

    Raises
    ------
    subprocess.CalledProcessError
        If the repository lacks the commit or the file.
    """
    if run := _RUN.match(row["locator"]):
        return _scored(row, _read(repositories / row["source"], f"{run['state']}:{run['path']}"), repositories)
    place = _PLACE.match(row["locator"])
    assert place
    first, last = int(place["first"]), int(place["last"] or place["first"])
    lines = _read(repositories / row["source"], f"{place['state'] or row['state']}:{place['path']}")
    if first > len(lines):
        return False
    if "<tr" in lines[first - 1]:
        last = next(number for number, line in enumerate(lines[last - 1 :], start=last) if "</tr>" in line)
    lines = lines[first - 1 : last]
    return any(is_same(number, row["value"]) for line in lines for number in _NUMBER.findall(line))


def _scored(row: Row, lines: list[str], repositories: Path) -> bool:
    (name,) = re.findall(r"qrels\.\S+\.txt", row["notes"])
    judgements = _read(repositories / _JUDGEMENTS, f"{row['judged']}:qrels/{name}")
    read = ir_measures.read_trec_qrels("\n".join(judgements)), ir_measures.read_trec_run("\n".join(lines))
    return is_same(f"{ir_measures.parse_measure(row['measure']).calc_aggregate(*read):.4f}", row["value"])


@lru_cache(maxsize=8)
def _read(repository: Path, named: str) -> list[str]:
    """Return the lines of a file in a state, tabs of JSON as blanks."""
    shown = subprocess.run(["git", "-C", str(repository), "show", named], check=True, capture_output=True)
    return shown.stdout.decode("utf-8", "replace").replace(r"\t", " ").split("\n")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Open published results at their source, drawn at random.")
    parser.add_argument("--repositories", type=Path, required=True, help="folder of the repositories: owner/name")
    parser.add_argument("--data", type=Path, default=Path(__file__).parent, help="folder of the tables")
    parser.add_argument("--each", type=int, default=30, help="rows of each file")
    parser.add_argument("--seed", type=int, default=39, help="another seed draws other rows")
    parser.add_argument("--write", action="store_true", help="keep the rows in opened.csv")
    options = parser.parse_args(arguments)
    rows = draw_rows(options.data, options.repositories, options.each, options.seed)
    # In the order of their files, each of which is read once.
    in_order = sorted(rows, key=lambda row: (row["source"], row["locator"]))
    standing = {id(row): "yes" if stands(row, options.repositories) else "no" for row in in_order}
    opened = [row | {"stands": standing[id(row)]} for row in rows]
    if options.write:
        write_table(options.data / "opened.csv", COLUMNS, [{name: row[name] for name in COLUMNS} for row in opened])
    n_opened = Counter(row["file"] for row in opened)
    n_stand = Counter(row["file"] for row in opened if row["stands"] == "yes")
    for file in n_opened:
        print(f"{file}: {n_stand[file]} of {n_opened[file]} stand on their line")
    missing = [row for row in opened if row["stands"] == "no"]
    for row in missing:
        print(f"{row['file']}: {row['value']} is not on {row['source']} {row['locator']}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
