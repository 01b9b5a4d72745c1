"""Whole requests for a WSGI application: read on the loop, answered on three threads, sent by the server."""

import asyncio
import errno
import gc
import io
import logging
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO, Any, Protocol
from wsgiref.types import WSGIApplication, WSGIEnvironment

from registry.core.http import AT_HEADERS, BEGAN, KEPT, ONLY_KEPT, REFUSED, RETRY_AFTER, SENDER, Kept
from registry.serving.bodies import Bodies, BrokenOff, Full, Limits, Sender, TooSlow
from registry.serving.fairness import Budget, FairQueue


class Headers(Protocol):
    """Names are in small letters; a name may come several times. A value that is not ASCII can't be read: of such a
    header there is the name alone.
    """

    def __contains__(self, name: str) -> bool: ...
    def get(self, name: str) -> str | None: ...
    def keys(self) -> list[str]: ...
    def items(self) -> list[tuple[str, str]]: ...


class Scope(Protocol):
    """A request but for its body. ``server`` and ``client`` are addresses with their ports."""

    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def query_string(self) -> str: ...
    @property
    def http_version(self) -> str: ...
    @property
    def scheme(self) -> str: ...
    @property
    def server(self) -> str: ...
    @property
    def client(self) -> str: ...
    @property
    def headers(self) -> Headers: ...


class Visitor(AsyncIterable[bytes], Protocol):
    """Who sends the body, in chunks, and gets one answer. Answering is possible from any thread, and never waits."""

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None: ...
    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None: ...
    def response_file(self, status: int, headers: list[tuple[str, str]], file: str) -> None: ...


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
_NOTHING: WSGIEnvironment = {}
_PLAIN = [("content-type", "text/plain; charset=utf-8"), ("connection", "close")]
_OF_THE_BODY = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}

#: Of so many pages a process remembers that they are kept: of more than it has room to keep.
_MOST_PAGES = 5000
#: After so many answers, what computing them takes is loaded.
_UNTIL_LOADED = 50


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    """A request whose body was read, or was not; then ``refused`` is the status that says why."""

    scope: Scope
    visitor: Visitor
    body: IO[bytes]
    refused: int
    address: str
    answered: "asyncio.Future[None]"
    began: float = field(default_factory=time.monotonic)

    @property
    def page(self) -> int:
        """What is asked for, by path and query."""
        return hash((self.scope.path, self.scope.query_string))

    def end(self) -> None:
        """Let the server have done with it, once it is answered."""
        self.body.close()
        self.answered.get_loop().call_soon_threadsafe(_resolve, self.answered)


_Lane = FairQueue[_Request]


