"""The queue of what looks wrong in the record, and decisions on it."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry.accounts.keeping import sign_in_first
from registry.accounts.models import User
from registry.core.forms import asked
from registry.core.templatetags.formatting import as_query
from registry.core.views import may_post
from registry.curation.oddities.access import get_decidable_oddity, require_curator
from registry.curation.oddities.forms import OddityDecisionForm, OddityListForm
from registry.curation.oddities.models import Oddity
from registry.curation.oddities.services import decide_on_oddity, take_decision_back
from registry.results.services.mass_changes import MassChange

ODDITIES_PER_PAGE = 50


@sign_in_first
@require_safe
def oddity_list(request: HttpRequest) -> HttpResponse:
    """What waits for a decision, or what was decided."""
    person = require_curator(request.user)
    form = asked(OddityListForm(request.GET))
    page = form.cut(form.narrow(person), ODDITIES_PER_PAGE)
    return render(request, "curation/oddities/oddity_list.html", {"form": form, "page": page, "query": form.query})


@sign_in_first
@may_post
def oddity_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """One click of the list, or this page with a reason."""
    person = require_curator(request.user)
    oddity = get_decidable_oddity(pk, person)
    form = OddityDecisionForm(request.POST or None, initial={"decision": request.GET.get("decision", "")})
    if request.method == "POST" and form.is_valid():
        try:
            _decide(oddity, person, **form.cleaned_data)
        except (ValidationError, MassChange) as error:
            form.add_refusal(error)
        else:
            messages.success(request, f"It is decided: {oddity}")
            return redirect(f"{reverse('oddities:oddity-list')}{as_query({'kind': oddity.kind})}")
    return render(request, "curation/oddities/oddity_decide.html", {"form": form, "oddity": oddity})


def _decide(oddity: Oddity, person: User, *, decision: str, reason: str, confirmed_rows: int | None) -> None:
    if decision == OddityDecisionForm.TAKE_BACK:
        take_decision_back(oddity=oddity, actor=person, reason=reason, confirmed_rows=confirmed_rows)
    else:
        decide_on_oddity(oddity=oddity, kind=decision, actor=person, reason=reason, confirmed_rows=confirmed_rows)
