"""Verifying seals: is all that was sealed there, as it was, and is the chain the one that others remember?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from registry.journal.models import Seal, VerifiedShare
from registry.journal.sealing import KINDS, PART, Content, Kind, content_of, head_after
from registry.journal.verifying import Report, Share


@dataclass(frozen=True, slots=True)
class _Sealed:
    salt: str
    digest: str
    parts: bytes
    sealed_at: datetime

    @property
    def day(self) -> str:
        return f"{self.sealed_at:%Y-%m-%d %H:%M} UTC"


def check_seals(_: Share) -> Report:
    """The chain, and everything that was sealed."""
    report = Report()
    report.problems += _broken_links()
    for share in VerifiedShare.objects.filter(n_seals__gt=0).order_by("n_seals"):
        report.problems += check_head(share.n_seals, share.head, "when the record was last verified")
    report.problems = list(dict.fromkeys(report.problems))
    for kind in KINDS.values():
        _compare(kind, report)
    return report


def check_head(place: int, head: str, whose: str) -> list[str]:
    """What is wrong where the chain has another head at this place than somebody saw there."""
    now = Seal.objects.filter(pk=place).values_list("head", flat=True).first()
    if now == head:
        return []
    what = "there is no such seal any more" if now is None else f"it is {now[:16]}… now: the chain was made anew"
    return [f"seal {place}: its head was {head[:16]}…, {whose}; {what}"]


def _broken_links() -> Iterator[str]:
    last, head = 0, ""
    rows = Seal.objects.order_by("pk").values_list("pk", "kind", "subject", "digest", "head")
    for place, kind, subject, digest, stored in rows.iterator():
        if place != last + 1:
            yield f"seal {last + 1}: gone" if place == last + 2 else f"seals {last + 1} to {place - 1}: gone"
        elif head_after(head, place, kind, subject, digest) != stored:
            yield f"seal {place}: changed, as the chain of seals does not come out"
        last, head = place, stored


def _compare(kind: Kind, report: Report) -> None:
    columns = ("subject", "salt", "digest", "parts", "sealed_at")
    rows = Seal.objects.filter(kind=kind.name).values_list(*columns).iterator()
    sealed = {subject: _Sealed(salt, digest, bytes(parts), at) for subject, salt, digest, parts, at in rows}
    leaders = set(Seal.objects.filter(kind=kind.follows).values_list("subject", flat=True)) if kind.follows else set()
    changed = partial(_changed_rows if kind.follows else _changed_columns, kind)
    for subject, group in kind.groups():
        then = sealed.pop(subject, None)
        content = content_of(kind, group, then.salt if then else "")
        report.n += len(content.keys)
        if then is None and subject in leaders:
            report.problems += [f"{kind.name} {key}: added behind {kind.follows} {subject}" for key in content.keys]
        elif then is not None and content.digest != then.digest:
            report.problems += changed(subject, content, then)
    for subject, then in sealed.items():
        n_rows = f"all {kind.name}s of {kind.follows} {subject}: " if kind.follows else f"{kind.name} {subject}: "
        report.problems.append(f"{n_rows}gone; sealed on {then.day}")


def _changed_columns(kind: Kind, subject: str, content: Content, then: _Sealed) -> list[str]:
    names = ("id", *kind.columns)
    parts = zip(names, content.parts, _parts(then.parts), strict=True)
    changed = [name for name, now, before in parts if now != before] or ["something in it"]
    return [f"{kind.name} {subject}: {' and '.join(changed)} changed since it was sealed on {then.day}"]


def _changed_rows(kind: Kind, subject: str, content: Content, then: _Sealed) -> list[str]:
    before = set(_parts(then.parts))
    n_gone = len(then.parts) // PART - len(content.keys)
    changed = [key for key, part in zip(content.keys, content.parts, strict=True) if part not in before]
    said = "changed or added since" if n_gone < 0 else "changed since"
    since = f"it was sealed with {kind.follows} {subject} on {then.day}"
    problems = [f"{kind.name} {key}: {said} {since}" for key in changed]
    if n_gone > 0:
        problems.append(f"{n_gone:,} {kind.name}s of {kind.follows} {subject}: gone; sealed on {then.day}")
    return problems or [f"{kind.name}s of {kind.follows} {subject}: in another order than sealed on {then.day}"]


def _parts(packed: bytes) -> Iterable[Any]:
    return [int.from_bytes(packed[start : start + PART], "big") for start in range(0, len(packed), PART)]
