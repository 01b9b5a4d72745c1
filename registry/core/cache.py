"""The cache that all processes share, which may be away."""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.core.cache.backends.redis import RedisCache as DjangoRedisCache
from django.core.cache.backends.redis import RedisCacheClient
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

_PAUSE_SECONDS = 10.0
_Key = str | bytes | memoryview


class _Client(RedisCacheClient):
    """Finds nothing and keeps nothing while Redis is away; what is not a page to be kept still raises its error."""

    _away_until = 0.0

    def get(self, key: _Key, default: Any) -> Any:
        return self._ask(default, super().get, key, default)

    def set(self, key: _Key, value: Any, timeout: int | timedelta | None) -> None:
        self._ask(None, super().set, key, value, timeout)

    def delete(self, key: _Key) -> bool:
        return bool(self._ask(False, super().delete, key))

    def _ask(self, otherwise: Any, action: Callable[..., Any], *arguments: Any) -> Any:
        # A Redis that accepts and never answers costs its timeout: once in a while, not on every page.
        if time.monotonic() < self._away_until:
            return otherwise
        try:
            return action(*arguments)
        except RedisError as error:
            self._away_until = time.monotonic() + _PAUSE_SECONDS
            logger.warning("the cache does not answer (%s): pages are built anew", error)
            return otherwise


class RedisCache(DjangoRedisCache):
    """Django's Redis cache, without which pages are slower and not broken."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client
