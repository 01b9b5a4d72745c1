"""Answering what is not done now: with the reason, when it may be tried again, and everything that was typed.

Nothing that somebody typed is lost because of a limit, a size, a session that ended or a token that is out of date. A
view with a form of its own shows it again, filled (``gives_back``); for all others a page does, with a button that
sends the same once more.

Outages are refused in the same way, though nobody asked for anything wrong: no database, no room on the disk.
"""

import errno
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import Error, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.core.http import TryLater, error_response, is_for_programs

View = TypeVar("View", bound=Callable[..., HttpResponse])

#: Fields of forms that their reader did not type.
_NOT_TYPED = frozenset({"csrfmiddlewaretoken", "version", "step", "use"})
#: Never shown again; a form with such a field must be filled in anew.
_SECRET = ("password", "code")
_SHORT = 80
_FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT}

#: SQLite's primary result codes (https://sqlite.org/rescode.html).
_SQLITE_BUSY = {5, 6}
_SQLITE_AWAY = {8, 10}
_SQLITE_MISSING = 14
_SQLITE_FULL = 13

#: PostgreSQL's SQLSTATE (appendix A of its manual): lock not available, deadlock, serialization, statement timeout.
_POSTGRES_BUSY = {"55P03", "40P01", "40001", "57014"}
#: Classes: connection exception, insufficient resources, operator intervention; and a server that takes no writes.
_POSTGRES_AWAY = ("08", "53", "57P", "25006")
_POSTGRES_FULL = "53100"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a request was not carried out; ``retry_after`` says in how many seconds it may be again."""

    status: int
    title: str
    reason: str
    retry_after: int | None = None
    #: Whether signing in helps; the page then links to it.
    signs_in: bool = False


SIGN_IN_FIRST = Refusal(403, "Sign in first", "You are not signed in.", signs_in=True)


@dataclass(frozen=True, slots=True)
class TypedField:
    """One field of a form that was sent, with its value."""

    name: str
    value: str

    @property
    def label(self) -> str:
        """The name as somebody may read it; blank for what nobody typed."""
        return "" if self.name in _NOT_TYPED else self.name.replace("_", " ").capitalize()

    @property
    def is_long(self) -> bool:
        return bool(self.label) and (len(self.value) > _SHORT or "\n" in self.value)


def refusal_of(later: TryLater) -> Refusal:
    """Return the refusal of something that cannot be done now."""
    title = "Too much at once" if later.status == 429 else "Not now"
    return Refusal(later.status, title, str(later), later.retry_after)


def gives_back(fill: Callable[[HttpRequest, Refusal], HttpResponse]) -> Callable[[View], View]:
    """Set the function that shows the form of a view again, as sent, with the reason; the outermost decorator."""

    def mark(view: View) -> View:
        view.give_back = fill  # type: ignore[attr-defined]
        return view

    return mark


def refuse(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Return the answer when nothing was done: an error to programs, to people a page with all that they typed."""
    if is_for_programs(request):
        response: HttpResponse = error_response(refusal.status, refusal.reason)
    else:
        response = _page(request, refusal)
        response.status_code = refusal.status
    if refusal.retry_after is not None:
        response["Retry-After"] = str(refusal.retry_after)
        response["Cache-Control"] = "no-store"
    return response


def _page(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    fill = getattr(request.resolver_match and request.resolver_match.func, "give_back", None)
    if fill and request.POST:
        response: HttpResponse = fill(request, refusal)
        return response
    fields = typed_fields(request.POST.lists())
    context = {"refusal": refusal, "fields": fields, "action": request.get_full_path()}
    return render(request, "send_again.html", context)


def typed_fields(data: Iterable[tuple[str, Iterable[Any]]]) -> list[TypedField]:
    """Return the fields of a form, a value each; none of a form with a secret in it."""
    fields = [TypedField(name, str(value)) for name, values in data for value in values]
    if any(secret in field.name for field in fields for secret in _SECRET):
        return []
    return [field for field in fields if field.name != "csrfmiddlewaretoken"]


def is_from_here(request: HttpRequest) -> bool:
    """Return whether a page of this site sent the request, according to the browser."""
    if "Sec-Fetch-Site" in request.headers:
        return request.headers["Sec-Fetch-Site"] == "same-origin"
    return request.headers.get("Origin", "") == f"{request.scheme}://{request.get_host()}"


class Outage(TryLater):
    """The site cannot do it for anybody: ``why``, and in how many ``seconds`` it may again."""

    title, why, seconds = "Not now", "", 0

    def __init__(self) -> None:
        super().__init__(self.why, self.seconds)


class DatabaseAway(Outage):
    """The database does not answer, or takes no writes."""

    #: The cause, for whoever runs the site.
    cause = "The database does not answer."
    seconds = 30
    why = (
        "The database does not answer at the moment. Try again in half a minute; if you sent something, look first "
        "whether it arrived."
    )


class DatabaseMissing(DatabaseAway):
    """The file of the database is not where it was: moved, removed, or another one is in its place."""

    cause = (
        "The file of the database is not where it was opened. Put it back; to replace it, stop the site first. The log "
        "names it."
    )


class DatabaseBusy(Outage):
    """Others keep the database busy for longer than a request waits."""

    why, seconds = "The database is busy at the moment. Nothing was stored; try again in a few seconds.", 5


class DiskFull(Outage):
    """There is no room to store anything."""

    status, title, seconds = 507, "No room", 300
    why = "The disk of this site is full. Nothing was stored; pages can be read. Please try again later."


def outage_of(error: BaseException | None) -> Outage | None:
    """Return the outage behind an error; None if it is a fault of ours."""
    if isinstance(error, OSError):
        return DiskFull() if error.errno in _FULL_ERRNOS else None
    if not isinstance(error, Error):
        return None
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return _of_sqlite(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    return _of_postgres(error, getattr(cause, "sqlstate", None)) if cause else None


def _of_sqlite(code: int) -> Outage | None:
    if code == _SQLITE_FULL:
        return DiskFull()
    if code == _SQLITE_MISSING:
        return DatabaseMissing()
    if code in _SQLITE_BUSY:
        return DatabaseBusy()
    return DatabaseAway() if code in _SQLITE_AWAY else None


def _of_postgres(error: Error, state: str | None) -> Outage | None:
    if state is None:
        # Without a state the error is not from the server: there is no connection.
        return DatabaseAway() if isinstance(error, (OperationalError, InterfaceError)) else None
    if state == _POSTGRES_FULL:
        return DiskFull()
    if state in _POSTGRES_BUSY:
        return DatabaseBusy()
    return DatabaseAway() if state.startswith(_POSTGRES_AWAY) else None
