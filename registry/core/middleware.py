"""Rules for every address, before a view is found and after it has answered."""

import re
import secrets
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django_http_compression.middleware import HttpCompressionMiddleware

from registry.core import http
from registry.core.forms import WrongQuery
from registry.core.kept import KEPT, Kept
from registry.core.limits import Limited
from registry.core.logs import request_id
from registry.core.metrics import count_request
from registry.core.refusals import refusal_of, refuse
from registry.core.views import bad_request

_METHODS_OF_PAGES = ("GET", "HEAD", "OPTIONS", "POST")
_METHODS = (*_METHODS_OF_PAGES, "PUT", "PATCH", "DELETE")
_OF_THE_BODY = {"Content-Type", "Content-Length", "Content-Disposition"}

#: Pages of other sites may ask with a token that their reader gave them. Cookies are not asked for and not sent.
_SHARED = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Content-Disposition, ETag, Idempotent-Replayed, Link, Location, Retry-After",
}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Authorization, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
#: Addresses to which programs also send something.
_WRITING = ("/api/v1/submissions/", "/api/v1/runs/", "/api/v1/compare/topics/", "/api/v1/review-table/")
_PREFLIGHT_OF_WRITING = _PREFLIGHT | {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PATCH, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, Idempotency-Key, If-Match",
}


_TOO_DEAR = (
    "Much was computed for your network just now, and more has to wait. Pages that need no computing open all the same."
)

#: What gains from compression; archives and pictures don’t.
_TEXT = re.compile(r"text/|application/(json|atom\+xml|xml|ld\+json|x-bibtex)|image/svg\+xml")

#: Title and message by status.
_REFUSED_BODIES = {
    400: ("That request does not work", "The site could not read it."),
    408: (
        "Too slow",
        "What you sent did not arrive in time, and nothing was stored. Send it again, in parts where the line is slow.",
    ),
    411: ("Length missing", "Say how long the body is, in Content-Length."),
    413: ("Too large", "What you sent is larger than {most}, the most that fits at once. {advice}"),
    502: ("Not now", "The answer was lost. Try again; if you sent something, look first whether it arrived."),
    503: ("Not now", "As many are sending something here as can be read at once. Try again in a few seconds."),
    507: ("No room", "There is no room here for what you sent at the moment; nothing was stored. Try again later."),
}
_RETRY_AFTER = {502: "1", 503: "10", 507: "300"}
_IN_PARTS = "Send it in parts."


class _Middleware:
    """The base of those below; by itself it does nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class NameRequest(_Middleware):
    """Names each request, in its answer and in every line of the log about it; and counts it.

    The name stays set: Django's own line about an answer is written after this has returned.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = request.META.get(http.BEGAN) or time.monotonic()
        name = secrets.token_hex(8)
        request_id.set(name)
        response = self.get_response(request)
        response["Request-Id"] = name
        kept = request.META.get(KEPT)
        if kept is not Kept.MISSING and response.status_code != 100:  # Those are no answers yet.
            seconds, match = time.monotonic() - began, request.resolver_match
            # The app that was asked; "other" for pages without a name of ours, "none" where there is no page.
            kind = match.app_names[0] if match and match.app_names else "other" if match else "none"
            if request.path_info.startswith(settings.STATIC_URL):
                kind = "static"
            count_request(kind, response.status_code, seconds, kept.value if kept else "computed")
        return response


class RefuseUnknown(_Middleware):
    """Answers 405 to methods that nothing here takes, and 404 to addresses with control characters.

    Only programs use PUT and DELETE. No row has control characters in its name, and PostgreSQL fails on NUL. A form
    without its token is refused only where there are forms.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        methods = _METHODS if request.path_info.startswith("/api/") else _METHODS_OF_PAGES
        # Views refuse a TRACE by themselves.
        if request.method not in {*methods, "TRACE"}:
            return HttpResponseNotAllowed(methods)
        if any(character < " " or character == "\x7f" for character in request.path_info):
            raise Http404("There is nothing at this address.")
        return self.get_response(request)


class RefuseBodies(_Middleware):
    """Refuses a body that was not read, or is larger than anything that is taken here.

    The page is the same for everybody: the sender is not looked up, and slow ones cost next to nothing.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        most = http.max_body_bytes(request.method or "", request.path_info, request.headers.get("Authorization", ""))
        is_small = length.isdecimal() and int(length[:20]) <= most
        status = request.META.get(http.REFUSED, 0) if is_small else 413
        if not status:
            return self.get_response(request)
        title, message = _REFUSED_BODIES[status]
        if status == 413:
            most_there, advice = _size_of(request.path_info)
            message = message.format(most=http.in_megabytes(min(most, most_there)), advice=advice)
        response: HttpResponse
        if http.is_for_programs(request):
            response = http.error_response(status, message)
        else:
            response = HttpResponse(_refusal_page(title, message), status=status)
        if status in _RETRY_AFTER:
            response["Retry-After"] = _RETRY_AFTER[status]
        return response


