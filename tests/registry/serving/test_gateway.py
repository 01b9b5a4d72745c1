"""Requests through the gateway: what the application is told, what the visitor gets, and what ends with one request."""

import asyncio
import io
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any
from wsgiref.types import WSGIApplication, WSGIEnvironment
from wsgiref.validate import validator

import pytest
from django.core.handlers.wsgi import WSGIRequest

from registry.core.http import REFUSED
from registry.serving.bodies import Limits
from registry.serving.gateway import Gateway, environment_of
from tests.registry.serving.loops import on_a_loop

LIMITS = Limits(max_bytes=1000, seconds=600, pause_seconds=0.2, bytes_per_second=500, max_open=500)


class Headers(list[tuple[str, str]]):
    """Headers as Granian has them: all of them in turn, the first of a name, whether there is one."""

    def items(self) -> list[tuple[str, str]]:
        return self

    def get(self, name: str) -> str:
        return dict(reversed(self))[name]

    def __contains__(self, name: object) -> bool:
        return any(known == name for known, _ in self)


class Scope:
    """A request as Granian describes it."""

    def __init__(self, method: str = "GET", path: str = "/", query_string: str = "", **other: Any) -> None:
        self.method, self.path, self.query_string = method, path, query_string
        self.http_version, self.scheme, self.server = "1.1", "http", "127.0.0.1:8000"
        self.client = other.get("client", "192.0.2.7:41234")
        self.headers = Headers(other.get("headers", []))


class Visitor:
    """A visitor who sends these chunks, and keeps what comes back."""

    def __init__(self, *chunks: bytes, silent: bool = False) -> None:
        self._chunks, self._silent = chunks, silent
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.file = ""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk
        if self._silent:
            await asyncio.Event().wait()

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status, self.headers, self.body = status, dict(headers), body

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None:
        self.response_bytes(status, headers, b"")

    def response_file(self, status: int, headers: list[tuple[str, str]], file: str) -> None:
        self.status, self.headers, self.file = status, dict(headers), file


def send(application: WSGIApplication, *requests: tuple[Scope, Visitor]) -> None:
    """Send the requests one after the other."""

    async def one_by_one(gateway: Gateway) -> None:
        for scope, visitor in requests:
            await gateway.__rsgi__(scope, visitor)

    serve(application, one_by_one)


def serve(application: WSGIApplication, visit: Callable[[Gateway], Awaitable[None]]) -> None:
    """A gateway as long as the visit lasts; who sends no body reads."""

    async def open_and_close() -> None:
        gateway = Gateway(
            application,
            LIMITS,
            is_reading=lambda scope: scope.method == "GET",
            large=replace(LIMITS, max_bytes=200_000),
            may_be_large=lambda scope: "authorization" in scope.headers,
        )
        gateway.__rsgi_init__(asyncio.get_running_loop())
        await visit(gateway)
        gateway.__rsgi_del__(asyncio.get_running_loop())

    on_a_loop(open_and_close())


def echo(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
    """Says what was sent, or why it was not read."""
    start("200 OK", [("Content-Type", "text/plain")])
    return [str(environment.get(REFUSED, "")).encode(), environment["wsgi.input"].read()]


def post(length: object, *chunks: bytes, silent: bool = False, **more: str) -> tuple[Scope, Visitor]:
    headers = [("content-length", str(length)), *more.items()]
    return Scope("POST", headers=headers), Visitor(*chunks, silent=silent)


def test_a_body_reaches_the_application_whole() -> None:
    request = post(6, b"abc", b"def")
    send(echo, request)
    assert (request[1].status, request[1].body) == (200, b"abcdef")
    assert "connection" not in request[1].headers


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (post(100_000, b"a=", silent=True), 413),
        (post(100, b"a=", silent=True), 408),
        (post("5, 5", b"abcde"), 400),
        ((Scope("POST", headers=[("transfer-encoding", "chunked")]), Visitor(b"abc")), 411),
    ],
)
def test_a_body_that_is_not_read_is_refused_and_the_connection_closed(
    request_: tuple[Scope, Visitor], status: int
) -> None:
    send(echo, request_)
    assert (request_[1].body, request_[1].headers["connection"]) == (str(status).encode(), "close")


@pytest.mark.parametrize(("length", "status"), [(150_000, ""), (250_000, "413")])
def test_a_large_body_is_taken_from_who_may_send_one(length: int, status: str) -> None:
    allowed, other = (post(length, b"a" * length, **more) for more in ({"authorization": "Bearer x"}, {}))
    send(echo, allowed, other)
    assert allowed[1].body == (status.encode() or b"a" * length)
    assert other[1].body == b"413"


