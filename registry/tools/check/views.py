"""The page that checks a score, and the best of many."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.core.http import leads_to
from registry.tools.check.best_of import best_of_document
from registry.tools.check.documents import check_document, draw
from registry.tools.check.forms import BestOfForm, CheckForm


@require_safe
def check(request: HttpRequest) -> HttpResponse:
    """Two forms, and the answer to what the address asks of one, or a choice of what it may ask.

    Nothing is kept: the address is the answer.
    """
    return (_best_of if request.GET.keys() & BestOfForm.base_fields.keys() else _check)(request)


@leads_to(json="api:check")
def _check(request: HttpRequest) -> HttpResponse:
    form = CheckForm(request.GET) if request.GET else CheckForm()
    context: dict[str, Any] = {"form": form, "many": BestOfForm()}
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
    return _answer(request, context, status)


def _with(request: HttpRequest, values: dict[str, str]) -> str:
    """The same question with other values, as a query."""
    query = request.GET.copy()
    for name, value in values.items():
        query[name] = value
    return f"?{query.urlencode()}"


@leads_to(json="api:best-of")
def _best_of(request: HttpRequest) -> HttpResponse:
    many = BestOfForm(request.GET)
    answer = {"best_of": best_of_document(many.cleaned_data)} if many.is_valid() else {}
    return _answer(request, {"form": CheckForm(), "many": many} | answer, 200 if answer else 400)


def _answer(request: HttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    response = render(request, "tools/check/check.html", context, status=status)
    response["Cache-Control"] = "private, no-cache"
    return response
