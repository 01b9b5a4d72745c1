"""A request that is sent again has no second effect, and gets the same answer."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import OperationalError, connection, transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.core.messages import say
from registry.core.refusals import DatabaseBusy, outage_of
from registry.submissions.models import IdempotencyKey

KEPT = timedelta(hours=48)
_FORM = re.compile(r"[\x21-\x7e]{1,255}")
_WAIT_MILLISECONDS = 5000


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered, or was answered before: an HTTP status, and what was made or changed unless it is gone."""

    status: int
    body: Mapping[str, Any] | None
    is_replayed: bool = False


class KeyRefused(Exception):
    """Nothing was done under this key: it is ``malformed``, ``reused`` for another request, or ``in_progress``."""

    def __init__(self, code: str) -> None:
        super().__init__(say(f"key-{code}"))
        self.code = code


def answer_once(*, user: User, key: str, digest: str, act: Callable[[], Answer]) -> Answer:
    """Return what ``act`` answers, or what it answered when the same request came before under this key.

    Key, effect and answer are committed together, so that there is never one without the others: after a crash nothing
    is left, and the request can be sent again. What comes in while the first is being answered waits for its answer.
    An exception of ``act`` undoes everything, the use of the key too.

    Raises
    ------
    KeyRefused
        With why nothing was done.
    """
    if not _FORM.fullmatch(key):
        raise KeyRefused("malformed")
    with transaction.atomic():
        kept = _claim(user, key, digest)
        if kept.digest != digest:
            raise KeyRefused("reused")
        if before := _answer_of(kept):
            return before
        answer = act()
        IdempotencyKey.objects.filter(pk=kept.pk).update(status=answer.status, body=answer.body)
    return answer


def kept_answer(*, user: User, key: str, digest: str) -> Answer | None:
    """Return what was answered to the same request before; None for one that is new, or still being answered.

    For those who have work to do before ``answer_once``: a request that came before needs none. Raises as that does.
    """
    if not _FORM.fullmatch(key):
        raise KeyRefused("malformed")
    kept = IdempotencyKey.objects.filter(user=user, key=key, status__isnull=False).first()
    if kept is None:
        return None
    if kept.digest != digest:
        raise KeyRefused("reused")
    return _answer_of(kept)


def _answer_of(kept: IdempotencyKey) -> Answer | None:
    return None if kept.status is None else Answer(kept.status, kept.body, is_replayed=True)


def _claim(user: User, key: str, digest: str) -> IdempotencyKey:
    """The row of this key: a new one, or the one of an earlier request, once that is answered."""
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
                # What LOCAL sets holds until the end of the outermost transaction.
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
    except OperationalError as error:
        if isinstance(outage_of(error), DatabaseBusy):
            raise KeyRefused("in_progress") from error
        raise
    return IdempotencyKey.objects.get(user=user, key=key)


def prune_keys() -> int:
    """Return how many keys were forgotten because nobody will repeat their requests any more."""
    deleted, _ = IdempotencyKey.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    return deleted
