"""Handing in many results as a table: pasted or uploaded, shown as it was understood, then checked row by row."""

from itertools import islice
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from registry.accounts.limits import take_submission
from registry.core.tables import Record
from registry.core.views import bad_request
from registry.submissions.forms import PresetForm, as_sentence, with_choice
from registry.submissions.models import Submission
from registry.submissions.services import create_submission
from registry.submissions.table_forms import TableForm
from registry.submissions.views.keeping import MAX_KEPT, forget_kept, keep_for_later, read_kept

#: Of what was read and what was put aside, as much as shows whether the table was understood.
_SHOWN_ROWS = 5
_SHOWN_ASIDES = 100


@require_http_methods(["GET", "HEAD", "POST"])
def table_submit(request: HttpRequest) -> HttpResponse:
    """A form for a table; first it is shown how it was understood, then its rows become a draft."""
    if request.method != "POST":
        return _empty_form(request)
    forget_kept(request)
    if request.POST.get("step") == "discard":
        return redirect(request.path)
    form = TableForm(with_choice(request.POST), request.FILES)
    if not form.is_valid():
        return _shown(request, form, choices=form.choices_for())
    if request.POST.get("step") != "check" or form.missing():
        return _understood(request, form)
    if not request.user.is_authenticated:
        return _keep(request, form)
    return _make_draft(request, form)


def _empty_form(request: HttpRequest) -> HttpResponse:
    kept = read_kept(request)
    if kept is not None:
        form = TableForm(kept)
        return _understood(request, form, is_kept=True) if form.is_valid() else _shown(request, form)
    presets = PresetForm(request.GET)
    if not presets.is_valid():
        return bad_request(request, presets)
    return _shown(request, TableForm(initial=presets.cleaned_data))


def _shown(request: HttpRequest, form: TableForm, **context: Any) -> HttpResponse:
    return render(request, "submissions/table_submit.html", {"form": form} | context)


def _understood(request: HttpRequest, form: TableForm, *, is_kept: bool = False) -> HttpResponse:
    """The form with what the table was read as."""
    assert form.reading is not None
    rows = (one for one in form.records() if isinstance(one, Record))
    return _shown(
        request,
        form,
        kept=is_kept,
        reading=form.reading,
        missing=form.missing(),
        first_rows=list(islice(rows, _SHOWN_ROWS)),
        asides=form.reading.asides[:_SHOWN_ASIDES],
        rejections=form.reading.rejections[:_SHOWN_ASIDES],
    )


def _keep(request: HttpRequest, form: TableForm) -> HttpResponse:
    """The way to sign in; what is too long to be kept meanwhile stays on the page."""
    if len(form.data["text"]) <= MAX_KEPT:
        return keep_for_later(request, form.data)
    form.add_error(
        None, f"Sign in first, then paste it again: more than {MAX_KEPT:,} characters are not kept meanwhile."
    )
    return _shown(request, form)


def _make_draft(request: HttpRequest, form: TableForm) -> HttpResponse:
    take_submission(request, request.user)
    try:
        submission = create_submission(
            contributor=request.user,
            way=Submission.Way.TABLE,
            rows=form.records(),
            paper=form.paper_draft,
            **form.terms,
        )
    except ValidationError as error:
        messages = [as_sentence(message) for message in error.messages]
        form.add_error("embargo_until" if error.code == "embargo" else None, messages)
        return _shown(request, form)
    return redirect(submission)
