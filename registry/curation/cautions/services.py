"""Answering cautions, and deciding on them."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.catalog.services import mark_leaderboards_changed
from registry.curation.cautions.models import CautionAnswer, CautionDecision, CautionQuerySet
from registry.curation.cautions.queries import ANSWERABLE
from registry.journal.services import record
from registry.results.models import Confirmation, Result
from registry.results.services.confirming import why_not
from registry.results.services.endings import require_standing, required_reason

ANSWERED = "results.caution.answered"
ANSWER_WITHDRAWN = "results.caution.answer_withdrawn"
CLEARED = "results.caution.cleared"
KEPT = "results.caution.kept"

Kind = CautionDecision.Kind


@transaction.atomic
def answer_caution(*, result: Result, code: str, person: User, text: str, url: str = "") -> CautionAnswer:
    """The answer, which takes the place of an earlier one by the same person.

    The log says that there is an answer, and not what it says: the answer itself can be taken back.
    """
    result = _locked(result, code)
    text = text.strip()
    if not text:
        raise ValidationError({"text": "say what you know about it"}, code="required")
    earlier = _answers(result, code, person)
    same: CautionAnswer | None = earlier.filter(text=text, url=url).first()
    if same:
        return same
    moment = timezone.now()
    earlier.update(ended_at=moment)
    answer = CautionAnswer.objects.create(
        result=result,
        code=code,
        person=person,
        is_author=not why_not(result, person, Confirmation.Kind.AUTHOR),
        text=text,
        url=url,
        recorded_at=moment,
    )
    facts = {"caution": code, "answer": answer.pk}
    record(action=ANSWERED, subject=result, actor=person, after=facts)
    return answer


@transaction.atomic
def withdraw_answer(*, answer: CautionAnswer, actor: User, reason: str) -> CautionAnswer:
    """The answer, taken back by who gave it or removed by who looks after the result; doing it twice does nothing."""
    reason = required_reason(reason)
    answer = CautionAnswer.objects.select_for_update().get(pk=answer.pk)
    if answer.ended_at is None:
        answer.ended_at = timezone.now()
        answer.save(update_fields=["ended_at"])
        facts = {"caution": answer.code, "answer": answer.pk}
        about = ("result", answer.result_id)
        record(action=ANSWER_WITHDRAWN, subject=about, actor=actor, reason=reason, before=facts)
    return answer


@transaction.atomic
def decide_on_caution(*, result: Result, code: str, kind: str, actor: User, reason: str) -> CautionDecision:
    """The decision, which takes the place of an earlier one; where it changes the verdict, that is studied again.

    Who answered a caution does not decide on it.
    """
    result = _locked(result, code)
    reason = required_reason(reason)
    if _answers(result, code, actor).exists():
        raise ValidationError("somebody else than who answered it decides on it", code="not_allowed")
    earlier = CautionDecision.objects.standing().on_score_of(result).filter(code=code)
    standing: CautionDecision | None = earlier.last()
    if standing and standing.kind == kind:
        return standing
    moment = timezone.now()
    earlier.update(ended_at=moment)
    action, after = CLEARED if kind == Kind.CLEARED else KEPT, {"caution": code, "decision": kind}
    before = {"decision": standing.kind} if standing else None
    entry = record(action=action, subject=result, actor=actor, reason=reason, before=before, after=after)
    decision = CautionDecision.objects.create(result=result, code=code, kind=kind, entry=entry, recorded_at=moment)
    if Kind.CLEARED in (kind, standing and standing.kind):
        mark_leaderboards_changed(leaderboard_ids=[result.leaderboard_id])
    return decision


def _locked(result: Result, code: str) -> Result:
    if code not in ANSWERABLE:
        raise ValidationError(f"nobody can answer what is said as {code}", code="unknown")
    result = Result.objects.select_for_update(of=("self",)).select_related("system", "paper").get(pk=result.pk)
    require_standing(result)
    return result


def _answers(result: Result, code: str, person: User) -> CautionQuerySet:
    return CautionAnswer.objects.standing().on_score_of(result).filter(code=code, person=person)
