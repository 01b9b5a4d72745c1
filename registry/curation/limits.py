"""How often somebody may say something: about a submission, or to a caution."""

from registry.accounts.models import User
from registry.core.limits import HOUR, spend

LIMITS = {
    "comment": (60, HOUR, "An account may comment {n} times an hour, {no_room}"),
}


def take_comment(user: User) -> None:
    """Before something is said about a submission, or to a caution."""
    spend("comment", user.pk)
