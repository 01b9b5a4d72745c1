"""How often people may try, and how much: every limit of accounts, in one table. docs/accounts.md repeats it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.utils import timezone

from registry.accounts.access import AnyUser
from registry.accounts.models import ApiToken, User
from registry.core.http import client_address
from registry.core.limits import give_back, require, take

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
    "submission: token": (60, HOUR),
    "draft rows: account": (200_000, DAY),
    "check: account": (60, 5 * MINUTE),
    "check: address": (60, 5 * MINUTE),
    "check rows: account": (200_000, 5 * MINUTE),
    "check rows: address": (50_000, 5 * MINUTE),
    "kept form: address": (40, HOUR),
    "comment": (60, HOUR),
    "run: account": (60, HOUR),
    "large run: account": (6, HOUR),
    "sealed run: account": (20, DAY),
    "study: account": (60, HOUR),
}

_NO_ROOM = "and there is no room for more just now."
_IS_ONE = "A table counts as one, however many results are in it."
#: What whoever is refused reads, before when to try again; {n} is how many it may be.
WHY = {
    "login: address": "Wrong passwords were tried too often from your network.",
    "login: account": "Wrong passwords were tried too often with this e-mail address.",
    "login: all": "Wrong passwords are tried very often here, so nobody can sign in just now.",
    "second factor": "Codes were tried too often.",
    "sign-up: address": "Accounts were made too often from your network.",
    "sign-up: e-mail": "This e-mail address was used to sign up too often.",
    "password reset: address": "New passwords were asked for too often from your network.",
    "password reset: e-mail": "New passwords were asked for too often with this e-mail address.",
    "e-mail change": "The e-mail address was changed too often.",
    "verification mail": "The mail that verifies this e-mail address was sent too often.",
    "token": "Tokens were made too often.",
    "submission: account": f"An account may hand in {{n}} submissions an hour, {_NO_ROOM} {_IS_ONE}",
    "submission: new account": f"A new account may hand in {{n}} submissions an hour, {_NO_ROOM} {_IS_ONE}",
    "submission: address": f"From one network {{n}} submissions an hour may be handed in, {_NO_ROOM} {_IS_ONE}",
    "submission: token": f"With its tokens an account may hand in {{n}} submissions an hour, {_NO_ROOM} {_IS_ONE}",
    "draft rows: account": f"An account may store {{n}} rows a day, {_NO_ROOM}",
    "check: account": f"An account may have results checked {{n}} times in five minutes, {_NO_ROOM}",
    "check: address": f"Without signing in, {{n}} tables are read in five minutes for one network, {_NO_ROOM}",
    "check rows: account": f"An account may have {{n}} rows checked in five minutes, {_NO_ROOM}",
    "check rows: address": f"Without signing in, {{n}} rows are read in five minutes for one network, {_NO_ROOM}",
    "kept form: address": f"From one network {{n}} forms an hour are kept until somebody has signed in, {_NO_ROOM}",
    "run: account": f"An account may have {{n}} runs an hour scored, {_NO_ROOM}",
    "large run: account": f"An account may have {{n}} large runs an hour scored, {_NO_ROOM}",
    "sealed run: account": f"An account may have {{n}} runs a day scored against sealed judgements, {_NO_ROOM}",
    "study: account": f"An account may ask for {{n}} studies an hour, {_NO_ROOM}",
    "comment": f"An account may comment {{n}} times an hour, {_NO_ROOM}",
}

#: How long an account counts as new.
NEW = timedelta(days=7)


def _take(name: str, key: object, n: int = 1) -> None:
    limit, seconds = LIMITS[name]
    take(name, key, limit, seconds, n=n, why=_why(name))


def _why(name: str) -> str:
    return WHY[name].format(n=f"{LIMITS[name][0]:,}")


def take_login(request: HttpRequest, login: str) -> None:
    """Before a password is checked, which is what costs. The address comes first: who is refused there costs others
    nothing."""
    for name, key in _logins(request, login):
        _take(name, key)


def give_login_back(request: HttpRequest, login: str) -> None:
    """After a right password: only wrong ones count, so that a reading group behind one address can sign in."""
    for name, key in _logins(request, login):
        give_back(name, key, *LIMITS[name])


def _logins(request: HttpRequest, login: str) -> list[tuple[str, object]]:
    return [
        ("login: address", client_address(request)),
        ("login: account", login.casefold()),
        ("login: all", ""),
    ]


def take_second_factor(user: AbstractBaseUser) -> None:
    """Before a code is checked: six digits are few."""
    _take("second factor", user.pk)


def give_second_factor_back(user: AbstractBaseUser) -> None:
    """After a right code that was not used before: only wrong ones count."""
    give_back("second factor", user.pk, *LIMITS["second factor"])


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


@contextmanager
def handing_in(request: HttpRequest, user: User, token: ApiToken | None = None) -> Iterator[Callable[[], None]]:
    """What takes the place of one submission among those that may be handed in, however many results are in it.

    The limit protects those who check submissions, so it counts what reaches them: drafts are free, and where the
    handing in fails the place is given back.
    """
    taken: list[tuple[str, object]] = []

    def take_place() -> None:
        for name, key in _places(request, user, token):
            _take(name, key)
            taken.append((name, key))

    try:
        yield take_place
    except BaseException:
        for name, key in taken:
            give_back(name, key, *LIMITS[name])
        raise


def give_place_back(request: HttpRequest, user: User, token: ApiToken | None = None) -> None:
    """After something is taken back that no reviewer had looked at."""
    for name, key in _places(request, user, token):
        give_back(name, key, *LIMITS[name])


def _places(request: HttpRequest, user: User, token: ApiToken | None) -> list[tuple[str, object]]:
    """Programs count by their account alone: those of a laboratory have one address, and are told apart by tokens."""
    is_new = is_new_account(user)
    if token and not is_new:
        return [("submission: token", user.pk)]
    account = ("submission: new account" if is_new else "submission: account", user.pk)
    return [account] if token else [("submission: address", client_address(request)), account]


def take_check(request: HttpRequest, user: AnyUser, n_rows: int) -> None:
    """Before so many rows are read, or checked without being read: in a form, a table, a file, by a program."""
    whose, key = ("account", user.pk) if user.is_authenticated else ("address", client_address(request))
    _take(f"check: {whose}", key)
    _take(f"check rows: {whose}", key, n_rows)


def take_more_rows(request: HttpRequest, user: AnyUser, n_rows: int) -> None:
    """Before they are checked, the rows that a table turned out to have beyond those that it was charged for."""
    if n_rows > 0:
        whose, key = ("account", user.pk) if user.is_authenticated else ("address", client_address(request))
        _take(f"check rows: {whose}", key, n_rows)


def take_draft_rows(user: User, n_rows: int) -> None:
    """Before so many rows are stored that perhaps nobody ever hands in."""
    _take("draft rows: account", user.pk, n_rows)


def take_comment(user: User) -> None:
    """Before something is said about a submission, or to a caution."""
    _take("comment", user.pk)


def take_run(user: User, *, is_sealed: bool, is_large: bool = False) -> None:
    """Before something that somebody sends is scored; for large runs, and sealed judgements, there is less room."""
    for name in _of_a_run(is_sealed, is_large):
        _take(name, user.pk)


def require_run(user: User, *, is_sealed: bool, is_large: bool = False) -> None:
    """Before it is sent: whether there is room for it. Nothing is taken."""
    for name in _of_a_run(is_sealed, is_large):
        limit, seconds = LIMITS[name]
        require(name, user.pk, limit, seconds, why=_why(name))


def _of_a_run(is_sealed: bool, is_large: bool) -> list[str]:
    others = {"large run: account": is_large, "sealed run: account": is_sealed}
    return ["run: account", *(name for name, counts in others.items() if counts)]


def take_study(user: User) -> None:
    """Before a worker studies what somebody sent."""
    _take("study: account", user.pk)
