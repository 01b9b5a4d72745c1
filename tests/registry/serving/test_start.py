"""Starting the web server: the same on every shape, with as many connections as the system allows."""

import os
import resource
import socket

import pytest

from registry.serving.__main__ import allow_connections, refuse_taken
from tests.databases import run_python


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


def test_it_serves_this_machine_alone_unless_told_otherwise() -> None:
    said = " ".join(run_python("-m", "registry.serving", "--help", environment=dict(os.environ)).split())
    defaults = ("listen on (default: 127.0.0.1)", "listen on (default: 8000)", "that answer (default: 1)")
    assert [words for words in defaults if words not in said] == []
