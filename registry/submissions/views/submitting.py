"""Handing results in: one by a form, many as a table."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from registry.accounts.limits import take_submission
from registry.submissions.forms import RowForm
from registry.submissions.models import Submission
from registry.submissions.services import create_submission


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def result_submit(request: HttpRequest) -> HttpResponse:
    """A form for one result."""
    form = RowForm(request.POST or None)
    if form.is_valid():
        take_submission(request, request.user)
        try:
            submission = create_submission(contributor=request.user, way=Submission.Way.FORM, rows=[form.cells()])
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect(submission)
    return render(request, "submissions/result_submit.html", {"form": form})
