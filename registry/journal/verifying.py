"""Is the record what was recorded? Each app registers what can be asked of what it keeps, in its ``ready``."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from zlib import crc32

from django.apps import apps
from django.db import models, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from registry.core.listing import MAX_LISTED
from registry.journal.models import VerifiedShare
from registry.journal.sealing import last_head

#: Nights in which a routine verifies everything, a share each night.
NIGHTS = 7


@dataclass(frozen=True, slots=True)
class Share:
    """A part of what takes long to verify; the rest is verified whole with every share."""

    number: int = 0
    of: int = 1

    def takes(self, key: object) -> bool:
        """Return whether what has this key is in it."""
        return crc32(str(key).encode()) % self.of == self.number


@dataclass(slots=True)
class Report:
    """The amount verified, and what is not as it was recorded, in words that name it."""

    n: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Check:
    """A question about everything that is kept; ``singular`` and ``plural`` name what it counts."""

    singular: str
    plural: str
    run: Callable[[Share], Report]


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of a check, and its processor time."""

    words: str
    report: Report
    seconds: float


CHECKS: list[Check] = []


def register(*checks: Check) -> None:
    """Have these asked whenever the record is verified."""
    CHECKS.extend(checks)


def verify(share: Share | None = None) -> Iterator[Checked]:
    """Yield the outcome of every check, for a share or for everything; keep the problems at the end."""
    problems: list[str] = []
    for check in CHECKS:
        started = time.process_time()
        report = check.run(share or Share())
        problems += report.problems
        yield Checked(check.singular if report.n == 1 else check.plural, report, time.process_time() - started)
    _keep(range(NIGHTS) if share is None else [share.number], problems)


def verify_when_due() -> None:
    """Verify the share whose turn it is, where there is one: one a day, the first on the day after the first start."""
    today = timezone.now().date()
    if not VerifiedShare.objects.exists():
        VerifiedShare.objects.bulk_create(
            [VerifiedShare(number=number, due_on=today + timedelta(days=number + 1)) for number in range(NIGHTS)],
            ignore_conflicts=True,
        )
    due = VerifiedShare.objects.filter(due_on__lte=today).order_by("due_on").first()
    if due:
        list(verify(Share(due.number, NIGHTS)))


@transaction.atomic
def _keep(numbers: Sequence[int], problems: list[str]) -> None:
    now = timezone.now()
    place, head = last_head()
    for position, number in enumerate(numbers):
        days = NIGHTS if len(numbers) == 1 else position + 1
        VerifiedShare.objects.update_or_create(
            number=number,
            defaults={
                "due_on": now.date() + timedelta(days=days),
                "checked_at": now,
                "problems": problems[:MAX_LISTED],
                "n_seals": place,
                "head": head,
            },
        )


def health() -> tuple[dict[str, Any], Sequence[str]]:
    """Return the state of verifying, for the health page, and what an operator should look at, in words.

    It says when everything was last verified, how many problems there are, and the head of the chain of seals.
    """
    shares = list(VerifiedShare.objects.all())
    times = [share.checked_at for share in shares if share.checked_at]
    faults = {problem for share in shares for problem in share.problems}
    place, head = last_head()
    document = {
        "last_full_check": min(times).isoformat() if len(times) == NIGHTS else None,
        "nights": NIGHTS,
        "found": len(faults),
        "seals": place,
        "head": head,
    }
    problems = [f"not what was recorded: {len(faults)} things; see manage.py verify"] if faults else []
    if min((share.due_on for share in shares), default=date.max) < timezone.now().date() - timedelta(days=NIGHTS):
        problems.append(f"the record was not verified for {NIGHTS} nights or more; see manage.py verify")
    return document, problems


def check_references(_: Share) -> Report:
    """Check every foreign key of every table."""
    report = Report()
    for model, key in _references():
        manager = model._base_manager
        named = manager.exclude(**{key.attname: None})
        n = named.count()
        if not n:
            continue
        report.n += n
        there = key.related_model._base_manager.filter(**{key.target_field.attname: OuterRef(key.attname)})
        lost = named.filter(~Exists(there)).order_by("pk").values_list("pk", key.attname)
        row_name = str(model._meta.verbose_name)
        name = key.name.replace("_", " ")
        report.problems += [f"{row_name} {pk}: names {name} {value}, which is gone" for pk, value in lost[:MAX_LISTED]]
    return report


def _references() -> "Iterator[tuple[type[models.Model], models.ForeignKey[Any, Any]]]":
    """Yield the foreign keys of tables that have rows."""
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            keys = [field for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)]
            if keys and model._base_manager.exists():
                yield from ((model, key) for key in keys)
