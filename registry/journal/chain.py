"""The chain of seals: is every row as it was sealed, and is the chain the one that others remember?

Each day's head is signed, told at ``/log/heads/`` and in dumps, and what was sealed is proved by it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from analysis.heads import check_heads, inclusion_proof, leaf_of, read_heads, root_of, sign_head
from registry.core.listing import MAX_LISTED
from registry.core.locking import keys_of
from registry.journal import sealing
from registry.journal.models import Head, Seal, TouchedRow, VerifiedShare
from registry.journal.verifying import Report, Share

#: Returns the name of a copy of the record that others may have, and rows of a table in it, by these keys.
Witness = Callable[[str, Collection[str]], tuple[str, Mapping[str, Mapping[str, Any]]]]
WITNESSES: list[Witness] = []
#: Each returns in words which head others were given last; blank where none was.
TOLD: list[Callable[[], str]] = []
_CELL = 60
_PURPOSE = "signing heads"
_ABOUT = """\
# Signed heads of the chain of seals of {site}, one a day at most: day, seals, root of their tree (RFC 9162),
# Ed25519 key, signature. Keep this file. `plumbline verify DUMP --against FILE` asks later whether a dump has the same.
"""


def check_seals(_: Share) -> Report:
    """Check the chain, and every row of the record."""
    report = Report()
    report.problems += _broken_links()
    for share in VerifiedShare.objects.filter(n_seals__gt=0).order_by("n_seals"):
        report.problems += check_head(share.n_seals, share.head, "when the record was last verified")
    report.problems = list(dict.fromkeys(report.problems))
    declared = sealing.declared_columns()
    for kind in sealing.KINDS.values():
        if declared.get(kind.name, kind.columns) != kind.columns:
            report.problems.append(f"{kind.name}: its columns are not those that were sealed; run manage.py migrate")
            continue
        suspects, n_rows = _differing(kind)
        report.n += n_rows
        if suspects:
            # Somebody may have written meanwhile: look again at what differs, while nobody seals.
            with sealing.alone_with_chain():
                report.problems += _in_words(kind, _differing(kind, suspects)[0])
    return report


def check_head(place: int, head: str, whose: str) -> list[str]:
    """Return what is wrong where the chain has another head at this place than somebody saw there."""
    now = Seal.objects.filter(pk=place).values_list("head", flat=True).first()
    if now == head:
        return []
    change = "there is no such seal any more" if now is None else f"it is {now[:16]}… now: the chain was made anew"
    return [f"seal {place}: its head was {head[:16]}…, {whose}; {change}"]


def _broken_links() -> Iterator[str]:
    last, head = 0, ""
    rows = Seal.objects.order_by("pk").values_list("pk", "kind", "subject", "salt", "parts", "digest", "head")
    for place, kind, subject, salt, parts, digest, stored in rows.iterator(200):
        if place != last + 1:
            yield f"seal {last + 1}: gone" if place == last + 2 else f"seals {last + 1} to {place - 1}: gone"
        elif sealing.head_after(head, place, kind, subject, digest) != stored:
            yield f"seal {place}: changed, as the chain of seals does not come out"
        elif (kind in sealing.KINDS or kind == sealing.COLUMNS) and sealing.digest_of(salt, parts) != digest:
            yield f"seal {place}: changed, as what it says of its rows has another digest"
        last, head = place, stored


#: The last seal of a row, if there is one, and the row as it is now, if it is.
Differing = dict[str, tuple[sealing.Sealed | None, bytes | None]]


def _differing(kind: sealing.Kind, keys: Collection[str] | None = None) -> tuple[Differing, int]:
    """Return the rows, or those of these keys, that are not as they were sealed; and how many were read."""
    sealed = sealing.read_sealed(kind.name)
    differing: Differing = {}
    n_rows = 0
    for key, line in kind.read(keys):
        n_rows += 1
        digest, seal = sealed.pop(key, (sealing.GONE, None))
        if seal is None or digest != seal.digest_of(line):
            differing[key] = (None if digest == sealing.GONE else seal, line)
    for key, (digest, seal) in sealed.items():
        if digest != sealing.GONE and (keys is None or key in keys):
            differing[key] = (seal, None)
    if differing:
        for key in TouchedRow.objects.filter(kind=kind.name).values_list("key", flat=True):
            differing.pop(key, None)
    return differing, n_rows


def _in_words(kind: sealing.Kind, differing: Differing) -> Iterator[str]:
    for place, (key, (seal, line)) in enumerate(sorted(differing.items())):
        change = "gone" if line is None else "changed" if seal else "added"
        since = f"; {seal.when}" if seal else ""
        before = _before(kind, key, line) if place < MAX_LISTED else ""
        yield f"{kind.label} {key}: {change}, and no entry says so{since}{before}"


def _before(kind: sealing.Kind, key: str, line: bytes | None) -> str:
    """Name what others saw of a row, and what it is, where these differ."""
    now = dict(zip(kind.columns, msgspec.json.decode(line)[1:], strict=True)) if line else {}
    for witness in WITNESSES:
        name, rows = witness(kind.name, [key])
        if before := rows.get(key):
            changed = [column for column in before if column in now and now[column] != before[column]]
            cells = [f"{column} was {_cell(before[column])} and is {_cell(now[column])}" for column in changed]
            if cells or not now:
                return f". In {name} {', '.join(cells) or f'it was {_cell(before)}'}"
    return f". It is {_cell(now)}" if now else ""


def _cell(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"


@transaction.atomic
def sign_today() -> None:
    """Sign a head of the chain as it is, where today has none and something was sealed since the last."""
    today, n_seals = timezone.now().date(), Seal.objects.count()
    last = Head.objects.last()
    if n_seals and (last is None or (last.day < today and last.n_seals < n_seals)):
        head = sign_head(today, n_seals, root_of(_leaves(n_seals)), keys_of(_PURPOSE)[0])
        Head.objects.get_or_create(day=today, defaults={"n_seals": n_seals, "line": head.line})


def heads_file(site: str) -> str:
    """Return all heads that were told, a line each, the earliest first."""
    lines = Head.objects.values_list("line", flat=True)
    return _ABOUT.format(site=site or "this site") + "".join(f"{line}\n" for line in lines)


def check_against(text: str) -> tuple[int, list[str]]:
    """Return how many heads a file has, and what is wrong where the chain is not the one that told them.

    Raise ``FormatError`` if a line is no head.
    """
    heads = read_heads(text)
    return len(heads), list(check_heads(heads, _leaves(Seal.objects.count())))


def last_told() -> str:
    """Return which head was signed last, in words; blank before the first."""
    head = Head.objects.last()
    return f"the head of {head.day}, of {head.n_seals:,} seals, is told at /log/heads/" if head else ""


def prove(kind: str, subject: str) -> dict[str, Any]:
    """Return the proof that something has been in the chain since the first head that covers it; empty before that.

    ``leaf`` is hashed as in RFC 9162, and ``path`` leads from there to the root of ``head``.
    """
    seal = Seal.objects.filter(kind=kind, subject=subject).order_by("pk").first()
    head = Head.objects.filter(n_seals__gte=seal.pk).first() if seal else None
    if seal is None or head is None:
        return {}
    path = inclusion_proof(seal.pk - 1, _known_leaves(head.n_seals, head.line))
    return {"leaf": _content(seal), "path": [digest.hex() for digest in path], "head": head.line}


def _content(seal: Seal) -> str:
    return f"{seal.pk} {seal.kind} {seal.subject} {seal.digest}"


def _leaves(n_seals: int) -> list[bytes]:
    seals = Seal.objects.filter(pk__lte=n_seals).order_by("pk").only("pk", "kind", "subject", "digest")
    return [leaf_of(_content(seal)) for seal in seals.iterator(2000)]


@lru_cache(maxsize=2)
def _known_leaves(n_seals: int, _: str) -> list[bytes]:
    """Return the leaves of a head, which never change."""
    return _leaves(n_seals)
