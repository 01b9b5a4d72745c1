"""Pages of submissions: the list of one's own, one of them with its rows and history, and changes of it.

Each change names the version that it was made on.
"""

import uuid
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from registry.accounts.access import View, require_contributor, sign_in_first
from registry.accounts.models import User
from registry.core.forms import PageForm, asked
from registry.core.http import client_address
from registry.core.limits import Limited, refund, spend, spending
from registry.core.messages import say
from registry.core.views import may_post
from registry.submissions import access, forms
from registry.submissions.access import charge, require_place
from registry.submissions.documents import describe_rows, read_history
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.pipeline.matching import DraftSystem, find_systems
from registry.submissions.result_forms import RowForm, with_choice
from registry.submissions.services import drafting
from registry.submissions.services.changing import Conflict, RowsRefused, WrongState
from registry.submissions.services.reviewing import add_comment

SUBMISSIONS_PER_PAGE = 50
ROWS_PER_PAGE = 100


def about(
    get: Callable[[uuid.UUID, User], Submission], answers: Callable[[View], View] = require_safe
) -> Callable[[View], View]:
    """Return a decorator that passes the submission that ``get`` finds, and the signed-in person, to a view."""

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
    """List one's own submissions, the newest first."""
    form = asked(PageForm(request.GET))
    own = Submission.objects.filter(contributor=require_contributor(request.user)).with_first_row().with_counts()
    page = form.cut(own.order_by("-created_at", "pk"), SUBMISSIONS_PER_PAGE)
    return render(request, "submissions/submission_list.html", {"page": page})


def rows_shown(request: HttpRequest, submission: Submission, n_rows: int) -> dict[str, Any]:
    """Return the context of both pages of a submission: a page of its rows, and its history."""
    form = asked(forms.RowListForm(request.GET))
    page = form.cut(form.narrow(submission.rows.with_existing()), n_rows)
    return {
        "submission": submission,
        "counted": Submission.objects.with_counts().get(pk=submission.pk),
        "page": page,
        "rows": describe_rows(page),
        "query": form.query,
        "history": read_history(submission),
        "comment_form": forms.CommentForm(),
    }


