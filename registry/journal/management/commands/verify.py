"""``manage.py verify``: is the record what was recorded?"""

import re
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry.core.listing import lines_of
from registry.core.templatetags.formatting import number_of
from registry.journal.chain import TOLD, check_against, check_head, last_told
from registry.journal.verifying import verify


class Command(BaseCommand):
    help = "Verify all that is kept: what was sealed, references, scores, snapshots, headlines; name what differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--head",
            type=_head,
            action="append",
            default=[],
            metavar="PLACE:HEAD",
            help="a head of the chain of seals that was seen earlier, as health and manifests of dumps give it",
        )

        parser.add_argument(
            "--against",
            type=Path,
            metavar="HEADS",
            help="a file of signed heads that was kept, as /log/heads/ and dumps have it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        problems = [problem for place, head in options["head"] for problem in check_head(place, head, "as you give it")]
        if options["against"]:
            problems += self._against(options["against"])
        n_rows, seconds = 0, 0.0
        for checked in verify():
            n_rows, seconds = n_rows + checked.report.n, seconds + checked.seconds
            problems += checked.report.problems
            self.stdout.write(f"{checked.report.n:>9,} {checked.words:<40} {checked.seconds:6.1f} s")
        heads_told = " and ".join(filter(None, [last_told(), *(witness() for witness in TOLD)]))
        if heads_told:
            self.stdout.write(f"told last: {heads_told}")
        for line in lines_of(problems):
            self.stdout.write(line)
        n_problems = number_of(len(problems), "problem", "problems")
        self.stdout.write(f"{n_rows:,} verified in {seconds:.1f} s of processor time, {n_problems}")
        if problems:
            raise CommandError("The record is not what was recorded; see above.")

    def _against(self, file: Path) -> list[str]:
        try:
            n_heads, problems = check_against(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CommandError(f"--against {file}: {error}") from error
        self.stdout.write(f"{n_heads:>9,} heads as {file.name} has them")
        return problems


def _head(text: str) -> tuple[int, str]:
    match = re.fullmatch(r"([1-9]\d*):([0-9a-f]{64})", text)
    if not match:
        raise ArgumentTypeError(f"{text!r} is no head; write its place, a colon and the 64 digits")
    return int(match[1]), match[2]
