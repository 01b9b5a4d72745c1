"""Being alone with something on one machine, and turns for large work: there are fewer of these than processors, so
that one of them is left for readers.

Both are locks on files, which end with the process that holds them, however that ends.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """Whether nobody else holds the file; it is the caller's until the end, and of the processes that it starts."""
    with open(path, "a", opener=_open_private) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@contextmanager
def turn() -> Iterator[bool]:
    """Whether one was free; it is the caller's until the end."""
    for number in range(max((os.cpu_count() or 1) - 1, 1)):
        with alone(Path(settings.HOME) / f"turn-{number}.lock") as is_ours:
            if is_ours:
                yield True
                return
    yield False


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
