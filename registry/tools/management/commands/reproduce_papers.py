"""Compute the tables and figures of the papers again."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from analysis.papers import carterette, cormack_lynam, jayasinghe, sanderson_zobel, zobel
from analysis.papers.shipped import ShippedFolder
from registry.tools.reproductions.documents import write_reproduction

PAPERS = {
    carterette.PAPER: carterette.reproduce,
    sanderson_zobel.PAPER: sanderson_zobel.reproduce,
    cormack_lynam.PAPER: cormack_lynam.reproduce,
    jayasinghe.PAPER: jayasinghe.reproduce,
    zobel.PAPER: zobel.reproduce,
}


class Command(BaseCommand):
    help = "Compute the tables and figures of PAPER again from the data that ship, and keep them with the code."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("papers", nargs="*", metavar="PAPER", help=f"{', '.join(PAPERS)}; all without one")
        parser.add_argument("--data", type=Path, default=settings.BASE_DIR / "data", metavar="DIR")

    def handle(self, *, papers: list[str], data: Path, **options: Any) -> None:
        if unknown := set(papers) - PAPERS.keys():
            raise CommandError(f"No paper is called {', '.join(sorted(unknown))}; there are {', '.join(PAPERS)}.")
        for slug in papers or PAPERS:
            paper = PAPERS[slug](ShippedFolder(data))
            write_reproduction(paper)
            self.stdout.write(
                f"{paper.slug}: {paper.n_as_printed} of {paper.n_compared} as printed, {paper.n_missing} missing"
            )
