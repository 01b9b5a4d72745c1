"""The page that reviews a table."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.core.http import as_download, takes_at_most
from registry.core.refusals import Refusal, gives_back, refuse
from registry.core.views import may_post
from registry.submissions.access import charge
from registry.submissions.forms import MAX_CHARACTERS
from registry.submissions.result_forms import with_choice
from registry.submissions.table_forms import IN_PARTS, PastedForm
from registry.submissions.views.submitting import n_rows_of, text_of, too_many_rows
from registry.tools.examples import example_of_review
from registry.tools.review_table.documents import draw_claims, review_document, review_markdown


def _as_it_was(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    form = PastedForm(initial=request.POST.dict() | text_of(request))
    baselines, own = _ticked(request, "baseline"), _ticked(request, "own")
    return _shown(request, form, refusal=refusal, ticked=baselines, ticked_own=own)


def _ticked(request: HttpRequest, name: str) -> frozenset[str] | None:
    """Return the systems ticked as baselines, or as the author's own; None before the form asks."""
    return frozenset(request.POST.getlist(name)) if "asked" in request.POST else None


@takes_at_most(MAX_CHARACTERS, IN_PARTS)
@gives_back(_as_it_was)
@may_post
def review_table(request: HttpRequest) -> HttpResponse:
    """Show each score of a table beside the record; an example before one is sent. Nothing of it is stored."""
    if request.method != "POST":
        example = PastedForm(example_of_review())
        is_clear = example.is_valid() and not example.is_open and not example.missing()
        return _reviewed(request, example, is_example=True) if is_clear else _shown(request, PastedForm())
    charge(request, n_rows_of(request))
    form = PastedForm(with_choice(request.POST), request.FILES)
    if not form.is_valid():
        return _shown(request, form, choices=form.choices_for())
    if form.n_rows > form.MOST_ROWS:
        return refuse(request, too_many_rows(form))
    missing = form.missing()
    if form.is_open or missing:
        return _shown(
            request, form, questions=form.questions(), is_open=form.is_open, missing=missing, mentioned=form.mentioned()
        )
    return _reviewed(request, form)


def _reviewed(request: HttpRequest, form: PastedForm, *, is_example: bool = False) -> HttpResponse:
    document = review_document(form, _ticked(request, "baseline"), _ticked(request, "own"))
    if request.POST.get("step") == "markdown":
        return as_download(review_markdown(document), "text/markdown; charset=utf-8", "reviewed-table.md")
    context = {"document": document, "reading": form.reading, "questions": form.questions(), "is_example": is_example}
    return _shown(request, form, **context, bars=draw_claims(document.claims))


def _shown(request: HttpRequest, form: PastedForm, **context: Any) -> HttpResponse:
    response = render(request, "tools/review_table/review_table.html", {"form": form} | context)
    if request.method == "POST":
        response["Cache-Control"] = "no-store"
    return response
