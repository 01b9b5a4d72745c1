"""Requests that a worker answers: those about so many rows that readers would wait for them.

What is sent is kept with a job, in one transaction; a worker hands it to the same view that it was sent to, and keeps
what that answers. Nothing else knows of it: views ask ``is_left`` before the work begins, and give the request away.
"""

import hashlib
import io
import json
import re
import uuid
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import unquote_to_bytes

from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.core.handlers.exception import response_for_exception
from django.core.handlers.wsgi import WSGIRequest
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import resolve
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

from registry.accounts.errands.queries import RUN_ERRAND, arguments_of
from registry.accounts.models import ApiToken, Errand, User
from registry.core.limits import Limited
from registry.core.refusals import refusal_of, refuse
from registry.core.services import enqueue_jobs

#: About more rows than this a worker answers: so many take the web server some 30 ms.
MAX_ROWS_HERE = 100
KEPT, KEPT_FOR_VISITORS = timedelta(days=1), timedelta(hours=1)
#: Answers of one person that are kept at a time.
MAX_KEPT = 20

#: What a view looks at besides path and body.
_HEADERS = ("If-Match", "Idempotency-Key", "Accept")
_KEPT_HEADERS = ("Content-Type", "Location", "ETag", "Retry-After", "Idempotent-Replayed", "WWW-Authenticate")
_FORM = "application/x-www-form-urlencoded"
#: Stands in an answer's forms for the token that only the browser's own request can make.
_TOKEN = "errand" * 10 + "csrf"
_TOKEN_FIELD = re.compile(rb'(name="csrfmiddlewaretoken" value=")[A-Za-z0-9]+(")')


@dataclass(frozen=True, slots=True)
class Found:
    """What a view answered on the worker; its content is compressed."""

    errand_id: uuid.UUID
    response: HttpResponse
    content: bytes
    messages: list[list[Any]]


def is_left(request: HttpRequest, n_rows: int) -> bool:
    """Whether a worker is to answer a request about so many rows; on the worker itself, never."""
    return n_rows > MAX_ROWS_HERE and not is_errand(request)


def is_errand(request: HttpRequest) -> bool:
    """Whether a worker is answering the request: it was charged for when it came."""
    return getattr(request, "errand", None) is not None


def leave_to_worker(
    request: HttpRequest,
    *,
    user: User | None,
    body: bytes | None = None,
    form: Mapping[str, list[str]] | None = None,
    token: ApiToken | None = None,
    waits: bool = False,
) -> Errand:
    """The errand of this request, with its ``body`` or the fields of its ``form``; a second click finds the first's.

    One that ``waits`` is not begun before ``start_errand``.
    """
    content = json.dumps(form).encode() if body is None else body
    told = {
        "method": request.method,
        "path": request.get_full_path(),
        "type": _FORM if body is None else request.META.get("CONTENT_TYPE", ""),
        "headers": {name: request.headers[name] for name in _HEADERS if name in request.headers},
        "site": [request.scheme, request.get_host()],
        "token": token.pk if token else None,
    }
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode() + content).hexdigest()
    with transaction.atomic():
        if user:
            # One at a time for each person, so that two clicks at the same moment are one errand.
            User.objects.select_for_update().get(pk=user.pk)
            known = Errand.objects.filter(user=user, digest=digest, answered_at__isnull=True).first()
            if known:
                return known
            _forget_old(user)
        errand = Errand.objects.create(user=user, request=told, body=content, digest=digest)
        if not waits:
            _enqueue(errand)
    return errand


@transaction.atomic
def start_errand(*, errand: Errand, user: User | None) -> None:
    """Have a worker answer what waited for its visitor to sign in, or what failed."""
    Errand.objects.filter(pk=errand.pk, user__isnull=True).update(user=user)
    _enqueue(errand)


def _enqueue(errand: Errand) -> None:
    enqueue_jobs(kind=RUN_ERRAND, args=[arguments_of(errand)])


def _forget_old(user: User) -> None:
    answered = Errand.objects.filter(user=user, answered_at__isnull=False).order_by("-created_at")
    Errand.objects.filter(pk__in=list(answered.values_list("pk", flat=True)[MAX_KEPT - 1 :])).delete()


