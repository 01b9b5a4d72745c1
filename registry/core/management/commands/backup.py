"""Copy the SQLite database to a file while the site runs."""

import re
import sqlite3
import time
from argparse import ArgumentParser
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from registry.core.private import make_private


class Command(BaseCommand):
    help = "Copy the SQLite database to FILE, as it stands at one moment; the site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a new file; only you can read it")

    def handle(self, *, file: Path, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError('The database is PostgreSQL: pg_dump --format=custom --file=FILE "$DATABASE_URL"')
        if file.exists():
            raise CommandError(f"{file} exists already")
        connection.ensure_connection()
        started = time.monotonic()
        unfinished = file.with_name(f"{file.name}.unfinished")
        try:
            unfinished.unlink(missing_ok=True)
            file.parent.mkdir(mode=0o700, exist_ok=True)
            # Before SQLite opens it: a file that SQLite makes is readable by everybody.
            make_private(unfinished)
            self._copy(unfinished)
            unfinished.rename(file)
        except (OSError, sqlite3.Error) as error:
            with suppress(OSError):
                unfinished.unlink()
            raise CommandError(f"{file} cannot be written: {error}") from error
        size = file.stat().st_size / 1e6
        self.stdout.write(f"{file}: {size:.1f} MB in {time.monotonic() - started:.1f} s, checked")

    def _copy(self, file: Path) -> None:
        with closing(sqlite3.connect(file)) as copy:
            connection.connection.backup(copy)
            # The check evaluates the constraints, and SQLite itself has no regular expressions.
            copy.create_function("REGEXP", 2, lambda pattern, text: re.search(pattern, str(text)) is not None)
            (answer,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if answer != "ok":
            raise CommandError(f"the copy is damaged: {answer}")
