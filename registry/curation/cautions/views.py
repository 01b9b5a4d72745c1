"""Pages of cautions: what they say, answering them, deciding on them."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry.core.forms import QueryForm, asked
from registry.core.limits import spend
from registry.curation.cautions.access import (
    get_answer_to_withdraw,
    get_answerable_caution,
    get_decidable_caution,
    get_visible_caution,
)
from registry.curation.cautions.documents import describe_answers, describe_decisions
from registry.curation.cautions.forms import AnswerForm, CautionDecisionForm
from registry.curation.cautions.services import answer_caution, decide_on_caution, withdraw_answer
from registry.results.access import may_correct
from registry.results.acting import Action, action
from registry.results.forms import ReasonForm


@require_safe
def caution_detail(request: HttpRequest, pk: int, code: str) -> HttpResponse:
    """What a caution says of a result, and what people say to it."""
    asked(QueryForm(request.GET))
    caution = get_visible_caution(pk, code)
    about = (caution.said, code, (pk,))
    context = {
        "caution": caution,
        "answers": [("", one) for one in describe_answers(*about)],
        "decisions": [("", one) for one in describe_decisions(*about)],
        "may_decide": may_correct(request.user, caution.result),
    }
    return render(request, "curation/cautions/caution_detail.html", context)


@action("Say what you know about this", "Your answer stands beside it.")
def caution_answer(request: HttpRequest, pk: int, code: str) -> Action:
    """Saying something to a caution."""
    caution, person = get_answerable_caution(pk, code, request.user)

    def act(**given: Any) -> Any:
        spend("comment", person.pk)
        return answer_caution(result=caution.result, code=code, person=person, **given)

    own = [one for one in caution.said.answers.get((code, pk), ()) if one.person_id == person.pk]
    initial = {"text": own[-1].text, "url": own[-1].url} if own else {}
    return Action(AnswerForm(request.POST or None, initial=initial), act, caution.result, then=_address(pk, code))


@action("Decide on it", "It is decided.")
def caution_decide(request: HttpRequest, pk: int, code: str) -> Action:
    """Clearing a caution, or keeping it."""
    caution, curator = get_decidable_caution(pk, code, request.user)

    def act(*, decision: str, reason: str) -> Any:
        return decide_on_caution(result=caution.result, code=code, kind=decision, actor=curator, reason=reason)

    return Action(CautionDecisionForm(request.POST or None), act, caution.result, then=_address(pk, code))


@action("Take an answer back", "It is taken back.")
def answer_withdraw(request: HttpRequest, pk: int) -> Action:
    """Taking an answer back, or removing it."""
    answer, person = get_answer_to_withdraw(pk, request.user)
    act = partial(withdraw_answer, answer=answer, actor=person)
    return Action(ReasonForm(request.POST or None), act, answer.result, then=answer.result)


def _address(pk: int, code: str) -> str:
    return reverse("cautions:caution-detail", args=[pk, code])
