"""Pages of lineages, the decisions of editors on them, and answers on training."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.accounts.access import is_editor, require_contributor, require_editor
from registry.core.forms import asked
from registry.core.limits import spend
from registry.curation.lineage.access import get_decidable, get_training_answer, get_visible_lineage
from registry.curation.lineage.documents import NamedLineage
from registry.curation.lineage.forms import LineageDecisionForm, LineageForm, SystemLineageForm, TrainingAnswerForm
from registry.curation.lineage.services.answering import answer_training, withdraw_training_answer
from registry.curation.lineage.services.deciding import (
    dissolve_lineage,
    join_lineage,
    leave_lineage,
    merge_lineage,
    take_back,
)
from registry.results.access import get_visible_system
from registry.results.acting import Action, action
from registry.results.forms import ReasonForm

SYSTEMS_PER_PAGE = 200
_DECIDED = "It is decided. The leaderboards concerned are analysed again."


@require_safe
def lineage_detail(request: HttpRequest) -> HttpResponse:
    """What is of one lineage, and what was decided about it."""
    form = asked(LineageForm(request.GET))
    key, ids = get_visible_lineage(form.cleaned_data["key"])
    lineage = NamedLineage(key)
    page = form.cut(lineage.systems(ids), SYSTEMS_PER_PAGE)
    context = {"lineage": lineage, "page": page, "query": {"key": key}, "may_edit": is_editor(request.user)}
    return render(request, "curation/lineage/lineage_detail.html", context)


@action("Decide on this lineage", _DECIDED)
def lineage_decide(request: HttpRequest) -> Action:
    """Deciding on a lineage as a whole."""
    editor = require_editor(request.user)
    key, _ = get_visible_lineage(asked(LineageForm(request.GET)).cleaned_data["key"])

    def act(*, decision: str, into: str, reason: str) -> Any:
        if decision == "dissolve":
            dissolve_lineage(key=key, actor=editor, reason=reason)
            return NamedLineage(key)
        return NamedLineage(merge_lineage(key=key, into=into, actor=editor, reason=reason).into)

    return Action(LineageDecisionForm(request.POST or None, initial={"decision": "merge"}), act, NamedLineage(key))


@action("Decide on a lineage", _DECIDED)
def system_lineage(request: HttpRequest, slug: str) -> Action:
    """Deciding whether a system is of a lineage."""
    editor, system = require_editor(request.user), get_visible_system(slug)

    def act(*, decision: str, key: str, reason: str) -> Any:
        decide = join_lineage if decision == "join" else leave_lineage
        return decide(system=system, key=key, actor=editor, reason=reason)

    initial = {"decision": request.GET.get("decision", "join"), "key": request.GET.get("key", "")}
    return Action(SystemLineageForm(request.POST or None, initial=initial), act, system, then=system)


@action("Take a decision back", _DECIDED)
def decision_take_back(request: HttpRequest, pk: int) -> Action:
    """Taking a decision on a lineage back."""
    decision, editor = get_decidable(request.user, pk)
    subject = decision.system or NamedLineage(decision.key)
    act = partial(take_back, decision=decision, actor=editor)
    return Action(ReasonForm(request.POST or None), act, subject, then=subject)


@action("Say what it was trained on", "Your answer stands beside the others.")
def training_answer(request: HttpRequest, slug: str) -> Action:
    """Saying what a system was trained on."""
    person, system = require_contributor(request.user), get_visible_system(slug)

    def act(**given: Any) -> Any:
        spend("comment", person.pk)
        return answer_training(system=system, person=person, **given)

    form = TrainingAnswerForm(request.POST or None, initial={"dataset": request.GET.get("dataset", "")})
    return Action(form, act, system, then=system)


@action("Take an answer back", "It is taken back.")
def training_answer_withdraw(request: HttpRequest, pk: int) -> Action:
    """Taking an answer on training back, or removing it."""
    answer, person = get_training_answer(request.user, pk)
    act = partial(withdraw_training_answer, answer=answer, actor=person)
    return Action(ReasonForm(request.POST or None), act, answer.system, then=answer.system)
