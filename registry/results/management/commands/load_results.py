"""Load published results from CSV files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from analysis.readers.scores import PERCENT
from registry.catalog.management.base import LoadingCommand
from registry.results.services.files import load_results_file


class Command(LoadingCommand):
    help = "Load published results from CSV files, each as a whole or not at all; docs/importing.md has the columns."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--unit", default="", choices=[PERCENT], help="what the scores are in whose rows name no unit"
        )
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, change nothing")
        parser.add_argument("--keep-good", action="store_true", help="load the good rows of a file that has bad ones")

    def handle(
        self, *, files: list[Path], unit: str, dry_run: bool, keep_good: bool, verbosity: int, **options: Any
    ) -> None:
        reports = []
        for path in files:
            report = load_results_file(
                path=path,
                unit=unit,
                dry_run=dry_run,
                keep_good=keep_good,
                progress=self.progress,
                **self.for_journal(options),
            )
            self.show(report, verbosity=verbosity)
            reports.append(report)
        self.exit(reports)
