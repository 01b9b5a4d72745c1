"""Methods, with where they are at work, and documents; and whether the site works, for monitors."""

import logging
import sys
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe
from prometheus_client import CONTENT_TYPE_LATEST
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.settings import api_settings

from registry.core.forms import field_errors
from registry.core.http import Ambiguous, error_response, is_for_programs, is_from_this_machine, must_exist
from registry.core.kept import KEPT, Kept
from registry.core.pages import (
    Document,
    LiveExample,
    live_examples,
    read_document,
    read_method,
)
from registry.core.queries import SECTIONS, TriedPages, exposition, failing_pages, read_workload
from registry.core.refusals import DatabaseAway, Refusal, is_from_here, outage_of, refuse
from registry.core.storage import read_storage

logger = logging.getLogger(__name__)

_SECONDS_UNTIL_MENDED = 30
_tried_pages = TriedPages()

#: For pages with a form that is sent to their own address.
may_post = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
def method_detail(request: HttpRequest, name: str = "") -> HttpResponse:
    """Show one method, with pages of today on which it is at work; without a name the list of all."""
    document = must_exist(read_method(name), f"No method is called {name}.")
    above = ("Methods", reverse("core:method-list")) if name else None
    return _page_of(request, document, above, live_examples(name))


@require_safe
def document_detail(request: HttpRequest, name: str = "") -> HttpResponse:
    """Show one of the documents, as the repository has it; without a name the list of all."""
    document = must_exist(read_document(name), f"No document is called {name}.")
    return _page_of(request, document, ("Help", reverse("core:document-list")) if name else None)


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    """Show who runs the site, as far as they say."""
    return render(request, "core/contact.html", {"contact": settings.PLUMBLINE_CONTACT})


def _page_of(
    request: HttpRequest, document: Document, above: tuple[str, str] | None, examples: Sequence[LiveExample] = ()
) -> HttpResponse:
    context = {"document": document, "above": above, "examples": examples}
    return render(request, "core/document.html", context)


def bad_request(request: HttpRequest, form: Form) -> HttpResponse:
    """Return the page that says what is wrong in the address and what it may be; for programs, the error as JSON."""
    problems = field_errors(form)
    if is_for_programs(request):
        return error_response(400, "What this address asks for is not known here, or can’t be read.", problems)
    return render(request, "core/bad_request.html", {"problems": problems, "path": request.path}, status=400)


def not_found(
    request: HttpRequest, exception: Exception, nearest: Callable[[str], Sequence[Any]] | None = None
) -> HttpResponse:
    """Return the page for what is not there, in the words of whoever looked for it; for programs, the error as JSON.

    ``nearest`` gives what may be meant by an address, each with a ``title`` and an ``address`` of its own.
    """
    if isinstance(exception, Ambiguous):
        # Ask which of several things the name in the address means, with the address of each.
        candidates = [(candidate, exception.address(request, candidate)) for candidate in exception.refused.candidates]
        context = {"name": exception.name, "question": exception.refused.question, "candidates": candidates}
        return render(request, "core/which.html", context, status=300)
    if is_for_programs(request):
        return error_response(404)
    # If no address matches, Django passes the patterns it tried, which are no text.
    message = next((text for text in exception.args if isinstance(text, str)), "")
    context = {"message": message, "nearest": nearest(request.path_info) if nearest else ()}
    return render(request, "404.html", context, status=404)


@csrf_exempt
def gone(request: HttpRequest, advice: str, **_: object) -> HttpResponse:
    """Return 410 with a sentence that says what took the page's place; as JSON for programs."""
    if is_for_programs(request):
        return error_response(410, advice)
    return render(request, "core/gone.html", {"advice": advice}, status=410)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the outage and when to ask again, or else that it is our error.

    It is called while the exception is handled. The pages are made without the request, which would look its user up.
    """
    outage = outage_of(sys.exception())
    if outage is None:
        return error_response(500) if is_for_programs(request) else _page_for_anybody("500.html", 500)
    if is_for_programs(request):
        response: HttpResponse = error_response(outage.status, str(outage))
    else:
        response = _page_for_anybody("refused.html", outage.status, title=outage.title, message=str(outage))
    response["Retry-After"] = str(outage.retry_after)
    response["Cache-Control"] = "no-store"
    return response


def _page_for_anybody(template: str, status: int, **context: str) -> HttpResponse:
    return HttpResponse(render_to_string(template, context), status=status)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show the form again, where a page of this site sent it; what another site sent must not be a click away."""
    if is_from_here(request):
        why = "You signed in or out since this form was opened, or it was open for very long."
    else:
        request._mark_post_parse_error()  # type: ignore[attr-defined]
        why = "The form came from another site, or your browser keeps no cookies or hides where forms come from."
    return refuse(request, Refusal(403, "Send it again", f"{why} So it was not carried out."))


@never_cache
@require_safe
def health_live(request: HttpRequest) -> JsonResponse:
    """Return 200 while the process answers; it asks nothing else, and waits for no computation."""
    request.META[KEPT] = Kept.FOUND
    return JsonResponse({"ok": True})


@never_cache
@require_safe
def health_ready(request: HttpRequest) -> JsonResponse:
    """Return 200 where one page of each kind can be read, 503 with those that fail."""
    return _failing(failing_pages(request)) or JsonResponse({"ok": True})


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics as Prometheus reads them: to this machine, and with an administrator's token."""
    try:
        may_read = is_from_this_machine(request) or _is_administrator(request)
    except AuthenticationFailed as error:
        return error_response(401, str(error.detail))
    if not may_read:
        return error_response(403, "This is for a monitor on the site’s own machine, or with an administrator’s token.")
    request.META[KEPT] = Kept.FOUND
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)


def _is_administrator(request: HttpRequest) -> bool:
    """Return whether the request comes with an administrator's token, which an app above knows."""
    by_token: Any = api_settings.DEFAULT_AUTHENTICATION_CLASSES[0]
    authenticated = by_token().authenticate(request)
    return authenticated is not None and bool(authenticated[0].is_superuser)


def _failing(pages: Sequence[str]) -> JsonResponse | None:
    if not pages:
        return None
    response = error_response(503, f"These pages fail, and the log says why: {', '.join(pages)}.")
    response["Retry-After"] = str(_SECONDS_UNTIL_MENDED)
    return response


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Return 200 while pages can be served, with what an operator should look at; 503 without the database, or where
    pages fail: one of each kind is asked for once a minute."""
    try:
        workload, storage = read_workload(), read_storage()
        sections = {name: section() for name, section in SECTIONS.items()}
    except (DatabaseError, InterfaceError) as error:
        logger.exception("the database does not answer")
        outage = outage_of(error)
        response = error_response(503, outage.cause if isinstance(outage, DatabaseAway) else DatabaseAway.cause)
        response["Retry-After"] = str(DatabaseAway.seconds)
        return response
    return _failing(_tried_pages.failing(request)) or JsonResponse(
        {
            "ok": True,
            "problems": [
                *workload.problems,
                *storage.problems,
                *(problem for _, problems in sections.values() for problem in problems),
            ],
            "database": connection.vendor,
            "jobs": {
                "queued": workload.n_queued,
                "running": workload.n_running,
                "failed": workload.n_failed,
                "oldest_queued_seconds": workload.oldest_queued_age,
            },
            "storage": {"writable": storage.is_writable, "free_bytes": storage.free_bytes},
            "worker": {"alive": workload.is_worker_alive, "heartbeat_seconds": workload.heartbeat_age},
            **{name: document for name, (document, _) in sections.items()},
        }
    )
