"""Handing in one result by a form, with what helps to fill it in; or many as a table, shown as it was understood."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from analysis.readers.rejections import Refused
from analysis.readers.tables import Record, decode
from analysis.readers.weighing import weigh
from registry.accounts.access import require_contributor
from registry.accounts.keeping import forget_kept, keep_for_later, read_kept
from registry.accounts.models import User
from registry.core.forms import asked
from registry.core.http import json_response, takes_at_most
from registry.core.limits import Limited, spend
from registry.core.refusals import Refusal, gives_back, refuse
from registry.core.views import may_post
from registry.submissions.documents import Preview, preview_row
from registry.submissions.forms import MAX_CHARACTERS, PresetForm, ProspectForm, SuggestionForm, as_sentence
from registry.submissions.limits import charge, charge_more, handing_in
from registry.submissions.models import Submission
from registry.submissions.queries.prospects import read_prospect, results_of_system
from registry.submissions.queries.suggestions import read_typed
from registry.submissions.result_forms import ResultForm, with_choice
from registry.submissions.services.changing import Conflict
from registry.submissions.services.drafting import Given, create_submission
from registry.submissions.services.reviewing import submit
from registry.submissions.table_forms import ANSWER, IN_PARTS, PastedForm, TableForm

AnyForm = ResultForm | TableForm
#: Of what was read and what was put aside, as much as shows whether the table was understood.
_SHOWN_ROWS = 5
_SHOWN_SYSTEMS = 10


def _shown(request: HttpRequest, form: AnyForm, **context: Any) -> HttpResponse:
    kind = "result" if isinstance(form, ResultForm) else "table"
    return render(request, f"submissions/{kind}_submit.html", {"form": form} | context)


def _before(
    request: HttpRequest, form_of: Callable[..., AnyForm], read: Callable[..., HttpResponse]
) -> HttpResponse | None:
    """The form, with what was typed before signing in, as ``read`` shows that, or with what a link fills in; None where
    it is sent."""
    if request.method == "POST" and request.POST.get("step") != "discard":
        return None
    if request.method == "POST":
        forget_kept(request)
        return redirect(request.path)
    kept = read_kept(request)
    if kept is not None:
        charge(request, weigh(kept.get("text", "")))
        form = form_of(kept)
        return read(request, form, is_kept=True) if form.is_valid() else _shown(request, form)
    presets = asked(PresetForm(request.GET))
    return _shown(request, form_of(initial=presets.cleaned_data))


def _draft(user: User, form: AnyForm, way: Submission.Way, rows: Sequence[Given]) -> Submission | None:
    """The draft of these rows; None where the form says what is wrong with them all."""
    try:
        return create_submission(
            contributor=user, way=way, rows=rows, paper=form.paper_draft, note=form.cleaned_data["note"]
        )
    except ValidationError as error:
        form.add_error(None, [as_sentence(message) for message in error.messages])
        return None


def _result_as_it_was(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    return _shown(request, ResultForm(initial=request.POST.dict()), refusal=refusal)


@gives_back(_result_as_it_was)
@may_post
def result_submit(request: HttpRequest) -> HttpResponse:
    """A form for one result; who is not signed in is asked to when it is filled in."""
    if begun := _before(request, ResultForm, _preview):
        return begun
    charge(request, 1)
    forget_kept(request)
    form = ResultForm(with_choice(request.POST))
    if not form.is_valid():
        return _shown(request, form, choices=form.choices_for())
    # "confirm" comes from the preview, which has said what is odd.
    if request.POST.get("step") not in {"submit", "confirm"}:
        return _preview(request, form)
    if not request.user.is_authenticated:
        return keep_for_later(request, form.data) or _too_long_to_keep(request, form)
    return _hand_in(request, form)


def _preview(request: HttpRequest, form: ResultForm, *, is_kept: bool = False) -> HttpResponse:
    """The form with what would become of the result: for readers without scripts, and to be sure."""
    preview = preview_row(form.given)
    return _shown(request, form, preview=preview, kept=is_kept, **_prospect_of(form, preview))


def _prospect_of(form: ResultForm, preview: Preview) -> dict[str, Any]:
    board = form.leaderboard()
    if board is None or form.row is None:
        return {}
    without = preview.existing.pk if preview.existing else None
    return {
        "leaderboard": board,
        "prospect": read_prospect(board, form.row.score.value, without=without),
        "already": results_of_system(form.row.system, board),
        "is_named": True,
    }


def _too_long_to_keep(request: HttpRequest, form: AnyForm) -> HttpResponse:
    form.add_error(None, "This is too long to be kept while you sign in. Sign in in another window, then send it here.")
    return _shown(request, form)


def _hand_in(request: HttpRequest, form: ResultForm) -> HttpResponse:
    """Make the submission, and hand it in at once where there is nothing to look at first; twice, it is the same."""
    user = require_contributor(request.user)
    spend("draft rows: account", user.pk, 1)
    preview = preview_row(form.given)
    submission = _draft(user, form, Submission.Way.FORM, [preview.row])
    if submission is None:
        return _shown(request, form)
    is_seen = request.POST.get("step") == "confirm" and preview.may_be_submitted
    if submission.state == Submission.State.DRAFT:
        if preview.is_fine or is_seen:
            _submit(request, user, submission)
        else:
            text = "It is kept as a draft. Look at what is said about it below before you submit it."
            messages.warning(request, text)
    return redirect(submission)


def _submit(request: HttpRequest, user: User, submission: Submission) -> None:
    """Hand the draft in; where there is no room for it now, it stays one."""
    try:
        with handing_in(request, user) as take_place:
            take_place()
            submit(submission=submission, version=submission.version, actor=user)
    except Limited as limited:
        messages.warning(request, f"It is kept as a draft, and nothing is lost. {limited}")
    except Conflict:
        # Of two clicks, the other was first.
        pass
    else:
        messages.success(request, "Thank you. Your result is submitted, and waits for an editor to check it.")


@require_safe
def suggestion_list(request: HttpRequest) -> JsonResponse | HttpResponse:
    """Names that somebody may mean, for the page's script."""
    form = asked(SuggestionForm(request.GET))
    given = form.cleaned_data
    typed = read_typed(given["kind"], given["q"], collection=given["collection"])
    found = [asdict(one) for one in typed.suggestions]
    return json_response({"suggestions": found, "is_told": typed.is_told})


