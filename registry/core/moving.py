"""A site of the last release with an app for each question, moved into a new database with every row of every table.

Rows are copied inside the database's own formats, so that seals, identifiers and times are the same to the last bit;
a backup of SQLite is moved into SQLite, a database of PostgreSQL into PostgreSQL.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import psycopg
from django.apps import apps
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from registry.core.storage import make_database

#: The last migration of each app, at which a site is before it is moved.
LAST = {
    "accounts": "0002_people_and_tokens",
    "catalog": "0005_domains",
    "cautions": "0001_initial",
    "core": "0009_routine_state",
    "following": "0001_initial",
    "journal": "0005_seals",
    "leaderboards": "0006_one_best",
    "lineage": "0003_system_facts",
    "oddities": "0001_initial",
    "pairs": "0001_initial",
    "resolution": "0001_initial",
    "results": "0012_retraction",
    "runs": "0005_sealed_answers",
    "search": "0002_term_kind",
    "submissions": "0004_other_measure",
    "suites": "0001_initial",
}
#: The apps that became parts of others, whose names their tables and content types now have.
PARTS = {
    "lineage": "curation",
    "suites": "curation",
    "cautions": "curation",
    "oddities": "curation",
    "pairs": "tools",
    "resolution": "tools",
}
#: The migration that makes the tables as they were at ``LAST``.
INITIAL = "0001_initial"
#: What says how a database was made, and not what is in it.
_NOT_MOVED = {"django_migrations"}


class CannotMove(Exception):
    """Why a site can't be moved, for whoever asked for it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """How much was copied."""

    n_tables: int
    n_rows: int


class Source(Protocol):
    """The database that is moved."""

    def migrations(self) -> set[tuple[str, str]]:
        """App and name of every migration that it has."""

    def columns(self) -> dict[str, set[str]]:
        """The columns of each of its tables."""

    def beside(self, cursor: CursorWrapper) -> AbstractContextManager[None]:
        """While rows are copied: it can be reached from the new database, where that takes something."""

    def copy(self, cursor: CursorWrapper, old: str, new: str, columns: list[str]) -> int:
        """The number of rows, copied from a table of its own into one of the new database."""

    def copy_counters(self, cursor: CursorWrapper, tables: dict[str, str]) -> None:
        """Go on counting where it did, so that the number of a row that is gone is not given again."""


def is_of_last_release(applied: set[tuple[str, str]]) -> bool:
    """Whether a database with these migrations has to be moved before this release can use it."""
    return bool({app for app, _ in applied} & PARTS.keys())


def move_site(source: Source) -> Moved:
    """Every row of the source, in the tables of this database, which must be empty; all of them or none."""
    _require_last(source.migrations())
    make_database()
    if connection.introspection.table_names():
        raise CannotMove("the new database is not empty: point DATABASE_URL or PLUMBLINE_HOME to an empty place")
    _make_tables()
    there = source.columns()
    tables = {name: new_name(name) for name in there if name not in _NOT_MOVED}
    with connection.cursor() as cursor:
        for old, new in tables.items():
            _require_columns(new, there[old], cursor)
        with source.beside(cursor), transaction.atomic():
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA defer_foreign_keys = ON")
            n_rows = sum(source.copy(cursor, old, new, sorted(there[old])) for old, new in tables.items())
            source.copy_counters(cursor, tables)
            for old_app, app in PARTS.items():
                cursor.execute("UPDATE django_content_type SET app_label = %s WHERE app_label = %s", [app, old_app])
            connection.check_constraints()
    return Moved(len(tables), n_rows)


def new_name(table: str) -> str:
    """What a table of the last release is called now."""
    app, _, model = table.partition("_")
    return f"{PARTS[app]}_{model}" if app in PARTS else table


def _require_last(applied: set[tuple[str, str]]) -> None:
    ours = {app: name for app, name in sorted(applied) if app in LAST}
    if ours != LAST or {app for app, _ in applied} & set(PARTS.values()):
        behind = ", ".join(app for app, name in LAST.items() if ours.get(app) != name)
        advice = ". Bring it to that one first; until then it runs with the release that it is of" if behind else ""
        raise CannotMove(f"it is not of the last release before this one ({behind or 'it was moved already'}){advice}")


def _make_tables() -> None:
    """All tables, empty, as they were at ``LAST`` but for their names."""
    executor = MigrationExecutor(connection)
    ours = {config.label for config in apps.get_app_configs() if config.name.startswith("registry.")}
    others = [leaf for leaf in executor.loader.graph.leaf_nodes() if leaf[0] not in ours]
    executor.migrate([*others, *((app, INITIAL) for app in sorted(executor.loader.migrated_apps & ours))])


