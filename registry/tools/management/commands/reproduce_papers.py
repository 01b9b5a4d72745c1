"""Compute the tables and figures of the papers again."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from registry.tools.reproductions.figures import write_reproduction
from registry.tools.reproductions.management.papers import PAPERS


class Command(BaseCommand):
    help = "Compute the tables and figures of PAPER again from the data that ship, and keep them with the code."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("papers", nargs="*", metavar="PAPER", help=f"{', '.join(PAPERS)}; all without one")
        parser.add_argument("--data", type=Path, default=settings.BASE_DIR / "data", metavar="DIR")

    def handle(self, *, papers: list[str], data: Path, **options: Any) -> None:
        if unknown := set(papers) - PAPERS.keys():
            raise CommandError(f"No paper is called {', '.join(sorted(unknown))}; there are {', '.join(PAPERS)}.")
        for slug in papers or PAPERS:
            one = PAPERS[slug](data)
            write_reproduction(one)
            self.stdout.write(f"{one.slug}: {one.n_as_printed} of {one.n_compared} as printed, {one.n_missing} missing")
