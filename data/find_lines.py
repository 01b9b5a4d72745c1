"""Find the line that prints each published result, in copies of the repositories that they were taken from.

    python data/find_lines.py --repositories DIR [--data data]

``DIR/owner/name`` is a git repository, bare or not, with the commit that ``sources.csv`` here names. Results get the
line as the end of their ``locator``, and their number as it is printed there. What became of them is printed by source;
those that aren't found keep the file alone, and those that are another number there keep theirs, and are listed.
"""

import argparse
import sys
from pathlib import Path

from builder.printed.search import Outcome, Search
from builder.tables import read_table, write_table


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Find the lines that print the published results.")
    parser.add_argument("--repositories", type=Path, required=True, help="folder of the repositories: owner/name")
    parser.add_argument("--data", type=Path, default=Path(__file__).parent, help="folder of the tables")
    options = parser.parse_args(arguments)
    own, ours = options.data / "sources.csv", Path(__file__).parent
    states = {row["source"]: row["state"] for row in read_table(own if own.exists() else ours / "sources.csv")}
    tables = (read_table(folder / "collections.csv") for folder in (ours, options.data))
    collections = {row["slug"]: row for rows in tables for row in rows}
    search = Search(options.repositories, states, collections)
    for path in sorted((options.data / "results").glob("*.csv")):
        rows = read_table(path)
        write_table(path, list(rows[0]), search.find(rows))
    for source, counts in search.counts.items():
        print(f"{source}: " + ", ".join(f"{counts[outcome]:,} {outcome}" for outcome in Outcome if counts[outcome]))
    for line in search.differing:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
