"""Documents made of what they are about, and texts that are more than texts: the API's description says what."""

from collections.abc import Collection, Hashable
from dataclasses import is_dataclass
from datetime import UTC, date, datetime, time
from functools import cache
from typing import Annotated, TypeVar, cast, get_type_hints
from uuid import UUID

Day = Annotated[str, date]
Moment = Annotated[str, datetime]
Uuid = Annotated[str, UUID]

Kind = TypeVar("Kind")


def document_of(kind: type[Kind], source: object, /, **values: object) -> Kind:
    """Return an object of this class, a dataclass or typed dictionary, with every field as in ``values``, else as the
    source has it under the same name."""
    for name in _others(cast("Hashable", kind), tuple(values)):
        values[name] = getattr(source, name)
    if is_dataclass(kind):
        return kind(**values)
    return kind(
        **{name: values[name] for name in fields_of(cast("Hashable", kind))} | values
    )  # in the order of the fields


@cache
def _others(kind: Hashable, named: tuple[str, ...]) -> Collection[str]:
    """Return the fields that are not among those ``named``: worked out once for all rows of a table."""
    return tuple(name for name in fields_of(kind) if name not in named)


@cache
def fields_of(kind: Hashable) -> Collection[str]:
    """Return the names of the fields, those of its bases first."""
    return tuple(get_type_hints(kind))


def to_the_second(moment: datetime | None) -> str | None:
    """Return the moment as answers write it."""
    return moment.isoformat(timespec="seconds") if moment else None


def end_of(day: date) -> datetime:
    """Return the last moment of the day."""
    return datetime.combine(day, time.max, tzinfo=UTC)
