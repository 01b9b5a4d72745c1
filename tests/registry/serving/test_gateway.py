"""Requests through the gateway: what the application is told, what the visitor gets, and what ends with one request."""

import asyncio
import errno
import io
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

import pytest
from django.core.handlers.wsgi import WSGIRequest

from registry.core.http import AT_HEADERS, REFUSED, RETRY_AFTER, SENDER
from registry.core.kept import KEPT, ONLY_KEPT, Kept
from registry.serving.bodies import Limits
from registry.serving.fairness import Budget
from registry.serving.gateway import Gateway
from registry.serving.scopes import environment_of
from tests.registry.serving.loops import on_a_loop

LIMITS = Limits(max_bytes=1000, seconds=600, pause_seconds=0.2, bytes_per_second=500, max_open=500)


class Headers(list[tuple[str, str]]):
    """Headers as Granian has them: all of them in turn, the first of a name, whether there is one.

    Of a value that is not ASCII it tells the name alone.
    """

    def items(self) -> list[tuple[str, str]]:
        return [(name, value) for name, value in self if value.isascii()]

    def keys(self) -> list[str]:
        return [name for name, _ in self]

    def get(self, name: str) -> str | None:
        return dict(reversed(self.items())).get(name)

    def __contains__(self, name: object) -> bool:
        return any(known == name for known, _ in self)


class Scope:
    """A request as Granian describes it."""

    def __init__(self, method: str = "GET", path: str = "/", query_string: str = "", **other: Any) -> None:
        self.method, self.path, self.query_string = method, path, query_string
        self.http_version, self.scheme, self.server = "1.1", "http", "127.0.0.1:8000"
        self.client = other.get("client", "192.0.2.7:41234")
        headers = other.get("headers", [])
        self.headers = Headers(headers if other.get("has_host") is False else [("host", "127.0.0.1:8000"), *headers])


class Visitor:
    """A visitor who sends these chunks, and keeps what comes back."""

    def __init__(self, *chunks: bytes, silent: bool = False) -> None:
        self._chunks, self._silent = chunks, silent
        self.status = 0
        self.headers: dict[str, str] = {}
        self._body = b""
        self._reading: threading.Thread | None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk
        if self._silent:
            await asyncio.Event().wait()

    async def client_disconnect(self) -> None:
        await asyncio.Event().wait()

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status, self.headers, self._body = status, dict(headers), body

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None:
        self.response_bytes(status, headers, b"")

    def response_file(self, status: int, headers: list[tuple[str, str]], file: str) -> None:
        self.status, self.headers = status, dict(headers)
        opened = open(file, "rb")  # noqa: SIM115  (whoever reads it closes it)
        self._reading = threading.Thread(target=self._read, args=[opened])
        self._reading.start()

    def _read(self, file: IO[bytes]) -> None:
        with file:
            self._body = file.read()

    @property
    def body(self) -> bytes:
        """Return all that came back."""
        if self._reading:
            self._reading.join()
        return self._body


def send(application: WSGIApplication, *requests: tuple[Scope, Visitor]) -> None:
    """Send the requests one after the other."""

    async def one_by_one(gateway: Gateway) -> None:
        for scope, visitor in requests:
            await gateway.__rsgi__(scope, visitor)

    serve(application, one_by_one)


def serve(
    application: WSGIApplication,
    visit: Callable[[Gateway], Awaitable[None]],
    budget: Budget | None = None,
    *,
    max_open: int = 500,
    n_desks: int = 0,
) -> None:
    """Run a gateway as long as the visit lasts; who sends no body reads."""

    async def open_and_close() -> None:
        gateway = Gateway(
            application,
            replace(LIMITS, max_open=max_open),
            is_reading=lambda scope: scope.method == "GET",
            address_of=lambda scope: scope.client.partition(":")[0],
            budget=budget or Budget(30, 300),
            large=replace(LIMITS, max_bytes=200_000),
            may_be_large=lambda scope: "authorization" in scope.headers,
            is_asked=lambda scope: "authorization" in scope.headers,
            n_desks=n_desks,
        )
        gateway.__rsgi_init__(asyncio.get_running_loop())
        await visit(gateway)
        gateway.__rsgi_del__(asyncio.get_running_loop())

    on_a_loop(open_and_close())


