"""Load everything in data/."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from registry.catalog.management.base import LoadingCommand
from registry.core.loading import LoadReport, garbage_left, load_shipped_data
from registry.core.templatetags.formatting import number_of


class Command(LoadingCommand):
    help = "Load the catalog, the results and the per-topic scores of DIR; files loaded before are passed over."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("directory", nargs="?", type=Path, default=settings.BASE_DIR / "data", metavar="DIR")
        parser.add_argument("--brief", action="store_true", help="one line for all files, and what was refused")

    def handle(self, *, directory: Path, verbosity: int, brief: bool, **options: Any) -> None:
        if not directory.is_dir():
            raise CommandError(f"{directory} is no folder")
        reports: list[LoadReport] = []
        started = time.monotonic()
        with garbage_left():
            for report in load_shipped_data(directory=directory, progress=self.progress, **self.for_journal(options)):
                if brief and not reports:
                    self.stdout.write("Loading the shipped data …")
                self.show(report, verbosity=0 if brief else verbosity)
                reports.append(report)
        if reports and brief:
            n_rows, seconds = sum(report.added + report.superseded for report in reports), time.monotonic() - started
            rows, files = number_of(n_rows, "row", "rows"), number_of(len(reports), "file", "files")
            self.stdout.write(f"{rows} of {files} {'is' if n_rows == 1 else 'are'} loaded ({seconds:.0f} s).")
        if not reports and verbosity and not brief:
            self.stdout.write(f"{directory} holds no file that is new or has changed")
        self.exit(reports)
