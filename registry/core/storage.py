"""Storing things at all: room on the disk, a file and a row that can be written, a database of this release."""

import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import CommandError
from django.db import Error, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.models.functions import Now

from registry.core.models import Bucket
from registry.core.private import make_private
from registry.core.refusals import DatabaseBusy, outage_of

#: The block size of most file systems.
_BLOCK = bytes(4096)


@dataclass(frozen=True, slots=True)
class Storage:
    """The room below PLUMBLINE_HOME, and why nothing can be written to it, or to the database."""

    free_bytes: int
    why_no_file: str = ""
    why_no_row: str = ""

    @property
    def is_writable(self) -> bool:
        return not (self.why_no_file or self.why_no_row)

    @property
    def problems(self) -> tuple[str, ...]:
        """Return what an operator should look at, in words; empty when all is well."""
        problems = []
        if self.why_no_file:
            problems.append(f"no file can be written: {self.why_no_file}")
        if self.why_no_row:
            problems.append(f"nothing can be stored in the database: {self.why_no_row}")
        if self.free_bytes < settings.PLUMBLINE_LOW_DISK_BYTES:
            problems.append(f"the disk is nearly full: {self.free_bytes / 1e6:,.0f} MB are free")
        return tuple(problems)


def make_database() -> None:
    """Make the file of a SQLite database, empty, where there is none. Nothing else makes one: see ``core.sqlite3``."""
    if connection.vendor == "sqlite" and not connection.is_in_memory_db():  # type: ignore[attr-defined]
        make_private(Path(connection.settings_dict["NAME"]))


def read_storage() -> Storage:
    """Try what can be stored now, and return it."""
    return Storage(shutil.disk_usage(settings.HOME).free, why_not_writable(settings.HOME), _why_no_row())


def why_not_writable(folder: Path) -> str:
    """Return why no file can be written to the folder; blank if one can. It is tried, as root has every permission."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(_BLOCK)
    except OSError as error:
        return str(error.strerror or error)
    return ""


def _why_no_row() -> str:
    """Return why the database takes no row; blank where it takes one, which is taken back at once."""
    try:
        with not_waiting(), transaction.atomic():
            Bucket.objects.create(name=f"probe:{uuid.uuid4().hex}", full_at=Now())
            transaction.set_rollback(True)
    except Error as error:
        # If somebody else is writing, the database can be written to.
        return "" if isinstance(outage_of(error), DatabaseBusy) else str(error).partition("\n")[0]
    return ""


@contextmanager
def not_waiting() -> Iterator[None]:
    """Write without waiting: on SQLite a write fails at once while somebody else writes (``DatabaseBusy``).

    This is for what readers cause, who must not wait for writers. PostgreSQL locks only the row.
    """
    if connection.vendor != "sqlite":
        yield
        return
    usual = int(1000 * connection.settings_dict["OPTIONS"]["timeout"])
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")


def require_own_database(loader: MigrationLoader) -> None:
    """Refuse a database that has migrations of our apps which this release does not know."""
    own_apps = {config.label for config in apps.get_app_configs() if config.name.startswith("registry.")}
    applied = {key for key in loader.applied_migrations or () if key[0] in own_apps}
    unknown = sorted(".".join(key) for key in applied - loader.disk_migrations.keys())
    if unknown:
        raise CommandError(
            f"This database is of another release ({', '.join(unknown)}), and nothing was changed in it. Export a dump "
            "with the release that it is of, and load it into a new database; docs/operations.md, Upgrading, says how."
        )
