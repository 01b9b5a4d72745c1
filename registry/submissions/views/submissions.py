"""One's submissions, and everything that can be done with one of them."""

import uuid

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.core.forms import PageForm
from registry.core.views import bad_request
from registry.submissions.access import get_visible_submission
from registry.submissions.forms import RowListForm
from registry.submissions.models import Submission

SUBMISSIONS_PER_PAGE = 50
ROWS_PER_PAGE = 100


@login_required
@require_safe
def submission_list(request: HttpRequest) -> HttpResponse:
    """One's own submissions, the newest first."""
    form = PageForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    own = Submission.objects.by(request.user).with_counts().order_by("-created_at", "pk")
    page = Paginator(own, SUBMISSIONS_PER_PAGE).get_page(form.number)
    return render(request, "submissions/submission_list.html", {"page": page})


@login_required
@require_safe
def submission_detail(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """A submission: its state, its rows against what is recorded, what was said and done."""
    submission = get_visible_submission(pk, request.user)
    form = RowListForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    rows = submission.rows.with_evidence()
    if form.cleaned_data["outcome"]:
        rows = rows.filter(outcome=form.cleaned_data["outcome"])
    page = Paginator(rows, ROWS_PER_PAGE).get_page(form.number)
    return render(request, "submissions/submission_detail.html", {"submission": submission, "page": page})
