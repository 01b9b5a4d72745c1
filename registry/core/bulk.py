"""Many rows at a time: put aside while a file is read, then inserted or changed fast."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache, partial
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from django.db import connection, models

Content = TypeVar("Content")
_CACHE_KIB = 16_384
#: Fields whose Python values a database driver does not take as they are.
_PREPARED = (models.DateField, models.UUIDField, models.DecimalField)


class Outcome(IntEnum):
    """The fate of a staged row."""

    WAITING = 0
    REFUSED = 1
    NEW = 2
    UNCHANGED = 3
    SUPERSEDES = 4
    WITHDRAWN = 5


class Staged(NamedTuple, Generic[Content]):
    """A row with its number in the staging file, the row of the database that it was compared with, and the outcome."""

    number: int
    row: Content
    old: int | None
    outcome: Outcome


class Staging(Generic[Content]):
    """A temporary SQLite file of rows of one type, each under a key that only one can have. Use it in a ``with`` block.

    Rows are kept as JSON. A row may name the ``group`` of others as its ``parent``.
    """

    def __init__(self, kind: type[Content]) -> None:
        self._decode = msgspec.json.Decoder(kind).decode
        # An empty name makes a file that SQLite keeps in the cache while it is small and deletes when it is closed.
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode=OFF")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
        self._db.execute(
            "CREATE TABLE staged (number INTEGER PRIMARY KEY, key BLOB UNIQUE, grp BLOB, parent BLOB, row BLOB,"
            " outcome INTEGER NOT NULL DEFAULT 0, old INTEGER)"
        )
        self._db.execute("BEGIN")

    def __enter__(self) -> "Staging[Content]":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, row: Content, *, key: bytes, group: bytes, parent: bytes | None) -> bool:
        """Put the row aside; return False, and do nothing, if its key is taken."""
        cursor = self._db.execute(
            "INSERT OR IGNORE INTO staged (key, grp, parent, row) VALUES (?, ?, ?, ?)",
            (key, group, parent, msgspec.json.encode(row)),
        )
        return bool(cursor.rowcount)

    def holder(self, key: bytes) -> tuple[Content, bool]:
        """Return the row that has this key, and whether it is refused already."""
        row, outcome = self._db.execute("SELECT row, outcome FROM staged WHERE key = ?", (key,)).fetchone()
        return self._decode(row), outcome == Outcome.REFUSED

    def refuse(self, key: bytes) -> None:
        """Keep the key taken and the row out."""
        self._db.execute("UPDATE staged SET outcome = ? WHERE key = ?", (Outcome.REFUSED, key))

    def orphans(self) -> list[tuple[Content, bool]]:
        """Return rows whose parent is no good row without a parent; each with whether the parent is here at all."""
        if not self._db.execute("SELECT 1 FROM staged WHERE parent IS NOT NULL LIMIT 1").fetchone():
            return []
        self._db.execute("CREATE INDEX IF NOT EXISTS staged_grp ON staged (grp)")
        rows = self._db.execute(
            "SELECT row, EXISTS (SELECT 1 FROM staged AS up WHERE up.grp = staged.parent AND up.outcome != 1)"
            " FROM staged WHERE parent IS NOT NULL AND outcome != 1 AND NOT EXISTS ("
            "SELECT 1 FROM staged AS up WHERE up.grp = staged.parent AND up.parent IS NULL AND up.outcome != 1)"
        )
        return [(self._decode(row), bool(is_here)) for row, is_here in rows]

    def chunks(self, size: int, *outcomes: Outcome, parents_first: bool = False) -> Iterator[list[Staged[Content]]]:
        """Yield rows with one of these outcomes, by number; with ``parents_first``, those without a parent come first.

        The outcomes of a chunk may be changed before the next one is asked for.
        """
        for generation in ("AND parent IS NULL", "AND parent IS NOT NULL") if parents_first else ("",):
            last = 0
            wanted = ",".join(str(int(outcome)) for outcome in outcomes)
            while True:
                rows = self._db.execute(
                    "SELECT number, row, old, outcome FROM staged"
                    f" WHERE number > ? AND outcome IN ({wanted}) {generation} ORDER BY number LIMIT ?",
                    (last, size),
                ).fetchall()
                if not rows:
                    break
                yield [Staged(number, self._decode(row), old, Outcome(outcome)) for number, row, old, outcome in rows]
                last = rows[-1][0]

    def judge(self, outcomes: Iterable[tuple[Outcome, int | None, int]]) -> None:
        """Set (outcome, the row it supersedes) by the row's number, which comes last."""
        self._db.executemany("UPDATE staged SET outcome = ?, old = ? WHERE number = ?", outcomes)

    def counts(self) -> Counter[Outcome]:
        """Return how many rows have each outcome."""
        rows = self._db.execute("SELECT outcome, count(*) FROM staged GROUP BY outcome")
        return Counter({Outcome(outcome): count for outcome, count in rows})


