"""Large answers: handed to the server piece by piece, as their readers take them, and few at a time for each address.

The server holds what it was given until it is taken; so it is given a pipe, which holds one piece. A pipe that isn't
emptied for too long, or whose other end is closed, ends the answer.
"""

import asyncio
import math
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import IO, Protocol

from registry.serving.bodies import Limits

#: A longer answer is large.
SMALL_BYTES = 65_536
_PIECE_BYTES = 65_536
#: A piece may take that many times as long as the next bytes of a body, which come in smaller ones.
_PATIENCE = 3
#: At one moment, for one address; and for all, beyond which an address has a few.
MOST_OF_ADDRESS, MOST, FEW = 16, 64, 2


class Sends(Protocol):
    """The visitor who is answered."""

    def response_file(self, status: int, headers: list[tuple[str, str]], file: str) -> None: ...


class LargeAnswers:
    """Those that are on their way."""

    def __init__(self, limits: Limits) -> None:
        self._limits = replace(limits, seconds=math.inf, pause_seconds=_PATIENCE * limits.pause_seconds)
        self.n_sent = Counter[str]()

    def is_free(self, address: str) -> bool:
        """Return whether one more may be sent there now."""
        return self.n_sent[address] < (MOST_OF_ADDRESS if self.n_sent.total() < MOST else FEW)

    @contextmanager
    def counted(self, address: str) -> Iterator[None]:
        """Meanwhile one more is on its way there."""
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
                # Of an answer that ends before its length the server closes the connection.
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
                        # The server has opened it by now; without ours it is closed when the server has done with it.
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
