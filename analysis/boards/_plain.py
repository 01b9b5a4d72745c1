"""Frozen values as nested dicts and lists, and with so many digits as another processor gives too."""

from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

import msgspec
import numpy as np

Value = TypeVar("Value")

#: Significant digits of what a study finds.
_DIGITS = 10


#: Of a field that came later: texts without it stay what they are, and it is left out while it has its default.
CAME_LATER = {"came_later": True}
#: What most values are, and what they stay.
_PLAIN = frozenset({str, int, float, bool, type(None)})
_ALWAYS = object()


def plain(value: Any) -> Any:
    """Return nested dicts and lists of a frozen value."""
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if hasattr(value, "__dataclass_fields__"):
        values = [(name, getattr(value, name), default) for name, default in _fields(kind)]
        return {name: plain(item) for name, item, default in values if default is _ALWAYS or item != default}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


@cache
def _fields(kind: Any) -> list[tuple[str, Any]]:
    """Return the names of its fields, of those that came later with their defaults."""
    return [(field.name, field.default if field.metadata else _ALWAYS) for field in fields(kind)]


def rounded(value: Value) -> Value:
    """Return a value with every float at ten significant digits, so that another processor's last bit changes
    nothing."""
    return msgspec.convert(_rounded(plain(value)), type(value))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value


def decimals_of(half_width: float) -> int:
    """Return the digits after the point at which an error has two figures."""
    exponent = int(f"{half_width:.1e}".partition("e")[2]) if half_width > 0.0 else -1
    return max(1 - exponent, 0)
