"""Turns for large work: on one machine there are fewer than processors, so that one of these is left for readers.

A turn is a lock on a file, which ends with the process that holds it, however that ends.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings


@contextmanager
def turn() -> Iterator[bool]:
    """Whether one was free; it is the caller's until the end."""
    for number in range(max((os.cpu_count() or 1) - 1, 1)):
        with (Path(settings.HOME) / f"turn-{number}.lock").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield True
            return
    yield False
