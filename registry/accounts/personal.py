"""Personal data: each app says in its ``ready`` what it exports and what it erases."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from registry.accounts.models import User
from registry.core.documents import to_the_second

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Section:
    """One kind of personal data: the key that it has in an export, and what erases it on deletion; None keeps it."""

    name: str
    export: Callable[[User], list[Document]]
    erase: Callable[[User], object] | None = None


SECTIONS: list[Section] = []


def register(section: Section) -> None:
    """Have exports and deletions include this."""
    SECTIONS.append(section)


def rows_of(rows: Iterable[object], columns: str) -> list[Document]:
    """Return a document a row, with these columns: ``kind created=created_at`` names two. Moments are to the second."""
    named = [column.partition("=") for column in columns.split()]
    return [{name: _plain(attrgetter(path or name)(row)) for name, _, path in named} for row in rows]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return to_the_second(value)
    return value if value is None or isinstance(value, bool | int | list | dict) else str(value)
