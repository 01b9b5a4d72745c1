"""How far a result is trusted is earned: by a second transcription, by an author's word, and in no other way here.

A result that rose is superseded by itself with the higher tier, so that earlier days show the lower one.
"""

from django.core.exceptions import ValidationError
from django.db import transaction

from registry.accounts.models import User
from registry.results.models import Confirmation, Result
from registry.results.queries import is_handed_in_by
from registry.results.services.endings import checked_score, replace_result, require_standing

Kind = Confirmation.Kind
_TIERS = {
    Kind.SECOND_TRANSCRIPTION: Result.Provenance.DOUBLE_CHECKED,
    Kind.AUTHOR: Result.Provenance.AUTHOR_CONFIRMED,
}
_LOWEST_FIRST = list(Result.Provenance)


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
    """The result as it stands after somebody read the same score in its source: in a higher tier, or as it was.

    ``actor`` is who notes it, where that is not who read it.

    Raises
    ------
    ValidationError
        Where this person cannot confirm it (see ``why_not``), or read another score.
    MassChange
        If the account changed very much lately and ``confirmed_rows`` does not say how much (see ``mass_changes``).
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
    Confirmation.objects.get_or_create(result=result, user=user, kind=kind, defaults=read)
    tier = _TIERS[Kind(kind)]
    if _LOWEST_FIRST.index(tier) <= _LOWEST_FIRST.index(Result.Provenance(result.provenance)):
        return result
    reason = f"{Kind(kind).label}: {score}"
    changes = {"provenance": tier.value}
    return replace_result(
        result=result, changes=changes, actor=actor or user, reason=reason, confirmed_rows=confirmed_rows
    )


def why_not(result: Result, user: User, kind: str) -> str:
    """Why this person cannot confirm the result in this way; blank where they can."""
    if kind == Kind.AUTHOR:
        authors = result.paper.author_orcids if result.paper else []
        if not user.orcid:
            return "sign in with ORCID first, so that we know which papers are yours"
        return "" if user.orcid in authors else "your ORCID iD is not among those of the paper's authors"
    versions = Result.objects.versions_of(result)
    if any(is_handed_in_by(user, version) for version in versions):
        return "somebody else than who handed it in has to read it a second time"
    if any(version.recorded_by.actor_id == user.pk for version in versions):
        return "somebody else than who recorded it has to read it a second time"
    return ""
