"""Clients that begin something and leave a site waiting for the rest."""

import socket
import threading
from collections.abc import Sequence
from itertools import cycle
from types import TracebackType

#: With a cookie that anybody can make up, so that the form is read to find the token in it.
_FORM = (
    b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Cookie: csrftoken=0123456789abcdef0123456789abcdef\r\nContent-Length: %d\r\n\r\na="
)
_HEADERS = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
_TICK_SECONDS = 0.1


class Crowd:
    """``n`` clients that send ``begin`` and then ``more`` ten times a second, as long as the ``with`` lasts.

    Who is sent away comes back, so that there are always as many. ``replies`` has the first line of every farewell.
    """

    def __init__(
        self, port: int, n: int, begin: bytes, more: bytes = b"", *, receive_buffer_bytes: int = 0,
        addresses: Sequence[str] = ("127.0.0.1",),
    ) -> None:  # fmt: skip
        self.replies: list[bytes] = []
        self._port = port
        self._n = n
        self._begin = begin
        self._more = more
        self._receive_buffer_bytes = receive_buffer_bytes
        self._addresses = cycle(addresses)
        self._clients: list[socket.socket] = []
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._stay)

    @classmethod
    def with_half_open_bodies(cls, port: int, n: int) -> "Crowd":
        """Two bytes of a form of 100,000, and silence."""
        return cls(port, n, _FORM % (b"/accounts/login/", 100_000))

    @classmethod
    def with_idle_headers(cls, port: int, n: int) -> "Crowd":
        """Headers that do not end."""
        return cls(port, n, _HEADERS)

    @classmethod
    def with_slow_uploads(cls, port: int, n: int) -> "Crowd":
        """A table of 5 MB at 2 kB/s."""
        return cls(port, n, _FORM % (b"/submit/", 5_000_000), b"x" * 200)

    @classmethod
    def with_slow_readers(cls, port: int, n: int, path: str, addresses: Sequence[str] = ("127.0.0.1",)) -> "Crowd":
        """Somebody who asks for a large file and does not take it, from these addresses in turn."""
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        return cls(port, n, asked, receive_buffer_bytes=4096, addresses=addresses)

    def __enter__(self) -> "Crowd":
        self._clients = [self._come() for _ in range(self._n)]
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.set()
        self._thread.join()
        for client in self._clients:
            client.close()

    def _come(self) -> socket.socket:
        client = socket.socket()
        if self._receive_buffer_bytes:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._receive_buffer_bytes)
        client.bind((next(self._addresses), 0))
        client.connect(("127.0.0.1", self._port))
        client.sendall(self._begin)
        client.setblocking(False)
        return client

    def _stay(self) -> None:
        while not self._ends.wait(_TICK_SECONDS):
            self._clients = [self._tick(client) for client in self._clients]

    def _tick(self, client: socket.socket) -> socket.socket:
        if self._receive_buffer_bytes:
            return client
        try:
            if self._more:
                client.send(self._more)
            self.replies.append(client.recv(4096).partition(b"\r\n")[0])
        except BlockingIOError:
            return client
        except ConnectionError:
            self.replies.append(b"")
        client.close()
        return self._come()
