"""The page that checks a score."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.accounts.limits import take_score_check
from registry.check.documents import check_document, draw
from registry.check.forms import CheckForm


@require_safe
def check(request: HttpRequest) -> HttpResponse:
    """A form, and below it the answer to what the address asks. Nothing is kept: the address is the answer."""
    form = CheckForm(request.GET) if request.GET else CheckForm()
    context = {"form": form, "given": request.GET}
    status = 200
    if request.GET and form.is_valid():
        take_score_check(request)
        given, board = form.cleaned_data, form.board
        document = check_document(board, given["score"], given["baseline"], given["tried"] or 1)
        context |= {"board": board, "document": document}
        if document:
            context["drawn"] = draw(board, document.checked)
    elif request.GET:
        status = 400
    response = render(request, "check/check.html", context, status=status)
    response["Cache-Control"] = "private, no-cache"
    return response
