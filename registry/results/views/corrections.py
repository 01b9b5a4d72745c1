"""Asking for corrections and deciding on them; withdrawing, superseding, merging, renaming, undoing."""

from functools import partial
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.accounts.access import require_contributor, require_editor
from registry.accounts.keeping import sign_in_first
from registry.core.forms import PageForm, asked
from registry.core.views import may_post
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
from registry.results.acting import action_page
from registry.results.forms import (
    AuthorsForm,
    ChangeForm,
    ConfirmForm,
    CorrectionForm,
    DecisionForm,
    MergePaperForm,
    MergeSystemForm,
    RenameForm,
    RetractionForm,
    SayModelForm,
    SignificanceForm,
    SupersedeForm,
)
from registry.results.models import Confirmation, CorrectionRequest
from registry.results.services.confirming import confirm_result, why_not
from registry.results.services.corrections import accept_correction, decline_correction, request_correction
from registry.results.services.describing import identify_authors, note_retraction, note_significance
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.gathering import n_gathered, say_model, undo_gathering
from registry.results.services.merging import merge_papers, merge_systems, rename_system
from registry.results.services.undoing import undo_batch
from registry.results.services.unmerging import merged_by, undo_merge

REQUESTS_PER_PAGE = 100


@sign_in_first
@may_post
def result_correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Asking for a correction of a result, or disputing it."""
    requester, result = require_contributor(request.user), get_visible_result(pk)
    form = CorrectionForm(
        request.POST or None, initial={"kind": request.GET.get("kind", "correct"), "proposed_unit": result.unit}
    )
    act = partial(request_correction, result=result, requester=requester)
    page = {"title": "Ask for a correction", "done": "Thank you. Editors will look at it."}
    return action_page(request, form, act, subject=result, then=result, **page)


@sign_in_first
@may_post
def result_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Taking a result off the record."""
    actor = require_contributor(request.user)
    result = get_withdrawable_result(pk, actor)
    act = partial(withdraw_result, result=result, actor=actor)
    form = ChangeForm(request.POST or None)
    return action_page(request, form, act, title="Withdraw", subject=result, done="The result is withdrawn.")


@sign_in_first
@may_post
def result_supersede(request: HttpRequest, pk: int) -> HttpResponse:
    """Putting a corrected result in the place of another."""
    actor = require_contributor(request.user)
    result = get_correctable_result(pk, actor)
    # A form writes what was typed into its instance, valid or not.
    form = SupersedeForm(request.POST or None, instance=get_visible_result(pk))

    def act(*, reason: str, confirmed_rows: int | None, **_: Any) -> Any:
        return supersede_result(
            result=result, changes=form.changes, actor=actor, reason=reason, confirmed_rows=confirmed_rows
        )

    return action_page(request, form, act, title="Correct", subject=result, done="The corrected result stands.")


@sign_in_first
@require_safe
def correction_list(request: HttpRequest) -> HttpResponse:
    """What one may decide on, and what one asked for."""
    form = asked(PageForm(request.GET))
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

    def act(*, decision: str, printed: str, reason: str, **given: Any) -> Any:
        if decision == "decline":
            return decline_correction(request=asked, actor=actor, reason=reason)
        printed = printed if decision == "correct" else ""
        return accept_correction(request=asked, actor=actor, printed=printed, reason=reason, **given)

    is_open = asked.state == CorrectionRequest.State.OPEN and may_correct(actor, asked.result)
    return action_page(
        request,
        form,
        act,
        title="Decide",
        subject=asked.result,
        done="It is decided.",
        then=asked.result,
        asked=asked,
        has_form=is_open,
    )


@sign_in_first
@may_post
def system_merge(request: HttpRequest, slug: str) -> HttpResponse:
    """Making two systems one."""
    editor, system = require_editor(request.user), get_visible_system(slug)
    act = partial(merge_systems, source=system, actor=editor)
    page = {"title": "Merge into another system", "done": "The systems are one now."}
    return action_page(request, MergeSystemForm(request.POST or None), act, subject=system, **page)


