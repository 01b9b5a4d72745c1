"""Bodies of requests, read to their end before anybody works on them: within a size, a time and a rate."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterable
from contextlib import suppress
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, cast

#: What is longer waits in a file, so that many open bodies cost little memory.
_BYTES_IN_MEMORY = 65_536
#: What is refused is let go by up to this many times the largest size.
_BODIES_TO_DISCARD = 10


class TooSlow(Exception):
    """The body did not come in its time."""


class Full(Exception):
    """As many bodies are coming as may at one moment, and none of them has to make room for this one."""


class BrokenOff(Exception):
    """The body ended before its length: whoever sent it is gone."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on what a body may cost."""

    max_bytes: int
    #: For all of it.
    seconds: float
    #: Without a byte; also how long the rate is not asked for.
    pause_seconds: float
    #: At least, on average.
    bytes_per_second: float
    #: At one moment.
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

    Where no more may be open, one makes room for the next: a stranger's where there is one, else of who has several
    more open than who comes, and of those the one that has waited longest for its next byte. A stranger never takes the
    place of somebody known.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        #: The last to have moved stands last.
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
        """Let a refused body go by for a moment: many a client reads no answer before it has sent everything."""
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
                        # It made room a moment ago, when this chunk was here already.
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
        """Return the senders of whose bodies one makes room."""
        strangers = [who for who in self._open.values() if not who.is_known]
        n_open = Counter(strangers or self._open.values())
        own, most = n_open[sender], max(n_open.values())
        if not strangers and (not sender.is_known or (not own and most == 1)):
            raise Full
        return {sender} if own and most <= own + 1 else {who for who, n in n_open.items() if n == most}