def _require_columns(table: str, expected: set[str], cursor: CursorWrapper) -> None:
    if table not in connection.introspection.table_names(cursor):
        raise CannotMove(f"there is no place for its table {table}")
    found = {column.name for column in connection.introspection.get_table_description(cursor, table)}
    if found != expected:
        differing = ", ".join(sorted(found ^ expected))
        raise CannotMove(f"columns of {table} are others than those of the last release: {differing}")


class SqliteBackup:
    """What ``manage.py backup`` wrote."""

    def __init__(self, address: str, opened: sqlite3.Connection) -> None:
        self._address, self._opened = address, opened

    @classmethod
    @contextmanager
    def opened(cls, file: Path) -> Iterator["SqliteBackup"]:
        """The backup, for reading alone."""
        log = file.with_name(f"{file.name}-wal")
        if log.exists() and log.stat().st_size:
            raise CannotMove("it is in use, or was not closed; make a backup of it with manage.py backup")
        address = f"{file.resolve().as_uri()}?immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as opened:
            yield cls(address, opened)

    def migrations(self) -> set[tuple[str, str]]:
        try:
            return set(self._opened.execute("SELECT app, name FROM django_migrations"))
        except sqlite3.DatabaseError as error:
            raise CannotMove(f"it is no backup of a site: {error}") from error

    def columns(self) -> dict[str, set[str]]:
        asked = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        of_table = "SELECT name FROM pragma_table_info(?)"
        return {
            table: {column for (column,) in self._opened.execute(of_table, [table])}
            for (table,) in self._opened.execute(asked).fetchall()
        }

    @contextmanager
    def beside(self, cursor: CursorWrapper) -> Iterator[None]:
        cursor.execute("ATTACH DATABASE %s AS old", [self._address])
        yield
        cursor.execute("DETACH DATABASE old")

    def copy(self, cursor: CursorWrapper, old: str, new: str, columns: list[str]) -> int:
        quoted = ", ".join(map(connection.ops.quote_name, columns))
        cursor.execute(
            f"INSERT INTO main.{connection.ops.quote_name(new)} ({quoted}) "
            f"SELECT {quoted} FROM old.{connection.ops.quote_name(old)}"
        )
        return int(cursor.rowcount)

    def copy_counters(self, cursor: CursorWrapper, tables: dict[str, str]) -> None:
        counters = self._opened.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
        for new, last in ((tables[name], last) for name, last in counters if name in tables):
            cursor.execute("DELETE FROM main.sqlite_sequence WHERE name = %s", [new])
            cursor.execute("INSERT INTO main.sqlite_sequence (name, seq) VALUES (%s, %s)", [new, last])


class PostgresqlDatabase:
    """A database of PostgreSQL, on this server or another, as it stands at one moment."""

    def __init__(self, opened: psycopg.Connection[Any]) -> None:
        self._opened = opened

    @classmethod
    @contextmanager
    def opened(cls, address: str) -> Iterator["PostgresqlDatabase"]:
        """The database at the address, for reading alone."""
        try:
            opened = psycopg.connect(address)
        except psycopg.Error as error:
            raise CannotMove(f"it can't be opened: {error}") from error
        with closing(opened):
            opened.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            opened.read_only = True
            yield cls(opened)

    def migrations(self) -> set[tuple[str, str]]:
        return set(self._opened.execute("SELECT app, name FROM django_migrations"))

    def columns(self) -> dict[str, set[str]]:
        asked = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
        found: dict[str, set[str]] = {}
        for table, column in self._opened.execute(f"{asked} ORDER BY table_name"):
            found.setdefault(table, set()).add(column)
        return found

    def beside(self, cursor: CursorWrapper) -> AbstractContextManager[None]:
        return nullcontext()

    def copy(self, cursor: CursorWrapper, old: str, new: str, columns: list[str]) -> int:
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        reading = sql.SQL("COPY {} ({}) TO STDOUT (FORMAT BINARY)").format(sql.Identifier(old), names)
        writing = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(sql.Identifier(new), names)
        with self._opened.cursor().copy(reading) as read, cursor.copy(writing) as written:
            for block in read:
                written.write(block)
        return int(cursor.rowcount)

    def copy_counters(self, cursor: CursorWrapper, tables: dict[str, str]) -> None:
        identity = "SELECT table_name FROM information_schema.columns WHERE is_identity = 'YES' AND column_name = 'id'"
        for (table,) in self._opened.execute(identity).fetchall():
            asked = "SELECT pg_get_serial_sequence(%s, 'id')"
            (name,) = self._opened.execute(asked, [table]).fetchone() or ("",)
            counter = sql.SQL("SELECT last_value, is_called FROM {}").format(sql.Identifier(*name.split(".")))
            last = self._opened.execute(counter).fetchone()
            if last and table in tables:
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s, %s)", [tables[table], *last])


def applied_here() -> set[tuple[str, str]]:
    """App and name of every migration that this database has."""
    return set(MigrationRecorder(connection).applied_migrations())
