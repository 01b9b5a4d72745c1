"""``manage.py export_dump``: everything that is public, as files."""

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from registry.core.templatetags.formatting import number_of
from registry.dumps.services import export_dump


class Command(BaseCommand):
    help = "Write the public registry as Parquet, CSV and JSON Lines to a new folder, which the page /data/ offers."

    def handle(self, *, verbosity: int, **options: Any) -> None:
        started = time.monotonic()
        try:
            manifest = export_dump(progress=self._say if verbosity > 1 else lambda what, n_rows: None)
        except OSError as error:
            raise CommandError(f"The dump cannot be written, and nothing is left of it: {error}") from error
        size = sum(file.bytes for file in manifest.files) / 1e6
        n_rows = sum(table.rows for table in manifest.tables)
        seconds = time.monotonic() - started
        self.stdout.write(f"{settings.DUMPS / manifest.name}: {n_rows:,} rows, {size:.1f} MB ({seconds:.1f} s)")
        self.stdout.write(f"digest {manifest.digest}")

    def _say(self, what: str, n_rows: int) -> None:
        self.stdout.write(f"  {what}: {number_of(n_rows, 'row', 'rows')}")
