"""``manage.py import_upstream``: compare a checkout of an upstream repository with the files of results that ship."""

import csv
import io
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.readers.numbers import PrintedScore
from analysis.readers.upstream import UPSTREAMS, Upstream
from analysis.readers.upstream.checkouts import Checkout, NoCheckout
from analysis.readers.upstream.comparing import Comparison, Row, compare
from registry.core.loading import SHIPPED
from registry.core.templatetags.formatting import number_of, plural

_MOST_NAMED = 50

Board = tuple[str, str]


@dataclass
class ResultFile:
    """A file of results with its rows, which may be changed."""

    path: Path
    columns: list[str]
    rows: list[Row]

    def write(self) -> None:
        """Write the rows back, as the builder of the data writes them."""
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, self.columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        self.path.write_bytes(text.getvalue().encode())


@dataclass
class Update:
    """A change of the files: the comparison, the changed files, and leaderboards with another leader."""

    comparison: Comparison
    files: list[ResultFile]
    leaders: list[tuple[Board, str, str]]


def read_update(*, upstream: Upstream, checkout: Checkout, commit: str, data: Path) -> Update:
    """Return how the repository at the commit differs from the files in ``data``.

    Raise ``NoCheckout`` if the folder is no git repository, or lacks a commit that rows were read from;
    ``CommandError`` if nothing of the source is in the files, so nothing can be compared.
    """
    files = [_read(path) for path in sorted((data / "results").glob("*.csv"))]
    rows = [row for file in files for row in file.rows if row.get("source") == upstream.source]
    state = next((row["state"] for row in _read(data / "sources.csv").rows if row["source"] == upstream.source), "")
    if not rows or not state:
        raise CommandError(f"{data} has no results of {upstream.source} with the commit that they were read from")
    with checkout as opened:
        comparison = compare(upstream, opened, rows=rows, state=state, commit=commit)
    collections = _read(data / "collections.csv")
    _drop_taken(comparison, {row["slug"] for row in collections.rows})
    boards = {
        _board(row) for row in [*comparison.new, *comparison.gone, *(change.row for change in comparison.changed)]
    }
    lower = {row["name"] for row in _read(data / "measures.csv").rows if row["higher_is_better"] == "false"}
    before = _leaders(files, boards, lower)
    changed = _change(files, comparison, upstream.source)
    if proposed := comparison.proposed:
        collections.rows += proposed
        changed.append(collections)
    after = _leaders(files, boards, lower)
    leaders = [(board, before.get(board, ""), after.get(board, "")) for board in sorted(boards)]
    return Update(comparison, changed, [leader for leader in leaders if leader[1] != leader[2]])


def _read(path: Path) -> ResultFile:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        return ResultFile(path, list(reader.fieldnames or ()), list(reader))


def _drop_taken(comparison: Comparison, slugs: set[str]) -> None:
    """Leave out proposed collections whose slug is taken: somebody has to say what they are."""
    taken = {row["slug"]: row["name"] for row in comparison.proposed if row["slug"] in slugs}
    comparison.unplaced |= {
        name: sum(row["collection"] == slug for row in comparison.new) for slug, name in taken.items()
    }
    comparison.proposed = [row for row in comparison.proposed if row["slug"] not in taken]
    comparison.new = [row for row in comparison.new if row["collection"] not in taken]


def _change(files: list[ResultFile], comparison: Comparison, source: str) -> list[ResultFile]:
    """Change the rows, and return the files that changed."""
    gone = {id(row) for row in comparison.gone}
    touched = gone | {id(change.row) for change in comparison.changed}
    changed = {id(file) for file in files if any(id(row) in touched for row in file.rows)}
    for change in comparison.changed:
        change.row.update(change.now)
    homes = _homes(files, source)
    for file in files:
        file.rows = [row for row in file.rows if id(row) not in gone]
    for row in comparison.new:
        home = homes.get(row["collection"], homes[""])
        home.columns += [name for name, text in row.items() if text and name not in home.columns]
        home.rows.append({name: text for name, text in row.items() if name in home.columns})
        changed.add(id(home))
    return [file for file in files if id(file) in changed]


