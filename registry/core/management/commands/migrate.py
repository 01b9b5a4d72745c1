"""Django's ``migrate``, which makes a SQLite database only where it is told to.

It refuses a database of the last release: the tables of its apps have other names now, and would be made anew, empty.
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands.migrate import Command as MigrateCommand

from registry.core.moving import applied_here, is_of_last_release
from registry.core.storage import make_database


class Command(MigrateCommand):
    """One option and one refusal more."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--create", action="store_true", help="Make the SQLite database where there is none.")

    def execute(self, *args: Any, create: bool = False, **options: Any) -> Any:
        # The checks that come first look into the database.
        if create:
            make_database()
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> Any:
        if is_of_last_release(applied_here()):
            raise CommandError(
                "This database is of an earlier release, and nothing was changed in it. Move it into a new one with "
                "manage.py move_site; docs/operations.md, Upgrading, says how."
            )
        return super().handle(*args, **options)
