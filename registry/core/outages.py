"""Outages, for which nobody asked: no database, no room on the disk."""

import errno
import sqlite3

from django.db import Error, InterfaceError, OperationalError

from registry.core.http import TryLater

_FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT}

#: SQLite's primary result codes (https://sqlite.org/rescode.html).
_SQLITE_BUSY = {5, 6}
_SQLITE_AWAY = {8, 10}
_SQLITE_MISSING = 14
_SQLITE_FULL = 13

#: PostgreSQL's SQLSTATE (appendix A of its manual): lock not available, deadlock, serialization, statement timeout.
_POSTGRES_BUSY = {"55P03", "40P01", "40001", "57014"}
#: Classes: connection exception, insufficient resources, operator intervention; and a server that takes no writes.
_POSTGRES_AWAY = ("08", "53", "57P", "25006")
_POSTGRES_FULL = "53100"


class Outage(TryLater):
    """The site cannot do what was asked, whoever asks for it: ``why``, and in how many seconds it may again."""

    title, why, seconds = "Not now", "", 0

    def __init__(self) -> None:
        super().__init__(self.why, self.seconds)


class DatabaseAway(Outage):
    """The database does not answer, or takes no writes."""

    #: What whoever runs the site is told.
    cause = "The database does not answer."
    seconds = 30
    why = (
        "The database does not answer at the moment. Try again in half a minute; if you sent something, look first "
        "whether it arrived."
    )


class DatabaseMissing(DatabaseAway):
    """The file of the database is not where it was: moved, removed, or another one is in its place."""

    cause = (
        "The file of the database is not where it was opened. Put it back; to replace it, stop the site first. The log "
        "names it."
    )


class DatabaseBusy(Outage):
    """Others keep the database busy for longer than a request waits."""

    why, seconds = "The database is busy at the moment. Nothing was stored; try again in a few seconds.", 5


class DiskFull(Outage):
    """There is no room to store anything."""

    status, title, seconds = 507, "No room", 300
    why = "The disk of this site is full. Nothing was stored; pages can be read. Please try again later."


def outage_of(error: BaseException | None) -> Outage | None:
    """Return the outage that an error tells of; None where it is a fault of ours."""
    if isinstance(error, OSError):
        return DiskFull() if error.errno in _FULL_ERRNOS else None
    if not isinstance(error, Error):
        return None
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return _of_sqlite(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    return _of_postgres(error, getattr(cause, "sqlstate", None)) if cause else None


def _of_sqlite(code: int) -> Outage | None:
    if code == _SQLITE_FULL:
        return DiskFull()
    if code == _SQLITE_MISSING:
        return DatabaseMissing()
    if code in _SQLITE_BUSY:
        return DatabaseBusy()
    return DatabaseAway() if code in _SQLITE_AWAY else None


def _of_postgres(error: Error, state: str | None) -> Outage | None:
    if state is None:
        # Without a state it is not the server that speaks: there is no connection.
        return DatabaseAway() if isinstance(error, (OperationalError, InterfaceError)) else None
    if state == _POSTGRES_FULL:
        return DiskFull()
    if state in _POSTGRES_BUSY:
        return DatabaseBusy()
    return DatabaseAway() if state.startswith(_POSTGRES_AWAY) else None
