"""Rows of the tables below ``data/``, drawn to be opened at their sources: ``python -m tests.data.drawn TABLE…``.

The same seed draws the same rows for as long as the table is the same. With ``--repositories DIR``, where
``DIR/owner/name`` is a git repository, bare or not, the lines that a row's source names are printed below it.
"""

import argparse
import csv
import random
import re
import subprocess
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "data"
_SOURCE = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)@(?P<state>\w+):(?P<path>[^#;,( ]+)(?:#L(?P<line>\d+))?")


def drawn(table: str, n: int = 30, seed: int = 19) -> list[tuple[int, dict[str, str]]]:
    """So many rows of a table, each with its line in the file; all of a table with fewer."""
    with (DATA / table).open(encoding="utf-8", newline="") as file:
        rows = list(enumerate(csv.DictReader(file), start=2))
    return random.Random(seed).sample(rows, min(n, len(rows)))


def lines_named(source: str, repositories: Path) -> list[str]:
    """The first line of each file that the source names, as it stands at the commit; those that aren't there say so."""
    found = []
    for match in _SOURCE.finditer(source):
        shown = ["git", "-C", str(repositories / match["repository"]), "show", f"{match['state']}:{match['path']}"]
        answer = subprocess.run(shown, capture_output=True, text=True, errors="replace", check=False)
        lines = answer.stdout.splitlines()
        at = int(match["line"] or 1) - 1
        found.append(lines[at] if not answer.returncode and at < len(lines) else f"not there: {match[0]}")
    return found


def main() -> None:
    """Prints the rows, cells without anything left out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tables", nargs="+", metavar="TABLE", help="below data/, for instance papers.csv")
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--repositories", type=Path)
    options = parser.parse_args()
    for table in options.tables:
        for line, row in drawn(table, options.rows, options.seed):
            print(f"{table}#L{line}", *(f"{name}={cell}" for name, cell in row.items() if cell), sep=" | ")
            if options.repositories:
                print(*(f"  > {text}" for text in lines_named(row.get("source", ""), options.repositories)), sep="\n")


if __name__ == "__main__":
    main()
