"""What somebody typed before signing in: kept in the session until they send it, or want it no more."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from registry.accounts.limits import take_kept_form

#: Characters of a table; strangers must not fill the database.
MAX_KEPT = 200_000

_KEY = "typed-before-signing-in"
_NOT_TYPED = frozenset({"csrfmiddlewaretoken", "step", "use"})


def keep_for_later(request: HttpRequest, data: Mapping[str, Any]) -> HttpResponse:
    """The way to sign in, and back to this page with everything that was typed."""
    take_kept_form(request)
    typed = {name: text for name, text in data.items() if name not in _NOT_TYPED}
    request.session[_KEY] = {"path": request.path, "typed": typed}
    return redirect(f"{reverse('account_login')}?{urlencode({'next': request.path})}")


def read_kept(request: HttpRequest) -> QueryDict | None:
    """What was typed on this page before signing in; None where there is nothing, or nobody is signed in yet."""
    kept = request.session.get(_KEY) if request.user.is_authenticated else None
    if not kept or kept["path"] != request.path:
        return None
    typed = QueryDict(mutable=True)
    typed.update(kept["typed"])
    return typed


def forget_kept(request: HttpRequest) -> None:
    """Keep it no longer: the page holds it now."""
    if request.user.is_authenticated:
        request.session.pop(_KEY, None)
