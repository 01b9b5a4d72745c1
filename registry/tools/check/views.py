"""The pages that check a score."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.core.http import leads_to
from registry.tools.check.best_of import best_of_document
from registry.tools.check.documents import check_document, draw
from registry.tools.check.forms import BestOfForm, CheckForm


@require_safe
@leads_to(json="api:check")
def check(request: HttpRequest) -> HttpResponse:
    """A form, and below it the answer to what the address asks, or a choice of what it may ask.

    Nothing is kept: the address is the answer.
    """
    form = CheckForm(request.GET) if request.GET else CheckForm()
    context: dict[str, Any] = {"form": form, "given": request.GET}
    status = 200
    if request.GET and form.is_valid():
        given, board = form.cleaned_data, form.board
        document = check_document(board, given["score"], given["baseline"], given["tried"] or 1)
        context |= {"board": board, "document": document}
        if document:
            context["drawn"] = draw(board, document.checked)
    elif request.GET:
        context["choices"] = [(one, _with(request, {field: one.value} | one.fills)) for field, one in form.choices]
        status = 300 if context["choices"] else 400
    return _answer(request, "tools/check/check.html", context, status)


def _with(request: HttpRequest, values: dict[str, str]) -> str:
    """The same question with other values, as a query."""
    query = request.GET.copy()
    for name, value in values.items():
        query[name] = value
    return f"?{query.urlencode()}"


@require_safe
@leads_to(json="api:best-of")
def best_of(request: HttpRequest) -> HttpResponse:
    """The same for the best of many, from a summary of them."""
    form = BestOfForm(request.GET) if request.GET else BestOfForm()
    context: dict[str, Any] = {"form": form}
    status = 200
    if request.GET and form.is_valid():
        context["document"] = best_of_document(form.cleaned_data)
    elif request.GET:
        status = 400
    return _answer(request, "tools/check/best_of.html", context, status)


def _answer(request: HttpRequest, template: str, context: dict[str, Any], status: int) -> HttpResponse:
    response = render(request, template, context, status=status)
    response["Cache-Control"] = "private, no-cache"
    return response
