"""Say of papers what tables say of them."""

from typing import Any

from registry.catalog.management.base import LoadingFiles
from registry.results.services.papers import load_papers_file


class Command(LoadingFiles):
    help = "Load titles, people and identifiers of papers from CSV files; docs/importing.md has the columns."

    def handle(self, **options: Any) -> None:
        self.load(load_papers_file, options)
