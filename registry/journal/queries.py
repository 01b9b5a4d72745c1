"""Reading the journal."""

from collections.abc import Callable, Collection
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Exists, Func, Max, Model, TextField

from registry.core.loading import digest_of
from registry.journal import sealing
from registry.journal.models import Entry, Seal, TouchedRow

Value = TypeVar("Value")


def loaded_digests(action: str) -> dict[str, str]:
    """Return the digest of each file at its last load with this action, by its label; none where rows were refused."""
    entries = Entry.objects.filter(action=action, subject_type="file").order_by("pk").values_list("subject_id", "after")
    return {label: "" if after.get("refused") else after.get("digest", "") for label, after in entries if after}


def last_digest(action: str, label: str) -> str:
    """Return the digest of one file at its last load with this action; blank without, or where rows were refused."""
    entries = Entry.objects.filter(action=action, subject_type="file", subject_id=label).order_by("-pk")
    after = entries.values_list("after", flat=True).first() or {}
    return "" if after.get("refused") else after.get("digest", "")


def is_to_load(path: Path, action: str) -> bool:
    """Return whether the file is there, and was not loaded with this action as it is."""
    return path.exists() and last_digest(action, path.name) != digest_of(path)


def journal_version(subject_types: Collection[str] = ()) -> str:
    """Return a text that changes whenever the public record does, or what it says of these types of subjects."""
    entries = Entry.objects.filter(subject_type__in=subject_types) if subject_types else Entry.objects
    return str(entries.order_by("-pk").values_list("pk", Underway()).first())


def kept_until_written(*models: type[Model]) -> Callable[[Callable[[], Value]], Callable[[], Value]]:
    """Have this process keep what a function returns until a row of these sealed tables is written, by anybody.

    Whoever asks while such rows are not sealed yet, as the transaction that wrote them, has it made anew.
    """

    def keep(make: Callable[[], Value]) -> Callable[[], Value]:
        kept: tuple[str, Value] | None = None

        @cache
        def last_seal() -> tuple[str, tuple[Any, ...]]:
            """Return the statement for the head behind the last seal of these, and whether some are not sealed yet."""
            kinds = [kind.name for kind in sealing.KINDS.values() if kind.model in models]
            last = Seal.objects.filter(kind__in=kinds).values("kind").annotate(last=Max("pk")).values("last")
            unsealed = Exists(TouchedRow.objects.filter(kind__in=kinds))
            heads = Seal.objects.filter(pk__in=last).order_by("-pk").values_list("head", unsealed)[:1]
            return heads.query.sql_with_params()

        @wraps(make)
        def answer() -> Value:
            nonlocal kept
            with connection.cursor() as cursor:
                cursor.execute(*last_seal())
                head, is_unsealed = cursor.fetchone() or ("", True)
            if is_unsealed:
                return make()
            if kept is None or kept[0] != head:
                kept = head, make()
            return kept[1]

        return answer

    return keep


#: PostgreSQL's lock, which all who add entries share until they commit; any number that nothing else uses.
_LOCK = 0x5EA2
_HOLDERS = (
    "(SELECT string_agg(virtualtransaction, ' ' ORDER BY virtualtransaction) FROM pg_locks"
    f" WHERE locktype = 'advisory' AND objid = {_LOCK}"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
)


class Underway(Func):
    """The transactions that add entries and are not committed; None without any.

    A statement sees what was committed when it began, and the locks after that: a transaction of which it sees no
    entries either still holds its lock, or is committed before the next statement.
    """

    template = "NULL"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template=_HOLDERS, **context)


def go_underway() -> None:
    """Join those who add entries until the transaction ends; call it before an entry has its id."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [_LOCK])
