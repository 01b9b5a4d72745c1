"""Whether anything can be stored: room on the disk, a file that can be written, a row that could be."""

import shutil
import tempfile
import uuid
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import Error, connection, transaction
from django.db.models.functions import Now

from registry.core.models import Bucket
from registry.core.outages import DatabaseBusy, outage_of
from registry.core.private import make_private

#: As much as a file system hands out at once.
_BLOCK = bytes(4096)
#: Whoever asks how things are does not wait for somebody who writes, nor do the readers behind them.
_WAIT_MILLISECONDS = 0


@dataclass(frozen=True, slots=True)
class Storage:
    """How much room there is below PLUMBLINE_HOME, and why nothing can be written to it, or to the database."""

    free_bytes: int
    why_no_file: str = ""
    why_no_row: str = ""

    @property
    def is_writable(self) -> bool:
        return not (self.why_no_file or self.why_no_row)

    @property
    def problems(self) -> tuple[str, ...]:
        """What an operator should look at, in words; empty when all is well."""
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
    """What can be stored now, tried."""
    return Storage(shutil.disk_usage(settings.HOME).free, why_not_writable(settings.HOME), _why_no_row())


def why_not_writable(folder: Path) -> str:
    """Why no file can be written to the folder; blank where one can. Tried, as root passes every permission test."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(_BLOCK)
    except OSError as error:
        return str(error.strerror or error)
    return ""


def _why_no_row() -> str:
    """Why the database takes no row; blank where it takes one, which is taken back at once."""
    try:
        _wait_at_most(_WAIT_MILLISECONDS)
        try:
            with transaction.atomic():
                Bucket.objects.create(name=f"probe:{uuid.uuid4().hex}", full_at=Now())
                transaction.set_rollback(True)
        finally:
            _wait_at_most(None)
    except Error as error:
        # A database that somebody else writes to can be written to.
        return "" if isinstance(outage_of(error), DatabaseBusy) else str(error).partition("\n")[0]
    return ""


def _wait_at_most(milliseconds: int | None) -> None:
    """How long SQLite waits for who writes; None for as long as usual. A row of PostgreSQL has nobody to wait for."""
    if connection.vendor == "sqlite":
        usual = int(1000 * connection.settings_dict["OPTIONS"]["timeout"])
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {usual if milliseconds is None else milliseconds}")
