"""How often something may be done: buckets of tokens in the database, so that all processes count together.

A bucket holds ``limit`` tokens and is filled again evenly within ``seconds``: 10 in 300 s are ten at once, and one more
every half minute. What a row stores is the moment at which its bucket will be full again. Taking a token moves that
moment, in one conditional UPDATE on the database's clock, so that of any number of simultaneous attempts exactly as
many pass as there are tokens.

Call ``take`` outside of transactions: what is rolled back was not taken.
"""

import math
from datetime import timedelta

from django.db.models import F
from django.db.models.functions import Greatest, Now
from django.utils.crypto import salted_hmac

from registry.core.http import TryLater
from registry.core.models import Bucket


class Limited(TryLater):
    """Too often, or too much: there is room again in ``retry_after`` seconds. ``why`` is a sentence about what was."""

    status = 429

    def __init__(self, retry_after: int, why: str) -> None:
        super().__init__(f"{why} Try again in {describe_wait(retry_after)}.", retry_after)


def take(bucket: str, key: object, limit: int, seconds: float, *, n: int = 1, why: str = "That was too often.") -> None:
    """Take ``n`` tokens from the bucket of this name and key, or none and raise ``Limited``.

    More than a bucket holds empties a full one: what is too much for ever is refused by its size, and not here.
    """
    name = _name(bucket, key)
    token, whole = timedelta(seconds=seconds / limit * min(n, limit)), timedelta(seconds=seconds)
    while True:
        full_at = Greatest("full_at", Now())
        if Bucket.objects.filter(pk=name, full_at__lte=Now() + whole - token).update(full_at=full_at + token):
            return
        row = Bucket.objects.filter(pk=name).annotate(now=Now()).first()
        if row is not None:
            wait = (row.full_at + token - whole - row.now).total_seconds()
            if wait > 0:
                raise Limited(math.ceil(wait), why)
            # Somebody else made the row a moment ago, and there is room in it.
            continue
        Bucket.objects.bulk_create([Bucket(name=name, full_at=Now())], ignore_conflicts=True)


def give_back(bucket: str, key: object, limit: int, seconds: float, *, n: int = 1) -> None:
    """Put tokens back: what they were taken for turned out not to count, as a right password does not."""
    token = timedelta(seconds=seconds / limit * min(n, limit))
    Bucket.objects.filter(pk=_name(bucket, key)).update(full_at=F("full_at") - token)


def describe_wait(seconds: int) -> str:
    """The time in words, rounded up."""
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds > size:
            return f"{math.ceil(seconds / size)} {word}s"
    return f"{seconds} second{'' if seconds == 1 else 's'}"


def _name(bucket: str, key: object) -> str:
    # Addresses and e-mails are counted, not collected: the table holds their keyed hashes.
    return f"{bucket}:{salted_hmac('registry.core.limits', f'{bucket}:{key}', algorithm='sha256').hexdigest()}"
