"""Handing results in: one that is typed, or a table, shown as it was read; both become a draft."""

from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from analysis.readers.rejections import Refused
from analysis.readers.tables import Record, decode
from analysis.readers.text import weigh
from registry.accounts.access import require_contributor
from registry.core.forms import asked
from registry.core.http import json_response, takes_at_most
from registry.core.limits import spend
from registry.core.messages import say
from registry.core.refusals import Refusal, gives_back, refuse
from registry.core.views import may_post
from registry.submissions.access import charge
from registry.submissions.documents import describe_rows
from registry.submissions.forms import MAX_CHARACTERS, PresetForm, SuggestionForm, as_sentence
from registry.submissions.models import Submission
from registry.submissions.pipeline.checking import check_rows
from registry.submissions.pipeline.matching import take_proposed
from registry.submissions.queries import read_typed
from registry.submissions.result_forms import with_choice
from registry.submissions.services.drafting import create_submission, read_given
from registry.submissions.table_forms import ANSWER, IN_PARTS, PastedForm, ResultsForm

#: Rows and systems that show whether the table was understood.
_SHOWN_ROWS = 5
_SHOWN_SYSTEMS = 10
#: Rows of a table that was checked before its sender has signed in.
_SHOWN_CHECKED = 100


def _shown(request: HttpRequest, form: ResultsForm, **context: Any) -> HttpResponse:
    return render(request, "submissions/results_submit.html", {"form": form} | context)


def _as_it_was(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    typed = request.POST.dict() | text_of(request)
    answers = {name: text for name, text in typed.items() if name.startswith(ANSWER)}
    return _shown(request, ResultsForm(initial=typed), refusal=refusal, answers=answers)


@takes_at_most(MAX_CHARACTERS, IN_PARTS)
@gives_back(_as_it_was)
@may_post
def results_submit(request: HttpRequest) -> HttpResponse:
    """Show the form, then a table as it was read; make a draft once everything is clear."""
    if request.method != "POST":
        return _shown(request, ResultsForm(initial=asked(PresetForm(request.GET)).cleaned_data))
    step = request.POST.get("step")
    charge(request, n_rows_of(request))
    form = ResultsForm(with_choice(request.POST), request.FILES)
    if not form.is_valid():
        return _shown(request, form, choices=form.choices_for())
    if form.reading:
        if form.n_rows > form.MOST_ROWS:
            return refuse(request, too_many_rows(form))
        if step != "check" or form.missing() or form.is_open:
            return _understood(request, form)
    elif step not in {"read", "check"}:
        return _shown(request, form)
    return _make_draft(request, form) if request.user.is_authenticated else _previewed(request, form)


def _previewed(request: HttpRequest, form: ResultsForm) -> HttpResponse:
    """Show what would become of the rows to somebody who has not signed in; nothing is stored."""
    try:
        rows = read_given(form.rows())
    except ValidationError as error:
        form.add_error(None, [as_sentence(message) for message in error.messages])
        return _shown(request, form)
    if form.reading:
        take_proposed(rows)
    check_rows(rows)
    shown = rows[:_SHOWN_CHECKED]
    prefetch_related_objects(shown, "existing")
    return _shown(request, form, checked=describe_rows(shown), n_checked=len(rows))


def _make_draft(request: HttpRequest, form: ResultsForm) -> HttpResponse:
    user = require_contributor(request.user)
    spend("draft rows: account", user.pk, form.n_rows)
    way = Submission.Way.TABLE if form.reading else Submission.Way.FORM
    note, paper = form.cleaned_data["note"], form.cleaned_data.get("paper")
    try:
        draft = create_submission(contributor=user, way=way, rows=form.rows(), paper=paper, note=note)
    except ValidationError as error:
        form.add_error(None, [as_sentence(message) for message in error.messages])
        return _shown(request, form)
    return redirect("submissions:systems-settle", draft.pk) if form.reading else redirect(draft)


@require_safe
def suggestion_list(request: HttpRequest) -> JsonResponse | HttpResponse:
    """Return names that somebody may mean, for the script of the page."""
    form = asked(SuggestionForm(request.GET))
    given = form.cleaned_data
    typed = read_typed(given["kind"], given["q"], collection=given["collection"])
    suggestions = [asdict(suggestion) for suggestion in typed.suggestions]
    return json_response({"suggestions": suggestions, "is_told": typed.is_told})


def too_many_rows(form: PastedForm) -> Refusal:
    """Return the refusal of a table with more results than the form takes at once."""
    return Refusal(413, "Too large", say("submit-too-many", n=form.n_rows, most=form.MOST_ROWS))


def n_rows_of(request: HttpRequest) -> int:
    """Return an upper estimate of the rows of the table, before it is read."""
    return max(weigh(text) for text in (request.POST.get("text", ""), *text_of(request).values()))


def text_of(request: HttpRequest) -> dict[str, str]:
    """Return the text of a file in the field for pasted text, so that nobody has to choose the file again."""
    file = request.FILES.get("file")
    if not file:
        return {}
    file.seek(0)
    content = file.read(MAX_CHARACTERS + 1)
    file.seek(0)
    try:
        return {"text": decode(content)} if len(content) <= MAX_CHARACTERS else {}
    except Refused:
        return {}


def _understood(request: HttpRequest, form: ResultsForm) -> HttpResponse:
    """Show the form with the table as it was read."""
    assert form.reading is not None
    return _shown(
        request,
        form,
        reading=form.reading,
        questions=form.questions(),
        is_open=form.is_open,
        missing=form.missing(),
        partly_missing=form.missing_here_and_there(),
        mentioned=form.mentioned(),
        first_rows=_first_rows(record for record in form.records() if isinstance(record, Record)),
        asides=form.reading.asides,
        rejections=form.reading.rejections,
    )


def _first_rows(rows: Iterable[Record]) -> list[Record]:
    """Return the first result of each of the first systems; more of each where there are few systems."""
    by_system: dict[str, list[Record]] = {}
    for row in rows:
        by_system.setdefault(row.cells["system"], []).append(row)
    firsts = [rows[0] for rows in islice(by_system.values(), _SHOWN_SYSTEMS)]
    more = (row for rows in by_system.values() for row in rows[1:])
    return sorted([*firsts, *islice(more, max(0, _SHOWN_ROWS - len(firsts)))], key=lambda row: row.line)
