"""Pages are served while Redis is away."""

import logging
import socket
import time
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from redis.exceptions import RedisError

from registry.core import cache as cache_module
from registry.core.cache import RedisCache
from tests.registry.core.lab import free_port

OPTIONS = {"OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}}


@pytest.fixture
def black_hole() -> Iterator[int]:
    """The port of a server that accepts and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(16)
        yield server.getsockname()[1]


def test_nothing_is_found_and_nothing_fails_while_redis_refuses(caplog: pytest.LogCaptureFixture) -> None:
    away = RedisCache(f"redis://127.0.0.1:{free_port()}", OPTIONS)
    with caplog.at_level(logging.WARNING):
        assert away.get("page", "built anew") == "built anew"
        away.set("page", "kept")
        assert away.get("page") is None
        assert away.delete("page") is False
    assert caplog.text.count("the cache does not answer") == 1


def test_a_redis_that_never_answers_is_asked_once_in_a_while(
    black_hole: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    away = RedisCache(f"redis://127.0.0.1:{black_hole}", OPTIONS)
    started = time.monotonic()
    for _ in range(20):
        assert away.get("page") is None
    assert time.monotonic() - started < 2
    monkeypatch.setattr(cache_module, "_PAUSE_SECONDS", 0.0)
    away._cache._away_until = 0.0
    for _ in range(2):
        away.get("page")
    assert caplog.text.count("the cache does not answer") == 3


def test_what_cannot_do_without_an_answer_gets_the_error() -> None:
    with pytest.raises(RedisError):
        RedisCache(f"redis://127.0.0.1:{free_port()}", OPTIONS).incr("counter")


@pytest.mark.redis
def test_pages_are_kept_while_redis_answers() -> None:
    cache.set("test-page", {"a": 1}, 60)
    assert cache.get("test-page") == {"a": 1}
    assert cache.delete("test-page") is True
    assert cache.get("test-page") is None