@require_safe
def prospect_detail(request: HttpRequest) -> HttpResponse:
    """Where a score would stand, as a part of the form's page; empty while too little of it is typed."""
    form = asked(ProspectForm(request.GET))
    board = form.leaderboard()
    context: dict[str, Any] = {"leaderboard": board}
    if board is not None:
        system = form.cleaned_data["system"]
        context |= {"already": results_of_system(system, board), "is_named": bool(system)}
        try:
            score = form.score(board.measure)
        except Refused as refused:
            context["why_not"] = as_sentence(refused.message)
        else:
            context["prospect"] = read_prospect(board, score.value) if score else None
    return render(request, "submissions/_prospect.html", context)


def _table_as_it_was(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    typed = request.POST.dict() | text_of(request)
    answers = {name: text for name, text in typed.items() if name.startswith(ANSWER)}
    return _shown(request, TableForm(initial=typed), refusal=refusal, answers=answers)


@takes_at_most(MAX_CHARACTERS, IN_PARTS)
@gives_back(_table_as_it_was)
@may_post
def table_submit(request: HttpRequest) -> HttpResponse:
    """A form for a table; first it is shown how it was understood, then its rows become a draft."""
    if begun := _before(request, TableForm, _understood):
        return begun
    n_rows = n_rows_of(request)
    charge(request, n_rows)
    forget_kept(request)
    form = TableForm(with_choice(request.POST), request.FILES)
    if not form.is_valid():
        return _shown(request, form, choices=form.choices_for())
    if form.n_rows > form.MOST_ROWS:
        return refuse(request, too_many_rows(form))
    if request.POST.get("step") != "check" or form.missing() or form.is_open:
        return _understood(request, form)
    if not request.user.is_authenticated:
        return keep_for_later(request, form.data) or _too_long_to_keep(request, form)
    charge_more(request, form.n_rows - n_rows)
    return _make_draft(request, form)


def too_many_rows(form: PastedForm) -> Refusal:
    """Return the refusal of a table with more results than the form takes at once."""
    reason = f"The table has {form.n_rows:,} results, and at most {form.MOST_ROWS:,} are taken. Send it in parts."
    return Refusal(413, "Too large", reason)


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
    spend("draft rows: account", user.pk, form.n_rows)
    submission = _draft(user, form, Submission.Way.TABLE, form.records())
    return redirect(submission) if submission else _shown(request, form)
