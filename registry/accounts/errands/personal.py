"""What is kept of somebody's large requests: for the export of the account, and what its deletion erases."""

from typing import Any

from registry.accounts.models import Errand, User
from registry.core.documents import to_the_second


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
