"""Asking for corrections and deciding on them; withdrawing, superseding, merging, renaming, undoing."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from registry.accounts.access import require_contributor, require_editor
from registry.accounts.keeping import sign_in_first
from registry.core.forms import PageForm
from registry.core.views import bad_request
from registry.results.access import (
    get_correctable_result,
    get_visible_correction,
    get_visible_entry,
    get_visible_paper,
    get_visible_result,
    get_visible_system,
    get_withdrawable_result,
    may_correct,
    require_decider,
    visible_corrections,
)
from registry.results.forms import (
    AuthorsForm,
    ConfirmForm,
    CorrectionForm,
    DecisionForm,
    MergePaperForm,
    MergeSystemForm,
    ReasonForm,
    RenameForm,
    RetractionForm,
    SupersedeForm,
    WithConfirmation,
)
from registry.results.models import Confirmation, CorrectionRequest
from registry.results.services.confirming import confirm_result, identify_authors, why_not
from registry.results.services.corrections import accept_correction, decline_correction, request_correction
from registry.results.services.describing import note_retraction
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.mass_changes import MassChange
from registry.results.services.merging import merge_papers, merge_systems, rename_system
from registry.results.services.undoing import undo_batch
from registry.results.services.unmerging import merged_by, undo_merge

REQUESTS_PER_PAGE = 100

may_post = require_http_methods(["GET", "HEAD", "POST"])


@sign_in_first
@may_post
def result_correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Asking for a correction of a result, or disputing it."""
    requester, result = require_contributor(request.user), get_visible_result(pk)
    form = CorrectionForm(
        request.POST or None, initial={"kind": request.GET.get("kind", "correct"), "proposed_unit": result.unit}
    )

    def act(given: dict[str, Any]) -> Any:
        request_correction(result=result, requester=requester, **_without_confirmation(given))
        return result

    return _action(request, form, act, "Ask for a correction", result, "Thank you. Editors will look at it.")


@sign_in_first
@may_post
def result_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Taking a result off the record."""
    actor = require_contributor(request.user)
    result = get_withdrawable_result(pk, actor)

    def act(given: dict[str, Any]) -> Any:
        return withdraw_result(result=result, actor=actor, **given)

    return _action(request, ReasonForm(request.POST or None), act, "Withdraw", result, "The result is withdrawn.")


@sign_in_first
@may_post
def result_supersede(request: HttpRequest, pk: int) -> HttpResponse:
    """Putting a corrected result in the place of another."""
    actor = require_contributor(request.user)
    result = get_correctable_result(pk, actor)
    # A form writes what was typed into its instance, valid or not.
    form = SupersedeForm(request.POST or None, instance=get_visible_result(pk))

    def act(given: dict[str, Any]) -> Any:
        kept = {name: given[name] for name in ("reason", "confirmed_rows")}
        return supersede_result(result=result, changes=form.changes, actor=actor, **kept)

    return _action(request, form, act, "Correct", result, "The corrected result stands.")


@sign_in_first
@require_safe
def correction_list(request: HttpRequest) -> HttpResponse:
    """What one may decide on, and what one asked for."""
    form = PageForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    page = Paginator(visible_corrections(require_contributor(request.user)), REQUESTS_PER_PAGE).get_page(form.number)
    return render(request, "results/correction_list.html", {"page": page})


@sign_in_first
@may_post
def correction_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One request; those who look after the result decide on it here."""
    actor = require_contributor(request.user)
    asked = get_visible_correction(pk, actor)
    if request.method == "POST":
        require_decider(actor, asked)
    proposed = {"printed": asked.proposed_printed, "unit": asked.proposed_unit}
    form = DecisionForm(request.POST or None, initial={"decision": "correct"} | proposed)

    def act(given: dict[str, Any]) -> Any:
        decision = given.pop("decision")
        if decision == "decline":
            decline_correction(request=asked, actor=actor, reason=given["reason"])
        else:
            printed = given["printed"] if decision == "correct" else ""
            accept_correction(request=asked, actor=actor, **given | {"printed": printed})
        return asked.result

    is_open = asked.state == CorrectionRequest.State.OPEN and may_correct(actor, asked.result)
    return _action(request, form, act, "Decide", asked.result, "It is decided.", asked=asked, has_form=is_open)


