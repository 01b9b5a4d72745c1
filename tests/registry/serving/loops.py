"""Loops for tests of what is asynchronous."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def on_a_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what the coroutine returns, on a loop in a thread of its own: a browser test keeps one in ours."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