def echo(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
    """Say what was sent, or why it was not read; of who is asked before that, whether they are known."""
    if AT_HEADERS in environment:
        name = environment["HTTP_AUTHORIZATION"].removeprefix("Bearer ")
        start("401 Unauthorized" if name == "nobody" else "100 Continue", [(SENDER, name)])
        return [b"nobody is called so"] * (name == "nobody")
    start("200 OK", [("Content-Type", "text/plain")])
    return [str(environment.get(REFUSED, "")).encode(), environment["wsgi.input"].read()]


def post(length: object, *chunks: bytes, silent: bool = False, **more: str) -> tuple[Scope, Visitor]:
    headers = [("content-length", str(length)), *more.items()]
    return Scope("POST", headers=headers), Visitor(*chunks, silent=silent)


@pytest.mark.parametrize(
    ("request_", "body"),
    [
        (post(1000, b"a" * 1000), b"a" * 1000),
        (post(1001, b"a" * 1001), b"413"),
        (post(200_000, b"a" * 200_000, authorization="Bearer ada"), b"a" * 200_000),
        (post(200_001, b"a" * 200_001, authorization="Bearer ada"), b"413"),
        (post(0), b""),
        (post("-1", b"a"), b"400"),
        (post("", b"a"), b"400"),
        (post("5, 5", b"abcde"), b"400"),
        (post(100_000, b"a=", silent=True), b"413"),
        (post(100, b"a=", silent=True), b"408"),
        ((Scope("POST", headers=[("transfer-encoding", "chunked")]), Visitor(b"abc")), b"411"),
    ],
)
def test_a_body_is_read_or_refused_and_the_connection_closed(request_: tuple[Scope, Visitor], body: bytes) -> None:
    send(echo, request_)
    assert request_[1].body == body
    assert (request_[1].headers.get("connection") == "close") == body.isdigit()


def test_strangers_never_end_what_somebody_known_sends() -> None:
    async def visit(gateway: Gateway) -> None:
        known = asyncio.create_task(gateway.__rsgi__(*slow))
        await slow[1].begun.wait()
        for stranger in strangers:
            await gateway.__rsgi__(*stranger)
        slow[1].goes_on.set()
        await known

    slow = (post(6, authorization="Bearer ada")[0], Slow(b"abc", b"def"))
    strangers = [post(3, b"abc") for _ in range(14)]
    serve(echo, visit, max_open=1)
    assert {visitor.body for _, visitor in strangers} == {b"503"}
    assert slow[1].body == b"abcdef"


class Slow(Visitor):
    """Sends a first chunk, and the others once it ``goes_on``."""

    def __init__(self, *chunks: bytes) -> None:
        super().__init__(*chunks)
        self.begun, self.goes_on = asyncio.Event(), asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        first, *others = self._chunks
        yield first
        self.begun.set()
        await self.goes_on.wait()
        for chunk in others:
            yield chunk


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_body_that_cannot_be_stored_is_refused(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def full(*_: object) -> IO[bytes]:
        raise OSError(number, "No space left on device")

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


@pytest.mark.parametrize("n", [100, 65_536, 65_537, 300_000])
def test_a_file_is_sent_and_closed(tmp_path: Path, n: int) -> None:
    path = tmp_path / "large.js"
    path.write_bytes(b"x" * n)
    opened: list[IO[bytes]] = []

    def answer(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [("Content-Length", str(n))])
        opened.append(path.open("rb"))
        wrapped: Iterable[bytes] = environment["wsgi.file_wrapper"](opened[0])
        return wrapped

    visitor = Visitor()
    send(answer, (Scope(), visitor))
    assert (visitor.status, visitor.body) == (200, b"x" * n)
    assert opened[0].closed


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
    scope = Scope("POST", "/collections/é ü/", "q=%C3%A9&page=2&r=→", headers=headers, client="[2001:db8::1]:5")
    request = WSGIRequest(environment_of(scope, io.BytesIO(b"a,b")))
    assert (request.method, request.path, request.get_full_path()) == (
        "POST", "/collections/é ü/", "/collections/%C3%A9%20%C3%BC/?q=%C3%A9&page=2&r=%E2%86%92",
    )  # fmt: skip
    assert (request.GET["q"], request.GET["r"]) == ("é", "→")
    assert request.body == b"a,b"
    assert request.content_type == "text/csv"
    assert request.COOKIES == {"a": "1", "b": "2"}
    assert request.headers["Accept"] == "text/html,text/plain"
    assert request.META["REMOTE_ADDR"] == "2001:db8::1"
    assert (request.META["SERVER_NAME"], request.META["SERVER_PORT"]) == ("127.0.0.1", "8000")


def test_a_header_cannot_be_passed_off_as_the_proxys() -> None:
    scope = Scope(headers=[("x-forwarded-for", "192.0.2.1"), ("x_forwarded_for", "203.0.113.9")])
    assert environment_of(scope, io.BytesIO())["HTTP_X_FORWARDED_FOR"] == "192.0.2.1"


class Pages:
    """An application whose pages at ``/kept`` are kept, and that counts what it computes.

    What it computes costs as much as ``spend`` does; it says of every answer what it was.
    """

    def __init__(self, spend: Callable[[], object] = lambda: None) -> None:
        self.kept, self.computed = set[str](), list[str]()
        self._spend = spend

    def __call__(self, environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        page = f"{environment['PATH_INFO']}?{environment['QUERY_STRING']}"
        is_keeping = page.startswith("/kept")
        if RETRY_AFTER in environment:
            start("429 Too Many Requests", [("Retry-After", str(environment[RETRY_AFTER]))])
            return [b"refused"]
        start("200 OK", [])
        if is_keeping and page in self.kept:
            environment[KEPT] = Kept.FOUND
            return [b"found"]
        if is_keeping and environment.get(ONLY_KEPT):
            environment[KEPT] = Kept.MISSING
            return [b"missing"]
        assert ONLY_KEPT not in environment
        self.computed.append(page)
        self._spend()
        if is_keeping:
            environment[KEPT] = Kept.BUILT
            self.kept.add(page)
        return [b"computed"]


def get(path: str, query_string: str = "", address: str = "192.0.2.1") -> tuple[Scope, Visitor]:
    return Scope(path=path, query_string=query_string, client=f"{address}:5"), Visitor()


def busy() -> None:
    """Take more processor time than a budget of nothing has."""
    ends = time.thread_time() + 0.002
    while time.thread_time() < ends:
        pass


def test_what_is_kept_costs_nothing_and_is_answered_to_who_used_a_budget_up() -> None:
    pages = Pages(busy)
    first, again, dear, other = get("/kept"), get("/kept"), get("/dear"), get("/dear", address="192.0.2.2")

    async def visit(gateway: Gateway) -> None:
        for request in (first, dear, again, other):
            await gateway.__rsgi__(*request)

    serve(pages, visit, Budget(0.001, 300))
    assert [visitor.body for _, visitor in (first, again, dear, other)] == [
        b"computed",
        b"found",
        b"refused",
        b"computed",
    ]
    assert dear[1].status == 429
    assert 0 < int(dear[1].headers["Retry-After"]) < 10_000


def test_what_has_to_be_computed_after_all_reads_its_body_again() -> None:
    asked: list[bool] = []

    def repeat(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        asked.append(bool(environment.get(ONLY_KEPT)))
        body = environment["wsgi.input"].read()
        start("200 OK", [])
        environment[KEPT] = Kept.MISSING if asked[-1] else Kept.BUILT
        return [body]

    def request() -> tuple[Scope, Visitor]:
        return Scope(path="/kept", headers=[("content-length", "3")]), Visitor(b"abc")

    async def visit(gateway: Gateway) -> None:
        await gateway.__rsgi__(*request())
        # It is remembered just after it is answered.
        while True not in asked and len(asked) < 99:
            await gateway.__rsgi__(*(again := request()))
        assert (asked[-2:], again[1].body) == ([True, False], b"abc")

    serve(repeat, visit)


def test_a_page_is_computed_once_for_all_who_wait_for_it() -> None:
    everybody_asked = threading.Event()
    pages = Pages(lambda: everybody_asked.wait(60))
    same = [get("/kept", "rows=300", f"192.0.2.{number}") for number in range(1, 6)]

    async def visit(gateway: Gateway) -> None:
        asked = [asyncio.ensure_future(gateway.__rsgi__(*request)) for request in [*same, get("/other")]]
        await asyncio.sleep(0)
        everybody_asked.set()
        await asyncio.gather(*asked)

    serve(pages, visit)
    assert sorted(pages.computed) == ["/kept?rows=300", "/other?"]
    assert sorted(visitor.body for _, visitor in same) == [b"computed", *[b"found"] * 4]


def test_what_is_kept_waits_for_nothing_that_is_computed() -> None:
    was_read = threading.Event()

    def wait_for_the_reader() -> None:
        assert was_read.wait(60)

    pages = Pages()
    cheap, dear = get("/kept"), [get("/dear", str(number)) for number in range(3)]

    async def visit(gateway: Gateway) -> None:
        await gateway.__rsgi__(*get("/kept"))
        # From now on nothing is computed before the kept page was read.
        pages._spend = wait_for_the_reader
        computing = [asyncio.ensure_future(gateway.__rsgi__(*request)) for request in dear]
        await asyncio.sleep(0)
        await gateway.__rsgi__(*cheap)
        was_read.set()
        await asyncio.gather(*computing)

    serve(pages, visit)
    assert cheap[1].body == b"found"
    assert [visitor.status for _, visitor in dear] == [200, 200, 200]


def test_a_page_of_the_record_waits_for_nothing_that_somebody_makes_up(tmp_path: Path) -> None:
    def application(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        while environment["QUERY_STRING"] and not (tmp_path / "read").exists():
            time.sleep(0.01)
        start("200 OK", [])
        return [b"computed"]

    async def visit(gateway: Gateway) -> None:
        computing = [asyncio.ensure_future(gateway.__rsgi__(*get("/board", f"n={number}"))) for number in range(3)]
        await asyncio.sleep(0.1)
        await gateway.__rsgi__(*page)
        (tmp_path / "read").touch()
        await asyncio.gather(*computing)

    page = get("/board")
    serve(application, visit, n_desks=1)
    assert page[1].body == b"computed"


def test_what_somebody_asked_who_left_is_not_computed() -> None:
    goes_on, asked = threading.Event(), list[str]()

    def wait_for_the_first(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        asked.append(environment["PATH_INFO"])
        assert goes_on.wait(60)
        return echo(environment, start)

    class Leaving(Visitor):
        async def client_disconnect(self) -> None:
            pass

    async def visit(gateway: Gateway) -> None:
        stays = asyncio.create_task(gateway.__rsgi__(Scope("POST", "/1"), visitors[0]))
        await asyncio.sleep(0)
        await gateway.__rsgi__(Scope("POST", "/2"), Leaving())
        goes_on.set()
        await stays
        await gateway.__rsgi__(Scope("POST", "/3"), visitors[1])

    visitors = Visitor(), Visitor()
    serve(wait_for_the_first, visit)
    assert asked == ["/1", "/3"]
    assert [visitor.status for visitor in visitors] == [200, 200]


def test_an_address_takes_few_large_answers_at_a_time() -> None:
    def large(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
        environment[KEPT] = Kept.FOUND
        start("200 OK", [])
        return [b"x" * 200_000]

    class NotReading(Visitor):
        def _read(self, file: IO[bytes]) -> None:
            with file:
                assert reads.wait(60)
                super()._read(file)

    async def visit(gateway: Gateway) -> None:
        await gateway.__rsgi__(Scope(), Visitor())
        waiting = [asyncio.create_task(gateway.__rsgi__(Scope(), visitor)) for visitor in slow]
        await asyncio.sleep(0.5)
        for client, visitor in others.items():
            await gateway.__rsgi__(Scope(client=client), visitor)
        reads.set()
        await asyncio.gather(*waiting)

    reads = threading.Event()
    slow = [NotReading() for _ in range(20)]
    others = {"192.0.2.7:1": Visitor(), "192.0.2.8:1": Visitor()}
    serve(large, visit)
    assert [visitor.status for visitor in slow] == [200] * 16 + [429] * 4
    assert [len(visitor.body) for visitor in slow[:16]] == [200_000] * 16
    assert [visitor.status for visitor in others.values()] == [429, 200]
    assert b"large answers" in slow[-1].body
    assert slow[-1].headers["retry-after"] == "10"


def test_a_request_that_names_no_site_is_refused_where_its_version_of_http_asks_for_one() -> None:
    asked: list[WSGIEnvironment] = []

    def application(environment: WSGIEnvironment, start_response: Any) -> list[bytes]:
        asked.append(environment)
        start_response("200 OK", [])
        return [b"answered"]

    new, old = Scope(has_host=False), Scope(has_host=False)
    old.http_version = "1.0"
    visitors = Visitor(), Visitor()
    send(application, (new, visitors[0]), (old, visitors[1]))
    assert [visitor.status for visitor in visitors] == [400, 200]
    assert visitors[0].body == b"Say which site is asked, in Host.\n"
    assert len(asked) == 1
