"""What somebody typed without being signed in: kept in their session until they send it again, or want it no more."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from registry.core.http import client_address
from registry.core.limits import spend
from registry.core.refusals import Refusal, refuse, typed_fields

#: Characters of all that is kept for one visitor; strangers must not fill the database.
MAX_KEPT = 200_000
#: A visitor whose session ended may have several forms open.
MAX_FORMS = 5

_KEY = "typed-before-signing-in"
_NOT_TYPED = frozenset({"csrfmiddlewaretoken", "step", "use"})

View = Callable[..., HttpResponse]


def sign_in_first(view: View) -> View:
    """As Django's ``login_required``, and a form that comes without a session is not lost (``kept_form``)."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        path = request.get_full_path()
        if request.user.is_authenticated:
            if request.method == "POST":
                forget_kept(request, path)
            return view(request, *args, **kwargs)
        if request.method != "POST":
            return redirect_to_login(path)
        fields = [[one.name, one.value] for one in typed_fields(request.POST.lists())]
        if not _keep(request, path, fields):
            why = "You are not signed in any more. Sign in in another window of this browser, then send it again here."
            return refuse(request, Refusal(403, "Sign in first", why))
        query = urlencode({"path": path})
        return redirect_to_login(f"{reverse('accounts:kept-form')}?{query}")

    return checked


def keep_for_later(request: HttpRequest, data: Mapping[str, Any]) -> HttpResponse | None:
    """The way to sign in, and back to this page with everything that was typed; None where that is too much."""
    fields = [[name, text] for name, text in data.items() if name not in _NOT_TYPED]
    if not _keep(request, request.path, fields):
        return None
    return redirect(f"{reverse('account_login')}?{urlencode({'next': request.path})}")


def _keep(request: HttpRequest, path: str, fields: list[list[str]]) -> bool:
    kept = {name: typed for name, typed in request.session.get(_KEY, {}).items() if name != path}
    kept = dict([*kept.items(), (path, fields)][-MAX_FORMS:])
    if sum(len(value) for typed in kept.values() for _, value in typed) > MAX_KEPT:
        return False
    spend("kept form: address", client_address(request))
    request.session[_KEY] = kept
    return True


def kept_fields(request: HttpRequest, path: str) -> list[list[str]]:
    """Names and values that were sent to this address before signing in; none while nobody is signed in."""
    kept = request.session.get(_KEY, {}) if request.user.is_authenticated else {}
    found: list[list[str]] = kept.get(path, [])
    return found


def read_kept(request: HttpRequest) -> QueryDict | None:
    """What was typed on this page before signing in; None where there is nothing, or nobody is signed in yet."""
    fields = kept_fields(request, request.path)
    if not fields:
        return None
    typed = QueryDict(mutable=True)
    for name, value in fields:
        typed.appendlist(name, value)
    return typed


def forget_kept(request: HttpRequest, path: str = "") -> None:
    """Keep it no longer: a page holds it now, or it was sent."""
    kept = request.session.get(_KEY, {}) if request.user.is_authenticated else {}
    if kept.pop(path or request.path, None) is not None:
        request.session[_KEY] = kept
