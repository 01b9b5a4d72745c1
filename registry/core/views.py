"""Pages that stand on no data: methods and documents; and whether the site works, for monitors."""

import logging

from django.db import DatabaseError, InterfaceError, connection
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from registry.core.forms import field_errors
from registry.core.http import error_response, is_for_programs
from registry.core.pages import Document, read_document, read_document_index, read_method, read_method_index
from registry.core.queries import read_workload

logger = logging.getLogger(__name__)


@require_safe
def method_list(request: HttpRequest) -> HttpResponse:
    """Every method with its question."""
    return _page_of(request, read_method_index())


@require_safe
def method_detail(request: HttpRequest, name: str) -> HttpResponse:
    """What one statistic assumes."""
    method = read_method(name)
    if method is None:
        raise Http404(f"No method is called {name}.")
    return _page_of(request, method, above=("Methods", reverse("core:method-list")))


@require_safe
def document_list(request: HttpRequest) -> HttpResponse:
    """Every document, by what readers want to do."""
    return _page_of(request, read_document_index())


@require_safe
def document_detail(request: HttpRequest, name: str) -> HttpResponse:
    """One of the documents, as the repository has it."""
    document = read_document(name)
    if document is None:
        raise Http404(f"No document is called {name}.")
    return _page_of(request, document, above=("Documents", reverse("core:document-list")))


def _page_of(request: HttpRequest, document: Document, above: tuple[str, str] | None = None) -> HttpResponse:
    return render(request, "core/document.html", {"document": document, "above": above})


def bad_request(request: HttpRequest, form: Form) -> HttpResponse:
    """A page that says which part of the address is wrong and what it may be; for programs, the error as JSON."""
    problems = field_errors(form)
    if is_for_programs(request):
        return error_response(400, "The address asks for something that is not known here.", problems)
    return render(request, "core/bad_request.html", {"problems": problems, "path": request.path}, status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for what is not there, in the words of whoever looked for it; for programs, the error as JSON."""
    if is_for_programs(request):
        return error_response(404)
    # Where no address fits at all, Django passes what it tried, which is no text.
    message = next((text for text in exception.args if isinstance(text, str)), "")
    return render(request, "404.html", {"message": message}, status=404)


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """200 while pages can be served, with what an operator should look at; 503 without the database."""
    try:
        workload = read_workload()
    except (DatabaseError, InterfaceError):
        logger.exception("the database does not answer")
        return error_response(503, "The database does not answer.")
    return JsonResponse(
        {
            "ok": True,
            "problems": workload.problems,
            "database": connection.vendor,
            "jobs": {
                "queued": workload.n_queued,
                "running": workload.n_running,
                "failed": workload.n_failed,
                "oldest_queued_seconds": workload.oldest_queued_age,
            },
            "worker": {"alive": workload.is_worker_alive, "heartbeat_seconds": workload.heartbeat_age},
        }
    )
