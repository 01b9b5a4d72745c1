"""SQLite in a file that is there: it makes no database, and stores nothing in one that was moved away."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

from django.db.backends.sqlite3 import base
from django.db.backends.sqlite3.features import DatabaseFeatures


def _has_json() -> bool:
    """Return whether this SQLite has functions of JSON."""
    with closing(sqlite3.connect(":memory:")) as alone:
        try:
            alone.execute("SELECT json('{}')")
        except sqlite3.OperationalError:
            return False
    return True


class KnownFeatures(DatabaseFeatures):
    """The abilities of this SQLite, asked of a database in memory, which nobody locks.

    Django asks the site's own, in a transaction, at the first page that needs it. So it waited for whoever wrote just
    then, and took "database is locked" for a no that held until the process ended. Of the others none asks a database.
    """

    supports_json_field = _has_json()


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, which looks at every question and every commit whether the file that was opened still has its path.

    A process stays with the file that it opened first: beside another one SQLite would find the log of the first, and
    take it for its own.
    """

    features_class = KnownFeatures
    _first: ClassVar[dict[str, tuple[int, int]]] = {}
    _path = ""

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        self._path = "" if self.is_in_memory_db() else os.path.abspath(self.settings_dict["NAME"])
        if self._path:
            params["database"] = f"{Path(self._path).as_uri()}?mode=rw"
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if self._path:
            # Before it is opened, so that a file that replaces it meanwhile is noticed.
            identity = _identity(self._path)
            if identity is None:
                raise _missing(
                    f"there is no database at {self._path}; put the file back, or make a new one with "
                    "manage.py prepare (manage.py migrate --create makes one without data)"
                )
            self._first.setdefault(self._path, identity)
            self._refuse_moved()
        return super().get_new_connection(conn_params)

    def create_cursor(self, name: str | None = None) -> Any:
        self._refuse_moved()
        return super().create_cursor(name)

    def _commit(self) -> None:
        with self.wrap_database_errors:
            self._refuse_moved()
        super()._commit()  # type: ignore[misc]

    def _refuse_moved(self) -> None:
        if self._path and _identity(self._path) != self._first[self._path]:
            raise _missing(
                f"the database that was opened is no longer at {self._path}; put the file back; to replace it, stop "
                "the site first"
            )


def _identity(path: str) -> tuple[int, int] | None:
    """Return what tells the file at the path from others; None where there is none."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _missing(message: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    return error
