"""Starting the web server: the same on every shape, with as many connections as the system allows."""

import resource
from pathlib import Path

import pytest

from registry.serving.__main__ import allow_connections, number_of

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", ["Dockerfile", "tools/serve.py", "docs/operations.md"])
def test_every_shape_has_the_same_web_server(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "registry.serving" in text
    assert "-m granian" not in text


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


@pytest.mark.parametrize(
    ("host", "number"), [("localhost", "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("::1", "::1")]
)
def test_a_host_may_be_named(host: str, number: str) -> None:
    assert number_of(host) == number


def test_a_host_that_is_none_is_told() -> None:
    with pytest.raises(SystemExit, match=r"--host 300\.1\.1\.1 is no address of this machine: "):
        number_of("300.1.1.1")
