"""Limits on how often something may be done: buckets of tokens in the database, so that all processes count together.

A bucket holds ``limit`` tokens and is filled again evenly within ``seconds``: 10 in 300 s are ten at once, and one more
every half minute. What a row stores is the moment at which its bucket will be full again. Taking a token moves that
moment, in one conditional UPDATE on the database's clock, so that of any number of simultaneous attempts exactly as
many pass as there are tokens.

What something costs in processor time is known only afterwards: ``serving.fairness`` charges it, in each process.

Apps say in their ``ready`` what they limit (``declare``), and take from it by its name (``spend``).

Call them outside of transactions: what is rolled back was not taken.
"""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta

from django.db.models import F
from django.db.models.functions import Greatest, Now
from django.utils.crypto import salted_hmac

from registry.core.http import TryLater
from registry.core.models import Bucket

MINUTE, HOUR, DAY = 60, 3600, 86_400
#: The limits of the apps: how many, in how many seconds. docs/accounts.md repeats them.
LIMITS: dict[str, tuple[int, int]] = {}
#: The reason for a refusal, shown before when to try again; {n} is the limit, {no_room} a common ending.
WHY: dict[str, str] = {}
#: Nothing costs as many buckets: one that would take longer to fill was used before the clock was set back.
_LONGEST = 10
_NO_ROOM = "and there is no room for more just now."
_TOO_OFTEN = "That was too often."


class Limited(TryLater):
    """Too often, or too much: there is room again in ``retry_after`` seconds. ``why`` is the reason, a sentence."""

    status = 429

    def __init__(self, retry_after: int, why: str) -> None:
        super().__init__(f"{why} Try again in {describe_wait(retry_after)}.", retry_after)


def declare(limits: Mapping[str, tuple[int, int, str]]) -> None:
    """Declare limits by name: how many, in how many seconds, and the reason that a refusal gives."""
    for name, (limit, seconds, why) in limits.items():
        LIMITS[name], WHY[name] = (limit, seconds), why


def spend(name: str, key: object, n: int = 1) -> None:
    """Take ``n`` from what is declared under this name, or none and raise ``Limited``."""
    take(name, key, *LIMITS[name], n=n, why=why_limited(name))


def require_room(name: str, key: object) -> None:
    """Raise ``Limited`` where ``spend`` would; nothing is taken."""
    limit, seconds = LIMITS[name]
    _refuse_without_room(_name(name, key), timedelta(seconds=seconds), _time_for(1, limit, seconds), why_limited(name))


def refund(name: str, key: object) -> None:
    """Put back what was spent: it turned out not to count, as a right password does not."""
    token = _time_for(1, *LIMITS[name])
    Bucket.objects.filter(pk=_name(name, key)).update(full_at=F("full_at") - token)


@contextmanager
def spending(name: str, key: object) -> Iterator[None]:
    """Take one for what is done meanwhile, and put it back if that fails."""
    spend(name, key)
    try:
        yield
    except BaseException:
        refund(name, key)
        raise


def why_limited(name: str) -> str:
    """Return the reason that a refusal under this name gives, without when to try again."""
    return WHY[name].format(n=f"{LIMITS[name][0]:,}", no_room=_NO_ROOM)


def take(bucket: str, key: object, limit: float, seconds: float, *, n: float = 1, why: str = _TOO_OFTEN) -> None:
    """Take ``n`` tokens from the bucket of this name and key, or none and raise ``Limited``.

    More than a bucket holds empties a full one: what can never fit is refused elsewhere, by its size.
    """
    name, token, whole = _name(bucket, key), _time_for(min(n, limit), limit, seconds), timedelta(seconds=seconds)
    while not _add(name, token, full_at__lte=Now() + whole - token):
        _refuse_without_room(name, whole, token, why)
        # There is no row yet, or somebody else made it a moment ago, and there is room in it.
        _make(name)


def charge(name: str, key: object, n: float) -> None:
    """Take the cost of something done, even if less is left: the next one then waits."""
    bucket, token = _name(name, key), _time_for(n, *LIMITS[name])
    if not _add(bucket, token):
        _make(bucket)
        _add(bucket, token)


def describe_wait(seconds: int) -> str:
    """Return the time in words, rounded up."""
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds > size:
            return f"{math.ceil(seconds / size)} {word}s"
    return f"{seconds} second{'' if seconds == 1 else 's'}"


def _time_for(n: float, limit: float, seconds: float) -> timedelta:
    """Return the time in which so many tokens are filled in."""
    return timedelta(seconds=seconds / limit * n)


def _add(name: str, token: timedelta, **condition: object) -> bool:
    """Move the moment at which the bucket is full; return whether there was a row, and the condition held."""
    return bool(Bucket.objects.filter(pk=name, **condition).update(full_at=Greatest("full_at", Now()) + token))


def _make(name: str) -> None:
    Bucket.objects.bulk_create([Bucket(name=name, full_at=Now())], ignore_conflicts=True)


def _refuse_without_room(name: str, whole: timedelta, token: timedelta, why: str) -> None:
    """Raise ``Limited`` if a bucket that fills within ``whole`` has no room for a token."""
    row = Bucket.objects.filter(pk=name).annotate(now=Now()).first()
    if row is None:
        return
    wait = row.full_at - whole + token - row.now
    if wait > _LONGEST * whole:
        row.delete()
    elif wait > timedelta():
        raise Limited(math.ceil(wait.total_seconds()), why)


def _name(bucket: str, key: object) -> str:
    # Addresses and emails are counted, not collected: the table holds their keyed hashes.
    return f"{bucket}:{salted_hmac('registry.core.limits', f'{bucket}:{key}', algorithm='sha256').hexdigest()}"
