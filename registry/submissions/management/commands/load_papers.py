"""Say of papers what tables, and BibTeX files, say of them."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from analysis.readers.rejections import Refused
from analysis.readers.tables import decode
from registry.catalog.management.base import LoadingFiles
from registry.core.loading import LoadReport
from registry.results.services.papers import load_papers_file
from registry.submissions.services.bibliography import load_bibtex


class Command(LoadingFiles):
    help = (
        "Load titles, authors and identifiers of papers from CSV files (columns: docs/importing.md), and papers from "
        ".bib files. Rejected rows are named by line and field."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--rest", type=Path, metavar="FILE", help="write the refused BibTeX entries there, to be mended"
        )

    def handle(self, *, rest: Path | None, **options: Any) -> None:
        refused: list[str] = []

        def load(path: Path, keep_good: bool, **asked: Any) -> LoadReport:
            if path.suffix.lower() != ".bib":
                return load_papers_file(path=path, keep_good=keep_good, **asked)
            found = load_bibtex(text=_read(path), label=path.name, path=str(path), **asked)
            refused.extend(found.refused)
            return found.report

        if rest:
            try:
                # Before anything is recorded.
                rest.open("a").close()
            except OSError as error:
                raise CommandError(f"{rest}: {error.strerror}") from error
        try:
            self.load(load, options)
        finally:
            if rest:
                rest.write_text("\n\n".join(refused) + "\n", encoding="utf-8")


def _read(path: Path) -> str:
    try:
        return decode(path.read_bytes())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except Refused as error:
        raise CommandError(f"{path}: {error.message}") from error
