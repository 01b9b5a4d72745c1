"""Pages to ask for corrections and to decide on them; to withdraw, supersede, merge, rename and undo."""

from functools import partial
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.boards import CAUTION_CODES
from registry.accounts.access import require_contributor, require_editor, sign_in_first
from registry.core.forms import PageForm, asked
from registry.results import access, forms
from registry.results.forms import Action, action
from registry.results.models import Confirmation, CorrectionRequest, Paper, System
from registry.results.services import corrections
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.gathering import n_gathered, say_model, undo_gathering
from registry.results.services.merging import merge_papers, merge_systems, merged_by, rename_system, undo_merge
from registry.results.services.papers import correct_paper
from registry.results.services.undoing import undo_batch

REQUESTS_PER_PAGE = 100


@action("Ask for a correction", "Thank you. Editors will look at it.")
def result_correct(request: HttpRequest, pk: int) -> Action:
    """Ask for a correction of a result, or dispute it."""
    requester, result = require_contributor(request.user), access.get_visible_result(pk)
    meaning = CAUTION_CODES.get(request.GET.get("caution", ""))
    initial = {
        "kind": request.GET.get("kind", "correct"),
        "proposed_unit": result.unit,
        "reason": f"Of this result is said: {meaning}. " if meaning else "",
    }
    act = partial(corrections.request_correction, result=result, requester=requester)
    return Action(forms.CorrectionForm(request.POST or None, initial=initial), act, result, then=result)


@action("Withdraw", "The result is withdrawn.")
def result_withdraw(request: HttpRequest, pk: int) -> Action:
    """Take a result off the record."""
    actor = require_contributor(request.user)
    result = access.get_withdrawable_result(pk, actor)
    return Action(forms.ChangeForm(request.POST or None), partial(withdraw_result, result=result, actor=actor), result)


@action("Correct", "The corrected result stands.")
def result_supersede(request: HttpRequest, pk: int) -> Action:
    """Put a corrected result in the place of another."""
    actor = require_contributor(request.user)
    result = access.get_visible_result(pk)
    access.require_corrector(
        actor, result, "Only editors and curators of its collection correct a result. You can ask for it."
    )
    # A form writes what was typed into its instance, valid or not.
    form = forms.SupersedeForm(request.POST or None, instance=access.get_visible_result(pk))

    def act(*, reason: str, confirmed_rows: int | None, **_: Any) -> Any:
        return supersede_result(
            result=result, changes=form.changes, actor=actor, reason=reason, confirmed_rows=confirmed_rows
        )

    return Action(form, act, result)


@sign_in_first
@require_safe
def correction_list(request: HttpRequest) -> HttpResponse:
    """List the requests that the user may decide on or made."""
    form = asked(PageForm(request.GET))
    page = form.cut(access.visible_corrections(require_contributor(request.user)), REQUESTS_PER_PAGE)
    return render(request, "results/correction_list.html", {"page": page})


@action("Decide", "It is decided.")
def correction_detail(request: HttpRequest, pk: int) -> Action:
    """Show a request; those who look after the result decide on it here."""
    actor = require_contributor(request.user)
    correction = access.get_visible_correction(pk, actor)
    if request.method == "POST":
        access.require_corrector(
            actor, correction.result, "Only editors and curators of the collection decide on requests."
        )
    proposed = {"printed": correction.proposed_printed, "unit": correction.proposed_unit}
    form = forms.DecisionForm(request.POST or None, initial={"decision": "correct"} | proposed)

    def act(*, decision: str, printed: str, reason: str, **options: Any) -> Any:
        if decision == "decline":
            return corrections.decline_correction(request=correction, actor=actor, reason=reason)
        printed = printed if decision == "correct" else ""
        return corrections.accept_correction(request=correction, actor=actor, printed=printed, reason=reason, **options)

    is_open = correction.state == CorrectionRequest.State.OPEN and access.may_correct(actor, correction.result)
    if is_open and actor != correction.requester:
        corrections.show_dispute(correction)
    return Action(
        form, act, correction.result, then=correction.result, context={"correction": correction, "has_form": is_open}
    )


@action("Merge into another system", "The systems are one now.")
def system_merge(request: HttpRequest, slug: str) -> Action:
    """Merge two systems."""
    editor, system = require_editor(request.user), access.get_visible_system(slug)
    return Action(
        forms.MergeForm(request.POST or None, of=System), partial(merge_systems, source=system, actor=editor), system
    )


@action("Say which model it is of", "It is noted, and rules leave it so.")
def system_model(request: HttpRequest, slug: str) -> Action:
    """Name the model that a system is of."""
    editor, system = require_editor(request.user), access.get_visible_system(slug)
    form = forms.SayModelForm(request.POST or None, initial={"model": str(system.model or "")})
    return Action(form, partial(say_model, system=system, actor=editor), system)


@action("Rename", "The system has its new name.")
def system_rename(request: HttpRequest, slug: str) -> Action:
    """Give a system another name."""
    editor, system = require_editor(request.user), access.get_visible_system(slug)
    form = forms.RenameForm(request.POST or None, initial={"name": system.name, "team": system.team})
    return Action(form, partial(rename_system, system=system, actor=editor), system)


@action("Merge into another paper", "The papers are one now.")
def paper_merge(request: HttpRequest, slug: str) -> Action:
    """Merge two papers."""
    editor, paper = require_editor(request.user), access.get_visible_paper(slug)
    return Action(
        forms.MergeForm(request.POST or None, of=Paper), partial(merge_papers, source=paper, actor=editor), paper
    )


@action("Undo", "It is undone.")
def entry_undo(request: HttpRequest, pk: int) -> Action:
    """Undo everything that an entry of the log recorded, or the merge or gathering that it is of."""
    editor, entry = require_editor(request.user), access.get_visible_entry(pk)
    undo = undo_merge if merged_by(entry) else undo_gathering if n_gathered(entry) else undo_batch
    return Action(forms.ChangeForm(request.POST or None), partial(undo, entry=entry, actor=editor), entry)


@action("", "Thank you.")
def result_confirm(request: HttpRequest, pk: str, step: str) -> Action:
    """Read a result a second time, or confirm it as an author."""
    reader, result = require_contributor(request.user), access.get_visible_result(int(pk))
    kind = "second_transcription" if step == "transcribe" else "author"
    obstacle = corrections.why_not(result, reader, kind)
    if obstacle:
        raise PermissionDenied(f"{obstacle[0].upper()}{obstacle[1:]}.")
    act = partial(corrections.confirm_result, result=result, user=reader, kind=kind)
    title = str(Confirmation.Kind(kind).label).capitalize()
    form = forms.ConfirmForm(request.POST or None, initial={"unit": result.unit})
    return Action(form, act, result.leaderboard, context={"title": title})


@action("Correct the paper", "The paper is corrected.")
def paper_correct(request: HttpRequest, slug: str) -> Action:
    """Correct what is on record of a paper, or note a retraction."""
    editor, paper = require_editor(request.user), access.get_visible_paper(slug)
    # A form writes what was typed into its instance, valid or not.
    form = forms.PaperForm(request.POST or None, instance=access.get_visible_paper(slug))
    return Action(form, partial(correct_paper, paper=paper, actor=editor), paper)
