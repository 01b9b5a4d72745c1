"""The page that checks a score, or the best of many."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from registry.core.http import leads_to
from registry.core.kept import kept_response
from registry.leaderboards.versions import registry_version
from registry.tools.check.documents import best_of_document, check_document, draw
from registry.tools.check.forms import BestOfForm, CheckForm
from registry.tools.examples import example_of_check


@require_safe
def check(request: HttpRequest) -> HttpResponse:
    """Answer what the address asks, or offer what it may mean; without a query, show an example."""
    return (_best_of if request.GET.keys() & BestOfForm.base_fields.keys() else _check)(request)


@leads_to(json="api:check")
def _check(request: HttpRequest) -> HttpResponse:
    if request.GET:
        return _checked(request, CheckForm(request.GET))
    key = f"check example {registry_version()} {timezone.now().date()}"
    return kept_response(request, key=key, build=lambda: _checked(request, CheckForm(example_of_check())))


def _checked(request: HttpRequest, form: CheckForm) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "many": BestOfForm(), "is_example": not request.GET}
    status = 200
    if form.is_valid():
        values, board = form.cleaned_data, form.board
        document = check_document(board, values["score"], values["baseline"], values["tried"] or 1)
        context |= {"board": board, "document": document}
        if document:
            context["drawn"] = draw(board, document.checked, is_alone=values["score"] is None)
    elif request.GET:
        context["choices"] = [
            (candidate, _with(request, {field: candidate.value} | candidate.fills)) for field, candidate in form.choices
        ]
        status = 300 if context["choices"] else 400
    return _answer(request, context, status)


def _with(request: HttpRequest, values: dict[str, str]) -> str:
    query = request.GET.copy()
    for name, value in values.items():
        query[name] = value
    return f"?{query.urlencode()}"


@leads_to(json="api:best-of")
def _best_of(request: HttpRequest) -> HttpResponse:
    many = BestOfForm(request.GET)
    answer = {"best_of": best_of_document(many.cleaned_data)} if many.is_valid() else {}
    return _answer(request, {"form": CheckForm(example_of_check()), "many": many} | answer, 200 if answer else 400)


def _answer(request: HttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    response = render(request, "tools/check/check.html", context, status=status)
    response["Cache-Control"] = "private, no-cache"
    return response
