"""``manage.py load_decisions``: what is decided on lineages, from a file in the layout of ``data/decisions.csv``."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from registry.catalog.management.base import LoadingCommand
from registry.core.loading import SHIPPED
from registry.curation.lineage.services import load_statements


class Command(LoadingCommand):
    help = "Let what is decided on lineages be what decisions.csv says; --dry-run says what would change."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", nargs="?", type=Path, default=SHIPPED / "decisions.csv", metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would change, change nothing")

    def handle(self, *, file: Path, dry_run: bool, verbosity: int, **options: Any) -> None:
        if file.name != "decisions.csv":
            raise CommandError(f"{file.name} is no table of decisions; call it decisions.csv")
        report = load_statements(path=file, dry_run=dry_run, **self.for_journal(options))
        self.show(report, verbosity=verbosity)
        self.exit([report])
