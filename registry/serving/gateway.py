"""Whole requests for a WSGI application: read on the loop, answered in threads and processes, sent by the server."""

import asyncio
import errno
import io
import logging
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

from registry.core.http import AT_HEADERS, BEGAN, REFUSED, RETRY_AFTER, SENDER, error_response
from registry.core.kept import ONLY_KEPT, Kept
from registry.serving.bodies import SMALL_BYTES, Bodies, BrokenOff, Full, LargeAnswers, Limits, Sender, TooSlow
from registry.serving.desks import Answer, Desk, DeskLostError, Nursery, answer_with
from registry.serving.fairness import Budget, Costs, FairQueue
from registry.serving.scopes import Scope, Visitor, environment_of

logger = logging.getLogger(__name__)

#: How long a thread may hold Python's lock while another waits: a page takes the lock several times.
_LOCK_SECONDS = 0.0002
_PLAIN = [("content-type", "text/plain; charset=utf-8"), ("connection", "close")]

#: How many pages a process remembers as kept: more than it has room to keep.
_MOST_PAGES = 5000
#: After this time without an answer we watch whether the reader leaves.
_MOMENT_SECONDS = 0.05
#: The parts of an address by which its kind is known.
_PARTS_OF_KIND = 4
#: Requests of a kind that took longer lately wait behind all others.
_DEAR_SECONDS = 1.0
#: Niceness: of the process that computes only pages of the record, and of all others that compute.
_BEFORE, _BEHIND = 2, 5
_CROWDED = "So many large answers are on their way to your network that another one has to wait. Take these first."
_CROWDED_HEADERS = [("content-type", "application/json"), ("retry-after", "10"), ("connection", "close")]


@dataclass(slots=True, eq=False)
class _Request:
    """A request whose body was read; if it was not, ``refused`` is the status that says why."""

    scope: Scope
    visitor: Visitor
    body: IO[bytes]
    refused: int
    address: str
    #: A hash of path and query.
    page: int
    #: Done once it is answered; a large answer is its result, still to be sent.
    answered: "asyncio.Future[Answer | None]"
    #: Whether whoever asked has left.
    is_left: bool = False
    began: float = field(default_factory=time.monotonic)

    @property
    def kind(self) -> tuple[str, ...]:
        """Return what requests of similar cost share: method, beginning and end of the path, and names in the query."""
        path = self.scope.path
        parts = path.removeprefix("/api/v1").split("/")
        ends = (part for part in parts[_PARTS_OF_KIND:] if not part.isdecimal())
        names = (pair.partition("=")[0] for pair in self.scope.query_string.split("&"))
        return (self.scope.method, path[:4], *parts[1:_PARTS_OF_KIND:2], *ends, *sorted(names))

    def answer(self, answer: Answer) -> None:
        """Answer, from any thread. Large answers are sent on the loop, as they are taken."""
        headers = answer.headers + [("connection", "close")] * bool(self.refused)
        content = _at_hand(answer.content)
        if self.scope.method == "HEAD":
            _close(answer)
            self.visitor.response_empty(answer.status, headers)
        elif isinstance(content, bytes) and len(content) <= SMALL_BYTES:
            self.visitor.response_bytes(answer.status, headers, content)
        else:
            self.end(Answer(answer.status, headers, content))
            return
        self.end()

    def end(self, large: Answer | None = None) -> None:
        """End the request, or have its large answer sent."""
        self.body.close()
        self.answered.get_loop().call_soon_threadsafe(_resolve, self.answered, large)


_Lane = FairQueue[_Request]


