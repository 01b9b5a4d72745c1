"""Answering what is not done now: with the reason, when it may be tried again, and everything that was typed.

Nothing that somebody typed is lost because of a limit, a size, a session that ended or a token that is out of date. A
view with a form of its own shows it again, filled (``gives_back``); for all others a page does, with a button that
sends the same once more.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.core.http import TryLater, error_response, is_for_programs

View = TypeVar("View", bound=Callable[..., HttpResponse])

#: What a form says that its reader did not.
_NOT_TYPED = frozenset({"csrfmiddlewaretoken", "version", "step", "use"})
#: Never shown again; a form with one of these is typed anew.
_SECRET = ("password", "code")
_SHORT = 80


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
    """One field of a form that was sent, with what stood in it."""

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
    """Return what somebody is told of something that cannot be done now."""
    title = "Too much at once" if later.status == 429 else "Not now"
    return Refusal(later.status, title, str(later), later.retry_after)


def gives_back(fill: Callable[[HttpRequest, Refusal], HttpResponse]) -> Callable[[View], View]:
    """Say of a view, as the outermost of its decorators, what shows its form again as it was sent, with the reason."""

    def mark(view: View) -> View:
        view.give_back = fill  # type: ignore[attr-defined]
        return view

    return mark


def refuse(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Return what is answered when nothing was done: an error to programs, to people a page with all that they
    typed."""
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
    """Return whether a page of this site sent the request, by what the browser says of it."""
    if "Sec-Fetch-Site" in request.headers:
        return request.headers["Sec-Fetch-Site"] == "same-origin"
    return request.headers.get("Origin", "") == f"{request.scheme}://{request.get_host()}"
