"""Sealing what must never change: each app says what that is, in its ``ready`` (``register``).

Rows are sealed right after the commit that wrote them, in a transaction of their own, so that whoever writes waits for
nobody's seals; what a crash left unsealed, a routine seals.
"""

import hashlib
import secrets
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any
from zlib import crc32

import msgspec
from django.db import connection, models, transaction
from django.db.models import CharField, Exists, OuterRef
from django.db.models.functions import Cast

from registry.journal.models import Entry, Seal

ENTRY = "entry"
_AT_ONCE = 500
#: PostgreSQL's lock of whoever adds to the chain; any number that nothing else uses.
_LOCK = 0x5EA1
#: How many bytes a part takes.
PART = 4

_encode = msgspec.json.Encoder(order="sorted").encode


@dataclass(frozen=True, slots=True)
class Kind:
    """Rows that are sealed."""

    name: Annotated[str, "What one row is called."]
    model: type[models.Model]
    columns: Annotated[tuple[str, ...], "Those that never change."]
    group: Annotated[str, "The column by which rows are sealed together; the key where each is sealed by itself."] = (
        "pk"
    )
    follows: Annotated[
        str, "The kind with which it is sealed, whose key ``group`` is; blank where it is sealed by itself."
    ] = ""

    def groups(self, subjects: Collection[Any] | None = None) -> Iterator[tuple[str, Iterator[tuple[Any, ...]]]]:
        """What is sealed together, by its subject: rows of key and columns, in their order."""
        rows = self.model._default_manager.order_by(self.group, "pk")
        if subjects is not None:
            rows = rows.filter(**{f"{self.group}__in": subjects})
        cells = rows.values_list(self.group, "pk", *self.columns).iterator()
        for subject, group in groupby(cells, key=itemgetter(0)):
            yield str(subject), (row[1:] for row in group)


@dataclass(frozen=True, slots=True)
class Content:
    """What was read of a subject: its digest, the checksum of every part, and the keys of its rows."""

    digest: str
    parts: tuple[int, ...]
    keys: tuple[Any, ...]


KINDS: dict[str, Kind] = {}


def register(*kinds: Kind) -> None:
    """Have these sealed from now on."""
    KINDS.update((kind.name, kind) for kind in kinds)


def content_of(kind: Kind, rows: Iterable[tuple[Any, ...]], salt: str) -> Content:
    """What rows come to. The parts of a row that is sealed by itself are its columns, of a group its rows."""
    seen, parts, keys = hashlib.sha256(salt.encode()), [], []
    for row in rows:
        keys.append(row[0])
        for part in [_encode(row)] if kind.follows else map(_encode, row):
            seen.update(part + b"\n")
            parts.append(crc32(part))
    return Content(seen.hexdigest(), tuple(parts), tuple(keys))


def head_after(head: str, place: int, kind: str, subject: str, digest: str) -> str:
    """The head of the chain once this seal is added to it."""
    return hashlib.sha256(f"{head} {place} {kind} {subject} {digest}".encode()).hexdigest()


def last_head() -> tuple[int, str]:
    """How long the chain is, and its head."""
    return Seal.objects.order_by("-pk").values_list("pk", "head").first() or (0, "")


def seal_after_commit(name: str, subjects: Collection[Any]) -> None:
    """Seal these once the transaction that writes them is committed."""
    if subjects:
        transaction.on_commit(lambda: seal(name, subjects), robust=True)


def seal_new() -> int:
    """Seal whatever is not sealed yet; how many seals were added."""
    n_seals = 0
    for kind in [kind for kind in KINDS.values() if not kind.follows]:
        sealed = Seal.objects.filter(kind=kind.name, subject=Cast(OuterRef("pk"), CharField()))
        new = kind.model._default_manager.filter(~Exists(sealed)).order_by("pk").values_list("pk", flat=True)
        subjects = list(new)
        for start in range(0, len(subjects), _AT_ONCE):
            n_seals += seal(kind.name, subjects[start : start + _AT_ONCE])
    return n_seals


@transaction.atomic
def seal(name: str, subjects: Collection[Any]) -> int:
    """Add these, with what follows them, to the chain unless they are in it; how many seals were added."""
    # Whoever adds to the chain does so alone. On SQLite, whoever writes is alone.
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    known = set(
        Seal.objects.filter(kind=name, subject__in=[str(one) for one in subjects]).values_list("subject", flat=True)
    )
    new = [one for one in subjects if str(one) not in known]
    place, head = last_head()
    seals = []
    for kind in [KINDS[name], *(kind for kind in KINDS.values() if kind.follows == name)]:
        for subject, rows in kind.groups(new):
            salt = secrets.token_hex(16)
            content = content_of(kind, rows, salt)
            place, head = place + 1, head_after(head, place + 1, kind.name, subject, content.digest)
            parts = b"".join(part.to_bytes(PART, "big") for part in content.parts)
            seals.append(
                Seal(
                    pk=place, kind=kind.name, subject=subject, salt=salt, digest=content.digest, parts=parts, head=head
                )
            )
    Seal.objects.bulk_create(seals)
    return len(seals)


register(Kind(ENTRY, Entry, tuple(field.attname for field in Entry._meta.concrete_fields if not field.primary_key)))
