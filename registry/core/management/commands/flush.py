"""Django's ``flush``, refused: it would erase what is never erased."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.flush import Command as FlushCommand


class Command(FlushCommand):
    help = "Refused: snapshots and the journal are never erased."

    def handle(self, **options: Any) -> None:
        raise CommandError(
            "Snapshots and the journal are never erased, so this database cannot be flushed. "
            "To start anew, stop the site, point DATABASE_URL or PLUMBLINE_HOME to an empty place, and start."
        )
