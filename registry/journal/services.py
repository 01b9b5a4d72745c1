"""Writing to the journal, the one way a change is recorded; and triggers that note what is written to sealed tables.

Who writes there, and in what way, is all the same to the triggers.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import connection, models

from registry.core.loading import LoadReport
from registry.core.triggers import existing_triggers
from registry.journal.models import Entry, TouchedRow
from registry.journal.queries import go_underway
from registry.journal.sealing import KINDS, Kind, declared_columns, seal_after_commit, seal_new

if TYPE_CHECKING:
    from registry.accounts.models import User
_EVENTS = {"insert": ("NEW",), "update": ("NEW", "OLD"), "delete": ("OLD",)}
COLUMNS_CHANGED = "journal.columns.changed"


def record(
    *,
    action: str,
    subject: models.Model | tuple[str, object],
    actor: "User | None" = None,
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> Entry:
    """Return the new entry about a row, or about what is called so; call it in the transaction of the change.

    Without an actor, the site itself acted.
    """
    go_underway()
    kind, key = subject if isinstance(subject, tuple) else (str(subject._meta.model_name), subject.pk)
    entry = Entry.objects.create(
        actor=actor, action=action, subject_type=kind, subject_id=str(key), reason=reason, before=before, after=after
    )
    seal_after_commit()
    return entry


def record_file(report: LoadReport, *, action: str, actor: "User | None", reason: str, **more: Any) -> Entry:
    """Return the new entry of a file that was loaded, with its digest, the counts of its report, and more."""
    counts = {"added": report.added, "changed": report.superseded, "unchanged": report.unchanged}
    after = {"digest": report.digest, **counts, **more}
    return record(action=action, subject=("file", report.label), actor=actor, reason=reason, after=after)


def record_many(entries: Iterable[dict[str, Any]], *, actor: "User | None" = None, reason: str = "") -> list[Entry]:
    """Return one new entry for each, in the same order: the fields of the entry other than actor and reason."""
    go_underway()
    written = Entry.objects.bulk_create(
        Entry(actor=actor, reason=reason, **fields | {"subject_id": str(fields["subject_id"])}) for fields in entries
    )
    seal_after_commit()
    return written


def note_writes(**_: Any) -> None:
    """Have every sealed table note what is written, and seal anew each whose columns changed; after ``migrate``."""
    tables = set(connection.introspection.table_names())
    if TouchedRow._meta.db_table not in tables:
        return
    declared, changed = declared_columns(), []
    with connection.cursor() as cursor:
        for kind in [kind for kind in KINDS.values() if kind.model._meta.db_table in tables]:
            for statement in _statements(kind):
                cursor.execute(statement)
            if declared.get(kind.name) != kind.columns and kind.model._base_manager.exists():
                changed.append(kind.name)
                table, key = _quoted(kind)
                cursor.execute(f"{_note(kind)} SELECT {_number()}, '{kind.name}', CAST({key} AS text) FROM {table}")
    if changed:
        record(action=COLUMNS_CHANGED, subject=("record", "columns"), after={"tables": sorted(changed)})
        seal_new()


@register(Tags.database)
def check_notes(databases: Sequence[str] | None = None, **_: Any) -> Iterator[CheckMessage]:
    """W014: what is written is noted. A warning, as ``migrate`` is what mends it."""
    if not databases or TouchedRow._meta.db_table not in connection.introspection.table_names():
        return
    wanted = {_name(kind, event) for kind in KINDS.values() for event in _EVENTS}
    if missing := sorted(wanted - existing_triggers(connection)):
        hint = "Run manage.py migrate; after restoring a dump, restore its triggers too."
        yield Warning(f"Triggers are missing: {', '.join(missing)}.", hint=hint, id="plumbline.W014")


def _statements(kind: Kind) -> Iterator[str]:
    table, key = _quoted(kind)
    columns = ", ".join(str(field.column) for field in kind.fields) if kind.only else ""
    for event, rows in _EVENTS.items():
        name = _name(kind, event)
        when = f"AFTER {event.upper()}{f' OF {columns}' if columns and event == 'update' else ''} ON {table}"
        noted = " ".join(
            f"{_note(kind)} VALUES ({_number()}, '{kind.name}', CAST({row}.{key} AS text));" for row in rows
        )
        if connection.vendor == "postgresql":
            yield (
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS"
                f" $$ BEGIN {noted} RETURN NULL; END $$"
            )
            yield f"CREATE OR REPLACE TRIGGER {name} {when} FOR EACH ROW EXECUTE FUNCTION {name}()"
        else:
            yield f"DROP TRIGGER IF EXISTS {name}"
            yield f"CREATE TRIGGER {name} {when} BEGIN {noted} END"


def _note(kind: Kind) -> str:
    return f"INSERT INTO {TouchedRow._meta.db_table} (transaction_number, kind, key)"


def _number() -> str:
    """Return what tells a transaction from others; SQLite has none, where one writes at a time."""
    return "txid_current()" if connection.vendor == "postgresql" else "0"


def _name(kind: Kind, event: str) -> str:
    return f"{kind.model._meta.db_table}_noted_{event}"


def _quoted(kind: Kind) -> tuple[str, str]:
    quote = connection.ops.quote_name
    return quote(kind.model._meta.db_table), quote(str(kind.model._meta.pk.column))