def test_nothing_is_done_for_who_left() -> None:
    asked: list[WSGIEnvironment] = []

    def remember(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        asked.append(environment)
        return echo(environment, start)

    request = post(100, b"a=")
    send(remember, request)
    assert asked == []
    assert request[1].status == 400


def test_a_body_that_cannot_be_stored_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> IO[bytes]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("registry.serving.bodies.SpooledTemporaryFile", full)
    request = post(6, b"abcdef")
    send(echo, request)
    assert request[1].body == b"507"


def test_who_reads_does_not_wait_for_who_writes() -> None:
    read = threading.Event()

    def write_once_read(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        if environment["REQUEST_METHOD"] == "POST":
            assert read.wait(60)
        else:
            read.set()
        return echo(environment, start)

    async def visit(gateway: Gateway) -> None:
        # The writers come first, and are answered only once the reader was.
        await asyncio.gather(*(gateway.__rsgi__(*request) for request in requests))

    requests = [post(1, b"a"), post(1, b"b"), (Scope(), Visitor())]
    serve(write_once_read, visit)
    assert [visitor.status for _, visitor in requests] == [200, 200, 200]


def test_a_failure_ends_its_request_alone() -> None:
    def fail_on_query(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        if environment["QUERY_STRING"]:
            raise SystemExit("the application ends")
        return echo(environment, start)

    requests = [(Scope(query_string=text), Visitor()) for text in ("fail", "")]
    send(fail_on_query, *requests)
    assert [visitor.status for _, visitor in requests] == [500, 200]


def test_a_file_is_left_to_the_server_and_closed(tmp_path: Path) -> None:
    path = tmp_path / "large.js"
    path.write_bytes(b"x" * 100)
    opened: list[IO[bytes]] = []

    def answer(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [("Content-Length", "100")])
        opened.append(path.open("rb"))
        wrapped: Iterable[bytes] = environment["wsgi.file_wrapper"](opened[0])
        return wrapped

    visitor = Visitor()
    send(answer, (Scope(), visitor))
    assert (visitor.status, visitor.file) == (200, str(path))
    assert opened[0].closed


def test_what_is_no_file_with_a_name_is_read_here() -> None:
    def answer(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        start("206 Partial Content", [])
        wrapped: Iterable[bytes] = environment["wsgi.file_wrapper"](io.BytesIO(b"part"))
        return wrapped

    visitor = Visitor()
    send(answer, (Scope(), visitor))
    assert (visitor.status, visitor.body) == (206, b"part")


def test_the_environment_is_what_the_standard_asks_for() -> None:
    @validator
    def hello(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [("Content-Type", "text/plain")])
        return [b"hello"]

    visitor = Visitor()
    send(hello, (Scope(headers=[("host", "localhost")]), visitor))
    assert visitor.body == b"hello"


def test_django_reads_the_request_as_it_was_sent() -> None:
    headers = [
        ("host", "registry.example"),
        ("content-type", "text/csv"),
        ("content-length", "3"),
        ("cookie", "a=1"),
        ("cookie", "b=2"),
        ("accept", "text/html"),
        ("accept", "text/plain"),
    ]
    scope = Scope("POST", "/collections/é ü/", "q=%C3%A9&page=2", headers=headers, client="[2001:db8::1]:5")
    request = WSGIRequest(environment_of(scope, io.BytesIO(b"a,b")))
    assert (request.method, request.path, request.get_full_path()) == (
        "POST", "/collections/é ü/", "/collections/%C3%A9%20%C3%BC/?q=%C3%A9&page=2",
    )  # fmt: skip
    assert request.GET["q"] == "é"
    assert request.body == b"a,b"
    assert request.content_type == "text/csv"
    assert request.COOKIES == {"a": "1", "b": "2"}
    assert request.headers["Accept"] == "text/html,text/plain"
    assert request.META["REMOTE_ADDR"] == "2001:db8::1"
    assert (request.META["SERVER_NAME"], request.META["SERVER_PORT"]) == ("127.0.0.1", "8000")


def test_a_header_cannot_be_passed_off_as_the_proxys() -> None:
    scope = Scope(headers=[("x-forwarded-for", "192.0.2.1"), ("x_forwarded_for", "203.0.113.9")])
    assert environment_of(scope, io.BytesIO())["HTTP_X_FORWARDED_FOR"] == "192.0.2.1"
