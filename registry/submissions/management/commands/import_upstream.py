"""Read a checkout of an upstream repository, and change the files of results that ship by what it prints."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.readers.upstream import UPSTREAMS
from analysis.readers.upstream.checkouts import Checkout, NoCheckout
from analysis.readers.upstream.comparing import Comparison
from registry.core.loading import SHIPPED
from registry.core.templatetags.formatting import number_of, plural
from registry.submissions.services.upstream import NothingOnRecord, Update, read_update

_MOST_NAMED = 50


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
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--diff", action="store_true", help="print what would change, the text of a pull request")
        what.add_argument("--write", action="store_true", help="change the files, and say which")

    def handle(self, *, upstream: str, folder: Path, commit: str, data: Path, write: bool, **options: Any) -> None:
        try:
            update = read_update(upstream=UPSTREAMS[upstream], checkout=Checkout(folder), commit=commit, data=data)
        except (NoCheckout, NothingOnRecord) as error:
            raise CommandError(str(error)) from error
        found = update.found
        n_new, n_changed, n_gone = len(found.new), len(found.changed), len(found.gone)
        self.stdout.write(
            f"{UPSTREAMS[upstream].source} at {found.commit[:10]}: {n_new:,} new, {n_changed:,} changed, "
            f"{n_gone:,} gone, {found.n_same:,} as they were"
        )
        if not write:
            self._describe(update)
            return
        for path in update.write():
            self.stdout.write(f"{path} is changed.")

    def _describe(self, update: Update) -> None:
        """Print the text of the change."""
        found = update.found
        if found.n_left_out:
            self.stdout.write(f"{number_of(found.n_left_out, 'other revision', 'other revisions')} left out")
        if found.n_unlocated:
            n = number_of(found.n_unlocated, "result", "results")
            self.stdout.write(f"{n} not compared: without a line of a file that is read")
        self._list("systems on what is no collection here", [f"{n:,} on {what}" for what, n in found.unplaced.items()])
        self._list("files that cannot be read", [f"{path}: {why}" for path, why in sorted(found.unread.items())])
        self._list(
            plural(len(update.leaders), "leaderboard with another leader,leaderboards with another leader"),
            [
                f"{', '.join(board)}: {before or 'nobody'} -> {after or 'nobody'}"
                for board, before, after in update.leaders
            ],
        )
        self._list("proposed collections", [f"{row['name']} ({row['slug']}): {row['notes']}" for row in found.proposed])
        for what, lines in _rows(found):
            self._list(what, lines)

    def _list(self, what: str, lines: Sequence[str]) -> None:
        if lines:
            self.stdout.write(f"{what}:")
            for line in lines[:_MOST_NAMED]:
                self.stdout.write(f"  {line}")
            if len(lines) > _MOST_NAMED:
                self.stdout.write(f"  and {len(lines) - _MOST_NAMED:,} more")


def _rows(found: Comparison) -> Sequence[tuple[str, list[str]]]:
    """Return what changed, what is gone and what is new, each with a line a result."""
    place = "{collection}, {measure}: {system} {value}".format_map
    now = [*found.new, *(change.row | change.now for change in found.changed if "comparability" in change.now)]
    return (
        ("changed", [f"{place(change.row)}, was {change.before}" for change in found.changed]),
        ("gone", [place(row) for row in found.gone]),
        ("new", [place(row) for row in found.new]),
        ("impossible, so not competing", [place(row) for row in now if row.get("comparability") == "doubtful"]),
    )
