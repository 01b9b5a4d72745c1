"""Handing in many results as a table: pasted or uploaded, shown as it was understood, then checked row by row."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from analysis.readers.rejections import Refused
from analysis.readers.tables import Record, decode
from analysis.readers.weighing import weigh
from registry.accounts.access import require_contributor
from registry.accounts.errands.services import is_left
from registry.accounts.errands.views import leave, leave_until_signed_in
from registry.accounts.keeping import forget_kept, keep_for_later, read_kept
from registry.core.forms import asked
from registry.core.http import takes_at_most
from registry.core.refusals import Refusal, gives_back
from registry.core.views import may_post
from registry.submissions.forms import MAX_CHARACTERS, PresetForm, as_sentence
from registry.submissions.limits import charge, charge_more, take_draft_rows
from registry.submissions.models import Submission
from registry.submissions.result_forms import with_choice
from registry.submissions.services.drafting import create_submission
from registry.submissions.table_forms import ANSWER, IN_PARTS, TableForm

#: Of what was read and what was put aside, as much as shows whether the table was understood.
_SHOWN_ROWS = 5
_SHOWN_SYSTEMS = 10


def _as_it_was(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    typed = request.POST.dict() | text_of(request)
    answers = {name: text for name, text in typed.items() if name.startswith(ANSWER)}
    return _shown(request, TableForm(initial=typed), refusal=refusal, answers=answers)


@takes_at_most(MAX_CHARACTERS, IN_PARTS)
@gives_back(_as_it_was)
@may_post
def table_submit(request: HttpRequest) -> HttpResponse:
    """A form for a table; first it is shown how it was understood, then its rows become a draft."""
    if request.method != "POST":
        return _empty_form(request)
    if request.POST.get("step") == "discard":
        forget_kept(request)
        return redirect(request.path)
    n_rows = n_rows_of(request)
    charge(request, n_rows)
    forget_kept(request)
    if is_left(request, n_rows):
        return _leave(request)
    form = TableForm(with_choice(request.POST), request.FILES)
    if not form.is_valid():
        return _shown(request, form, choices=form.choices_for())
    if request.POST.get("step") != "check" or form.missing() or form.is_open:
        return _understood(request, form)
    if not request.user.is_authenticated:
        return keep_for_later(request, form.data) or leave_until_signed_in(request, **text_of(request))
    charge_more(request, form.n_rows - n_rows)
    if is_left(request, form.n_rows):
        return _leave(request)
    return _make_draft(request, form)


def n_rows_of(request: HttpRequest) -> int:
    """As many rows as the table may be worth, told before it is read."""
    return max(weigh(text) for text in (request.POST.get("text", ""), *text_of(request).values()))


def text_of(request: HttpRequest) -> dict[str, str]:
    """The text of a file, in the field for it: a file is as good as pasted, and nobody has to choose it again."""
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


def _leave(request: HttpRequest) -> HttpResponse:
    """A worker reads it; who has to sign in before it is checked does that first."""
    is_checked = request.POST.get("step") == "check" and not request.user.is_authenticated
    return (leave_until_signed_in if is_checked else leave)(request, **text_of(request))


def _empty_form(request: HttpRequest) -> HttpResponse:
    kept = read_kept(request)
    if kept is not None:
        charge(request, weigh(kept.get("text", "")))
        form = TableForm(kept)
        return _understood(request, form, is_kept=True) if form.is_valid() else _shown(request, form)
    presets = asked(PresetForm(request.GET))
    return _shown(request, TableForm(initial=presets.cleaned_data))


def _shown(request: HttpRequest, form: TableForm, **context: Any) -> HttpResponse:
    return render(request, "submissions/table_submit.html", {"form": form} | context)


def _understood(request: HttpRequest, form: TableForm, *, is_kept: bool = False) -> HttpResponse:
    """The form with what the table was read as."""
    assert form.reading is not None
    return _shown(
        request,
        form,
        kept=is_kept,
        reading=form.reading,
        questions=form.questions(),
        is_open=form.is_open,
        missing=form.missing(),
        partly_missing=form.missing_here_and_there(),
        mentioned=form.mentioned(),
        first_rows=_first_rows(one for one in form.records() if isinstance(one, Record)),
        asides=form.reading.asides,
        rejections=form.reading.rejections,
    )


def _first_rows(rows: Iterable[Record]) -> list[Record]:
    """The first result of each of the first systems; of a few systems, the first results."""
    by_system: dict[str, list[Record]] = {}
    for row in rows:
        by_system.setdefault(row.cells["system"], []).append(row)
    firsts = [rows[0] for rows in islice(by_system.values(), _SHOWN_SYSTEMS)]
    more = (row for rows in by_system.values() for row in rows[1:])
    return sorted([*firsts, *islice(more, max(0, _SHOWN_ROWS - len(firsts)))], key=lambda row: row.line)


def _make_draft(request: HttpRequest, form: TableForm) -> HttpResponse:
    user = require_contributor(request.user)
    take_draft_rows(user, form.n_rows)
    try:
        submission = create_submission(
            contributor=user,
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
