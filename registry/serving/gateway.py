"""Whole requests for a WSGI application: read on the loop, answered on two threads, sent by the server."""

import asyncio
import errno
import io
import logging
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import IO, Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

from registry.core.http import REFUSED
from registry.serving.bodies import Bodies, BrokenOff, Limits, TooSlow
from registry.serving.rsgi import Scope, Visitor

logger = logging.getLogger(__name__)

_BASE: WSGIEnvironment = {
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "Granian",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
#: How long a thread may keep Python's lock while another one waits for it: a page asks for the lock several times.
_LOCK_SECONDS = 0.0002
_OF_THE_BODY = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}

_Request = tuple[Scope, Visitor, IO[bytes], int, "asyncio.Future[None]"]
_Lane = SimpleQueue[_Request | None]


class Gateway:
    """The application as RSGI has it (Granian's interface, which hands out a body as it comes).

    One thread answers those who read, ``is_reading``, and one all others: with Python's lock more of them only wait for
    each other, and who reads waits neither for what others hand in nor for a database that is being written to.
    A body beyond the limits is taken within those for ``large`` ones, where it ``may_be_large``: few at a time, which
    take no place from others.
    Answers are whole before they are sent, so that a thread has done with a request whatever becomes of its reader.
    """

    def __init__(
        self,
        application: WSGIApplication,
        limits: Limits,
        *,
        is_reading: Callable[[Scope], bool],
        large: Limits,
        may_be_large: Callable[[Scope], bool],
    ) -> None:
        self._application = application
        self._bodies = Bodies(limits)
        self._large_bodies = Bodies(large)
        self._may_be_large = may_be_large
        self._is_reading = is_reading
        self._reading: _Lane = SimpleQueue()
        self._writing: _Lane = SimpleQueue()

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        sys.setswitchinterval(_LOCK_SECONDS)
        for name, lane in (("reading", self._reading), ("writing", self._writing)):
            threading.Thread(target=self._answer_all, args=(loop, lane), name=name, daemon=True).start()

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._reading.put(None)
        self._writing.put(None)

    async def __rsgi__(self, scope: Scope, visitor: Visitor) -> None:
        body: IO[bytes] = io.BytesIO()
        refused = 0
        if "content-length" in scope.headers or "transfer-encoding" in scope.headers:
            try:
                body, refused = await self._read(scope, visitor)
            except BrokenOff:
                visitor.response_empty(400, [("connection", "close")])
                return
        answered = asyncio.get_running_loop().create_future()
        lane = self._reading if self._is_reading(scope) else self._writing
        lane.put((scope, visitor, body, refused, answered))
        await answered
        if refused in {411, 413} and "expect" not in scope.headers:
            await self._bodies.discard(visitor)

    async def _read(self, scope: Scope, visitor: Visitor) -> tuple[IO[bytes], int]:
        """The body, and 0; or nothing, and the status that says why."""
        nothing = io.BytesIO()
        if "content-length" not in scope.headers:
            return nothing, 411
        text = scope.headers.get("content-length")
        if not text.isdecimal():
            return nothing, 400
        length = int(text[:20])
        is_large = length > self._bodies.limits.max_bytes and self._may_be_large(scope)
        bodies = self._large_bodies if is_large else self._bodies
        if length > bodies.limits.max_bytes:
            return nothing, 413
        try:
            return (await bodies.receive(visitor, length) if length else nothing), 0
        except TooSlow:
            return nothing, 408
        except OSError as error:
            if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
                raise
            logger.exception("a body cannot be stored")
            return nothing, 507

    def _answer_all(self, loop: asyncio.AbstractEventLoop, lane: _Lane) -> None:
        while (request := lane.get()) is not None:
            self._answer_one(loop, request)
            # Whoever is held here, the server takes for not yet done with, and keeps the connection of.
            del request

    def _answer_one(self, loop: asyncio.AbstractEventLoop, request: _Request) -> None:
        scope, visitor, body, refused, answered = request
        try:
            self._answer(scope, visitor, body, refused)
        except BaseException:
            # Whatever it is: it ends its request, and not the thread that others wait for.
            logger.exception("%s %s failed outside of Django", scope.method, scope.path)
            visitor.response_empty(500, [])
        loop.call_soon_threadsafe(_resolve, answered)

    def _answer(self, scope: Scope, visitor: Visitor, body: IO[bytes], refused: int) -> None:
        environment = environment_of(scope, body)
        if refused:
            environment[REFUSED] = refused
        head = _Head()
        content = self._application(environment, head)
        try:
            if isinstance(content, _File) and content.path:
                visitor.response_file(head.status, head.headers, content.path)
            else:
                whole = b"".join(content)
                visitor.response_bytes(head.status, head.headers + [("connection", "close")] * bool(refused), whole)
        finally:
            if hasattr(content, "close"):
                content.close()
            body.close()


def _resolve(answered: "asyncio.Future[None]") -> None:
    if not answered.done():
        answered.set_result(None)


class _Head:
    """Status and headers, as the application calls for them."""

    status = 500
    headers: list[tuple[str, str]]

    def __call__(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        self.status = int(status[:3])
        self.headers = headers


class _File:
    """A file as an answer, which the server reads by itself where it has a name."""

    def __init__(self, file: IO[bytes], block_size: int = 65_536) -> None:
        self._file = file
        self._block_size = block_size
        self.path = file.name if isinstance(file, io.BufferedReader) and isinstance(file.name, str) else ""

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self._file.read(self._block_size), b"")

    def close(self) -> None:
        self._file.close()


def environment_of(scope: Scope, body: IO[bytes]) -> WSGIEnvironment:
    """The request as WSGI describes it."""
    server, _, port = scope.server.rpartition(":")
    return {
        **_BASE,
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": body,
        "wsgi.file_wrapper": _File,
        **_headers(scope.headers.items()),
    }


def _headers(items: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in items:
        if "_" in name:
            # Once in the environment it would pass for the header with hyphens, which a proxy may have set.
            continue
        key = _OF_THE_BODY.get(name) or f"HTTP_{name.replace('-', '_').upper()}"
        found[key] = f"{found[key]}{'; ' if name == 'cookie' else ','}{value}" if key in found else value
    return found
