"""Sealing the record: every row of it, chained with the entry that explains it.

Apps say in their ``ready`` which tables the record is (``register``). Triggers note each row that is written
(``journal.services``), whoever writes it. Right after a commit that recorded an entry, in a transaction of its own,
the noted rows are sealed with that entry; what a crash left unsealed, a routine seals. What was written without an
entry is not sealed, and so differs from its seal from then on.
"""

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import msgspec
from django.db import connection, models, transaction
from django.db.models import BigIntegerField, Max, Min
from django.db.models.functions import Cast

from registry.journal.models import Entry, Seal, TouchedRow

ENTRIES = "entries"
#: The kind of seal that says which columns later seals of a table cover.
COLUMNS = "columns"
#: Bytes of a row's digest, and the digest of a row that was removed.
SIZE = 16
GONE = bytes(SIZE)
_AT_ONCE = 500
#: PostgreSQL's lock for adding to the chain; any number that nothing else uses.
_LOCK = 0x5EA1

_encode = msgspec.json.Encoder(order="sorted").encode


@dataclass(frozen=True, slots=True)
class Kind:
    """A table whose rows are sealed, whole: a column that is added later is covered, too."""

    name: Annotated[str, "Of the table, as dumps call it."]
    model: type[models.Model]
    only: Annotated[tuple[str, ...], "The columns that are covered; blank for all."] = ()
    rows: Annotated[Callable[[], "models.QuerySet[Any]"] | None, "Those that are sealed; None for all."] = None
    is_derived: Annotated[bool, "Whether rows are computed from others, so that no entry explains them."] = False
    is_single: Annotated[bool, "Whether each row has a seal to itself, to be proved by."] = False

    @property
    def label(self) -> str:
        """The name of one row."""
        return str(self.model._meta.verbose_name)

    @property
    def fields(self) -> "list[models.Field[Any, Any]]":
        """The covered columns, by name."""
        fields = sorted(self.model._meta.concrete_fields, key=lambda field: field.attname)
        return [field for field in fields if field.attname in (self.only or (field.attname,)) and not field.primary_key]

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names, as rows are asked for them."""
        return tuple(field.attname for field in self.fields)

    def read(self, keys: Collection[str] | None = None) -> Iterator[tuple[str, bytes]]:
        """Yield the key of each row, or of these, with the row as canonical JSON; in no order that means anything."""
        rows = self.rows() if self.rows else self.model._base_manager.all()
        cells = rows.order_by("pk").values_list("pk", *self.columns)
        if keys is None or len(keys) > 10 * _AT_ONCE:
            return ((str(row[0]), _line(row)) for row in cells.iterator(2000) if keys is None or str(row[0]) in keys)
        to_key, wanted = self.model._meta.pk.to_python, list(keys)
        parts = (wanted[start : start + _AT_ONCE] for start in range(0, len(wanted), _AT_ONCE))
        return ((str(row[0]), _line(row)) for part in parts for row in cells.filter(pk__in=map(to_key, part)))


KINDS: dict[str, Kind] = {}


def register(*kinds: Kind) -> None:
    """Have these sealed from now on."""
    KINDS.update((kind.name, kind) for kind in kinds)


def _line(row: tuple[Any, ...]) -> bytes:
    return _encode([bytes(cell) if isinstance(cell, memoryview) else cell for cell in row])


@dataclass(frozen=True, slots=True)
class Sealed:
    """The part of a seal that concerns its rows."""

    salt: bytes
    subject: str
    sealed_at: datetime

    def digest_of(self, line: bytes) -> bytes:
        """Return the digest of a row, as this seal would have it."""
        return hashlib.sha256(self.salt + line).digest()[:SIZE]

    @property
    def when(self) -> str:
        """With which entry, and when, in words."""
        by = f" with entry {self.subject}" if self.subject else ""
        return f"sealed{by} on {self.sealed_at:%Y-%m-%d %H:%M} UTC"


def read_sealed(name: str) -> dict[str, tuple[bytes, Sealed]]:
    """Return the digest of every row of a kind by its key, with its last seal."""
    state: dict[str, tuple[bytes, Sealed]] = {}
    is_derived = KINDS[name].is_derived
    rows = Seal.objects.filter(kind=name).order_by("pk").values_list("salt", "parts", "subject", "sealed_at")
    for salt, parts, subject, at in rows.iterator(200):
        sealed = Sealed(salt.encode(), "" if is_derived else subject, at)
        keys, digests = msgspec.msgpack.decode(parts, type=tuple[list[str], bytes])
        state.update((key, (digests[n * SIZE : (n + 1) * SIZE], sealed)) for n, key in enumerate(keys))
    return state


def digest_of(salt: str, parts: bytes | memoryview) -> str:
    """Return the digest of a seal with this salt and these parts."""
    return hashlib.sha256(salt.encode() + bytes(parts)).hexdigest()


def head_after(head: str, place: int, kind: str, subject: str, digest: str) -> str:
    """Return the head of the chain once this seal is added to it."""
    return hashlib.sha256(f"{head} {place} {kind} {subject} {digest}".encode()).hexdigest()


def last_head() -> tuple[int, str]:
    """Return how long the chain is, and its head."""
    return Seal.objects.order_by("-pk").values_list("pk", "head").first() or (0, "")


def declared_columns() -> dict[str, tuple[str, ...]]:
    """Return the columns that the seals of each table cover, by the last that says so."""
    rows = Seal.objects.filter(kind=COLUMNS).order_by("pk").values_list("subject", "parts")
    return {subject: tuple(msgspec.json.decode(bytes(parts))) for subject, parts in rows}


def seal_after_commit() -> None:
    """Seal what is written in this transaction, once it is committed."""
    transaction.on_commit(seal_new, robust=True)


def seal_new() -> int:
    """Seal every row that was written and is not sealed yet; return how many seals were added."""
    if not TouchedRow.objects.exists():
        return 0
    with alone_with_chain():
        kinds: dict[int, set[str]] = defaultdict(set)
        for number, kind in TouchedRow.objects.order_by().values_list("transaction_number", "kind").distinct():
            kinds[number].add(kind)
        return sum(_seal_transaction(number, kinds[number]) for number in sorted(kinds))


@contextmanager
def alone_with_chain() -> Iterator[None]:
    """Open a transaction in which nobody else adds to the chain."""
    with transaction.atomic():
        # On SQLite, whoever writes is alone.
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        yield


def _seal_transaction(number: int, kinds: Collection[str]) -> int:
    touched = TouchedRow.objects.filter(transaction_number=number)
    key = Cast("key", BigIntegerField())
    first, last = touched.filter(kind=ENTRIES).aggregate(first=Min(key), last=Max(key)).values()
    subject = "" if first is None else str(first) if first == last else f"{first}-{last}"
    seals = list(_seals(touched, [kind for kind in KINDS.values() if kind.name in kinds], subject))
    touched.delete()
    Seal.objects.bulk_create(seals, batch_size=100)
    return len(seals)


def _seals(touched: "models.QuerySet[TouchedRow]", kinds: Iterable[Kind], subject: str) -> Iterator[Seal]:
    chain, declared = _Chain(), declared_columns()
    for kind in kinds:
        if not subject and not kind.is_derived:
            continue
        keys = set(touched.filter(kind=kind.name).values_list("key", flat=True))
        if declared.get(kind.name) != kind.columns:
            yield chain.add(COLUMNS, kind.name, "", _encode(kind.columns))
        groups = [[key] for key in sorted(keys)] if kind.is_single else [keys]
        lines = dict(kind.read(keys))
        for group in groups:
            salt = secrets.token_hex(16)
            sealed = Sealed(salt.encode(), "", datetime.min)
            digests = [sealed.digest_of(lines[key]) if key in lines else GONE for key in sorted(group)]
            parts = msgspec.msgpack.encode((sorted(group), b"".join(digests)))
            yield chain.add(kind.name, next(iter(group)) if kind.is_single else subject, salt, parts)


class _Chain:
    """The end of the chain."""

    def __init__(self) -> None:
        self._place, self._head = last_head()

    def add(self, kind: str, subject: str, salt: str, parts: bytes) -> Seal:
        self._place += 1
        digest = digest_of(salt, parts)
        self._head = head_after(self._head, self._place, kind, subject, digest)
        return Seal(pk=self._place, kind=kind, subject=subject, salt=salt, digest=digest, parts=parts, head=self._head)


register(Kind(ENTRIES, Entry))
