"""Record the papers of BibTeX files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from analysis.readers.rejections import Refused
from analysis.readers.tables import decode
from registry.catalog.management.base import LoadingCommand
from registry.submissions.services.bibliography import load_bibtex


class Command(LoadingCommand):
    help = "Record the papers of BibTeX files; entries that cannot be taken are named by line and field."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, change nothing")
        parser.add_argument("--rest", type=Path, metavar="FILE", help="write the refused entries there, to be mended")

    def handle(self, *, files: list[Path], dry_run: bool, rest: Path | None, verbosity: int, **options: Any) -> None:
        if rest:
            try:
                # Before anything is recorded.
                rest.open("a").close()
            except OSError as error:
                raise CommandError(f"{rest}: {error.strerror}") from error
        reports, refused = [], []
        for path in files:
            try:
                text = decode(path.read_bytes())
            except OSError as error:
                raise CommandError(f"{path}: {error.strerror}") from error
            except Refused as error:
                raise CommandError(f"{path}: {error.message}") from error
            found = load_bibtex(
                text=text, label=path.name, path=str(path), dry_run=dry_run, **self.for_journal(options)
            )
            self.show(found.report, verbosity=verbosity)
            reports.append(found.report)
            refused += found.refused
        if rest:
            rest.write_text("\n\n".join(refused) + "\n", encoding="utf-8")
        self.exit(reports)
