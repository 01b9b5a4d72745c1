"""The queue of what looks wrong in the record, and decisions on it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry.accounts.keeping import sign_in_first
from registry.core.forms import asked
from registry.core.templatetags.formatting import as_query
from registry.curation.oddities.access import get_decidable_oddity, require_curator
from registry.curation.oddities.forms import OddityDecisionForm, OddityListForm
from registry.curation.oddities.services import decide_on_oddity, take_decision_back
from registry.results.acting import Action, action

ODDITIES_PER_PAGE = 50


@sign_in_first
@require_safe
def oddity_list(request: HttpRequest) -> HttpResponse:
    """What waits for a decision, or what was decided."""
    person = require_curator(request.user)
    form = asked(OddityListForm(request.GET))
    page = form.cut(form.narrow(person), ODDITIES_PER_PAGE)
    return render(request, "curation/oddities/oddity_list.html", {"form": form, "page": page, "query": form.query})


@action("Decide on an oddity", "It is decided: {subject}", "curation/oddities/oddity_decide.html")
def oddity_decide(request: HttpRequest, pk: int) -> Action:
    """One click of the list, or this page with a reason."""
    person = require_curator(request.user)
    oddity = get_decidable_oddity(pk, person)

    def act(*, decision: str, **given: Any) -> Any:
        if decision == OddityDecisionForm.TAKE_BACK:
            return take_decision_back(oddity=oddity, actor=person, **given)
        return decide_on_oddity(oddity=oddity, kind=decision, actor=person, **given)

    form = OddityDecisionForm(request.POST or None, initial={"decision": request.GET.get("decision", "")})
    then = f"{reverse('oddities:oddity-list')}{as_query({'kind': oddity.kind})}"
    return Action(form, act, oddity, then, context={"oddity": oddity})
