"""Processes that end with us: each in a group of its own, and a guard that ends the groups if we are killed.

Standard library only: this runs before anything is installed.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import IO

GRACE_SECONDS = 5.0

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequest(BaseException):
    """Somebody asked us to stop: Ctrl-C, a TERM, or a closed terminal."""


class Processes:
    """Starts processes and stops all of them.

    A process gets a group of its own, so that a Ctrl-C or a TERM to ours reaches it only through us: a Celery worker
    whose children are stopped behind its back waits for them for ever.
    """

    def __init__(self) -> None:
        self._running: list[subprocess.Popen[str]] = []
        self._is_stopping = self._is_impatient = self._is_starting = False
        self._asked = ""
        self._guard = _start_guard()
        for number in _STOP_SIGNALS:
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._is_stopping:
            self._is_impatient = True
            return
        self._is_stopping = True
        self._asked = signal.Signals(number).name
        if not self._is_starting:
            raise StopRequest(self._asked)

    def start(
        self, command: Sequence[str | Path], output: IO[str] | int | None = None, **options: object
    ) -> "subprocess.Popen[str]":
        """Start a process in a group of its own; ``output`` takes what it prints, None for ours."""
        self._is_starting = True
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=None if output is None else subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            **options,
        )
        self._running.append(process)
        os.write(self._guard, f"{process.pid}\n".encode())
        self._is_starting = False
        if self._asked:
            raise StopRequest(self._asked)
        return process

    def finish(
        self, command: Sequence[str | Path], watch: Callable[[str], None] = lambda line: None, **options: object
    ) -> tuple[int, str]:
        """Return exit code and output of a process that comes to an end; ``watch`` sees each line as it is printed."""
        process = self.start(command, subprocess.PIPE, **options)
        lines = []
        for line in process.stdout or ():
            lines.append(line)
            watch(line)
        return self.wait(process), "".join(lines)

    def wait(self, process: "subprocess.Popen[str]") -> int:
        """Return the exit code of a process that comes to an end by itself; end what it left behind."""
        process.wait()
        self.forget(process)
        return process.returncode

    def end(self, process: "subprocess.Popen[str]") -> None:
        """End a process and its group at once, and wait for its end."""
        _signal_group(process.pid, signal.SIGKILL)
        process.wait()

    def forget(self, process: "subprocess.Popen[str]") -> None:
        """End what a process that has ended left behind in its group."""
        _signal_group(process.pid, signal.SIGKILL)
        self._running.remove(process)
        os.write(self._guard, f"-{process.pid}\n".encode())

    def stop_all(self, grace: float = GRACE_SECONDS) -> None:
        """Ask every process to stop, then end what still runs when the grace is over or we are asked twice."""
        self._is_stopping = True
        for process in self._running:
            with suppress(ProcessLookupError):
                process.terminate()
        deadline = time.monotonic() + grace
        while any(process.poll() is None for process in self._running):
            if time.monotonic() >= deadline or self._is_impatient:
                break
            time.sleep(0.05)
        for process in list(self._running):
            _signal_group(process.pid, signal.SIGKILL)
            process.wait()
            self.forget(process)


def _start_guard() -> int:
    """Start the process that ends groups once we are gone; return the pipe that tells it of them.

    It is told of a group by its number, and of its end by the number with a minus. It survives signals to our group.
    """
    reader, writer = os.pipe()
    if os.fork():
        os.close(reader)
        return writer
    os.close(writer)
    os.setsid()
    for number in _STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    try:
        _guard(reader)
    finally:
        os._exit(0)


def _guard(reader: int) -> None:
    groups: set[int] = set()
    for line in os.fdopen(reader):
        number = int(line)
        if number > 0:
            groups.add(number)
        else:
            groups.discard(-number)
    # The pipe is closed: we are gone. What is left gets the grace that it would have had from us.
    for group in groups:
        with suppress(ProcessLookupError):
            os.kill(group, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_SECONDS
    while any(map(_is_running, groups)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for group in groups:
        _signal_group(group, signal.SIGKILL)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