def answer_errand(errand_id: str) -> Found | None:
    """What the view answers to the kept request; None where it was answered, or is forgotten."""
    errand = Errand.objects.select_related("user").filter(pk=errand_id, answered_at__isnull=True).first()
    if errand is None:
        return None
    request = _request_of(errand)
    response = _respond(request)
    said = [[one.level, str(one.message)] for one in get_messages(request)] if 300 <= response.status_code < 400 else []
    content = _TOKEN_FIELD.sub(rb"\g<1>" + _TOKEN.encode() + rb"\g<2>", response.content)
    return Found(errand.pk, response, zlib.compress(content, 1), said)


def keep_answer(found: Found | None) -> None:
    """Store the answer in place of the request."""
    if found is None:
        return
    response = found.response
    Errand.objects.filter(pk=found.errand_id, answered_at__isnull=True).update(
        answered_at=timezone.now(),
        status=response.status_code,
        headers={name: response[name] for name in _KEPT_HEADERS if name in response},
        messages=found.messages,
        answer=found.content,
        body=b"",
    )


def kept_content(errand: Errand, csrf_token: str) -> bytes:
    """The answer as it goes to whoever asked; its forms with their token."""
    return zlib.decompress(errand.answer).replace(_TOKEN.encode(), csrf_token.encode())


def prune_errands() -> int:
    """How many errands were forgotten because nobody comes back for them."""
    now = timezone.now()
    visitors = Errand.objects.filter(user__isnull=True, created_at__lt=now - KEPT_FOR_VISITORS)
    deleted, _ = (visitors | Errand.objects.filter(created_at__lt=now - KEPT)).delete()
    return deleted


class _KeptRequest(WSGIRequest):
    """A request that is made again, with what middleware and framework would have found out about it."""

    errand: Errand
    _post: QueryDict
    _files: "MultiValueDict[str, UploadedFile[bytes]]"
    _messages: BaseStorage
    _dont_enforce_csrf_checks: bool
    _force_auth_user: User
    _force_auth_token: ApiToken | None


def _request_of(errand: Errand) -> _KeptRequest:
    """The request as it came, but for what a browser proves itself with: that was asked for when it came."""
    told, body = errand.request, bytes(errand.body)
    path, _, query = told["path"].partition("?")
    scheme, host = told["site"]
    request = _KeptRequest(
        {
            "REQUEST_METHOD": told["method"],
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "CONTENT_TYPE": told["type"],
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_NAME": host.partition(":")[0],
            "SERVER_PORT": host.partition(":")[2] or {"http": "80", "https": "443"}[scheme],
            "HTTP_HOST": host,
            "wsgi.url_scheme": scheme,
            "wsgi.input": io.BytesIO(body),
            **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in told["headers"].items()},
        }
    )
    if told["type"] == _FORM:
        request._post, request._files = _post_of(body), MultiValueDict()
    elif "Idempotency-Key" not in told["headers"]:
        # A worker that dies after the work and before it is noted does it again, and it has no second effect.
        request.META["HTTP_IDEMPOTENCY_KEY"] = f"errand-{errand.pk}"
    request.errand = errand
    request.session = SessionBase()
    request._messages = _Said(request)
    request._dont_enforce_csrf_checks = True
    _sign_in(request, errand)
    return request


def _post_of(body: bytes) -> QueryDict:
    fields = QueryDict(mutable=True)
    for name, values in json.loads(body).items():
        fields.setlist(name, values)
    return fields


def _sign_in(request: _KeptRequest, errand: Errand) -> None:
    """Have the view see who asked, as far as they still may; for a program with its token, which has its scopes."""
    token_id = errand.request["token"]
    token = ApiToken.objects.live().filter(pk=token_id).first() if token_id else None
    user = errand.user if errand.user and errand.user.is_active and (token or not token_id) else None
    request.user = user or AnonymousUser()
    if user:
        request._force_auth_user, request._force_auth_token = user, token


def _respond(request: WSGIRequest) -> HttpResponse:
    """What the view answers. Any exception but a refusal in its own words is an error of the job, which is repeated."""
    request.resolver_match = match = resolve(request.path_info)
    try:
        response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    except Limited as limited:
        return refuse(request, refusal_of(limited))
    except (Http404, PermissionDenied) as refused:
        answer: HttpResponse = response_for_exception(request, refused)
        return answer
    return response


class _Said(BaseStorage):
    """What is to be said on the next page; nothing was said before."""

    def _get(self, *args: Any, **options: Any) -> tuple[list[Any], bool]:
        return [], True

    def _store(self, messages: list[Any], response: HttpResponse, *args: Any, **options: Any) -> list[Any]:
        return []
