"""Large requests: given to a worker, waited for on a page that can be left, and answered there."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from registry.accounts.access import get_own_errand, remember_errand
from registry.accounts.errands.queries import read_errand_progress
from registry.accounts.errands.services import kept_content, leave_to_worker, start_errand
from registry.accounts.models import Errand
from registry.core.http import json_response
from registry.core.views import may_post


def leave(request: HttpRequest, **fields: str) -> HttpResponse:
    """Have a worker answer what a form sent, with these fields as they are to be: the page on which to wait for it."""
    return redirect(_left(request, fields, waits=False))


def leave_until_signed_in(request: HttpRequest, **fields: str) -> HttpResponse:
    """Keep what a form sent until its visitor has signed in: the way to do that, and then to it."""
    errand = _left(request, fields, waits=True)
    return redirect(f"{reverse('account_login')}?{urlencode({'next': errand.get_absolute_url()})}")


def _left(request: HttpRequest, fields: dict[str, str], *, waits: bool) -> Errand:
    form = dict(request.POST.lists()) | {name: [text] for name, text in fields.items()}
    form.pop("csrfmiddlewaretoken", None)
    user = request.user if request.user.is_authenticated else None
    errand = leave_to_worker(request, user=user, form=form, waits=waits)
    if user is None:
        remember_errand(request, errand)
    return errand


# Not never_cache: browsers forget what is typed into a page that they may not store.
@cache_control(private=True, no_cache=True)
@may_post
def errand_detail(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """What a worker answered, as it would have been answered at once; until then, how far it is."""
    errand = get_own_errand(pk, request)
    if errand.answered_at:
        return _answer(request, errand)
    progress = read_errand_progress(errand)
    may_start = progress.is_failed or (progress.state == "held" and request.user.is_authenticated)
    if request.method == "POST" and may_start:
        start_errand(errand=errand, user=request.user if request.user.is_authenticated else None)
        return redirect(errand)
    context: dict[str, Any] = {"errand": errand, "progress": progress, "may_start": may_start}
    return render(request, "accounts/errand.html", context)


def _answer(request: HttpRequest, errand: Errand) -> HttpResponse:
    for level, text in errand.messages:
        messages.add_message(request, level, text)
    if "Location" in errand.headers:
        return redirect(errand.headers["Location"])
    headers = errand.headers
    return HttpResponse(kept_content(errand, get_token(request)), status=errand.status, headers=headers)


@never_cache
@require_safe
def errand_progress(request: HttpRequest, pk: uuid.UUID) -> JsonResponse:
    """How far it is, for the page's script."""
    errand = get_own_errand(pk, request)
    progress = None if errand.answered_at else read_errand_progress(errand)
    return json_response({"done": progress is None, "message": progress.message if progress else ""})
