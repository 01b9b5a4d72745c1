"""``manage.py load_dump``: a registry that was taken home."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.readers.rejections import Refused
from registry.core.templatetags.formatting import number_of
from registry.dumps.services import load_dump
from registry.dumps.tables import SCHEMA


class Command(BaseCommand):
    help = "Load a dump into an empty, migrated database: all of it, or nothing and the reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="with manifest.json and the Parquet files")

    def handle(self, *, folder: Path, verbosity: int, **options: Any) -> None:
        started = time.monotonic()
        try:
            loaded = load_dump(folder, progress=self._say if verbosity > 1 else lambda what, n_rows: None)
        except Refused as refused:
            raise CommandError(f"{refused.message}.") from refused
        seconds = time.monotonic() - started
        made_at = f"{loaded.manifest.made_at:%Y-%m-%d %H:%M} UTC"
        self.stdout.write(
            f"{loaded.n_rows:,} rows of {made_at} ({seconds:.1f} s); its scores and seals follow from them"
        )
        of_both = "" if loaded.manifest.schema == SCHEMA else " of the tables and columns that both have"
        self.stdout.write(f"digest {loaded.digest}{of_both}, as the dump says")
        if loaded.left_out:
            self.stdout.write(f"left out, as this release has no place for it: {', '.join(loaded.left_out)}")

    def _say(self, what: str, n_rows: int) -> None:
        self.stdout.write(f"  {what}: {number_of(n_rows, 'row', 'rows')}")
