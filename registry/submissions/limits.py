"""How much somebody may hand in, store and have checked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.http import HttpRequest

from registry.accounts.limits import is_new_account
from registry.accounts.models import ApiToken, User
from registry.core.http import client_address
from registry.core.limits import DAY, HOUR, MINUTE, refund, spend

_IS_ONE = "A table counts as one, however many results are in it."
LIMITS = {
    "submission: account": (20, HOUR, "An account may hand in {n} submissions an hour, {no_room} " + _IS_ONE),
    "submission: new account": (5, HOUR, "A new account may hand in {n} submissions an hour, {no_room} " + _IS_ONE),
    "submission: address": (
        40,
        HOUR,
        "From one network {n} submissions an hour may be handed in, {no_room} " + _IS_ONE,
    ),
    "submission: token": (
        60,
        HOUR,
        "With its tokens an account may hand in {n} submissions an hour, {no_room} " + _IS_ONE,
    ),
    "draft rows: account": (200_000, DAY, "An account may store {n} rows a day, {no_room}"),
    "check: account": (60, 5 * MINUTE, "An account may have results checked {n} times in five minutes, {no_room}"),
    "check: address": (
        60,
        5 * MINUTE,
        "Without signing in, {n} tables are read in five minutes for one network, {no_room}",
    ),
    "check rows: account": (200_000, 5 * MINUTE, "An account may have {n} rows checked in five minutes, {no_room}"),
    "check rows: address": (
        50_000,
        5 * MINUTE,
        "Without signing in, {n} rows are read in five minutes for one network, {no_room}",
    ),
}


@contextmanager
def handing_in(request: HttpRequest, user: User, token: ApiToken | None = None) -> Iterator[Callable[[], None]]:
    """What takes the place of one submission among those that may be handed in, however many results are in it.

    The limit protects those who check submissions, so it counts what reaches them: drafts are free, and where the
    handing in fails the place is given back.
    """
    taken: list[tuple[str, object]] = []

    def take_place() -> None:
        for name, key in _places(request, user, token):
            spend(name, key)
            taken.append((name, key))

    try:
        yield take_place
    except BaseException:
        for name, key in taken:
            refund(name, key)
        raise


def give_place_back(request: HttpRequest, user: User, token: ApiToken | None = None) -> None:
    """After something is taken back that no reviewer had looked at."""
    for name, key in _places(request, user, token):
        refund(name, key)


def _places(request: HttpRequest, user: User, token: ApiToken | None) -> list[tuple[str, object]]:
    """Programs count by their account alone: those of a laboratory have one address, and are told apart by tokens."""
    is_new = is_new_account(user)
    if token and not is_new:
        return [("submission: token", user.pk)]
    account = ("submission: new account" if is_new else "submission: account", user.pk)
    return [account] if token else [("submission: address", client_address(request)), account]


def charge(request: HttpRequest, n_rows: int) -> None:
    """Take so many rows from those that somebody may have, before they are read or checked."""
    whose, key = _checker(request)
    spend(f"check: {whose}", key)
    spend(f"check rows: {whose}", key, n_rows)


def charge_more(request: HttpRequest, n_rows: int) -> None:
    """Take the rows that a text turned out to have beyond those that it was charged for."""
    if n_rows > 0:
        whose, key = _checker(request)
        spend(f"check rows: {whose}", key, n_rows)


def _checker(request: HttpRequest) -> tuple[str, object]:
    return ("account", request.user.pk) if request.user.is_authenticated else ("address", client_address(request))
