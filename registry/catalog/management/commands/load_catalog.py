"""Load collections, measures, leaderboards and the variance library from a folder of CSV files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from registry.catalog.management.base import LoadingCommand
from registry.catalog.services import load_catalog


class Command(LoadingCommand):
    help = "Bring the catalog up to collections.csv, measures.csv, leaderboards.csv and variance_library.csv of DIR."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("directory", nargs="?", type=Path, default=settings.BASE_DIR / "data", metavar="DIR")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, change nothing")

    def handle(self, *, directory: Path, dry_run: bool, verbosity: int, **options: Any) -> None:
        reports = load_catalog(directory=directory, dry_run=dry_run, **self.for_journal(options))
        for report in reports:
            self.show(report, verbosity=verbosity)
        self.exit(reports)
