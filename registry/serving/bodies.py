"""Bodies of requests, read to their end before anybody works on them; and large answers, sent as they are taken.

Both keep within a size, a time and a rate. The server holds what it was given until it is taken; so it is given a pipe,
which holds one piece. A pipe that isn't emptied for too long, or whose other end is closed, ends the answer.
"""

import asyncio
import math
import os
from collections import Counter, OrderedDict
from collections.abc import AsyncIterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from tempfile import SpooledTemporaryFile
from typing import IO, Protocol, cast

#: A longer body waits in a file, so that many open ones need little memory.
_BYTES_IN_MEMORY = 65_536
#: Of a refused body up to so many times the largest size is read and dropped.
_BODIES_TO_DISCARD = 10
#: A longer answer is large.
SMALL_BYTES = 65_536
_PIECE_BYTES = 65_536
#: A piece may take so many times as long as the next bytes of a body, which come in smaller pieces.
_PATIENCE = 3
#: Large answers at one moment: for one address; for all, beyond which an address has only a ``FEW``.
MOST_OF_ADDRESS, MOST, FEW = 16, 64, 2


class TooSlow(Exception):
    """The body did not come in its time."""


class Full(Exception):
    """As many bodies are coming as may at once, and none has to make room for this one."""


class BrokenOff(Exception):
    """The body ended before its length: whoever sent it is gone."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on what a body may cost."""

    max_bytes: int
    #: For the whole body.
    seconds: float
    #: Without a byte; the rate counts only after as long.
    pause_seconds: float
    #: The least rate, on average.
    bytes_per_second: float
    #: Bodies at one moment.
    max_open: int

    def deadline(self, started: float, now: float, n_bytes: int) -> float:
        """Return when the next byte must have come, of a body of which so many have come by now."""
        by_rate = started + self.pause_seconds + n_bytes / self.bytes_per_second
        return min(started + self.seconds, now + self.pause_seconds, by_rate)


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a body: somebody known, or a stranger by their address."""

    name: str
    is_known: bool = False


class Bodies:
    """The bodies that are being read.

    When no more may be open, one makes room for the next: a stranger's if there is one, else one of a sender who has
    several more open than the new one; of these the one that has waited longest for its next byte. A stranger never
    takes the place of somebody known.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        #: In the order of their last bytes.
        self._open: OrderedDict[asyncio.Timeout, Sender] = OrderedDict()

    async def receive(self, chunks: AsyncIterable[bytes], length: int, sender: Sender) -> IO[bytes]:
        """Return the body, at its start.

        Raises
        ------
        TooSlow, BrokenOff
            Where it does not come, or not all of it.
        Full
            Where others are being read.
        OSError
            Where it cannot be stored.
        """
        body = cast(IO[bytes], SpooledTemporaryFile(_BYTES_IN_MEMORY))  # noqa: SIM115  (whoever answers closes it)
        try:
            n_bytes = await self._fill(body, chunks, sender)
            if n_bytes < length:
                raise BrokenOff
        except BaseException:
            body.close()
            raise
        body.seek(0)
        return body

    async def discard(self, chunks: AsyncIterable[bytes]) -> None:
        """Read and drop a refused body for a moment: many clients read no answer before they have sent everything."""
        n_bytes = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(self.limits.pause_seconds):
                async for chunk in chunks:
                    n_bytes += len(chunk)
                    if n_bytes > _BODIES_TO_DISCARD * self.limits.max_bytes:
                        return

    async def _fill(self, body: IO[bytes], chunks: AsyncIterable[bytes], sender: Sender) -> int:
        clock = asyncio.get_running_loop().time
        started = clock()
        n_bytes = 0
        timeout = asyncio.timeout_at(self.limits.deadline(started, started, 0))
        try:
            async with timeout:
                self._make_room_for(sender)
                self._open[timeout] = sender
                async for chunk in chunks:
                    body.write(chunk)
                    n_bytes += len(chunk)
                    if timeout not in self._open:
                        # It had to make room while this chunk was on its way.
                        raise TooSlow
                    timeout.reschedule(self.limits.deadline(started, clock(), n_bytes))
                    self._open.move_to_end(timeout)
        except TimeoutError as error:
            raise TooSlow from error
        finally:
            self._open.pop(timeout, None)
        return n_bytes

    def _make_room_for(self, sender: Sender) -> None:
        if len(self._open) < self.limits.max_open:
            return
        leaving = self._who_leaves_for(sender)
        stalest = next(timeout for timeout, who in self._open.items() if who in leaving)
        del self._open[stalest]
        if not stalest.expired():
            stalest.reschedule(asyncio.get_running_loop().time())

    def _who_leaves_for(self, sender: Sender) -> set[Sender]:
        """Return the senders one of whose bodies has to make room."""
        strangers = [who for who in self._open.values() if not who.is_known]
        n_open = Counter(strangers or self._open.values())
        own, most = n_open[sender], max(n_open.values())
        if not strangers and (not sender.is_known or (not own and most == 1)):
            raise Full
        return {sender} if own and most <= own + 1 else {who for who, n in n_open.items() if n == most}