def insert_rows(
    model: type[models.Model],
    rows: Iterable[Mapping[str, Any]],
    *,
    with_keys: bool = False,
    ignore_conflicts: bool = False,
) -> None:
    """Insert rows given as mappings of column (``system_id``) to value, every column; the primary key ``with_keys``.

    ``bulk_create`` without the model objects and without a statement for every forty rows: four times as fast. Values
    are not validated and no default applies; the database's constraints do. With ``ignore_conflicts`` a row that breaks
    one that something is there once is left out.
    """
    prepare_rows(model, rows, with_keys=with_keys, ignore_conflicts=ignore_conflicts)()


def prepare_rows(
    model: type[models.Model],
    rows: Iterable[Mapping[str, Any]],
    *,
    with_keys: bool = False,
    ignore_conflicts: bool = False,
) -> Callable[[], None]:
    """Return a function that inserts rows as ``insert_rows`` does, prepared before others have to wait for it."""
    fields = [field for field in model._meta.concrete_fields if with_keys or not field.primary_key]
    getters = [(field.attname, _preparer(field)) for field in fields]
    values = [[prepare(row[name]) if prepare else row[name] for name, prepare in getters] for row in rows]
    return partial(_insert, model, fields, values, ignore_conflicts)


def _insert(
    model: type[models.Model],
    fields: "Sequence[models.Field[Any, Any]]",
    values: Sequence[Sequence[Any]],
    ignore_conflicts: bool,
) -> None:
    if not values:
        return
    table = connection.ops.quote_name(model._meta.db_table)
    columns = ", ".join(connection.ops.quote_name(_column(field)) for field in fields)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql" and not ignore_conflicts:
            # Django wraps the errors of execute() only.
            statement = f"COPY {table} ({columns}) FROM STDIN"
            with connection.wrap_database_errors, cursor.copy(statement) as copy:
                for row in values:
                    copy.write_row(row)
        else:
            places = ", ".join(["%s"] * len(fields))
            rest = " ON CONFLICT DO NOTHING" if ignore_conflicts else ""
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places}){rest}", values)


def update_rows(model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Set these columns (``system_id``) in the rows with these primary keys; each is given as its key and the values.

    ``bulk_update`` without a statement of a thousand cases: ten times as fast. Nothing is validated here either.
    """
    fields = [next(field for field in model._meta.concrete_fields if field.attname == name) for name in columns]
    preparers = [_preparer(field) for field in fields]
    values = [
        (*(prepare(value) if prepare else value for prepare, value in zip(preparers, row[1:], strict=True)), row[0])
        for row in rows
    ]
    quote = connection.ops.quote_name
    places = ", ".join(f"{quote(_column(field))} = %s" for field in fields)
    key = quote(_column(model._meta.pk))
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {quote(model._meta.db_table)} SET {places} WHERE {key} = %s", values)


def _column(field: "models.Field[Any, Any]") -> str:
    return str(field.column)


def _preparer(field: "models.Field[Any, Any]") -> Callable[[Any], Any] | None:
    """Return the function that prepares values of the field for the driver; None if it takes them as they are."""
    if isinstance(field, models.ForeignKey):
        field = field.target_field
    if isinstance(field, models.JSONField):
        return lambda value: field.get_db_prep_save(value, connection)
    if isinstance(field, _PREPARED):
        # The same moments and days recur row after row.
        return lru_cache(maxsize=1000)(lambda value: field.get_db_prep_save(value, connection))
    return None
