"""Say of papers what tables say of them."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from registry.catalog.management.base import LoadingCommand
from registry.results.services.papers_file import load_papers_file


class Command(LoadingCommand):
    help = "Load titles, people and identifiers of papers from CSV files; docs/importing.md has the columns."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, change nothing")
        parser.add_argument("--keep-good", action="store_true", help="load the good rows of a file that has bad ones")

    def handle(self, *, files: list[Path], dry_run: bool, keep_good: bool, verbosity: int, **options: Any) -> None:
        reports = []
        for path in files:
            report = load_papers_file(path=path, dry_run=dry_run, keep_good=keep_good, **self.for_journal(options))
            self.show(report, verbosity=verbosity)
            reports.append(report)
        self.exit(reports)
