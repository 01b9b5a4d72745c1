"""What apps keep about a person: each says what it exports and what it erases, in its ``ready``; and large requests."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from registry.accounts.models import Errand, User
from registry.core.documents import to_the_second


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


def export_errands(user: User) -> list[dict[str, Any]]:
    """The large requests of a day, by what was asked; what was sent is in what became of it."""
    errands = Errand.objects.filter(user=user).defer("body", "answer").order_by("created_at")
    return [
        {"request": str(one), "created": to_the_second(one.created_at), "answered": to_the_second(one.answered_at)}
        for one in errands
    ]


def erase_errands(user: User) -> None:
    """Forget somebody's large requests, answered or not."""
    Errand.objects.filter(user=user).delete()
