"""Requests as RSGI describes them, and as WSGI does."""

import sys
from collections.abc import AsyncIterable
from typing import IO, Protocol
from wsgiref.types import WSGIEnvironment

from django.utils.encoding import iri_to_uri

from registry.serving.desks import File

_BASE: WSGIEnvironment = {
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "Granian",
    "wsgi.version": (1, 0),
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
_OF_THE_BODY = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


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
    """The visitor, who sends the body in chunks and gets one answer. Any thread may answer, and never waits."""

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None: ...
    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None: ...
    def response_file(self, status: int, headers: list[tuple[str, str]], file: str) -> None: ...
    async def client_disconnect(self) -> None: ...


def environment_of(scope: Scope, body: IO[bytes]) -> WSGIEnvironment:
    """Return the request as WSGI describes it."""
    server, _, port = scope.server.rpartition(":")
    return {
        **_BASE,
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": iri_to_uri(scope.query_string),
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": File,
        **_headers(scope.headers),
    }


def _headers(headers: Headers) -> dict[str, str]:
    """Return the headers as WSGI has them; one that can’t be read is blank, so that whoever needs it refuses it."""
    found: dict[str, str] = {}
    items = headers.items()
    unread = {*headers.keys()} - {name for name, _ in items}
    for name, value in (*items, *((name, "") for name in unread)):
        if "_" in name:
            # In the environment it would pass for the header with hyphens, which a proxy may have set.
            continue
        key = _OF_THE_BODY.get(name) or f"HTTP_{name.replace('-', '_').upper()}"
        found[key] = f"{found[key]}{'; ' if name == 'cookie' else ','}{value}" if key in found else value
    return found
