"""Read a checkout of an upstream repository, and draft what would change."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from analysis.readers.upstream import UPSTREAMS
from analysis.readers.upstream.checkouts import Checkout, NoCheckout
from registry.catalog.management.base import find_actor
from registry.core.http import site_address
from registry.core.templatetags.formatting import number_of
from registry.submissions.services.upstream import apply_update, keep_update, read_upstream

_MOST_NAMED = 20


class Command(BaseCommand):
    help = (
        "Read a checkout of an upstream repository at any commit: what is new, changed and gone against the record, "
        "and which verdicts would change, as a draft that an editor takes over or leaves on its page."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("upstream", choices=sorted(UPSTREAMS))
        parser.add_argument("--from", dest="folder", type=Path, required=True, metavar="CHECKOUT",
                            help="a clone of the repository, with its history")  # fmt: skip
        parser.add_argument("--commit", default="HEAD", help="the commit to read, by default the one checked out")
        parser.add_argument("--diff", action="store_true", help="print what would change, and keep no draft")
        parser.add_argument("--apply", action="store_true", help="take it over at once")
        parser.add_argument("--no-verdicts", dest="with_verdicts", action="store_false",
                            help="leave out whose verdicts would change: faster, and nobody waits")  # fmt: skip
        parser.add_argument("--actor", default="", metavar="NAME", help="username that the journal names")

    def handle(
        self, *, upstream: str, folder: Path, commit: str, diff: bool, apply: bool, with_verdicts: bool, actor: str,
        **options: Any,
    ) -> None:  # fmt: skip
        person = find_actor(actor)
        try:
            update, found, verdicts = read_upstream(
                upstream=UPSTREAMS[upstream], checkout=Checkout(folder), commit=commit, with_verdicts=with_verdicts
            )
        except NoCheckout as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        self.stdout.write(f"{update}: {update.counts}, {found.n_same:,} as they were")
        if found.n_left_out:
            left_out = number_of(found.n_left_out, "other revision", "other revisions")
            self.stdout.write(f"{left_out} of systems on record left out")
        if found.n_unlocated:
            unlocated = number_of(found.n_unlocated, "result", "results")
            self.stdout.write(f"{unlocated} on record not compared: without a line of a file that is read")
        self._list("systems on what is no collection here", [f"{n:,} on {what}" for what, n in found.unplaced.items()])
        self._list("files that cannot be read", [f"{path}: {why}" for path, why in sorted(found.unread.items())])
        if with_verdicts:
            n_verdicts = number_of(len(verdicts), "verdict", "verdicts")
            self.stdout.write(f"{n_verdicts} would change, {update.n_leaders:,} with another leader")
        if diff:
            for change in verdicts:
                self.stdout.write(
                    f"{change.leaderboard}: {change.said_before or '(nothing)'} -> {change.said_after or '(nothing)'}"
                )
            return
        if not update.n_new + update.n_changed + update.n_gone:
            self.stdout.write("Nothing to decide on.")
            return
        kept = keep_update(update)
        if apply:
            try:
                apply_update(update=kept, actor=person)
            except ValidationError as error:
                raise CommandError("; ".join(error.messages)) from error
            self.stdout.write("Taken over.")
        else:
            self.stdout.write(f"Kept for an editor: {site_address(kept.get_absolute_url())}")

    def _list(self, what: str, lines: list[str]) -> None:
        if lines:
            self.stdout.write(f"{what}:")
            for line in lines[:_MOST_NAMED]:
                self.stdout.write(f"  {line}")
            if len(lines) > _MOST_NAMED:
                self.stdout.write(f"  and {len(lines) - _MOST_NAMED:,} more")