@sign_in_first
@may_post
def system_merge(request: HttpRequest, pk: int) -> HttpResponse:
    """Making two systems one."""
    editor, system = require_editor(request.user), get_visible_system(pk)

    def act(given: dict[str, Any]) -> Any:
        return merge_systems(source=system, actor=editor, **given)

    form = MergeSystemForm(request.POST or None)
    return _action(request, form, act, "Merge into another system", system, "The systems are one now.")


@sign_in_first
@may_post
def system_rename(request: HttpRequest, pk: int) -> HttpResponse:
    """Giving a system another name."""
    editor, system = require_editor(request.user), get_visible_system(pk)

    def act(given: dict[str, Any]) -> Any:
        return rename_system(system=system, actor=editor, **given)

    form = RenameForm(request.POST or None, initial={"name": system.name, "team": system.team})
    return _action(request, form, act, "Rename", system, "The system has its new name.")


@sign_in_first
@may_post
def paper_merge(request: HttpRequest, pk: int) -> HttpResponse:
    """Making two papers one."""
    editor, paper = require_editor(request.user), get_visible_paper(pk)

    def act(given: dict[str, Any]) -> Any:
        return merge_papers(source=paper, actor=editor, **given)

    form = MergePaperForm(request.POST or None)
    return _action(request, form, act, "Merge into another paper", paper, "The papers are one now.")


@sign_in_first
@may_post
def entry_undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Taking back everything that one entry of the log recorded, or the merge that it is of."""
    editor, entry = require_editor(request.user), get_visible_entry(pk)

    def act(given: dict[str, Any]) -> Any:
        undo = undo_merge if merged_by(entry) else undo_batch
        return undo(entry=entry, actor=editor, **given)

    return _action(request, ReasonForm(request.POST or None), act, "Undo", entry, "It is undone.")


@sign_in_first
@may_post
def result_confirm(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Reading a result a second time, or confirming it as an author."""
    reader, result = require_contributor(request.user), get_visible_result(pk)
    obstacle = why_not(result, reader, kind)
    if obstacle:
        raise PermissionDenied(f"{obstacle[0].upper()}{obstacle[1:]}.")

    def act(given: dict[str, Any]) -> Any:
        return confirm_result(result=result, user=reader, kind=kind, **given)

    title = str(Confirmation.Kind(kind).label).capitalize()
    form = ConfirmForm(request.POST or None, initial={"unit": result.unit})
    return _action(request, form, act, title, result.leaderboard, "Thank you.")


@sign_in_first
@may_post
def paper_authors(request: HttpRequest, pk: int) -> HttpResponse:
    """Saying which ORCID iDs are those of a paper's authors."""
    editor, paper = require_editor(request.user), get_visible_paper(pk)

    def act(given: dict[str, Any]) -> Any:
        return identify_authors(paper=paper, actor=editor, **_without_confirmation(given))

    form = AuthorsForm(request.POST or None, initial={"orcids": "\n".join(paper.author_orcids)})
    return _action(request, form, act, "Identify the authors", paper, "The authors are noted.")


@sign_in_first
@may_post
def paper_retraction(request: HttpRequest, pk: int) -> HttpResponse:
    """Noting that a paper was taken back by its publisher or its authors."""
    editor, paper = require_editor(request.user), get_visible_paper(pk)

    def act(given: dict[str, Any]) -> Any:
        return note_retraction(paper=paper, actor=editor, **_without_confirmation(given))

    form = RetractionForm(request.POST or None, initial={"retraction": paper.retraction})
    return _action(request, form, act, "Note a retraction", paper, "It is noted.")


def _without_confirmation(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != "confirmed_rows"}


def _action(
    request: HttpRequest,
    form: WithConfirmation,
    act: Callable[[dict[str, Any]], Any],
    title: str,
    subject: Any,
    done: str,
    **context: Any,
) -> HttpResponse:
    """The page of a form about ``subject``; once it is filled in well, the page of what the action led to."""
    if request.method == "POST" and form.is_valid():
        try:
            led_to = act(dict(form.cleaned_data))
        except (ValidationError, MassChange) as error:
            form.add_refusal(error)
        else:
            messages.success(request, done)
            return redirect(led_to)
    context = {"has_form": True, "form": form, "title": title, "subject": subject} | context
    return render(request, "results/action.html", context)