class Sends(Protocol):
    """The visitor who is answered."""

    def response_file(self, status: int, headers: list[tuple[str, str]], file: str) -> None: ...


class LargeAnswers:
    """Large answers that are on their way."""

    def __init__(self, limits: Limits) -> None:
        self._limits = replace(limits, seconds=math.inf, pause_seconds=_PATIENCE * limits.pause_seconds)
        self.n_sent = Counter[str]()

    def is_free(self, address: str) -> bool:
        """Return whether one more may be sent there now."""
        return self.n_sent[address] < (MOST_OF_ADDRESS if self.n_sent.total() < MOST else FEW)

    @contextmanager
    def counted(self, address: str) -> Iterator[None]:
        """Count one more on its way there meanwhile."""
        self.n_sent[address] += 1
        try:
            yield
        finally:
            self.n_sent[address] -= 1
            if not self.n_sent[address]:
                del self.n_sent[address]

    async def send(
        self, visitor: Sends, status: int, headers: list[tuple[str, str]], content: bytes | IO[bytes]
    ) -> None:
        """Send it, until it is taken or its reader is too slow or gone. A file is closed in the end."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            visitor.response_file(status, headers, f"/dev/fd/{reader}")
            with suppress(TimeoutError, BrokenPipeError):
                # If an answer ends before its length, the server closes the connection.
                await self._fill(writer, reader, content)
        finally:
            os.close(writer)
            if not isinstance(content, bytes):
                content.close()

    async def _fill(self, writer: int, reader: int, content: bytes | IO[bytes]) -> None:
        loop = asyncio.get_running_loop()
        view = memoryview(content) if isinstance(content, bytes) else None
        begin = 0 if view is not None else content.tell()  # type: ignore[union-attr]
        started, n_bytes, is_open = loop.time(), 0, True
        try:
            while True:
                place = begin + n_bytes
                if view is not None:
                    piece: memoryview | bytes = view[place : place + _PIECE_BYTES]
                else:
                    piece = os.pread(content.fileno(), _PIECE_BYTES, place)  # type: ignore[union-attr]
                if not piece:
                    return
                if n_bytes:
                    async with asyncio.timeout_at(self._limits.deadline(started, loop.time(), n_bytes)):
                        await _room_in(writer)
                    if is_open:
                        # The server has opened it by now. Without ours it closes when the server is done.
                        os.close(reader)
                        is_open = False
                n_bytes += os.write(writer, piece)
        finally:
            if is_open:
                os.close(reader)


async def _room_in(writer: int) -> None:
    loop = asyncio.get_running_loop()
    room = asyncio.Event()
    loop.add_writer(writer, room.set)
    try:
        await room.wait()
    finally:
        loop.remove_writer(writer)
