"""Verifying seals: is every row of the record as it was sealed, and is the chain the one that others remember?"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import msgspec

from registry.core.listing import MAX_LISTED
from registry.journal.models import Seal, TouchedRow, VerifiedShare
from registry.journal.sealing import (
    COLUMNS,
    GONE,
    KINDS,
    Kind,
    Sealed,
    alone_with_chain,
    declared_columns,
    digest_of,
    head_after,
    read_sealed,
)
from registry.journal.verifying import Report, Share

#: Says of rows of a table, by their keys, what they were when others saw them, and when that was.
Witness = Callable[[str, Collection[str]], tuple[str, Mapping[str, Mapping[str, Any]]]]
WITNESSES: list[Witness] = []
#: Say in words which head somebody was told last; blank where none was.
TOLD: list[Callable[[], str]] = []
_CELL = 60


def check_seals(_: Share) -> Report:
    """Check the chain, and every row of the record."""
    report = Report()
    report.problems += _broken_links()
    for share in VerifiedShare.objects.filter(n_seals__gt=0).order_by("n_seals"):
        report.problems += check_head(share.n_seals, share.head, "when the record was last verified")
    report.problems = list(dict.fromkeys(report.problems))
    declared = declared_columns()
    for kind in KINDS.values():
        if declared.get(kind.name, kind.columns) != kind.columns:
            report.problems.append(f"{kind.name}: its columns are not those that were sealed; run manage.py migrate")
            continue
        suspects, n_rows = _differing(kind)
        report.n += n_rows
        if suspects:
            # Who wrote meanwhile is no forger: what is left is looked at while nobody seals.
            with alone_with_chain():
                report.problems += _in_words(kind, _differing(kind, suspects)[0])
    return report


def check_head(place: int, head: str, whose: str) -> list[str]:
    """Return what is wrong where the chain has another head at this place than somebody saw there."""
    now = Seal.objects.filter(pk=place).values_list("head", flat=True).first()
    if now == head:
        return []
    what = "there is no such seal any more" if now is None else f"it is {now[:16]}… now: the chain was made anew"
    return [f"seal {place}: its head was {head[:16]}…, {whose}; {what}"]


def _broken_links() -> Iterator[str]:
    last, head = 0, ""
    rows = Seal.objects.order_by("pk").values_list("pk", "kind", "subject", "salt", "parts", "digest", "head")
    for place, kind, subject, salt, parts, digest, stored in rows.iterator(200):
        if place != last + 1:
            yield f"seal {last + 1}: gone" if place == last + 2 else f"seals {last + 1} to {place - 1}: gone"
        elif head_after(head, place, kind, subject, digest) != stored:
            yield f"seal {place}: changed, as the chain of seals does not come out"
        elif (kind in KINDS or kind == COLUMNS) and digest_of(salt, parts) != digest:
            yield f"seal {place}: changed, as what it says of its rows has another digest"
        last, head = place, stored


#: The last seal that has a row, if one does, and what it is now, if it is.
Differing = dict[str, tuple[Sealed | None, bytes | None]]


def _differing(kind: Kind, keys: Collection[str] | None = None) -> tuple[Differing, int]:
    """Return the rows, or those of these keys, that are not as they were sealed; and how many were read."""
    sealed = read_sealed(kind.name)
    differing: Differing = {}
    n_rows = 0
    for key, line in kind.read(keys):
        n_rows += 1
        digest, seal = sealed.pop(key, (GONE, None))
        if seal is None or digest != seal.digest_of(line):
            differing[key] = (None if digest == GONE else seal, line)
    for key, (digest, seal) in sealed.items():
        if digest != GONE and (keys is None or key in keys):
            differing[key] = (seal, None)
    if differing:
        for key in TouchedRow.objects.filter(kind=kind.name).values_list("key", flat=True):
            differing.pop(key, None)
    return differing, n_rows


def _in_words(kind: Kind, differing: Differing) -> Iterator[str]:
    for place, (key, (seal, line)) in enumerate(sorted(differing.items())):
        what = "gone" if line is None else "changed" if seal else "added"
        since = f"; {seal.when}" if seal else ""
        before = _before(kind, key, line) if place < MAX_LISTED else ""
        yield f"{kind.label} {key}: {what}, and no entry says so{since}{before}"


def _before(kind: Kind, key: str, line: bytes | None) -> str:
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
