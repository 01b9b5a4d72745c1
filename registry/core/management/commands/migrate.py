"""Django's ``migrate``, which makes a SQLite database only where it is told to.

It refuses a database that has migrations which this release does not know.
"""

from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands.migrate import Command as MigrateCommand
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from registry.core.storage import make_database, require_own_database


class Command(MigrateCommand):
    """One option and one refusal more."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--create", action="store_true", help="Make the SQLite database where there is none.")

    def execute(self, *args: Any, create: bool = False, **options: Any) -> Any:
        # System checks run first, and look into the database.
        if create:
            make_database()
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> Any:
        require_own_database(MigrationLoader(connection))
        return super().handle(*args, **options)
