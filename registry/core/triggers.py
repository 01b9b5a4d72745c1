"""Tables that keep what was written: the database itself refuses changes and removals.

A later migration that rebuilds such a table on SQLite (any change of a column there) drops its triggers: repeat
``keep_as_written`` after it. System check plumbline.W009 tells when that was forgotten.
"""

from django.db import migrations
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_SQLITE = {
    "no_update": "BEFORE UPDATE ON {table}",
    "no_delete": "BEFORE DELETE ON {table}",
    # REPLACE removes the old row without a delete trigger, unless recursive_triggers is on.
    "no_replace": "BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id)",
}
_POSTGRESQL = {
    "no_update": "BEFORE UPDATE ON {table} FOR EACH ROW",
    "no_delete": "BEFORE DELETE ON {table} FOR EACH ROW",
    "no_truncate": "BEFORE TRUNCATE ON {table} FOR EACH STATEMENT",
}
_POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION plumbline_keep_as_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% keeps what was written: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def keep_as_written(table: str) -> migrations.RunPython:
    """Return the migration step after which rows of the table (primary key ``id``) can only be added and read."""

    def create(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
        _drop(schema_editor, table)
        for statement in _create_statements(schema_editor.connection.vendor, table):
            schema_editor.execute(statement, params=None)

    def drop(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
        _drop(schema_editor, table)

    return migrations.RunPython(create, drop)


def trigger_names(table: str, vendor: str) -> set[str]:
    """Return the names of the triggers that keep a table as written."""
    return {f"{table}_{suffix}" for suffix in _triggers(vendor)}


def existing_triggers(connection: BaseDatabaseWrapper) -> set[str]:
    """Return the names of all triggers of the database."""
    tables = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(tables[connection.vendor])
        return {name for (name,) in cursor.fetchall()}


def _triggers(vendor: str) -> dict[str, str]:
    return {"sqlite": _SQLITE, "postgresql": _POSTGRESQL}[vendor]


def _create_statements(vendor: str, table: str) -> list[str]:
    statements = [_POSTGRESQL_FUNCTION] if vendor == "postgresql" else []
    for suffix, event in _triggers(vendor).items():
        if vendor == "postgresql":
            action = "EXECUTE FUNCTION plumbline_keep_as_written()"
        else:
            change = suffix.removeprefix("no_").upper()
            action = f"BEGIN SELECT RAISE(ABORT, '{table} keeps what was written: {change} is refused'); END"
        statements.append(f"CREATE TRIGGER {table}_{suffix} {event.format(table=table)} {action}")
    return statements


def _drop(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    vendor = schema_editor.connection.vendor
    for name in trigger_names(table, vendor):
        suffix = f" ON {table}" if vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}{suffix}", params=None)
