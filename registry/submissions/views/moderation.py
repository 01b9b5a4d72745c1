"""What waits for review, and everything that reviewers do with one submission."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from registry.accounts.access import is_editor, require_contributor
from registry.accounts.keeping import sign_in_first
from registry.accounts.models import User
from registry.core.forms import asked
from registry.core.views import may_post
from registry.curation.limits import take_comment
from registry.results.services.mass_changes import MassChange
from registry.submissions.access import (
    get_masked_submission,
    get_own_submission,
    get_reviewable_submission,
    get_visible_submission,
    may_edit,
    may_unmask,
    require_reviewer,
    reviewable_by,
)
from registry.submissions.documents import describe_rows
from registry.submissions.forms import RowListForm, VersionForm, as_sentence
from registry.submissions.history import read_history
from registry.submissions.models import Submission
from registry.submissions.queries.changes import is_hidden_from, published_entry
from registry.submissions.queries.counts import with_row_counts
from registry.submissions.queries.related import read_related
from registry.submissions.review_forms import CommentForm, DecisionForm, QueueForm, UnmaskingForm
from registry.submissions.services.changing import Conflict, WrongState
from registry.submissions.services.reviewing import (
    RowsRefused,
    add_comment,
    check_again,
    publish_submission,
    refuse_submission,
    return_submission,
    start_review,
)
from registry.submissions.services.second_readings import count_second_readings
from registry.submissions.services.unmasking import unmask_contributor
from registry.submissions.views.submissions import about, left_to_worker

SUBMISSIONS_PER_PAGE = 50
ROWS_PER_PAGE = 50


@sign_in_first
@require_safe
def submission_queue(request: HttpRequest) -> HttpResponse:
    """What waits for a decision, the oldest first; or what was decided."""
    reviewer = require_reviewer(request.user)
    form = asked(QueueForm(request.GET))
    found = form.narrow(reviewable_by(reviewer)).select_related("contributor", "decided_by").with_first_row()
    page = form.cut(found, SUBMISSIONS_PER_PAGE)
    context = {"form": form, "page": page, "submissions": with_row_counts(page), "query": form.query}
    return render(request, "submissions/submission_queue.html", context)


@about(get_reviewable_submission, may_post)
def submission_review(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """One submission as its reviewers see it: rows beside what stands, what is odd about them, and the decision."""
    if request.method != "POST":
        return _review_page(request, submission, _decision_form(submission))
    form = _decision_form(submission, request.POST)
    if not form.is_valid():
        return _review_page(request, submission, form)
    if left := left_to_worker(request, submission, is_charged=False):
        return left
    try:
        decided = _decide(submission, user, **form.cleaned_data)
    except Conflict as conflict:
        return _told(request, conflict.submission, conflict)
    except WrongState as wrong:
        return _told(request, wrong.submission, wrong)
    except RowsRefused as refused:
        check_again(submission=submission, version=form.cleaned_data["version"])
        return _told(request, submission, refused)
    except (ValidationError, MassChange) as error:
        form.add_refusal(error)
        return _review_page(request, submission, form)
    messages.success(request, _DONE[Submission.State(decided.state)])
    return redirect("submissions:submission-queue")


_DONE = {
    Submission.State.PUBLISHED: "It is published.",
    Submission.State.ACCEPTED: "It is accepted, and published by itself when its embargo is over.",
    Submission.State.RETURNED: "It is back with its contributor.",
    Submission.State.REFUSED: "It is refused.",
}


def _decide(
    submission: Submission, actor: User, *, decision: str, reason: str, version: int, **publishing: Any
) -> Submission:
    given: dict[str, Any] = {"submission": submission, "version": version, "actor": actor, "reason": reason}
    if decision == DecisionForm.PUBLISH:
        return publish_submission(**given, **publishing)
    return return_submission(**given) if decision == DecisionForm.RETURN else refuse_submission(**given)


def _decision_form(submission: Submission, data: Any = None) -> DecisionForm:
    return DecisionForm(data, submission=submission, initial={"version": submission.version})


def _told(request: HttpRequest, submission: Submission, why: Exception) -> HttpResponse:
    """The page as it stands now, with why nothing was done; what was typed stays."""
    typed = {"version": submission.version, "reason": request.POST.get("reason", "")}
    form = DecisionForm(submission=submission, initial=typed)
    return _review_page(request, submission, form, why=why, status=409)


def _review_page(
    request: HttpRequest, submission: Submission, form: DecisionForm, *, why: Exception | None = None, status: int = 200
) -> HttpResponse:
    reviewer, rows_form = require_contributor(request.user), asked(RowListForm(request.GET))
    page = rows_form.cut(rows_form.narrow(submission.rows.with_existing()), ROWS_PER_PAGE)
    related = read_related(page)
    context = {
        "submission": submission,
        "counted": with_row_counts([submission])[0],
        "rows": [(one, related.get(one.row.line, ())) for one in describe_rows(page)],
        "page": page,
        "query": rows_form.query,
        "form": form,
        "why": why,
        "may_edit": may_edit(submission, reviewer),
        "history": read_history(submission, reviewer),
        "comment_form": CommentForm(),
        "entry": published_entry(submission),
        "may_undo": is_editor(reviewer),
        "is_masked": is_hidden_from(submission, reviewer),
        "may_unmask": may_unmask(submission, reviewer),
    }
    return render(request, "submissions/submission_review.html", context, status=status)


@about(get_reviewable_submission, require_POST)
def review_start(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Begin to review a submission: its contributor cannot take it back any more, and its rows are compared again."""
    form = VersionForm(request.POST)
    if form.is_valid():
        if left := left_to_worker(request, submission, is_charged=False):
            return left
        try:
            start_review(submission=submission, version=form.cleaned_data["version"], actor=user)
        except (Conflict, WrongState) as error:
            messages.error(request, str(error))
    return redirect("submissions:submission-review", submission.pk)


@about(get_masked_submission, may_post)
def contributor_unmask(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Look up who handed an anonymous submission in: with a reason, for administrators."""
    form = UnmaskingForm(request.POST or None)
    if form.is_valid():
        try:
            unmask_contributor(submission=submission, actor=user, reason=form.cleaned_data["reason"])
        except ValidationError as error:
            form.add_error("reason", [as_sentence(message) for message in error.messages])
        else:
            return redirect("submissions:submission-review", submission.pk)
    return render(request, "submissions/contributor_unmask.html", {"submission": submission, "form": form})


@about(get_own_submission, require_POST)
def readings_count(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Have one's rows that say what stands already counted as its second transcription."""
    if left := left_to_worker(request, submission):
        return left
    try:
        n_raised = count_second_readings(submission=submission, actor=user)
    except ValidationError as error:
        messages.error(request, as_sentence(error.messages[0]))
    else:
        results = "1 result is" if n_raised == 1 else f"{n_raised:,} results are"
        if n_raised:
            messages.success(request, f"Thank you. {results} double-checked now.")
        else:
            messages.info(
                request, "No result is raised: each is double-checked already, was changed since, or is your own."
            )
    return redirect(submission)


@about(get_visible_submission, may_post)
def comment_add(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Say something about a submission, as its contributor or as a reviewer."""
    form = CommentForm(request.POST or None)
    if form.is_valid():
        take_comment(user)
        add_comment(submission=submission, author=user, text=form.cleaned_data["text"])
        is_own = submission.contributor_id == user.pk
        page = "submissions:submission-detail" if is_own else "submissions:submission-review"
        return redirect(f"{reverse(page, args=[submission.pk])}#history")
    return render(request, "submissions/comment_add.html", {"submission": submission, "form": form})
