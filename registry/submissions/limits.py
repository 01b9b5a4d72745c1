"""Limits on what somebody may submit, store and have checked."""

import math
from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone

from registry.accounts.limits import is_new_account
from registry.accounts.models import ApiToken, User
from registry.core.http import client_address
from registry.core.limits import DAY, HOUR, LIMITS, MINUTE, Limited, spend, why_limited
from registry.submissions.models import Submission

_IS_ONE = "A table counts once, however many results are in it."
DECLARED = {
    "submission: account": (20, HOUR, "An account may submit {n} times an hour, {no_room} " + _IS_ONE),
    "submission: new account": (5, HOUR, "A new account may submit {n} times an hour, {no_room} " + _IS_ONE),
    "submission: address": (40, HOUR, "From one network {n} submissions an hour are taken, {no_room} " + _IS_ONE),
    "submission: token": (60, HOUR, "An account may submit {n} times an hour with tokens, {no_room} " + _IS_ONE),
    "draft rows: account": (200_000, DAY, "An account may store {n} rows a day, {no_room}"),
    "check: account": (60, 5 * MINUTE, "An account may have results checked {n} times in five minutes, {no_room}"),
    "check: address": (60, 5 * MINUTE, "Without signing in, a network may check {n} tables in five minutes, {no_room}"),
    "check rows: account": (200_000, 5 * MINUTE, "An account may have {n} rows checked in five minutes, {no_room}"),
    "check rows: address": (
        50_000,
        5 * MINUTE,
        "Without signing in, a network may check {n} rows in five minutes, {no_room}",
    ),
}


def require_place(user: User, token: ApiToken | None = None) -> None:
    """Refuse who has handed in as many submissions within the hour as may be; what is taken back counts no more.

    Drafts are free: the limit protects those who check submissions. Programs have more room. Call it in the
    transaction that hands in: others of the same account wait for its end.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    name = "submission: new account" if is_new_account(user) else f"submission: {'token' if token else 'account'}"
    most, seconds = LIMITS[name]
    began = timezone.now() - timedelta(seconds=seconds)
    recent = Submission.objects.by(user).filter(submitted_at__gt=began).order_by("-submitted_at")
    taken = [moment for moment in recent.values_list("submitted_at", flat=True)[:most] if moment]
    if len(taken) == most:
        raise Limited(math.ceil((taken[-1] - began).total_seconds()), why_limited(name))


def charge(request: HttpRequest, n_rows: int) -> None:
    """Count a table of so many rows against the limits, before it is read or checked."""
    is_known = request.user.is_authenticated
    whose, key = ("account", request.user.pk) if is_known else ("address", client_address(request))
    spend(f"check: {whose}", key)
    spend(f"check rows: {whose}", key, n_rows)
