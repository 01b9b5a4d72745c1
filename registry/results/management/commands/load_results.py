"""Load published results from CSV files."""

from argparse import ArgumentParser
from typing import Any

from analysis.readers.numbers import PERCENT
from registry.catalog.management.base import LoadingFiles
from registry.results.services.files import load_results_file


class Command(LoadingFiles):
    help = "Load published results from CSV files, each as a whole or not at all; docs/importing.md has the columns."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--unit", default="", choices=[PERCENT], help="what the scores are in whose rows name no unit"
        )

    def handle(self, **options: Any) -> None:
        self.load(load_results_file, options, unit=options["unit"], progress=self.progress)
