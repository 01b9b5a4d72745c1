"""Forgetting what the cache keeps; keeping rows for several tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from registry.core.kept import kept_answers


def forget_kept_answers() -> None:
    """As if nothing were kept."""
    kept_answers.clear()


@contextmanager
def kept_on_record(blocker: Any, make: Callable[[], None]) -> Iterator[None]:
    """What is made is on record for every test within; what each of them does to it is taken back after it.

    For a fixture of a class, after ``django_db_setup`` and with ``django_db_blocker``. Tests read its rows anew, as
    an object would carry what one of them did to it to the next.
    """
    with blocker.unblock():
        block = transaction.atomic()
        block.__enter__()
    try:
        with blocker.unblock():
            make()
        yield
    finally:
        with blocker.unblock():
            transaction.set_rollback(True)
            block.__exit__(None, None, None)