def _size_of(path: str) -> tuple[int, str]:
    """Return how many bytes the view at this address takes, and advice for more (``takes_at_most``)."""
    try:
        view = resolve(path).func
    except Resolver404:
        return sys.maxsize, _IN_PARTS
    view = getattr(view, "cls", view)
    return getattr(view, "most_bytes", sys.maxsize), getattr(view, "if_larger", _IN_PARTS)


@cache
def _refusal_page(title: str, message: str) -> str:
    return render_to_string("refused.html", {"title": title, "message": message})


class AnswerAtHeaders(_Middleware):
    """Asks who sends a body before it is read: 100 with their name, or for programs what refuses them.

    The request itself is not carried out; views that ``answer_at_headers`` themselves see to that.
    """

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if http.AT_HEADERS not in request.META or getattr(getattr(view, "cls", None), "answers_at_headers", False):
            return None
        return http.go_on(request.user)


class SayWhenToRetry(_Middleware):
    """Answers 429 or 503, with the reason and the time to wait, when something cannot be done now."""

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        retry_after = request.META.get(http.RETRY_AFTER)
        return refuse(request, refusal_of(Limited(retry_after, _TOO_DEAR))) if retry_after else None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return refuse(request, refusal_of(exception)) if isinstance(exception, http.TryLater) else None


#: Devices that no page here needs, and that nothing that slips into one may use.
_PERMISSIONS = ", ".join(
    f"{name}=()"
    for name in ("camera", "display-capture", "geolocation", "microphone", "midi", "payment", "serial", "usb")
)


class SendPolicy(_Middleware):
    """Sends what browsers may do with an answer.

    That is the Content-Security-Policy, where an answer brings none of its own; which devices a page may ask for; and
    that pages of other sites show badges, drawings and files alone.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.policy = build_policy()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # Django's debug pages have inline styles.
        if not (settings.DEBUG and response.status_code in {404, 500}):
            response.headers.setdefault(HEADER, self.policy)
        response.headers["Permissions-Policy"] = _PERMISSIONS
        response.headers["Cross-Origin-Resource-Policy"] = (
            "cross-origin" if http.is_for_programs(request) else "same-origin"
        )
        return response


class Compress(HttpCompressionMiddleware):
    """Compresses text, with noise of random length, so that its length gives no secrets away.

    An answer with a strong ETag is left as it is: programs send the ETag back as ``If-Match``.
    """

    content_type_re = _TEXT

    def maybe_compress(self, request: HttpRequest, response: HttpResponseBase) -> None:
        if "ETag" not in response:
            super().maybe_compress(request, response)


class KeepPrivate(_Middleware):
    """Keeps the pages of people who are signed in out of caches on the way; those of accounts out of browsers, too."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path_info.startswith(("/accounts/", "/admin/")):
            response["Cache-Control"] = "no-store"
        # The reader is looked up only if there is a session, so that they may have signed in.
        elif (
            "Cache-Control" not in response
            and settings.SESSION_COOKIE_NAME in request.COOKIES
            and request.user.is_authenticated
        ):
            response["Cache-Control"] = "private, no-cache"
        return response


class ForPrograms(_Middleware):
    """Gives errors their one shape at addresses for programs, and lets pages of other sites ask there."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not http.is_for_programs(request):
            return self.get_response(request)
        is_writing = request.path_info.startswith(_WRITING)
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return HttpResponse(status=204, headers=_SHARED | (_PREFLIGHT_OF_WRITING if is_writing else _PREFLIGHT))
        response = self.get_response(request)
        if response.status_code == 301 and request.method not in {"GET", "HEAD"}:
            # Clients follow a 301 with a GET, and what they sent would be lost silently.
            response.status_code = 308
        if response.status_code >= 400 and not response.get("Content-Type", "").startswith("application/json"):
            headers = {name: value for name, value in response.items() if name not in _OF_THE_BODY}
            response = _with(http.error_response(response.status_code), headers)
        return _with(response, _SHARED) if is_writing or request.method in {"GET", "HEAD"} else response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the error for what is not found, not allowed or not known to ask for, in the words of the view."""
        if isinstance(exception, WrongQuery):
            return bad_request(request, exception.form)
        if http.is_for_programs(request) and isinstance(exception, (Http404, PermissionDenied)):
            errors = exception.errors if isinstance(exception, http.Ambiguous) else []
            return http.error_response(404 if isinstance(exception, Http404) else 403, str(exception), errors)
        return None


def _with(response: HttpResponse, headers: dict[str, str]) -> HttpResponse:
    for name, value in headers.items():
        response[name] = value
    return response
