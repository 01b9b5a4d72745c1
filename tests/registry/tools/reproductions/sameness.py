"""Whether two papers that were computed again are the same, but for the last digits of their numbers."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from analysis.papers.paper import Reproduction


def assert_same(drawn: Reproduction, shipped: Reproduction) -> None:
    """Assert that all texts are, in their order, and all numbers nearly."""
    now, then = ([*_leaves("", msgspec.to_builtins(reproduction))] for reproduction in (drawn, shipped))
    assert [place for place, _ in now] == [place for place, _ in then]
    for (place, value), (_, wanted) in zip(now, then, strict=True):
        if isinstance(wanted, float) and isinstance(value, (int, float)):
            assert value == pytest.approx(wanted, rel=2e-3, abs=1e-5), place
        else:
            assert value == wanted, place


def _leaves(place: str, of: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(of, dict):
        for name, part in of.items():
            yield from _leaves(f"{place}.{name}", part)
    elif isinstance(of, (list, tuple)):
        yield f"{place}.length", len(of)
        for number, part in enumerate(of):
            yield from _leaves(f"{place}.{number}", part)
    else:
        yield place, of
