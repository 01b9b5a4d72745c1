"""A brake on one account that changes much at once: vandals and slips of the hand look alike at first."""

from datetime import timedelta

from django.utils import timezone

from registry.accounts.models import User
from registry.results.models import Result

#: Results that one account may end within the time before it is asked.
MOST_CHANGES = 100
WITHIN = timedelta(hours=1)


class MassChange(Exception):
    """The change makes too many with those of the last hour; nothing was done. ``n_rows`` is the number to confirm."""

    def __init__(self, n_rows: int) -> None:
        super().__init__(
            f"With this you will have taken {n_rows:,} results off the record within an hour. "
            f"If that is what you want, type the number {n_rows}."
        )
        self.n_rows = n_rows


def require_confirmation(*, actor: User | None, n_rows: int, confirmed_rows: int | None) -> None:
    """Stop a change that ends ``n_rows`` results, unless they are few or their number was confirmed.

    The registry itself is not asked: commands are given by operators.

    Raises
    ------
    MassChange
        If the number was not confirmed, or is another by now.
    """
    if actor is None:
        return
    recent = n_recent(actor)
    if recent + n_rows > MOST_CHANGES and confirmed_rows != recent + n_rows:
        raise MassChange(recent + n_rows)


def room_left(actor: User) -> int:
    """Return how many results this account may still end before it is asked."""
    return max(0, MOST_CHANGES - n_recent(actor))


def n_recent(actor: User) -> int:
    """Return how many results this account ended within the time."""
    return Result.objects.filter(ended_by__actor=actor, ended_at__gt=timezone.now() - WITHIN).count()
