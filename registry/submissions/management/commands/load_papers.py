"""Say of papers what tables, and BibTeX files, say of them."""

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

    def handle(self, **options: Any) -> None:
        self.load(_load, options)


def _load(path: Path, keep_good: bool, **asked: Any) -> LoadReport:
    if path.suffix.lower() != ".bib":
        return load_papers_file(path=path, keep_good=keep_good, **asked)
    return load_bibtex(text=_read(path), label=path.name, path=str(path), **asked)


def _read(path: Path) -> str:
    try:
        return decode(path.read_bytes())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except Refused as error:
        raise CommandError(f"{path}: {error.message}") from error
