"""How often people may try: every limit of accounts, in one table. docs/accounts.md repeats it."""

from datetime import timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.utils import timezone

from registry.accounts.models import User
from registry.core.http import client_address
from registry.core.limits import give_back, take

MINUTE, HOUR, DAY = 60, 3600, 86_400

#: What is limited: how many, in how many seconds. Buckets fill evenly (core.limits).
LIMITS = {
    "login: address": (10, 5 * MINUTE),
    "login: account": (10, 5 * MINUTE),
    "login: all": (1000, 5 * MINUTE),
    "second factor": (5, 5 * MINUTE),
    "sign-up: address": (20, HOUR),
    "sign-up: e-mail": (5, DAY),
    "password reset: address": (20, DAY),
    "password reset: e-mail": (5, DAY),
    "e-mail change": (5, DAY),
    "verification mail": (5, DAY),
    "token": (20, DAY),
    "submission: account": (20, HOUR),
    "submission: new account": (5, HOUR),
    "submission: address": (40, HOUR),
    "kept form: address": (40, HOUR),
    "check: account": (300, HOUR),
    "comment": (60, HOUR),
}

#: How long an account counts as new.
NEW = timedelta(days=7)


def _take(name: str, key: object) -> None:
    take(name, key, *LIMITS[name])


def take_login(request: HttpRequest, login: str) -> None:
    """Before a password is checked, which is what costs. The address comes first: who is refused there costs others
    nothing."""
    _take("login: address", client_address(request))
    _take("login: account", login.casefold())
    _take("login: all", "")


def give_login_back(request: HttpRequest, login: str) -> None:
    """After a right password: only wrong ones count, so that a reading group behind one address can sign in."""
    for name, key in (("login: address", client_address(request)), ("login: account", login.casefold())):
        give_back(name, key, *LIMITS[name])


def take_second_factor(user: AbstractBaseUser) -> None:
    """Before a code is checked: six digits are few."""
    _take("second factor", user.pk)


def take_code(user: AbstractBaseUser, code: str) -> None:
    """After a code was found right: it is valid for half a minute, and must not open the account a second time."""
    take("second factor: code", f"{user.pk} {code}", 1, 2 * MINUTE)


def take_sign_up(request: HttpRequest, email: str) -> None:
    """Before an account is made, and a mail sent to somebody who may not have asked for it."""
    _take("sign-up: address", client_address(request))
    _take("sign-up: e-mail", email.casefold())


def take_password_reset(request: HttpRequest, email: str) -> None:
    """Before a mail is sent to somebody who may not have asked for it."""
    _take("password reset: address", client_address(request))
    _take("password reset: e-mail", email.casefold())


def take_email_change(user: AbstractBaseUser) -> None:
    """Before a mail is sent to an address that somebody typed."""
    _take("e-mail change", user.pk)


def take_verification_mail(email: str) -> None:
    """Before the mail that asks for the verification of an address is sent again."""
    _take("verification mail", email.casefold())


def take_token(user: AbstractBaseUser) -> None:
    """Before a token is made."""
    _take("token", user.pk)


def is_new_account(user: User) -> bool:
    """Whether somebody is too new here to be given much room: no role, and less than a week old."""
    return user.role == User.Role.CONTRIBUTOR and timezone.now() - user.date_joined < NEW


def take_kept_form(request: HttpRequest) -> None:
    """Before something that a visitor filled in is kept until they have signed in."""
    _take("kept form: address", client_address(request))


def take_submission(request: HttpRequest, user: User) -> None:
    """Before something is submitted, however many results are in it."""
    _take("submission: address", client_address(request))
    _take("submission: new account" if is_new_account(user) else "submission: account", user.pk)


def take_check(user: User) -> None:
    """Before rows are checked that nobody submits with it: in a dry run, or because one of a draft was changed."""
    _take("check: account", user.pk)


def take_comment(user: User) -> None:
    """Before something is said about a submission."""
    _take("comment", user.pk)
