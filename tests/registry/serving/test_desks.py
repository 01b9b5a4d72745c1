"""Processes that compute: what they are asked comes back whole, and one that dies takes nobody with it."""

import io
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIEnvironment

import pytest

from registry.core.kept import KEPT, Kept
from registry.serving.desks import Desk, DeskLostError, Nursery


def application(environment: WSGIEnvironment, start: Callable[..., Any]) -> Iterable[bytes]:
    """Do what the path says."""
    path = environment["PATH_INFO"]
    if path == "/dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if path == "/fails":
        raise SystemExit("the application ends")
    start("200 OK", [("Content-Type", "text/plain")])
    if path == "/process":
        environment[KEPT] = Kept.BUILT
        return [str(os.getpid()).encode()]
    if path == "/file":
        wrapped: Iterable[bytes] = environment["wsgi.file_wrapper"](open(environment["QUERY_STRING"], "rb"))  # noqa: SIM115
        return wrapped
    return [environment["wsgi.input"].read()]


@pytest.fixture
def desk() -> Iterator[Desk]:
    nursery = Nursery(application)
    yield Desk(nursery)
    nursery.close()


def ask(desk: Desk, path: str, body: bytes = b"", query: str = "") -> Any:
    environment = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "QUERY_STRING": query}
    return desk.answer(environment, io.BytesIO(body))


def test_it_answers_in_a_process_of_its_own_and_says_what_it_took(desk: Desk) -> None:
    first, second = ask(desk, "/process"), ask(desk, "/process")
    assert int(first.content) != os.getpid()
    assert first.content == second.content
    assert (first.status, first.kept, first.headers) == (200, Kept.BUILT, [("Content-Type", "text/plain")])
    assert first.seconds >= 0


def test_a_body_comes_whole_and_so_does_the_answer(desk: Desk, tmp_path: Path) -> None:
    assert ask(desk, "/", b"a" * 1000).content == b"a" * 1000
    long = tmp_path / "body"
    long.write_bytes(b"b" * 3_000_000)
    with long.open("rb") as body:
        body.read(10)
        assert desk.answer({"PATH_INFO": "/"}, body).content == b"b" * 3_000_000


def test_a_file_is_handed_over_as_one(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"c" * 200_000)
    with ask(desk, "/file", query=str(tmp_path / "large")).content as file:
        assert file.read() == b"c" * 200_000


def test_one_that_dies_is_replaced_and_one_that_fails_goes_on(desk: Desk) -> None:
    process = ask(desk, "/process").content
    with pytest.raises(DeskLostError, match="the application ends"):
        ask(desk, "/fails")
    assert ask(desk, "/process").content == process
    with pytest.raises(DeskLostError, match="died"):
        ask(desk, "/dies")
    assert ask(desk, "/process").content not in {process, str(os.getpid()).encode()}