@about(access.get_visible_submission)
def submission_detail(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Show a submission to its contributor; reviewers have a page of their own."""
    if submission.contributor_id != user.pk:
        query = f"?{request.GET.urlencode()}" if request.GET else ""
        return redirect(reverse("submissions:submission-review", args=[submission.pk]) + query)
    context = rows_shown(request, submission, ROWS_PER_PAGE) | {
        "may_edit": access.may_edit(submission, user),
        "next": say(f"next-{submission.state}"),
        "version": forms.VersionForm(initial={"version": submission.version}),
        "n_in_percent": submission.rows.fine_in_percent().count(),
        "may_undo": bool(drafting.settled_last(submission)),
    }
    return render(request, "submissions/submission_detail.html", context)


def charge_rows(request: HttpRequest, submission: Submission) -> None:
    """Count the rows of a submission against the limit of checks: a change has all of them checked."""
    charge(request, submission.rows.count())


@about(access.get_editable_submission, may_post)
def row_edit(request: HttpRequest, submission: Submission, user: User, line: int) -> HttpResponse:
    """Show or change the cells of a row."""
    row = access.get_row(submission, line)
    initial = {**row.cells, "version": submission.version}
    form = RowForm(with_choice(request.POST) or None, initial=initial)

    def act(given: SubmittedRow, version: int) -> None:
        try:
            drafting.update_row(
                submission=submission, line=line, cells=given.cells, version=version, actor=user, content=given.content
            )
        except Conflict:
            # The second of two clicks finds its work done.
            if access.get_row(submission, line).cells != given.cells:
                raise
        outcome = access.get_row(submission, line).get_outcome_display()
        messages.success(request, say("row-saved", line=line, outcome=outcome))

    return _row_page(request, submission, form, act, title=f"Row {line}", line=line, rejections=row.rejections)


@about(access.get_editable_submission, may_post)
def row_add(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Add a row."""
    form = RowForm(with_choice(request.POST) or None, initial={"version": submission.version})

    def act(given: SubmittedRow, version: int) -> None:
        spend("draft rows: account", user.pk, 1)
        drafting.add_rows(submission=submission, rows=[given], version=version, actor=user)
        messages.success(request, say("row-added"))

    return _row_page(request, submission, form, act, title="Add a row")


def _row_page(
    request: HttpRequest,
    submission: Submission,
    form: RowForm,
    act: Callable[[SubmittedRow, int], None],
    *,
    title: str,
    line: int | None = None,
    rejections: Any = (),
) -> HttpResponse:
    """Show the form of a row; go back to the list of rows once it is saved, or show the current row in a conflict."""
    asked(forms.RowListForm(request.GET))
    context: dict[str, Any] = {"submission": submission, "form": form, "title": title, "line": line}
    status = 200
    if request.method == "POST" and form.is_valid():
        charge_rows(request, submission)
        try:
            act(form.given, form.cleaned_data["version"])
        except Conflict as conflict:
            status, context["conflict"] = 409, conflict
            # Sending it once more is then a change of what is shown here.
            form.data = form.data.copy()
            form.data["version"] = str(conflict.submission.version)
        except WrongState as wrong:
            messages.error(request, str(wrong))
            return redirect(submission)
        except ValidationError as error:
            form.add_error(None, [forms.as_sentence(message) for message in error.messages])
        else:
            query = f"?{request.GET.urlencode()}" if request.GET else ""
            return redirect(f"{submission.get_absolute_url()}{query}#{f'row-{line}' if line else 'rows'}")
    context["now"] = access.get_row(submission, line).cells if status == 409 and line else None
    context["rejections"] = rejections if request.method != "POST" else ()
    return render(request, "submissions/row_edit.html", context, status=status)


Act = Callable[[HttpRequest, Submission, User, dict[str, Any]], str]


def _changing(
    form_of: Callable[[QueryDict], Form],
    get: Callable[[uuid.UUID, User], Submission] = access.get_own_submission,
    *,
    then: str = "",
    is_of_rows: bool = False,
) -> Callable[[Act], View]:
    """Return a decorator that makes the view of an action on a submission, from a form with one button.

    The view acts and goes back to the submission, or to the page of the name ``then``, with a message. Acts that are
    ``is_of_rows`` count against the limit of checks.
    """

    def decorate(act: Act) -> View:
        @about(get, require_POST)
        @wraps(act)
        def view(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
            form = form_of(request.POST)
            if not form.is_valid():
                for field, errors in form.errors.items():
                    label = form.fields[field].label or field if field in form.fields else ""
                    messages.error(request, " ".join([f"{label}:" if label else "", *errors]).strip())
                return redirect(submission)
            try:
                if is_of_rows:
                    charge_rows(request, submission)
                done = act(request, submission, user, form.cleaned_data)
            except (Conflict, WrongState, RowsRefused, Limited) as error:
                messages.error(request, str(error))
            except ValidationError as error:
                for message in error.messages:
                    messages.error(request, forms.as_sentence(message))
            else:
                messages.success(request, done)
                return redirect(then or submission)
            return redirect(submission)

        return view

    return decorate


@_changing(forms.RemovalForm, access.get_editable_submission, is_of_rows=True)
def rows_remove(request: HttpRequest, submission: Submission, user: User, given: dict[str, Any]) -> str:
    """Remove the chosen rows, or all refused ones."""
    lines = given["lines"]
    if given["all_refused"]:
        lines = list(submission.rows.refused().values_list("line", flat=True))
    n_before = submission.rows.count()
    changed = drafting.remove_rows(submission=submission, lines=lines, version=given["version"], actor=user)
    return say("rows-removed", n=n_before - changed.rows.count())


@_changing(forms.VersionForm, access.get_editable_submission, is_of_rows=True)
def rows_take_in_percent(request: HttpRequest, submission: Submission, user: User, given: dict[str, Any]) -> str:
    """Take all scores that are refused for being above 1 as percentages."""
    n_before = submission.rows.refused().count()
    changed = drafting.take_in_percent(submission=submission, actor=user, **given)
    return say("rows-in-percent", n=n_before - changed.rows.refused().count())


@_changing(forms.VersionForm, access.get_editable_submission, is_of_rows=True)
def rows_undo(request: HttpRequest, submission: Submission, user: User, given: dict[str, Any]) -> str:
    """Undo the settling of systems."""
    drafting.undo_settling(submission=submission, actor=user, **given)
    return say("settle-undone")


@_changing(forms.SubmitForm)
def submission_submit(request: HttpRequest, submission: Submission, user: User, given: dict[str, Any]) -> str:
    """Hand the submission in, whole or without its refused rows."""
    # A submission that a reviewer returned takes no new place.
    takes_place = submission.state != Submission.State.RETURNED
    place = spending("submission: address", client_address(request)) if takes_place else nullcontext()
    try:
        with place, transaction.atomic():
            if takes_place:
                require_place(user)
            drafting.submit(submission=submission, actor=user, **given)
    except Conflict as conflict:
        # Nobody else submits it: this is the second of two clicks.
        if conflict.submission.state != Submission.State.SUBMITTED:
            raise
    return say("submission-sent")


@_changing(forms.VersionForm)
def submission_take_back(request: HttpRequest, submission: Submission, user: User, given: dict[str, Any]) -> str:
    """Make the submission a draft again."""
    drafting.take_back(submission=submission, actor=user, **given)
    refund("submission: address", client_address(request))
    return say("submission-draft-again")


@_changing(forms.VersionForm, then="submissions:submission-list", is_of_rows=True)
def submission_delete(request: HttpRequest, submission: Submission, user: User, given: dict[str, Any]) -> str:
    """Delete a draft."""
    drafting.delete_draft(submission=submission, actor=user, **given)
    return say("submission-deleted")


@about(access.get_visible_submission, may_post)
def comment_add(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Comment on a submission, as its contributor or a reviewer."""
    form = forms.CommentForm(request.POST or None)
    if not form.is_valid():
        return render(request, "submissions/comment_add.html", {"submission": submission, "form": form})
    spend("comment", user.pk)
    add_comment(submission=submission, author=user, text=form.cleaned_data["text"])
    return redirect(submission.get_absolute_url() + "#history")


#: A form has a thousand fields at most.
SYSTEMS_PER_PAGE = 200


@about(access.get_editable_submission, may_post)
def systems_settle(request: HttpRequest, submission: Submission, user: User) -> HttpResponse:
    """Show each system with its proposal, and save the choices for all of them."""
    systems = find_systems(submission.rows.order_by("line"))
    page = asked(PageForm(request.GET)).cut(systems, SYSTEMS_PER_PAGE)
    version = {"version": submission.version}
    if request.method != "POST" or request.POST.get("all"):
        form = forms.SettlingForm(list(page), initial=version, role=request.POST.get("all", ""))
        return _systems_page(request, submission, form, page, systems)
    form = forms.SettlingForm(list(page), request.POST)
    if not form.is_valid():
        return _systems_page(request, submission, form, page, systems)
    charge_rows(request, submission)
    try:
        drafting.settle_rows(
            submission=submission, changes=form.changes, version=form.cleaned_data["version"], actor=user
        )
    except (Conflict, WrongState) as error:
        messages.error(request, str(error))
        return redirect("submissions:systems-settle", submission.pk)
    except ValidationError as error:
        form.add_error(None, [forms.as_sentence(message) for message in error.messages])
        return _systems_page(request, submission, form, page, systems)
    roles = Counter(form.cleaned_data[f"role-{system.number}"] for system in page)
    messages.success(
        request, say("settle-saved", own=roles["proposed"], baselines=roles["baseline"], out=roles[forms.OUT])
    )
    address = reverse("submissions:systems-settle", args=[submission.pk])
    return redirect(f"{address}?page={page.next_page_number()}" if page.has_next() else submission)


def _systems_page(
    request: HttpRequest, submission: Submission, form: forms.SettlingForm, page: Any, systems: list[DraftSystem]
) -> HttpResponse:
    known = sum(system.proposed is not None for system in systems)
    unnamed = [say("settle-name", name=system.name) for system in page if system.needs_name]
    context = {"submission": submission, "form": form, "page": page, "unnamed": unnamed, "new": say("beside-new")}
    context["lead"] = say("settle-lead", known=known, n=len(systems))
    return render(request, "submissions/systems_settle.html", context)
