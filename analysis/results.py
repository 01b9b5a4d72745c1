"""The base of every result: frozen, named, and storable as JSON."""

from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from inspect import cleandoc
from typing import Any

import numpy as np

from analysis.errors import ArgumentError

__all__ = ["Interval", "Result"]


class Result:
    """Base of the frozen dataclasses that the statistics return; their arrays are read-only.

    What a field means stands in its annotation; :func:`help` shows it with the docstring of the class.
    """

    def __init_subclass__(cls) -> None:
        meanings = {
            name: meaning for name, hint in cls.__annotations__.items() for meaning in getattr(hint, "__metadata__", ())
        }
        # A dataclass with slots is made twice.
        if meanings and cls.__doc__ and "Attributes\n" not in cls.__doc__:
            told = "".join(f"\n{name}\n    {meaning}" for name, meaning in meanings.items())
            cls.__doc__ = f"{cleandoc(cls.__doc__)}\n\nAttributes\n----------{told}"

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:  # type: ignore[attr-defined]
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as nested dicts, lists, strings, numbers, booleans and None, ready for JSON.

        Raises
        ------
        ArgumentError
            If a number is not finite: JSON has no NaN, and a stored result must not have one either. Where there
            is no number to give, results hold None and say why.
        """
        return {field.name: _plain(getattr(self, field.name), field.name) for field in fields(self)}  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Interval(Result):
    """A two-sided interval [low, high] at ``confidence_level`` (0 to 1). An end may be infinite in memory only."""

    low: float
    high: float
    confidence_level: float


def _plain(value: Any, name: str) -> Any:
    if isinstance(value, Result):
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name), field.name) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray):
        return [_plain(item, name) for item in value.tolist()]
    if isinstance(value, dict):
        return {str(key): _plain(item, name) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, name) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        raise ArgumentError(name, value, "must be finite to be stored")
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    raise ArgumentError(name, value, "can't be stored as JSON")