def _homes(files: list[ResultFile], source: str) -> dict[str, ResultFile]:
    """Return the file with most rows of the source, by collection; and over all of them under the blank name."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for number, file in enumerate(files):
        for row in file.rows:
            if row.get("source") == source:
                counts[row["collection"]][number] += 1
                counts[""][number] += 1
    return {collection: files[by_file.most_common(1)[0][0]] for collection, by_file in counts.items()}


def _board(row: Row) -> Board:
    return row["collection"], row["measure"]


def _leaders(files: Iterable[ResultFile], boards: set[Board], lower: set[str]) -> dict[Board, str]:
    """Return the leading system of each board, with its score."""
    best: dict[Board, tuple[float, str]] = {}
    for row in _comparable(files, boards):
        value = PrintedScore(row["value"], row.get("unit", "")).value
        rank = -value if row["measure"] in lower else value
        if _board(row) not in best or rank > best[_board(row)][0]:
            best[_board(row)] = rank, f"{row['system']} {row['value']}"
    return {board: leader for board, (_, leader) in best.items()}


def _comparable(files: Iterable[ResultFile], boards: set[Board]) -> Iterator[Row]:
    """Yield the rows of these boards that compete: in the standard setting, and no replicates."""
    for file in files:
        for row in file.rows:
            is_standard = row.get("comparability", "") in {"", "standard"}
            if is_standard and not row.get("replicate_of") and _board(row) in boards:
                yield row


class Command(BaseCommand):
    help = (
        "Compare a checkout of an upstream repository with the results that ship: what is new, changed and gone, and "
        "who would lead. With --write, change the files for a pull request."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("upstream", choices=sorted(UPSTREAMS))
        parser.add_argument("--from", dest="folder", type=Path, required=True, metavar="CHECKOUT",
                            help="a clone of the repository, with its history")  # fmt: skip
        parser.add_argument("--commit", default="HEAD", help="the commit to read, by default the one checked out")
        parser.add_argument("--data", type=Path, default=SHIPPED, help="the folder to change, by default data/")
        action = parser.add_mutually_exclusive_group(required=True)
        action.add_argument("--diff", action="store_true", help="print what would change, the text of a pull request")
        action.add_argument("--write", action="store_true", help="change the files, and say which")

    def handle(self, *, upstream: str, folder: Path, commit: str, data: Path, write: bool, **options: Any) -> None:
        try:
            update = read_update(upstream=UPSTREAMS[upstream], checkout=Checkout(folder), commit=commit, data=data)
        except NoCheckout as error:
            raise CommandError(str(error)) from error
        comparison = update.comparison
        n_new, n_changed, n_gone = len(comparison.new), len(comparison.changed), len(comparison.gone)
        self.stdout.write(
            f"{UPSTREAMS[upstream].source} at {comparison.commit[:10]}: {n_new:,} new, {n_changed:,} changed, "
            f"{n_gone:,} gone, {comparison.n_same:,} as they were"
        )
        if not write:
            self._describe(update)
            return
        for file in update.files:
            file.write()
            self.stdout.write(f"{file.path} is changed.")

    def _describe(self, update: Update) -> None:
        """Print the change, as the text of a pull request."""
        comparison = update.comparison
        if comparison.n_left_out:
            self.stdout.write(f"{number_of(comparison.n_left_out, 'other revision', 'other revisions')} left out")
        if comparison.n_unlocated:
            n = number_of(comparison.n_unlocated, "result", "results")
            self.stdout.write(f"{n} not compared: without a line of a file that is read")
        self._list(
            "systems on what is no collection here", [f"{n:,} on {name}" for name, n in comparison.unplaced.items()]
        )
        self._list("files that cannot be read", [f"{path}: {why}" for path, why in sorted(comparison.unread.items())])
        self._list(
            plural(len(update.leaders), "leaderboard with another leader,leaderboards with another leader"),
            [
                f"{', '.join(board)}: {before or 'nobody'} -> {after or 'nobody'}"
                for board, before, after in update.leaders
            ],
        )
        self._list(
            "proposed collections", [f"{row['name']} ({row['slug']}): {row['notes']}" for row in comparison.proposed]
        )
        for heading, lines in _rows(comparison):
            self._list(heading, lines)

    def _list(self, heading: str, lines: Sequence[str]) -> None:
        if lines:
            self.stdout.write(f"{heading}:")
            for line in lines[:_MOST_NAMED]:
                self.stdout.write(f"  {line}")
            if len(lines) > _MOST_NAMED:
                self.stdout.write(f"  and {len(lines) - _MOST_NAMED:,} more")


def _rows(comparison: Comparison) -> Sequence[tuple[str, list[str]]]:
    """Return the changed, removed and new results under their headings, a line each."""
    place = "{collection}, {measure}: {system} {value}".format_map
    now = [
        *comparison.new,
        *(change.row | change.now for change in comparison.changed if "comparability" in change.now),
    ]
    return (
        ("changed", [f"{place(change.row)}, was {change.before}" for change in comparison.changed]),
        ("gone", [place(row) for row in comparison.gone]),
        ("new", [place(row) for row in comparison.new]),
        ("impossible, so not competing", [place(row) for row in now if row.get("comparability") == "doubtful"]),
    )