class Gateway:
    """The application as RSGI has it (Granian's interface, which hands out a body as it comes).

    One thread answers with what is kept. Else processes compute: ``n_desks`` of them for those who read,
    ``is_reading``, another for pages of the record alone, to which they yield, and one for all others; without desks
    here, in a thread each. So what is kept waits for nothing that is computed, a page for nothing that somebody makes
    up, and who reads neither for what others submit nor for a database that is being written to. In each queue
    addresses take turns; what is computed is charged to its address, and refused once its budget is used up. What was
    asked by somebody who left is not computed.
    Who sends a body and says who they are, ``is_asked``, is looked at before any of it is read: the application answers
    100, or what refuses them. Another thread does this, which waits for no other.
    A body beyond the limits is taken within those for ``large`` ones, where it ``may_be_large`` and its sender is
    known: few at a time, which take no place from others.
    Answers are whole before they are sent, so that who computes has done with a request whatever becomes of its reader.
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
        n_desks: int = 0,
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
        self._n_desks = n_desks
        self._costs = Costs()
        self._large_answers = LargeAnswers(limits)
        self._crowded = error_response(429, _CROWDED).content
        # Addresses that are being sent large answers come last.
        self._finding = _Lane(lambda request: (self._large_answers.n_sent[request.address],))
        self._computing, self._writing = _Lane(self._place), _Lane(self._place)
        #: Pages whose answers are kept, by last use, and whether these are large.
        self._kept: OrderedDict[int, bool] = OrderedDict()

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        # Forks while there is only one thread.
        nursery = self._nursery = Nursery(self._application) if self._n_desks else None
        sys.setswitchinterval(_LOCK_SECONDS)
        threads: list[tuple[Any, ...]] = [(self._finding, self._find)]
        for lane, n in ((self._computing, self._n_desks), (self._writing, 1)):
            for _ in range(max(n, 1)):
                threads.append((lane, partial(self._compute, lane, Desk(nursery, _BEHIND) if nursery else None)))
        if nursery:
            threads.append((self._computing, partial(self._compute, self._computing, Desk(nursery, _BEFORE)), 0))
        for arguments in threads:
            threading.Thread(target=self._answer_all, args=arguments, daemon=True).start()

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        for lane in (self._finding, self._computing, self._writing):
            lane.close()
        self._door.shutdown(wait=False)
        if self._nursery:
            self._nursery.close()

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
            except _TurnedAway as away:
                headers, content = [*away.answer.headers, ("connection", "close")], away.answer.content
                visitor.response_bytes(away.answer.status, headers, content if isinstance(content, bytes) else b"")
                if "expect" not in scope.headers:
                    await self._bodies.discard(visitor)
                return
        address, page = self._address_of(scope), hash((scope.path, scope.query_string))
        is_large = self._kept.get(page, False)
        if is_large and not self._large_answers.is_free(address):
            # Thousands may come at once, so nothing is allocated for them.
            body.close()
            visitor.response_bytes(429, _CROWDED_HEADERS, b"" if scope.method == "HEAD" else self._crowded)
            return
        request = _Request(scope, visitor, body, refused, address, page, asyncio.get_running_loop().create_future())
        with self._large_answers.counted(request.address) if is_large else nullcontext():
            self._wait(request)
            large = await self._answered(request)
            if large and (is_large or self._large_answers.is_free(request.address)):
                with nullcontext() if is_large else self._large_answers.counted(request.address):
                    await self._large_answers.send(visitor, large.status, large.headers, large.content or b"")
            elif large:
                _close(large)
                request.answer(Answer(429, _CROWDED_HEADERS, self._crowded))
        if refused in {411, 413, 503} and "expect" not in scope.headers:
            await self._bodies.discard(visitor)

    async def _answered(self, request: _Request) -> Answer | None:
        """Return once it is answered or its reader has left; the answer, if it is large and still to be sent."""
        await asyncio.wait([request.answered], timeout=_MOMENT_SECONDS)
        if not request.answered.done():
            leaving = asyncio.ensure_future(request.visitor.client_disconnect())
            either: list[asyncio.Future[Any]] = [request.answered, leaving]
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            leaving.cancel()
        request.is_left = not request.answered.done()
        return None if request.is_left else request.answered.result()

    async def _read(self, scope: Scope, visitor: Visitor) -> tuple[IO[bytes], int]:
        """Return the body, and 0; or nothing, and the status that says why."""
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
        """Return the sender of the body that comes next.

        Raises
        ------
        _TurnedAway
            If they may not send it.
        """
        known = ""
        if self._is_asked(scope):
            known = await asyncio.get_running_loop().run_in_executor(self._door, self._ask, scope)
        return Sender(known or self._address_of(scope), is_known=bool(known))

    def _ask(self, scope: Scope) -> str:
        """Return the name of the sender according to the application; blank for a stranger."""
        answer = answer_with(self._application, environment_of(scope, io.BytesIO()) | {AT_HEADERS: True})
        if answer.status != 100:
            raise _TurnedAway(answer)
        return dict(answer.headers).get(SENDER, "")

    def _wait(self, request: _Request) -> None:
        """Put the request into the queue of those who answer its kind."""
        if not self._is_reading(request.scope):
            self._writing.put(request.address, request)
        elif request.page in self._kept:
            self._finding.put(request.address, request)
        else:
            self._computing.put(request.address, request, self._rank(request))

    def _place(self, request: _Request) -> tuple[float, float]:
        return self._budget.place(request.address, self._costs.expected(request.kind))

    def _rank(self, request: _Request) -> int:
        """Return 0 for the record as it stands, of which there is only so much; 1 for what is made up, or dear."""
        is_made_up = request.scope.method not in {"GET", "HEAD"} or bool(request.scope.query_string)
        return int(is_made_up or self._costs.expected(request.kind) > _DEAR_SECONDS)

    def _answer_all(self, lane: _Lane, answer: Callable[[_Request], None], most_rank: int = sys.maxsize) -> None:
        while (request := lane.get(most_rank)) is not None:
            try:
                if request.is_left:
                    request.end()
                else:
                    answer(request)
            except BaseException:
                # Any failure ends its request, but not the thread that others wait for.
                logger.exception("%s %s failed outside of Django", request.scope.method, request.scope.path)
                request.visitor.response_empty(500, [])
                request.end()
            # The server keeps the connection of a request open while we hold it.
            del request

    def _find(self, request: _Request) -> None:
        """Answer with what is kept; if it no longer is, as the record has changed, have it computed in its turn."""
        answer = answer_with(self._application, self._environment(request) | {ONLY_KEPT: True})
        if answer.kept is Kept.MISSING:
            self._computing.put(request.address, request, self._rank(request))
            return
        if answer.kept is None and isinstance(answer.content, bytes):
            self._kept.pop(request.page, None)
        else:
            self._remember(request, answer)
        request.answer(answer)

    def _compute(self, lane: _Lane, desk: Desk | None, request: _Request) -> None:
        """Compute the answer at the cost of its address; whoever waits for the same page then finds it kept."""
        environment = self._environment(request)
        expected = self._costs.expected(request.kind)
        if wait := self._budget.wait(request.address, expected):
            environment[RETRY_AFTER] = wait
            expected = 0.0
        self._budget.charge(request.address, expected)
        answer = None
        try:
            if desk:
                del environment["wsgi.input"], environment["wsgi.errors"], environment["wsgi.file_wrapper"]
                answer = desk.answer(environment, request.body)
            else:
                answer = answer_with(self._application, environment)
        except DeskLostError:
            logger.exception("%s %s was lost with its process", request.scope.method, request.scope.path)
            request.refused = 502
            answer = answer_with(self._application, self._environment(request))
        finally:
            # A file costs nothing, nor does a kept answer.
            is_free = wait or (answer and (answer.kept is Kept.FOUND or not isinstance(answer.content, bytes)))
            seconds = answer.seconds if answer and not is_free else 0.0
            self._budget.charge(request.address, seconds - expected)
        request.answer(answer)
        if not is_free:
            self._costs.learn(request.kind, seconds)
        if not wait and lane is self._computing and (is_free or answer.kept):
            self._remember(request, answer)
            for other in lane.take_all(lambda other: other.page == request.page):
                self._finding.put(other.address, other)

    def _environment(self, request: _Request) -> WSGIEnvironment:
        request.body.seek(0)
        refused = {REFUSED: request.refused} if request.refused else {}
        return environment_of(request.scope, request.body) | {BEGAN: request.began} | refused

    def _remember(self, request: _Request, answer: Answer) -> None:
        self._kept.pop(request.page, None)
        self._kept[request.page] = not isinstance(answer.content, bytes) or len(answer.content) > SMALL_BYTES
        if len(self._kept) > _MOST_PAGES:
            self._kept.popitem(last=False)


def _at_hand(content: bytes | IO[bytes] | None) -> bytes | IO[bytes]:
    """Return the content to send; a small file is read."""
    if content is None or isinstance(content, bytes):
        return content or b""
    if os.fstat(content.fileno()).st_size - content.tell() > SMALL_BYTES:
        return content
    with content:
        return content.read()


def _resolve(answered: "asyncio.Future[Answer | None]", large: Answer | None) -> None:
    if not answered.done():
        answered.set_result(large)
    elif large:
        _close(large)


def _close(answer: Answer) -> None:
    if not isinstance(answer.content, bytes | None):
        answer.content.close()


class _TurnedAway(Exception):
    """The sender of a body is turned away before it is read; with the answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer
