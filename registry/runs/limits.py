"""How many runs somebody may have scored, and studied."""

from registry.accounts.models import User
from registry.core.limits import DAY, HOUR, require_room, spend

LIMITS = {
    "run: account": (60, HOUR, "An account may have {n} runs an hour scored, {no_room}"),
    "large run: account": (6, HOUR, "An account may have {n} large runs an hour scored, {no_room}"),
    "sealed run: account": (20, DAY, "An account may have {n} runs a day scored against sealed judgements, {no_room}"),
    "study: account": (60, HOUR, "An account may ask for {n} studies an hour, {no_room}"),
}


def take_run(user: User, *, is_sealed: bool, is_large: bool = False) -> None:
    """Before something that somebody sends is scored; for large runs, and sealed judgements, there is less room."""
    for name in _of_a_run(is_sealed, is_large):
        spend(name, user.pk)


def require_run(user: User, *, is_sealed: bool, is_large: bool = False) -> None:
    """Before it is sent: whether there is room for it. Nothing is taken."""
    for name in _of_a_run(is_sealed, is_large):
        require_room(name, user.pk)


def _of_a_run(is_sealed: bool, is_large: bool) -> list[str]:
    others = {"large run: account": is_large, "sealed run: account": is_sealed}
    return ["run: account", *(name for name, counts in others.items() if counts)]


def take_study(user: User) -> None:
    """Before a worker studies what somebody sent."""
    spend("study: account", user.pk)
