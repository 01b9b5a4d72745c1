"""Starting the web server: the same on every shape, with as many connections as the system allows."""

import os
import resource
import socket
import sys
from typing import Any

import pytest

from registry.serving import __main__ as serving
from registry.serving.__main__ import allow_connections, refuse_taken


@pytest.mark.parametrize(
    ("soft", "hard", "connections", "raised_to"),
    [
        (1024, 524_288, 4000, 8756),  # what systems come with: raised
        (20_000, 524_288, 4000, None),  # enough as it is
        (1024, 2756, 1000, 2756),  # no more can be had
        (1024, resource.RLIM_INFINITY, 4000, 8756),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 4000, None),
    ],
)
def test_connections_are_within_what_the_system_allows(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, connections: int, raised_to: int | None
) -> None:
    raised = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: raised.append(limits))
    assert allow_connections(4000) == connections
    assert raised == ([] if raised_to is None else [(raised_to, hard)])


def test_a_port_is_not_shared_with_another_server() -> None:
    with socket.socket() as other:
        # As Granian opens it.
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(SystemExit, match=rf"Port {port} of 127\.0\.0\.1 cannot be had: Address already in use\."):
            refuse_taken("127.0.0.1", port)
    refuse_taken("127.0.0.1", port)


def test_it_serves_as_settings_and_arguments_say_and_this_machine_alone_without_any(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    server: dict[str, Any] = {}

    class Server:
        def __init__(self, application: str, **options: Any) -> None:
            server.update(options)

        def serve(self) -> None:
            server["served"] = True

    monkeypatch.setattr(serving, "_Server", Server)
    for name in ("import_module", "load_pages", "refuse_taken"):
        monkeypatch.setattr(serving, name, lambda *_: None)
    monkeypatch.setattr(serving.multiprocessing, "set_start_method", lambda way: None)
    settings.PLUMBLINE_HEADER_SECONDS = 7
    settings.PLUMBLINE_MAX_CONNECTIONS = 123
    for arguments, address, port, workers in (
        ("", "127.0.0.1", 8000, 1),
        ("--host 0.0.0.0 --port 80 --workers 3", "0.0.0.0", 80, 3),
    ):
        server.clear()
        monkeypatch.setattr(sys, "argv", ["serving", *arguments.split()])
        for name in ("HOST", "PORT"):
            monkeypatch.setenv(name, "")
        serving.main()
        assert server["served"]
        assert (server["address"], server["port"], server["workers"]) == (address, port, workers)
        assert (os.environ["HOST"], os.environ["PORT"]) == (address, str(port)), "what settings make the site's name of"
        assert server["http1_settings"].header_read_timeout == 7000
        assert server["http1_settings"].max_buffer_size == 65_536
        assert server["backpressure"] == 123
