"""Processes that compute answers: a request goes to one over a socket, and the whole answer comes back."""

import gc
import io
import logging
import os
import signal
import socket
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from threading import Lock
from typing import IO, Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

from registry.core.kept import KEPT, Kept

logger = logging.getLogger(__name__)

#: A longer body is handed over as a file.
_BYTES_SENT = 65_536
#: After so many answers all that computing takes is loaded.
_UNTIL_LOADED = 50


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer, its processor seconds, and where it came from if it may be kept.

    ``content`` is all of it, or an open file, read from its position; None while the file is handed over.
    """

    status: int
    headers: list[tuple[str, str]]
    content: bytes | IO[bytes] | None
    kept: Kept | None = None
    seconds: float = 0.0


def answer_with(application: WSGIApplication, environment: WSGIEnvironment) -> Answer:
    """Return the answer of the application, computed here and now."""
    started = time.thread_time()
    head = _Head()
    answered = application(environment, head)
    try:
        if isinstance(answered, File) and answered.is_real:
            content: bytes | IO[bytes] = answered.take()
        else:
            content = b"".join(answered)
    finally:
        if hasattr(answered, "close"):
            answered.close()
    return Answer(head.status, head.headers, content, environment.get(KEPT), time.thread_time() - started)


class Desk:
    """Answers requests one by one in a process of this niceness; if it died, the next request gets another."""

    def __init__(self, nursery: "Nursery", niceness: int = 0) -> None:
        self._nursery, self._niceness = nursery, niceness
        self._line: Connection | None = None

    def answer(self, environment: WSGIEnvironment, body: IO[bytes]) -> Answer:
        """Return the answer of the application there.

        Raises
        ------
        DeskLostError
            If the process died, or answered nothing.
        """
        size = body.seek(0, io.SEEK_END)
        body.seek(0)
        if self._line is None:
            self._line = self._nursery.make(self._niceness)
        try:
            self._line.send((environment, None if size > _BYTES_SENT else body.read()))
            if size > _BYTES_SENT:
                send_handle(self._line, body.fileno(), 0)
            answer = self._line.recv()
            if isinstance(answer, Answer) and answer.content is None:
                answer = replace(answer, content=os.fdopen(recv_handle(self._line), "rb"))
        except (EOFError, OSError) as error:
            self._line.close()
            self._line = None
            raise DeskLostError("the process that computed it died") from error
        if not isinstance(answer, Answer):
            raise DeskLostError(answer)
        return answer


class DeskLostError(Exception):
    """A request was not answered where it was computed."""


class Nursery:
    """Makes processes that answer by forking one that has a single thread and everything loaded.

    It ends with the process that began it.
    """

    def __init__(self, application: WSGIApplication) -> None:
        self._lock = Lock()
        self._control, theirs = socket.socketpair()
        if os.fork() == 0:
            self._control.close()
            _leave_with(partial(_make_desks, theirs, application))
        theirs.close()

    def make(self, niceness: int = 0) -> Connection:
        """Return the line to a new process of this niceness.

        Raises
        ------
        SystemExit
            If none can be made any more: whoever looks after this process then starts all of it again.
        """
        with self._lock:
            try:
                self._control.sendall(bytes([niceness]))
                _, handles, _, _ = socket.recv_fds(self._control, 1, 1)
                return Connection(handles[0])
            except (OSError, IndexError):
                logger.critical("no process can be made that answers; starting again")
                os._exit(1)

    def close(self) -> None:
        """Make no more."""
        self._control.close()


def _leave_with(work: Callable[[], None]) -> None:
    """Do the work and end this process, whatever happens: it must not go on as a copy of its parent."""
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        logger.exception("a process that answers ended")
    finally:
        os._exit(code)


def _make_desks(control: socket.socket, application: WSGIApplication) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # Children that end are not waited for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _let_go(control.fileno())
    while niceness := control.recv(1):
        ours, theirs = socket.socketpair()
        if os.fork() == 0:
            control.close()
            ours.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.nice(niceness[0])
            _leave_with(partial(_work, Connection(theirs.detach()), application))
        socket.send_fds(control, [b"+"], [ours.fileno()])
        ours.close()
        theirs.close()


def _let_go(needed: int) -> None:
    """Close all files but one, so that the successor of a killed web server finds its port free.

    Their objects are frozen, which would close them again. Pipes stay, as libraries use theirs after a fork.
    """
    gc.freeze()
    for name in os.listdir("/dev/fd"):
        handle = int(name)
        with suppress(OSError):
            kind = os.fstat(handle).st_mode
            if handle > 2 and handle != needed and not stat.S_ISFIFO(kind):
                os.close(handle)


def _work(line: Connection, application: WSGIApplication) -> None:
    n_answered = 0
    with suppress(EOFError, ConnectionError):
        while True:
            environment, content = line.recv()
            body = os.fdopen(recv_handle(line), "rb") if content is None else io.BytesIO(content)
            environment |= {"wsgi.input": body, "wsgi.errors": sys.stderr, "wsgi.file_wrapper": File}
            try:
                answer: Answer | str = answer_with(application, environment)
            except BaseException as error:
                logger.exception("%s failed outside of Django", environment["PATH_INFO"])
                answer = repr(error)
            body.close()
            if isinstance(answer, Answer) and not isinstance(answer.content, bytes | None):
                with answer.content as file:
                    line.send(replace(answer, content=None))
                    send_handle(line, file.fileno(), 0)
            else:
                line.send(answer)
            n_answered += 1
            if n_answered == _UNTIL_LOADED:
                # What is loaded by now stays: collecting it would take a tenth of a second each time.
                gc.collect()
                gc.freeze()


class _Head:
    """Collects status and headers (``start_response`` of WSGI)."""

    status: int
    headers: list[tuple[str, str]]

    def __call__(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        self.status = int(status[:3])
        self.headers = headers


class File:
    """A file as an answer; a real file is sent as such."""

    def __init__(self, file: IO[bytes], block_size: int = 65_536) -> None:
        self._file = file
        self._block_size = block_size
        self.is_real = isinstance(file, io.BufferedReader)

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self._file.read(self._block_size), b"")

    def take(self) -> IO[bytes]:
        """Return a duplicate of the file at the same position, for its sender to close."""
        place = self._file.tell()
        file = os.fdopen(os.dup(self._file.fileno()), "rb")
        file.seek(place)
        return file

    def close(self) -> None:
        self._file.close()
