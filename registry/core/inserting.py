"""Inserting and changing many rows fast."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from django.db import connection, models

#: Fields whose Python values a database driver does not take as they are.
_PREPARED = (models.DateField, models.UUIDField, models.DecimalField)


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
    """Return what inserts them, as ``insert_rows`` does: to be prepared before the transaction that others wait for."""
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
    """Return what turns the field's value into one that the driver takes; None where it takes any as it is."""
    if isinstance(field, models.ForeignKey):
        field = field.target_field
    if isinstance(field, models.JSONField):
        return lambda value: field.get_db_prep_save(value, connection)
    if isinstance(field, _PREPARED):
        # Moments and days come back row after row.
        return lru_cache(maxsize=1000)(lambda value: field.get_db_prep_save(value, connection))
    return None
