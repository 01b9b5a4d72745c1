"""What apps keep about a person: each says what it exports and what it erases, in its ``ready``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from registry.accounts.models import User


@dataclass(frozen=True, slots=True)
class Section:
    """One kind of personal data: the key that it has in an export, and what erases it on deletion; None keeps it."""

    name: str
    export: Callable[[User], list[dict[str, Any]]]
    erase: Callable[[User], object] | None = None


SECTIONS: list[Section] = []


def register(section: Section) -> None:
    """Have exports and deletions include this."""
    SECTIONS.append(section)
