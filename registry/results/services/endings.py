"""Taking single results off the record: withdrawn, or superseded by a corrected one. A tombstone stays."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.catalog.models import Measure
from registry.catalog.services import mark_leaderboards_changed
from registry.core.rejections import Refused
from registry.core.scores import PrintedScore, parse_score
from registry.journal.services import record
from registry.results.models import CONTENT, EARNED, Result
from registry.results.services.mass_changes import require_confirmation
from registry.results.services.superseding import copy_of, supersede

RESULT_WITHDRAWN = "results.result.withdrawn"


@transaction.atomic
def withdraw_result(*, result: Result, actor: User | None, reason: str, confirmed_rows: int | None = None) -> Result:
    """The result, ended as withdrawn; it keeps its values, and nothing like it is loaded again.

    Withdrawing it twice does nothing more. A reason is required; a superseded result is past withdrawing.

    Raises
    ------
    MassChange
        If the account changed very much lately and ``confirmed_rows`` does not say how much (see ``mass_changes``).
    """
    reason = required_reason(reason)
    result = Result.objects.select_for_update().get(pk=result.pk)
    if result.ending == Result.Ending.WITHDRAWN:
        return result
    require_standing(result)
    n_replicates = result.replicates.standing().count()
    if n_replicates:
        raise ValidationError(f"{n_replicates} replicates stand on this result; withdraw them first")
    require_confirmation(actor=actor, n_rows=1, confirmed_rows=confirmed_rows)
    before = {"printed": str(result.score), "system": str(result.system), "leaderboard": str(result.leaderboard)}
    entry = record(
        action=RESULT_WITHDRAWN,
        subject_type="result",
        subject_id=result.pk,
        actor=actor,
        reason=reason,
        before=before,
        after={"ending": Result.Ending.WITHDRAWN.value},
    )
    result.ended_at, result.ended_by, result.ending = timezone.now(), entry, Result.Ending.WITHDRAWN
    result.save(update_fields=["ended_at", "ended_by", "ending"])
    mark_leaderboards_changed(leaderboard_ids=[result.leaderboard_id])
    return result


@transaction.atomic
def supersede_result(
    *,
    result: Result,
    changes: dict[str, Any],
    actor: User | None,
    reason: str,
    confirmed_rows: int | None = None,
) -> Result:
    """The new row that takes the place of ``result``: the same but for ``changes`` (model fields of its content).

    The old row is ended and linked to it. Without any difference the result is returned as it is.

    Raises
    ------
    MassChange
        If the account changed very much lately and ``confirmed_rows`` does not say how much (see ``mass_changes``).
    """
    unknown = sorted(set(changes) - set(CONTENT))
    if unknown:
        raise ValidationError(f"these are not part of a result's content: {', '.join(unknown)}")
    if "provenance" in changes:
        raise ValidationError("provenance is earned and not for anybody to set")
    if {"printed", "unit"} & set(changes):
        measure = result.leaderboard.measure
        score = checked_score(
            changes.get("printed", result.printed), changes.get("unit", result.unit), measure, field="printed"
        )
        changes = changes | {"printed": score.printed, "unit": score.unit}
        if not score.says_the_same_as(result.score) and result.provenance in EARNED:
            # Nobody has read the new score a second time.
            changes |= {"provenance": Result.Provenance.TRANSCRIBED.value}
    return replace_result(result=result, changes=changes, actor=actor, reason=reason, confirmed_rows=confirmed_rows)


@transaction.atomic
def replace_result(
    *,
    result: Result,
    changes: dict[str, Any],
    actor: User | None,
    reason: str,
    confirmed_rows: int | None = None,
) -> Result:
    """As ``supersede_result``, with ``provenance`` among the changes: for services that establish it."""
    reason = required_reason(reason)
    old = Result.objects.select_for_update().get(pk=result.pk)
    require_standing(old)
    if all(getattr(old, name) == value for name, value in changes.items()):
        return old
    require_confirmation(actor=actor, n_rows=1, confirmed_rows=confirmed_rows)
    new = copy_of(old, **changes)
    new.value = new.score.value
    new.clean_fields(exclude=["recorded_by", "recorded_at"])
    new.recorded_at = timezone.now()
    supersede({old.pk: new}, actor=actor, reason=reason, moment=new.recorded_at)
    mark_leaderboards_changed(leaderboard_ids=[old.leaderboard_id])
    return new


def checked_score(printed: str, unit: str, measure: Measure, *, field: str) -> PrintedScore:
    """The score, once it can stand under this measure; what is wrong is said of ``field``."""
    try:
        return parse_score(printed, unit, low=measure.low, high=measure.high, name=measure.name)
    except Refused as refused:
        raise ValidationError({field: refused.message}, code=refused.code) from refused


def required_reason(reason: str) -> str:
    """The reason without blanks around it, once there is one."""
    reason = reason.strip()
    if not reason:
        raise ValidationError("say why: the reason stands in the public journal")
    return reason


def require_standing(result: Result) -> None:
    """Refuse to go on with a result that is not on the record any more."""
    if result.ending:
        raise ValidationError(f"this result is not on the record any more: it was {result.ending}")
