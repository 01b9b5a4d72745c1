"""Slow and silent visitors of a real server, embedded and as a team has it: everybody else is answered meanwhile."""

import json
import re
import select
import socket
import time
from http.client import HTTPResponse

import pytest

from tests.registry.core.full_disk import TOKEN
from tests.registry.core.lab import Lab, ask, until
from tests.slow_clients import Crowd

pytestmark = pytest.mark.slow

#: Far more than a page takes on the busiest machine; far less than who waits for a silent visitor has to wait.
_PATIENCE_SECONDS = 15
_A_FORM = b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\na="
_IMPATIENT = {"LAB_BODY_PAUSE_SECONDS": "2", "LAB_BODY_BYTES_PER_SECOND": "10", "LAB_HEADER_SECONDS": "2"}


def read(port: int) -> tuple[HTTPResponse, str]:
    """Read a page, for a reader with a connection of their own."""
    answer, content = ask(port, "/accounts/login/", seconds=_PATIENCE_SECONDS)
    assert answer.status == 200
    return answer, content


def say(port: int, *parts: bytes, pause: float = 0) -> bytes:
    """Return what is answered to the parts, sent with pauses, until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_SECONDS) as connection:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    return answer


def largest_file(lab: Lab) -> str:
    """Return the address of a file that no buffer on the way holds."""
    folder = lab.home / "static"
    largest = max(folder.rglob("*.js"), key=lambda path: path.stat().st_size)
    assert largest.stat().st_size > 3_000_000
    return f"/static/{largest.relative_to(folder).as_posix()}"


def test_readers_are_answered_meanwhile(lab: Lab) -> None:
    port = lab.start_web()
    for crowd in (
        Crowd.with_half_open_bodies(port, 1),
        Crowd.with_half_open_bodies(port, 20),
        Crowd.with_half_open_bodies(port, 200),
        Crowd.with_idle_headers(port, 200),
        Crowd.with_slow_uploads(port, 20),
        Crowd.with_slow_readers(port, 20, largest_file(lab)),
    ):
        with crowd:
            time.sleep(0.5)
            for _ in range(10):
                read(port)


def test_who_is_silent_is_sent_away_and_comes_back_in_vain(lab: Lab) -> None:
    port = lab.start_web(**_IMPATIENT)
    with Crowd.with_half_open_bodies(port, 50) as bodies, Crowd.with_idle_headers(port, 50) as headers:
        until(lambda: min(len(bodies.replies), len(headers.replies)) > 100, 60, "everybody was sent away twice")
        read(port)
    assert set(bodies.replies) == {b"HTTP/1.1 408 Request Timeout"}
    assert set(headers.replies) == {b""}


def test_bodies_are_read_or_refused(lab: Lab) -> None:
    port = lab.start_web(**_IMPATIENT)
    a_form_that_takes_longer_than_a_pause_is_read(port)
    what_is_not_read_is_said_in_one_shape(port)
    # All of a large file can be sent before the refusal is read.
    assert ask(port, "/submit/", "POST", "x" * 20_000_000, seconds=_PATIENCE_SECONDS)[0].status == 413


def a_form_that_takes_longer_than_a_pause_is_read(port: int) -> None:
    page, content = read(port)
    cookie = page.headers["Set-Cookie"].partition(";")[0]
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', content)
    body = f"csrfmiddlewaretoken={token}&login=nobody%40example.org&password=wrong".encode()
    head = (
        f"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nConnection: close\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    answer = say(port, head, body[:30], body[30:60], body[60:], pause=0.9)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"nobody@example.org" in answer


def what_is_not_read_is_said_in_one_shape(port: int) -> None:
    post = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\na="
    for path in (b"/accounts/login/", b"/api/v1/review-table/"):
        chunked = b"POST %s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n" % path
        for request, status, words in (
            (post % (path, 100_000), 408, "did not arrive in time"),
            (post % (path, 7_000_000), 413, "the most that fits at once"),
            (chunked, 411, "Content-Length"),
        ):
            head, _, content = say(port, request).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 %d " % status)
            assert b"connection: close" in head
            assert b"content-security-policy: " in head
            if path.startswith(b"/api/"):
                error = json.loads(content)
                assert (error["ok"], error["status"], len(error["errors"])) == (False, status, 1)
                assert words in error["error"]
            else:
                assert words in content.decode()
                assert "<h1>" in content.decode()


def test_strangers_neither_send_much_nor_end_what_others_send(lab: Lab) -> None:
    port = lab.start_web(LAB_MAX_OPEN_BODIES="1", LAB_MAX_OPEN_RUNS="1")
    token = lab.shell(TOKEN).strip().encode()
    head = b"POST /api/v1/%s/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_SECONDS) as known:
        known.sendall(head % (b"submissions", token, 10) + b"[")
        time.sleep(0.5)
        for _ in range(14):
            # Nothing of the body is sent, and the answer is there.
            with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_SECONDS) as stranger:
                stranger.sendall(head % (b"runs", b"plumb_nonsense", 100_000_000))
                assert stranger.recv(65536).startswith(b"HTTP/1.1 401 ")
        refused = refused_beside(port)
        assert refused.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: " in refused
        known.sendall(b"]" + 8 * b" ")
        # All of it was read: it is an answer to what stands in it.
        assert known.recv(65536).startswith(b"HTTP/1.1 415 ")


def refused_beside(port: int) -> bytes:
    """Return what a stranger with a form is told by the process that reads another's body; others of a team take it."""
    for _ in range(40):
        with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_SECONDS) as stranger:
            stranger.sendall(_A_FORM % 100_000)
            answered, _, _ = select.select([stranger], [], [], 1)
            if answered:
                return stranger.recv(65536)
    return b"every form was taken"