@sign_in_first
@may_post
def system_model(request: HttpRequest, slug: str) -> HttpResponse:
    """Saying which model a system is of."""
    editor, system = require_editor(request.user), get_visible_system(slug)
    form = SayModelForm(request.POST or None, initial={"model": str(system.model or "")})
    page = {"title": "Say which model it is of", "done": "It is noted, and rules leave it so."}
    return action_page(request, form, partial(say_model, system=system, actor=editor), subject=system, **page)


@sign_in_first
@may_post
def system_rename(request: HttpRequest, slug: str) -> HttpResponse:
    """Giving a system another name."""
    editor, system = require_editor(request.user), get_visible_system(slug)
    act = partial(rename_system, system=system, actor=editor)
    form = RenameForm(request.POST or None, initial={"name": system.name, "team": system.team})
    return action_page(request, form, act, title="Rename", subject=system, done="The system has its new name.")


@sign_in_first
@may_post
def paper_merge(request: HttpRequest, slug: str) -> HttpResponse:
    """Making two papers one."""
    editor, paper = require_editor(request.user), get_visible_paper(slug)
    act = partial(merge_papers, source=paper, actor=editor)
    page = {"title": "Merge into another paper", "done": "The papers are one now."}
    return action_page(request, MergePaperForm(request.POST or None), act, subject=paper, **page)


@sign_in_first
@may_post
def entry_undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Taking back everything that one entry of the log recorded, or the merge that it is of."""
    editor, entry = require_editor(request.user), get_visible_entry(pk)
    undo = undo_merge if merged_by(entry) else undo_gathering if n_gathered(entry) else undo_batch
    act = partial(undo, entry=entry, actor=editor)
    form = ChangeForm(request.POST or None)
    return action_page(request, form, act, title="Undo", subject=entry, done="It is undone.")


@sign_in_first
@may_post
def result_confirm(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Reading a result a second time, or confirming it as an author."""
    reader, result = require_contributor(request.user), get_visible_result(pk)
    obstacle = why_not(result, reader, kind)
    if obstacle:
        raise PermissionDenied(f"{obstacle[0].upper()}{obstacle[1:]}.")
    act = partial(confirm_result, result=result, user=reader, kind=kind)
    title = str(Confirmation.Kind(kind).label).capitalize()
    form = ConfirmForm(request.POST or None, initial={"unit": result.unit})
    return action_page(request, form, act, title=title, subject=result.leaderboard, done="Thank you.")


@sign_in_first
@may_post
def paper_authors(request: HttpRequest, slug: str) -> HttpResponse:
    """Saying which ORCID iDs are those of a paper's authors."""
    editor, paper = require_editor(request.user), get_visible_paper(slug)
    act = partial(identify_authors, paper=paper, actor=editor)
    form = AuthorsForm(request.POST or None, initial={"orcids": "\n".join(paper.author_orcids)})
    page = {"title": "Identify the authors", "done": "The authors are noted."}
    return action_page(request, form, act, subject=paper, **page)


@sign_in_first
@may_post
def paper_retraction(request: HttpRequest, slug: str) -> HttpResponse:
    """Noting that a paper was taken back by its publisher or its authors."""
    editor, paper = require_editor(request.user), get_visible_paper(slug)
    act = partial(note_retraction, paper=paper, actor=editor)
    form = RetractionForm(request.POST or None, initial={"retraction": paper.retraction})
    return action_page(request, form, act, title="Note a retraction", subject=paper, done="It is noted.")


@sign_in_first
@may_post
def paper_significance(request: HttpRequest, slug: str) -> HttpResponse:
    """Saying whether a paper tests its differences for significance."""
    paper = get_visible_paper(slug)
    is_answered = paper.reports_significance is not None
    reader = require_editor(request.user) if is_answered else require_contributor(request.user)
    act = partial(note_significance, paper=paper, actor=reader, may_change=is_answered)
    known = {True: "yes", False: "no", None: ""}[paper.reports_significance]
    form = SignificanceForm(request.POST or None, initial={"reports": known, "said": paper.significance_said})
    return action_page(request, form, act, title="Does it test for significance?", subject=paper, done="Thank you.")
