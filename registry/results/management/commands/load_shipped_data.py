"""Load everything in data/."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from registry.catalog.management.base import LoadingCommand
from registry.results.services.files import load_shipped_data


class Command(LoadingCommand):
    help = "Load the catalog, the results and the per-topic scores of DIR; files loaded before are passed over."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("directory", nargs="?", type=Path, default=settings.BASE_DIR / "data", metavar="DIR")

    def handle(self, *, directory: Path, verbosity: int, **options: Any) -> None:
        reports = []
        for report in load_shipped_data(directory=directory, progress=self.progress, **self.for_journal(options)):
            self.show(report, verbosity=verbosity)
            reports.append(report)
        if not reports and verbosity:
            self.stdout.write(f"{directory}: every file is as it was at its last load")
        self.exit(reports)
