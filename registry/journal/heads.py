"""Telling heads: each day's is signed, told at ``/log/heads/`` and in dumps, and what was sealed is proved by it."""

from functools import lru_cache
from typing import Any

from django.db import transaction
from django.utils import timezone

from analysis.heads import check_heads, inclusion_proof, leaf_of, read_heads, root_of, sign_head
from registry.core.locking import keys_of
from registry.journal.models import Head, Seal

_PURPOSE = "signing heads"
_ABOUT = """\
# Signed heads of the chain of seals of {site}, one a day at most: day, seals, root of their tree (RFC 9162),
# Ed25519 key, signature. Keep this file. `plumbline verify DUMP --against FILE` asks later whether a dump has the same.
"""


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

    Raises
    ------
    FormatError
        If a line is no head.
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
