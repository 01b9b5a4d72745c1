"""How many runs somebody may have scored, and studied; and what runs of visitors may cost."""

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from registry.core.http import client_address
from registry.core.limits import DAY, HOUR, charge, require_room, spend

_MORE = "an account, {no_room} Sign in to have more scored."
LIMITS = {
    "run: account": (60, HOUR, "An account may have {n} runs an hour scored, {no_room}"),
    "large run: account": (6, HOUR, "An account may have {n} large runs an hour scored, {no_room}"),
    "sealed run: account": (20, DAY, "An account may have {n} runs a day scored against sealed judgements, {no_room}"),
    "visitor's run: address": (30, HOUR, f"From one network {{n}} runs an hour are scored without {_MORE}"),
    "visitor's processor seconds: address": (
        120, HOUR, f"From one network runs may take {{n}} seconds of processor time an hour without {_MORE}"
    ),
    "own collection: account": (20, DAY, "An account may begin {n} collections of its own a day, {no_room}"),
    "study: account": (60, HOUR, "An account may ask for {n} studies an hour, {no_room}"),
}  # fmt: skip


def take_visitors_run(request: HttpRequest) -> str:
    """Before a run is read that somebody without an account sends: as whose it counts, a keyed hash of the address."""
    visitor = salted_hmac("registry.runs.visitor", client_address(request), algorithm="sha256").hexdigest()
    require_room("visitor's processor seconds: address", visitor)
    spend("visitor's run: address", visitor)
    return visitor


def charge_visitor(visitor: str, seconds: float) -> None:
    """After something was done for a visitor: the processor time that it took."""
    if visitor and seconds > 0:
        charge("visitor's processor seconds: address", visitor, seconds)
