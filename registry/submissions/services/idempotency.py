"""Idempotency keys: a request that is sent again has no second effect and gets the same answer."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import OperationalError, connection, transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.core.messages import say
from registry.core.outages import DatabaseBusy, outage_of
from registry.submissions.models import IdempotencyKey

KEPT = timedelta(hours=48)
_FORM = re.compile(r"[\x21-\x7e]{1,255}")
_WAIT_MILLISECONDS = 5000


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, new or repeated: an HTTP status, and the document of the answer, unless it is gone."""

    status: int
    body: Mapping[str, Any] | None
    is_replayed: bool = False


class KeyRefused(Exception):
    """Nothing was done under this key, which is ``malformed``, ``reused`` for another request or ``in_progress``."""

    def __init__(self, code: str) -> None:
        super().__init__(say(f"key-{code}"))
        self.code = code


def answer_once(*, user: User, key: str, digest: str, act: Callable[[], Answer]) -> Answer:
    """Return the answer of ``act``, or the earlier one where the same request came before under this key.

    Key, effect and answer are committed together: after a crash nothing of them is left, and the request can be sent
    again. The same request waits while the first is being answered. An exception of ``act`` undoes everything, the use
    of the key included.

    Raises
    ------
    KeyRefused
        With why nothing was done.
    """
    if not _FORM.fullmatch(key):
        raise KeyRefused("malformed")
    with transaction.atomic():
        stored = _claim(user, key, digest)
        if stored.digest != digest:
            raise KeyRefused("reused")
        if earlier := _answer_of(stored):
            return earlier
        answer = act()
        IdempotencyKey.objects.filter(pk=stored.pk).update(status=answer.status, body=answer.body)
    return answer


def kept_answer(*, user: User, key: str, digest: str) -> Answer | None:
    """Return the answer to the same request before; None for one that is new, or still being answered.

    It saves the work before ``answer_once`` for a request that came before, and raises as that does.
    """
    if not _FORM.fullmatch(key):
        raise KeyRefused("malformed")
    stored = IdempotencyKey.objects.filter(user=user, key=key, status__isnull=False).first()
    if stored is None:
        return None
    if stored.digest != digest:
        raise KeyRefused("reused")
    return _answer_of(stored)


def _answer_of(stored: IdempotencyKey) -> Answer | None:
    return None if stored.status is None else Answer(stored.status, stored.body, is_replayed=True)


def _claim(user: User, key: str, digest: str) -> IdempotencyKey:
    """Return the row of this key: a new one, or that of an earlier request once it is answered."""
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(f"SET LOCAL lock_timeout = {_WAIT_MILLISECONDS}")
            # Waits for a transaction that is about to commit the same key.
            IdempotencyKey.objects.bulk_create(
                [IdempotencyKey(user=user, key=key, digest=digest)], ignore_conflicts=True
            )
            if connection.vendor == "postgresql":
                # LOCAL holds until the end of the outermost transaction.
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
    except OperationalError as error:
        if isinstance(outage_of(error), DatabaseBusy):
            raise KeyRefused("in_progress") from error
        raise
    return IdempotencyKey.objects.get(user=user, key=key)


def prune_keys() -> int:
    """Delete keys that are too old for their requests to be repeated, and return how many."""
    deleted, _ = IdempotencyKey.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    return deleted
