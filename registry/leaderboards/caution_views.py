"""Pages of cautions: what they say, answering them, deciding on them."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from registry.accounts.keeping import sign_in_first
from registry.accounts.limits import take_comment
from registry.cautions.documents import describe_answers, describe_decisions
from registry.cautions.forms import AnswerForm, CautionDecisionForm, WithdrawAnswerForm
from registry.cautions.services import answer_caution, decide_on_caution, withdraw_answer
from registry.core.forms import QueryForm
from registry.core.views import bad_request
from registry.leaderboards.access import (
    get_answer_to_withdraw,
    get_answerable_caution,
    get_decidable_caution,
    get_visible_caution,
)
from registry.results.access import may_correct
from registry.results.forms import WithRefusals
from registry.results.models import Result

may_post = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
def caution_detail(request: HttpRequest, pk: int, code: str) -> HttpResponse:
    """What a caution says of a result, and what people say to it."""
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)
    caution = get_visible_caution(pk, code)
    about = (caution.said, code, (pk,))
    context = {
        "caution": caution,
        "answers": [("", one) for one in describe_answers(*about)],
        "decisions": [("", one) for one in describe_decisions(*about)],
        "may_decide": may_correct(request.user, caution.result),
    }
    return render(request, "cautions/caution_detail.html", context)


@sign_in_first
@may_post
def caution_answer(request: HttpRequest, pk: int, code: str) -> HttpResponse:
    """Saying something to a caution."""
    caution, person = get_answerable_caution(pk, code, request.user)

    def act(given: dict[str, Any]) -> None:
        take_comment(person)
        answer_caution(result=caution.result, code=code, person=person, **given)

    own = [one for one in caution.said.answers.get((code, pk), ()) if one.person_id == person.pk]
    initial = {"text": own[-1].text, "url": own[-1].url} if own else {}
    form = AnswerForm(request.POST or None, initial=initial)
    return _action(request, form, act, "Answer a caution", caution.result, code, "Your answer stands beside it.")


@sign_in_first
@may_post
def caution_decide(request: HttpRequest, pk: int, code: str) -> HttpResponse:
    """Clearing a caution, or keeping it."""
    caution, curator = get_decidable_caution(pk, code, request.user)

    def act(given: dict[str, Any]) -> None:
        decide_on_caution(
            result=caution.result, code=code, kind=given["decision"], actor=curator, reason=given["reason"]
        )

    form = CautionDecisionForm(request.POST or None)
    return _action(request, form, act, "Decide on a caution", caution.result, code, "It is decided.")


@sign_in_first
@may_post
def answer_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Taking an answer back, or removing it."""
    answer, person = get_answer_to_withdraw(pk, request.user)

    def act(given: dict[str, Any]) -> None:
        withdraw_answer(answer=answer, actor=person, **given)

    form = WithdrawAnswerForm(request.POST or None)
    return _action(request, form, act, "Take an answer back", answer.result, "", "It is taken back.")


def _action(
    request: HttpRequest,
    form: WithRefusals,
    act: Callable[[dict[str, Any]], None],
    title: str,
    result: Result,
    code: str,
    done: str,
) -> HttpResponse:
    """The page of a form about a caution of the result; once it is filled in well, the page of the caution."""
    if request.method == "POST" and form.is_valid():
        try:
            act(dict(form.cleaned_data))
        except ValidationError as error:
            form.add_refusal(error)
        else:
            messages.success(request, done)
            return redirect(reverse("leaderboards:caution-detail", args=[result.pk, code]) if code else result)
    context = {"has_form": True, "form": form, "title": title, "subject": result}
    return render(request, "results/action.html", context)
