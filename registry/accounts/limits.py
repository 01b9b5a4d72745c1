"""Limits on signing in and up, and on mails that are sent for it. docs/accounts.md has the limits of all apps."""

from django.http import HttpRequest

from registry.core.http import client_address
from registry.core.limits import DAY, HOUR, MINUTE, refund, spend

LIMITS = {
    "login: address": (10, 5 * MINUTE, "Wrong passwords were tried too often from your network."),
    "login: account": (10, 5 * MINUTE, "Wrong passwords were tried too often with this email address."),
    "login: all": (1000, 5 * MINUTE, "Wrong passwords are tried very often here, so nobody can sign in just now."),
    "second factor": (5, 5 * MINUTE, "Codes were tried too often."),
    "sign-up: address": (20, HOUR, "Accounts were made too often from your network."),
    "sign-up: email": (5, DAY, "This email address was used to sign up too often."),
    "password reset: address": (20, DAY, "New passwords were asked for too often from your network."),
    "password reset: email": (5, DAY, "New passwords were asked for too often with this email address."),
    "email change": (5, DAY, "The email address was changed too often."),
    "verification mail": (5, DAY, "The mail that verifies this email address was sent too often."),
    "token": (20, DAY, "Tokens were made too often."),
    "comment": (60, HOUR, "An account may comment {n} times an hour, {no_room}"),
}


def take_login(request: HttpRequest, login: str) -> None:
    """Count a login before its password is checked. First by address: who is refused there costs nobody."""
    for name, key in _logins(request, login):
        spend(name, key)


def give_login_back(request: HttpRequest, login: str) -> None:
    """Uncount a login with the right password, so that a group behind one address can sign in."""
    for name, key in _logins(request, login):
        refund(name, key)


def _logins(request: HttpRequest, login: str) -> list[tuple[str, object]]:
    return [("login: address", client_address(request)), ("login: account", login.casefold()), ("login: all", "")]


def take_mail(purpose: str, request: HttpRequest, email: str) -> None:
    """Count a mail to somebody who may not have asked for it: a sign-up, or a password reset."""
    spend(f"{purpose}: address", client_address(request))
    spend(f"{purpose}: email", email.casefold())
