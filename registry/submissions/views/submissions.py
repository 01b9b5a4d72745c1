"""One's submissions, and one of them: its rows against what is recorded, its state, what was said and done."""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from registry.accounts.access import require_contributor
from registry.accounts.errands.services import is_left
from registry.accounts.errands.views import leave
from registry.accounts.keeping import View, sign_in_first
from registry.accounts.models import User
from registry.core.forms import PageForm, asked
from registry.core.http import json_response
from registry.submissions.access import get_visible_submission, may_edit
from registry.submissions.documents import describe_rows, what_happens_next
from registry.submissions.forms import RowListForm, TermsForm, VersionForm
from registry.submissions.history import read_history
from registry.submissions.limits import charge
from registry.submissions.models import Submission
from registry.submissions.queries.counts import with_row_counts
from registry.submissions.queries.progress import read_progress
from registry.submissions.review_forms import CommentForm

SUBMISSIONS_PER_PAGE = 50
ROWS_PER_PAGE = 100


def about(
    get: Callable[[uuid.UUID, User], Submission], answers: Callable[[View], View] = require_safe
) -> Callable[[View], View]:
    """Has a view be given the submission that ``get`` finds for whoever is signed in, and this person."""

    def decorate(act: View) -> View:
        @sign_in_first
        @answers
        @wraps(act)
        def view(request: HttpRequest, pk: uuid.UUID, **names: Any) -> HttpResponse:
            user = require_contributor(request.user)
            return act(request, get(pk, user), user, **names)

        return view

    return decorate


@sign_in_first
@require_safe
def submission_list(request: HttpRequest) -> HttpResponse:
    """One's own submissions, the newest first."""
    form = asked(PageForm(request.GET))
    own = Submission.objects.by(require_contributor(request.user)).with_first_row().order_by("-created_at", "pk")
    page = form.cut(own, SUBMISSIONS_PER_PAGE)
    context = {"page": page, "submissions": with_row_counts(page)}
    return render(request, "submissions/submission_list.html", context)


@about(get_visible_submission)
def submission_detail(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """A submission as its contributor sees it; reviewers have a page of their own."""
    if submission.contributor_id != user.pk:
        query = f"?{request.GET.urlencode()}" if request.GET else ""
        return redirect(reverse("submissions:submission-review", args=[submission.pk]) + query)
    form = asked(RowListForm(request.GET))
    rows = form.narrow(submission.rows.with_existing())
    page = form.cut(rows, ROWS_PER_PAGE)
    progress = read_progress(submission)
    context: dict[str, Any] = {
        "submission": submission,
        # Rows stay as they are until all of them are checked.
        "may_edit": progress is None and may_edit(submission, user),
        "next": what_happens_next(submission),
        "counted": with_row_counts([submission])[0],
        "page": page,
        "rows": describe_rows(page),
        "query": form.query,
        "progress": progress,
        "version": VersionForm(initial={"version": submission.version}),
        "terms": TermsForm.of(submission) if submission.is_open else None,
        "n_in_percent": submission.rows.fine_in_percent().count(),
        "n_second_readings": 0 if submission.is_embargoed else submission.rows.second_readings(user).count(),
        "history": read_history(submission, user),
        "comment_form": CommentForm(),
    }
    return render(request, "submissions/submission_detail.html", context)


@never_cache
@about(get_visible_submission)
def submission_progress(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """How far the check of its rows is, for the page's script."""
    progress = read_progress(submission)
    n_rows = progress.n_rows if progress else submission.rows.count()
    return json_response(
        {
            "rows": n_rows,
            "checked": progress.n_checked if progress else n_rows,
            "done": progress is None,
            "message": progress.message if progress else "",
        }
    )


def left_to_worker(request: HttpRequest, submission: Submission, *, is_charged: bool = True) -> HttpResponse | None:
    """The page on which to wait, where a submission has too many rows to be checked while others wait."""
    n_rows = submission.rows.count()
    if is_charged:
        charge(request, n_rows)
    return leave(request) if is_left(request, n_rows) else None