class Gateway:
    """The application as RSGI has it (Granian's interface, which hands out a body as it comes).

    One thread answers with what is kept, one computes for those who read, ``is_reading``, and one answers all others:
    with Python's lock more of them only wait for each other. So who reads waits neither for what others hand in nor for
    a database that is being written to, and what is kept waits for nothing that is computed. In each queue addresses
    take turns; what is computed is charged to its address, and refused once its budget is used up.
    Who sends a body and says who they are, ``is_asked``, is looked at before any of it is read: the application answers
    100, or what refuses them. A fourth thread does this, which waits for no other.
    A body beyond the limits is taken within those for ``large`` ones, where it ``may_be_large`` and its sender is
    known: few at a time, which take no place from others.
    Answers are whole before they are sent, so that a thread has done with a request whatever becomes of its reader.
    """

    def __init__(
        self,
        application: WSGIApplication,
        limits: Limits,
        *,
        is_reading: Callable[[Scope], bool],
        address_of: Callable[[Scope], str],
        budget: Budget,
        large: Limits,
        may_be_large: Callable[[Scope], bool],
        is_asked: Callable[[Scope], bool],
    ) -> None:
        self._application = application
        self._bodies = Bodies(limits)
        self._large_bodies = Bodies(large)
        self._may_be_large = may_be_large
        self._is_asked = is_asked
        self._door = ThreadPoolExecutor(1, thread_name_prefix="door")
        self._is_reading = is_reading
        self._address_of = address_of
        self._budget = budget
        self._finding, self._computing, self._writing = _Lane(), _Lane(), _Lane()
        #: Pages whose answers are kept, the one that was asked for last at the end.
        self._kept: OrderedDict[int, None] = OrderedDict()
        self._n_computed = 0

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        sys.setswitchinterval(_LOCK_SECONDS)
        for name, lane, answer in (
            ("finding", self._finding, self._find),
            ("computing", self._computing, self._compute),
            ("writing", self._writing, self._answer),
        ):
            threading.Thread(target=self._answer_all, args=(lane, answer), name=name, daemon=True).start()

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        for lane in (self._finding, self._computing, self._writing):
            lane.close()
        self._door.shutdown(wait=False)

    async def __rsgi__(self, scope: Scope, visitor: Visitor) -> None:
        if scope.http_version == "1.1" and "host" not in scope.headers:
            visitor.response_bytes(400, _PLAIN, b"Say which site is asked, in Host.\n")
            return
        body: IO[bytes] = io.BytesIO()
        refused = 0
        if "content-length" in scope.headers or "transfer-encoding" in scope.headers:
            try:
                body, refused = await self._read(scope, visitor)
            except BrokenOff:
                visitor.response_empty(400, [("connection", "close")])
                return
            except _TurnedAway as answer:
                visitor.response_bytes(answer.status, [*answer.headers, ("connection", "close")], answer.content)
                if "expect" not in scope.headers:
                    await self._bodies.discard(visitor)
                return
        answered = asyncio.get_running_loop().create_future()
        self._wait(_Request(scope, visitor, body, refused, self._address_of(scope), answered))
        await answered
        if refused in {411, 413, 503} and "expect" not in scope.headers:
            await self._bodies.discard(visitor)

    async def _read(self, scope: Scope, visitor: Visitor) -> tuple[IO[bytes], int]:
        """The body, and 0; or nothing, and the status that says why."""
        nothing = io.BytesIO()
        if "content-length" not in scope.headers:
            return nothing, 411
        text = scope.headers.get("content-length") or ""
        if not text.isdecimal():
            return nothing, 400
        length = int(text[:20])
        is_large = length > self._bodies.limits.max_bytes and self._may_be_large(scope)
        bodies = self._large_bodies if is_large else self._bodies
        if length > bodies.limits.max_bytes:
            return nothing, 413
        if not length:
            return nothing, 0
        sender = await self._sender(scope)
        if is_large and not sender.is_known:
            return nothing, 413
        try:
            return await bodies.receive(visitor, length, sender), 0
        except TooSlow:
            return nothing, 408
        except Full:
            return nothing, 503
        except OSError as error:
            if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
                raise
            logger.exception("a body cannot be stored")
            return nothing, 507

    async def _sender(self, scope: Scope) -> Sender:
        """Who sends the body that comes next.

        Raises
        ------
        _TurnedAway
            Who may not.
        """
        known = ""
        if self._is_asked(scope):
            known = await asyncio.get_running_loop().run_in_executor(self._door, self._ask, scope)
        return Sender(known or self._address_of(scope), is_known=bool(known))

    def _ask(self, scope: Scope) -> str:
        """Who the application says that it is; blank for a stranger."""
        head = _Head()
        content = self._application(environment_of(scope, io.BytesIO()) | {AT_HEADERS: True}, head)
        try:
            whole = b"".join(content)
        finally:
            if hasattr(content, "close"):
                content.close()
        if head.status != 100:
            raise _TurnedAway(head.status, head.headers, whole)
        return dict(head.headers).get(SENDER, "")

    def _wait(self, request: _Request) -> None:
        """Have the request wait for the thread that answers such."""
        if not self._is_reading(request.scope):
            lane = self._writing
        else:
            lane = self._finding if request.page in self._kept else self._computing
        lane.put(request.address, request)

    def _answer_all(self, lane: _Lane, answer: Callable[[_Request], Any]) -> None:
        while (request := lane.get()) is not None:
            try:
                answer(request)
            except BaseException:
                # Whatever it is: it ends its request, and not the thread that others wait for.
                logger.exception("%s %s failed outside of Django", request.scope.method, request.scope.path)
                request.visitor.response_empty(500, [])
                request.end()
            # Whoever is held here, the server takes for not yet done with, and keeps the connection of.
            del request

    def _find(self, request: _Request) -> None:
        """Answer with what is kept. What is kept no longer, as the record has changed, is computed in its turn."""
        kept = self._answer(request, {ONLY_KEPT: True})
        if kept is None:
            self._kept.pop(request.page, None)
        elif kept is Kept.MISSING:
            self._computing.put(request.address, request)
        else:
            self._remember(request.page)

    def _compute(self, request: _Request) -> None:
        """Compute the answer at the cost of its address; whoever waits for the same page then finds it kept."""
        if wait := self._budget.wait(request.address):
            self._answer(request, {RETRY_AFTER: wait})
            return
        started = time.thread_time()
        kept = self._answer(request)
        if kept is not Kept.FOUND:
            self._budget.charge(request.address, time.thread_time() - started)
        if kept is not None:
            self._remember(request.page)
        if kept is Kept.BUILT:
            for one in self._computing.take_all(lambda one: one.page == request.page):
                self._finding.put(one.address, one)
        self._n_computed += 1
        if self._n_computed == _UNTIL_LOADED:
            # What is loaded by now stays for good: looking through it would halt all threads for a tenth of a second.
            gc.collect()
            gc.freeze()

    def _remember(self, page: int) -> None:
        self._kept.pop(page, None)
        self._kept[page] = None
        if len(self._kept) > _MOST_PAGES:
            self._kept.popitem(last=False)

    def _answer(self, request: _Request, said: WSGIEnvironment = _NOTHING) -> Kept | None:
        """Answer, and say where from; what is ``MISSING`` is not answered, and None has to do with nothing kept."""
        request.body.seek(0)
        environment = environment_of(request.scope, request.body) | said | {BEGAN: request.began}
        if request.refused:
            environment[REFUSED] = request.refused
        head = _Head()
        content = self._application(environment, head)
        try:
            kept: Kept | None = environment.get(KEPT)
            if kept is Kept.MISSING:
                return kept
            if isinstance(content, _File) and content.path:
                # The server has it, as it has what is kept.
                kept = Kept.FOUND
                request.visitor.response_file(head.status, head.headers, content.path)
            else:
                headers = head.headers + [("connection", "close")] * bool(request.refused)
                request.visitor.response_bytes(head.status, headers, b"".join(content))
        finally:
            if hasattr(content, "close"):
                content.close()
        request.end()
        return kept


def _resolve(answered: "asyncio.Future[None]") -> None:
    if not answered.done():
        answered.set_result(None)


class _TurnedAway(Exception):
    """Who sends a body that is not to be read; with the answer."""

    def __init__(self, status: int, headers: list[tuple[str, str]], content: bytes) -> None:
        super().__init__(status)
        self.status, self.headers, self.content = status, headers, content


class _Head:
    """Status and headers, as the application calls for them."""

    status: int
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
        **_headers(scope.headers),
    }


def _headers(headers: Headers) -> dict[str, str]:
    """One that can't be read is there and blank, so that whoever needs it refuses it."""
    found: dict[str, str] = {}
    items = headers.items()
    unread = {*headers.keys()} - {name for name, _ in items}
    for name, value in (*items, *((name, "") for name in unread)):
        if "_" in name:
            # Once in the environment it would pass for the header with hyphens, which a proxy may have set.
            continue
        key = _OF_THE_BODY.get(name) or f"HTTP_{name.replace('-', '_').upper()}"
        found[key] = f"{found[key]}{'; ' if name == 'cookie' else ','}{value}" if key in found else value
    return found
