"""Waking the processes that ask the database for jobs, by whoever wrote one: they sleep meanwhile, and ask seldom.

On SQLite each process has a pipe with a name below PLUMBLINE_HOME; on PostgreSQL all of them listen for a NOTIFY, from
whatever machine. What is lost on the way costs the time until they ask by themselves.
"""

import os
import select
import signal
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.db import connection

_CHANNEL = "plumbline_jobs"
_READ_BYTES = 4096


def wake() -> None:
    """Have idle processes of workers look for jobs; busy ones look when theirs is done."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {_CHANNEL}")
        return
    for path in _folder().glob("*"):
        # Nobody listens there any more, or the pipe is full of earlier signs.
        with suppress(OSError):
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            try:
                os.write(pipe, b"!")
            finally:
                os.close(pipe)


def forget_pipes() -> None:
    """Remove the pipes of processes that are gone; call it where no other worker can be running."""
    _folder().mkdir(mode=0o700, exist_ok=True)
    for path in _folder().iterdir():
        path.unlink()


def forget_pipe(process: int) -> None:
    """Remove the pipe of a process that has ended."""
    (_folder() / str(process)).unlink(missing_ok=True)


def _folder() -> Path:
    return Path(settings.HOME) / "wake"


class Alarm:
    """Wakes this process on signals, and on whatever else is listened to. It knows whether it was asked to stop."""

    def __init__(self) -> None:
        self.is_asked_to_stop = False
        self._signalled, signals = os.pipe()
        for end in (self._signalled, signals):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(signals, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGCHLD, _wake_only)

    def wait(self, seconds: float, *others: int) -> list[int]:
        """Sleep for so long at most; return those of the other descriptors that woke us."""
        ready, _, _ = select.select([self._signalled, *others], [], [], seconds)
        if self._signalled in ready:
            os.read(self._signalled, _READ_BYTES)
        return [descriptor for descriptor in ready if descriptor != self._signalled]

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.is_asked_to_stop = True


def _wake_only(number: int, frame: FrameType | None) -> None:
    """Do nothing: waking is enough, and whoever waits looks after the child."""


class Ear:
    """Hears, for one process of the worker, of jobs and of the end of its parent: ``parent`` can be read then."""

    def __init__(self, alarm: Alarm, parent: int) -> None:
        self._alarm, self._parent = alarm, parent
        self._is_woken = False
        self._heard_on: Any = None
        self._pipe: int | None = None
        if connection.vendor != "postgresql":
            path = _folder() / str(os.getpid())
            os.mkfifo(path, 0o600)
            # For writing as well, so that it does not end when its writers are gone.
            self._pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def listen(self) -> None:
        """Listen from now on. Call it before looking for jobs, so that later ones wake us."""
        self._is_woken = False
        if self._pipe is not None:
            return
        connection.ensure_connection()
        if connection.connection is not self._heard_on:
            with connection.cursor() as cursor:
                cursor.execute(f"LISTEN {_CHANNEL}")
            connection.connection.add_notify_handler(self._hear)
            self._heard_on = connection.connection

    def wait(self, seconds: float) -> None:
        """Sleep for so long at most, until a job is written after ``listen``, or a signal comes."""
        if self._is_woken or (self._heard_on is not None and self._heard_on.closed):
            return
        heard = self._pipe if self._pipe is not None else self._heard_on.fileno()
        ready = self._alarm.wait(seconds, self._parent, heard)
        if self._pipe is not None and self._pipe in ready:
            os.read(self._pipe, _READ_BYTES)

    def _hear(self, notification: Any) -> None:
        self._is_woken = True
