"""Requests to correct a result, and what is decided on them."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.readers.scores import PrintedScore
from registry.accounts.models import User
from registry.journal.services import record
from registry.results.models import CorrectionRequest, Result
from registry.results.services.endings import (
    checked_score,
    require_standing,
    required_reason,
    supersede_result,
    withdraw_result,
)

REQUESTED = "results.correction.requested"
ACCEPTED = "results.correction.accepted"
DECLINED = "results.correction.declined"

Kind, State = CorrectionRequest.Kind, CorrectionRequest.State


@transaction.atomic
def request_correction(
    *,
    result: Result,
    requester: User,
    kind: str,
    reason: str,
    proposed_printed: str = "",
    proposed_unit: str = "",
) -> CorrectionRequest:
    """The open request; the same one when somebody asks twice for the same thing.

    A correction proposes another score; a dispute may, and marks the result as disputed until it is decided.
    """
    reason = required_reason(reason)
    result = Result.objects.select_for_update().get(pk=result.pk)
    require_standing(result)
    proposed = _other_score(result, proposed_printed, proposed_unit, "proposed_printed")
    if kind == Kind.CORRECT and not proposed:
        raise ValidationError({"proposed_printed": "say which score should stand there"}, code="required")
    request, is_new = CorrectionRequest.objects.get_or_create(
        result=result,
        requester=requester,
        kind=kind,
        state=State.OPEN,
        defaults={"reason": reason}
        | ({"proposed_printed": proposed.printed, "proposed_unit": proposed.unit} if proposed else {}),
    )
    if is_new:
        facts = {"kind": kind, "request": request.pk} | ({"proposed": str(proposed)} if proposed else {})
        record(action=REQUESTED, subject=result, actor=requester, reason=reason, after=facts)
    return request


@transaction.atomic
def accept_correction(
    *,
    request: CorrectionRequest,
    actor: User,
    reason: str,
    printed: str = "",
    unit: str = "",
    confirmed_rows: int | None = None,
) -> CorrectionRequest:
    """The request, accepted: its result is superseded by one with this score, or withdrawn where there is none."""
    request = _undecided(request)
    require_standing(request.result)
    decided = _decide(request, State.ACCEPTED, actor, reason)
    score = _other_score(request.result, printed, unit, "printed")
    if score:
        supersede_result(
            result=request.result,
            changes={"printed": score.printed, "unit": score.unit},
            actor=actor,
            reason=decided.decision_reason,
            confirmed_rows=confirmed_rows,
        )
    else:
        withdraw_result(
            result=request.result, actor=actor, reason=decided.decision_reason, confirmed_rows=confirmed_rows
        )
    return decided


@transaction.atomic
def decline_correction(*, request: CorrectionRequest, actor: User, reason: str) -> CorrectionRequest:
    """The request, declined; its result stays as it is."""
    return _decide(_undecided(request), State.DECLINED, actor, reason)


def _undecided(request: CorrectionRequest) -> CorrectionRequest:
    request = CorrectionRequest.objects.select_for_update(of=("self",)).select_related("result").get(pk=request.pk)
    if request.state != State.OPEN:
        raise ValidationError(f"this request was {request.state} already", code="decided")
    return request


def _decide(request: CorrectionRequest, state: str, actor: User, reason: str) -> CorrectionRequest:
    request.state, request.decided_by, request.decided_at = state, actor, timezone.now()
    request.decision_reason = required_reason(reason)
    request.save(update_fields=["state", "decided_by", "decided_at", "decision_reason"])
    action, after = ACCEPTED if state == State.ACCEPTED else DECLINED, {"kind": request.kind, "request": request.pk}
    record(action=action, subject=request.result, actor=actor, reason=request.decision_reason, after=after)
    return request


def _other_score(result: Result, printed: str, unit: str, field: str) -> PrintedScore | None:
    """The score, once it can stand in the place of the result's; None for blank."""
    if not printed.strip():
        return None
    score = checked_score(printed, unit, result.leaderboard.measure, field=field)
    if score == result.score:
        raise ValidationError({field: "this is the score that stands there already"}, code="same")
    return score
