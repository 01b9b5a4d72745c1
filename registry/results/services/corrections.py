"""Requests to correct a result, decisions on them, and second readings, by which alone a result rises to a higher tier.

A result that rises is superseded by itself with the higher tier, so that earlier days show the lower tier.
"""

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.readers.numbers import PrintedScore
from registry.accounts.models import User
from registry.journal.services import record
from registry.results.models import Confirmation, CorrectionRequest, Result
from registry.results.queries import is_handed_in_by
from registry.results.services.endings import (
    checked_score,
    replace_result,
    require_standing,
    required_reason,
    supersede_result,
    withdraw_result,
)

REQUESTED = "results.correction.requested"
#: The request of a dispute that is still hidden: the public log does not have it.
DISPUTED = "disputes.requested"
#: The time that a dispute stays hidden if nobody looks at it.
HIDDEN_FOR = timedelta(days=7)
CONFIRMED = "results.result.confirmed"
ACCEPTED = "results.correction.accepted"
DECLINED = "results.correction.declined"

Kind, State = CorrectionRequest.Kind, CorrectionRequest.State

_TIERS = {
    Confirmation.Kind.SECOND_TRANSCRIPTION: Result.Provenance.DOUBLE_CHECKED,
    Confirmation.Kind.AUTHOR: Result.Provenance.AUTHOR_CONFIRMED,
}
_LOWEST_FIRST = list(Result.Provenance)


@transaction.atomic
def request_correction(
    *, result: Result, requester: User, kind: str, reason: str, proposed_printed: str = "", proposed_unit: str = ""
) -> CorrectionRequest:
    """Return the open request; the same one when somebody asks twice for the same thing.

    A correction proposes another score; a dispute may. It marks the result as disputed from when somebody who may
    decide has looked at it (``show_dispute``) until it is decided.
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
        _record(request, DISPUTED if kind == Kind.DISPUTE else REQUESTED)
    return request


def _record(request: CorrectionRequest, action: str) -> None:
    proposed = {"proposed": str(request.proposed)} if request.proposed else {}
    facts = {"kind": request.kind, "request": request.pk, **proposed}
    record(action=action, subject=request.result, actor=request.requester, reason=request.reason, after=facts)


@transaction.atomic
def show_dispute(request: CorrectionRequest) -> None:
    """Show a dispute to everybody; do nothing if it shows already, or is no dispute."""
    if CorrectionRequest.objects.hidden().filter(pk=request.pk).update(shown_at=timezone.now()):
        _record(request, REQUESTED)


def show_old_disputes() -> int:
    """Show to everybody the disputes that nobody has looked at for a week; return how many."""
    old = CorrectionRequest.objects.hidden().open().filter(created_at__lt=timezone.now() - HIDDEN_FOR)
    waiting = list(old.select_related("result", "requester"))
    for request in waiting:
        show_dispute(request)
    return len(waiting)


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
    """Accept the request: its result is superseded by one with this score, or withdrawn if none is given."""
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
    """Decline the request; its result stays as it is."""
    return _decide(_undecided(request), State.DECLINED, actor, reason)


def _undecided(request: CorrectionRequest) -> CorrectionRequest:
    request = CorrectionRequest.objects.select_for_update(of=("self",)).select_related("result").get(pk=request.pk)
    if request.state != State.OPEN:
        raise ValidationError(f"this request was {request.state} already", code="decided")
    return request


def _decide(request: CorrectionRequest, state: str, actor: User, reason: str) -> CorrectionRequest:
    show_dispute(request)
    request.state, request.decided_by, request.decided_at = state, actor, timezone.now()
    request.decision_reason = required_reason(reason)
    request.save(update_fields=["state", "decided_by", "decided_at", "decision_reason"])
    action, after = ACCEPTED if state == State.ACCEPTED else DECLINED, {"kind": request.kind, "request": request.pk}
    record(action=action, subject=request.result, actor=actor, reason=request.decision_reason, after=after)
    return request


def _other_score(result: Result, printed: str, unit: str, field: str) -> PrintedScore | None:
    """Return the score if it can take the place of the result's; None for blank."""
    if not printed.strip():
        return None
    score = checked_score(printed, unit, result.leaderboard.measure, field=field)
    if score == result.score:
        raise ValidationError({field: "this is the score that stands there already"}, code="same")
    return score


@transaction.atomic
def confirm_result(
    *,
    result: Result,
    user: User,
    kind: str,
    printed: str,
    unit: str = "",
    actor: User | None = None,
    confirmed_rows: int | None = None,
) -> Result:
    """Return the result as it stands after somebody read the same score in its source: in a higher tier, or as it was.

    ``actor`` notes it, if that is not who read it.

    Raise ``ValidationError`` where this person cannot confirm it (see ``why_not``), or read another score;
    ``MassChange`` if the account changed many results lately and ``confirmed_rows`` is not their number.
    """
    result = Result.objects.select_for_update().select_related("recorded_by").get(pk=result.pk)
    require_standing(result)
    obstacle = why_not(result, user, kind)
    if obstacle:
        raise ValidationError(obstacle, code="not_allowed")
    score = checked_score(printed, unit, result.leaderboard.measure, field="printed")
    if not score.says_the_same_as(result.score):
        message = f"the record says {result.score}; if the paper does not, ask for a correction"
        raise ValidationError({"printed": message}, code="differs")
    read = {"printed": score.printed, "unit": score.unit}
    _, is_new = Confirmation.objects.get_or_create(result=result, user=user, kind=kind, defaults=read)
    tier, reason = _TIERS[Confirmation.Kind(kind)], f"{Confirmation.Kind(kind).label}: {score}"
    if _LOWEST_FIRST.index(tier) <= _LOWEST_FIRST.index(Result.Provenance(result.provenance)):
        if is_new:
            record(action=CONFIRMED, subject=result, actor=actor or user, reason=reason)
        return result
    changes = {"provenance": tier.value}
    return replace_result(
        result=result, changes=changes, actor=actor or user, reason=reason, confirmed_rows=confirmed_rows
    )


def why_not(result: Result, user: User, kind: str) -> str:
    """Say why this person cannot confirm the result in this way; blank where they can."""
    if kind == Confirmation.Kind.AUTHOR:
        authors = result.paper.author_orcids if result.paper else []
        if not user.orcid:
            return "sign in with ORCID first, so that we know which papers are yours"
        return "" if user.orcid in authors else "your ORCID iD is not among those of the paper's authors"
    versions = Result.objects.versions_of(result)
    if any(is_handed_in_by(user, version) for version in versions):
        return "somebody other than its submitter has to read it a second time"
    if any(version.recorded_by.actor_id == user.pk for version in versions):
        return "somebody other than whoever recorded it has to read it a second time"
    return ""
