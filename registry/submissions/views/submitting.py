"""Handing in one result by a form, with what helps to fill it in."""

from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from analysis.readers.rejections import Refused
from registry.accounts.access import require_contributor
from registry.accounts.keeping import forget_kept, keep_for_later, read_kept
from registry.accounts.models import User
from registry.core.forms import asked
from registry.core.http import json_response
from registry.core.limits import Limited
from registry.core.refusals import Refusal, gives_back
from registry.core.views import may_post
from registry.submissions.documents import Preview, preview_row
from registry.submissions.forms import PresetForm, ProspectForm, SuggestionForm, as_sentence
from registry.submissions.limits import charge, handing_in, take_draft_rows
from registry.submissions.models import Submission
from registry.submissions.queries.prospects import read_prospect, results_of_system
from registry.submissions.queries.suggestions import read_typed
from registry.submissions.result_forms import ResultForm, with_choice
from registry.submissions.services.changing import Conflict
from registry.submissions.services.drafting import create_submission
from registry.submissions.services.reviewing import submit


def _as_it_was(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    return _shown(request, ResultForm(initial=request.POST.dict()), refusal=refusal)


@gives_back(_as_it_was)
@may_post
def result_submit(request: HttpRequest) -> HttpResponse:
    """A form for one result; who is not signed in is asked to when it is filled in."""
    if request.method != "POST":
        return _empty_form(request)
    if request.POST.get("step") == "discard":
        forget_kept(request)
        return redirect(request.path)
    charge(request, 1)
    forget_kept(request)
    form = ResultForm(with_choice(request.POST))
    if not form.is_valid():
        return render(request, "submissions/result_submit.html", {"form": form, "choices": form.choices_for()})
    # "confirm" comes from the preview, which has said what is odd.
    if request.POST.get("step") not in {"submit", "confirm"}:
        return _preview(request, form)
    if not request.user.is_authenticated:
        return keep_for_later(request, form.data) or _too_long_to_keep(request, form)
    return _hand_in(request, form)


def _empty_form(request: HttpRequest) -> HttpResponse:
    """The form: with what was typed before signing in, or with what a link fills in."""
    kept = read_kept(request)
    if kept is not None:
        charge(request, 1)
        form = ResultForm(kept)
        return _preview(request, form, is_kept=True) if form.is_valid() else _shown(request, form)
    presets = asked(PresetForm(request.GET))
    return _shown(request, ResultForm(initial=presets.cleaned_data))


def _shown(request: HttpRequest, form: ResultForm, **context: Any) -> HttpResponse:
    return render(request, "submissions/result_submit.html", {"form": form} | context)


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


def _too_long_to_keep(request: HttpRequest, form: ResultForm) -> HttpResponse:
    form.add_error(None, "This is too long to be kept while you sign in. Sign in in another window, then send it here.")
    return _shown(request, form)


def _hand_in(request: HttpRequest, form: ResultForm) -> HttpResponse:
    """Make the submission, and hand it in at once where there is nothing to look at first; twice, it is the same."""
    user = require_contributor(request.user)
    take_draft_rows(user, 1)
    preview = preview_row(form.given)
    try:
        submission = create_submission(
            contributor=user,
            way=Submission.Way.FORM,
            rows=[preview.row],
            paper=form.paper_draft,
            **form.terms,
        )
    except ValidationError as error:
        form.add_error("embargo_until" if error.code == "embargo" else None, error)
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
