"""Move a site of the last release into the new, empty database of this one."""

from argparse import ArgumentParser
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from registry.core.moving import CannotMove, PostgresqlDatabase, Source, SqliteBackup, move_site


class Command(BaseCommand):
    help = "Copy every row of a site of the last release into this database, which must be empty."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = "a file that manage.py backup wrote, or the address of a PostgreSQL database (postgres://…)"
        parser.add_argument("source", metavar="SOURCE", help=what)

    def handle(self, *, source: str, **options: Any) -> None:
        try:
            with self._opened(source) as opened:
                moved = move_site(opened)
        except CannotMove as why:
            # Not the address of a database: it may hold a password.
            called = "The database" if "://" in source else source
            raise CommandError(f"{called} is not moved: {why}") from why
        # What is newer than the tables that were copied, and the permissions of what is new.
        call_command("migrate", interactive=False, verbosity=0)
        self.stdout.write(
            f"{moved.n_rows:,} rows of {moved.n_tables} tables are moved. manage.py verify tells whether the record is "
            "what was recorded."
        )

    def _opened(self, source: str) -> AbstractContextManager[Source]:
        if "://" in source:
            if connection.vendor != "postgresql":
                raise CommandError("A site on PostgreSQL is moved into PostgreSQL: set DATABASE_URL to the new one")
            return PostgresqlDatabase.opened(source)
        if connection.vendor != "sqlite":
            raise CommandError("A site on SQLite is moved into SQLite: start without DATABASE_URL")
        if not Path(source).is_file():
            raise CommandError(f"there is no file {source}")
        return SqliteBackup.opened(Path(source))
