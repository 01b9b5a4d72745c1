"""What waits for review, and everything that reviewers do with one submission."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from registry.accounts.access import is_editor, require_contributor, sign_in_first
from registry.accounts.models import User
from registry.core.forms import asked
from registry.core.limits import spend
from registry.core.views import may_post
from registry.results.services.mass_changes import MassChange
from registry.submissions import access, forms
from registry.submissions.documents import read_related
from registry.submissions.models import Submission
from registry.submissions.queries import published_entry, with_row_counts
from registry.submissions.services import reviewing
from registry.submissions.services.changing import Conflict, WrongState
from registry.submissions.views.submissions import about, charge_rows, rows_shown

SUBMISSIONS_PER_PAGE = 50
ROWS_PER_PAGE = 50


@sign_in_first
@require_safe
def submission_queue(request: HttpRequest) -> HttpResponse:
    """What waits for a decision, the oldest first; or what was decided."""
    reviewer = access.require_reviewer(request.user)
    form = asked(forms.QueueForm(request.GET))
    found = form.narrow(access.reviewable_by(reviewer)).select_related("contributor", "decided_by").with_first_row()
    page = form.cut(found, SUBMISSIONS_PER_PAGE)
    context = {"form": form, "page": page, "submissions": with_row_counts(page), "query": form.query}
    return render(request, "submissions/submission_queue.html", context)


@about(access.get_reviewable_submission, may_post)
def submission_review(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """One submission as its reviewers see it: rows beside what stands, what is odd about them, and the decision."""
    if request.method != "POST":
        return _review_page(request, submission, _decision_form(submission))
    form = _decision_form(submission, request.POST)
    if not form.is_valid():
        return _review_page(request, submission, form)
    try:
        decided = _decide(submission, user, **form.cleaned_data)
    except Conflict as conflict:
        return _told(request, conflict.submission, conflict)
    except WrongState as wrong:
        return _told(request, wrong.submission, wrong)
    except reviewing.RowsRefused as refused:
        reviewing.check_again(submission=submission, version=form.cleaned_data["version"])
        return _told(request, submission, refused)
    except (ValidationError, MassChange) as error:
        form.add_refusal(error)
        return _review_page(request, submission, form)
    messages.success(request, _DONE[Submission.State(decided.state)])
    return redirect("submissions:submission-queue")


_DONE = {
    Submission.State.PUBLISHED: "It is published.",
    Submission.State.RETURNED: "It is back with its contributor.",
    Submission.State.REFUSED: "It is refused.",
}


def _decide(
    submission: Submission, actor: User, *, decision: str, reason: str, version: int, **publishing: Any
) -> Submission:
    given: dict[str, Any] = {"submission": submission, "version": version, "actor": actor, "reason": reason}
    if decision == forms.DecisionForm.PUBLISH:
        return reviewing.publish_submission(**given, **publishing)
    return (
        reviewing.return_submission(**given)
        if decision == forms.DecisionForm.RETURN
        else reviewing.refuse_submission(**given)
    )


def _decision_form(submission: Submission, data: Any = None) -> forms.DecisionForm:
    return forms.DecisionForm(data, submission=submission, initial={"version": submission.version})


def _told(request: HttpRequest, submission: Submission, why: Exception) -> HttpResponse:
    """The page as it stands now, with why nothing was done; what was typed stays."""
    typed = {"version": submission.version, "reason": request.POST.get("reason", "")}
    form = forms.DecisionForm(submission=submission, initial=typed)
    return _review_page(request, submission, form, why=why, status=409)


def _review_page(
    request: HttpRequest,
    submission: Submission,
    form: forms.DecisionForm,
    *,
    why: Exception | None = None,
    status: int = 200,
) -> HttpResponse:
    reviewer = require_contributor(request.user)
    context = rows_shown(request, submission, ROWS_PER_PAGE)
    related = read_related(context["page"])
    context |= {
        "rows": [(one, related.get(one.row.line, ())) for one in context["rows"]],
        "form": form,
        "why": why,
        "may_edit": access.may_edit(submission, reviewer),
        "entry": published_entry(submission),
        "may_undo": is_editor(reviewer),
    }
    return render(request, "submissions/submission_review.html", context, status=status)


@about(access.get_reviewable_submission, require_POST)
def review_start(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Begin to review a submission: its contributor cannot take it back any more, and its rows are compared again."""
    form = forms.VersionForm(request.POST)
    if form.is_valid():
        try:
            reviewing.start_review(submission=submission, version=form.cleaned_data["version"], actor=user)
        except (Conflict, WrongState) as error:
            messages.error(request, str(error))
    return redirect("submissions:submission-review", submission.pk)


@about(access.get_own_submission, require_POST)
def readings_count(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Have one's rows that say what stands already counted as its second transcription."""
    charge_rows(request, submission)
    try:
        n_raised = reviewing.count_second_readings(submission=submission, actor=user)
    except ValidationError as error:
        messages.error(request, forms.as_sentence(error.messages[0]))
    else:
        results = "1 result is" if n_raised == 1 else f"{n_raised:,} results are"
        if n_raised:
            messages.success(request, f"Thank you. {results} double-checked now.")
        else:
            messages.info(
                request, "No result is raised: each is double-checked already, was changed since, or is your own."
            )
    return redirect(submission)


@about(access.get_visible_submission, may_post)
def comment_add(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Say something about a submission, as its contributor or as a reviewer."""
    form = forms.CommentForm(request.POST or None)
    if form.is_valid():
        spend("comment", user.pk)
        reviewing.add_comment(submission=submission, author=user, text=form.cleaned_data["text"])
        is_own = submission.contributor_id == user.pk
        page = "submissions:submission-detail" if is_own else "submissions:submission-review"
        return redirect(f"{reverse(page, args=[submission.pk])}#history")
    return render(request, "submissions/comment_add.html", {"submission": submission, "form": form})
