"""How far a result is trusted is earned: by a second transcription, by an author's word, and in no other way here.

A result that rose is superseded by itself with the higher tier, so that earlier days show the lower one.
"""

import re

from django.core.exceptions import ValidationError
from django.db import transaction

from registry.accounts.models import User
from registry.journal.services import record
from registry.results.models import Confirmation, Paper, Result
from registry.results.queries import is_handed_in_by
from registry.results.services.endings import checked_score, replace_result, require_standing, required_reason

AUTHORS_IDENTIFIED = "results.paper.authors_identified"

Kind = Confirmation.Kind
_TIERS = {
    Kind.SECOND_TRANSCRIPTION: Result.Provenance.DOUBLE_CHECKED,
    Kind.AUTHOR: Result.Provenance.AUTHOR_CONFIRMED,
}
_LOWEST_FIRST = list(Result.Provenance)
_ORCID = re.compile(r"(?:https://orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])")


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
        if not user.orcid or not user.orcid_verified_at:
            return "sign in with ORCID first, so that we know which papers are yours"
        return "" if user.orcid in authors else "your ORCID iD is not among those of the paper's authors"
    versions = Result.objects.versions_of(result)
    if any(is_handed_in_by(user, version) for version in versions):
        return "somebody else than who handed it in has to read it a second time"
    if any(version.recorded_by.actor_id == user.pk for version in versions):
        return "somebody else than who recorded it has to read it a second time"
    return ""


@transaction.atomic
def identify_authors(*, paper: Paper, orcids: str, actor: User, reason: str) -> Paper:
    """The paper with these ORCID iDs of its authors, given with blanks, commas or lines between."""
    reason = required_reason(reason)
    paper = Paper.objects.select_for_update().get(pk=paper.pk)
    found = list(dict.fromkeys(_checked_orcid(text) for text in re.split(r"[\s,;]+", orcids.strip()) if text))
    if found != paper.author_orcids:
        record(
            action=AUTHORS_IDENTIFIED,
            subject_type="paper",
            subject_id=paper.pk,
            actor=actor,
            reason=reason,
            before={"orcids": paper.author_orcids},
            after={"orcids": found},
        )
        paper.author_orcids = found
        paper.save(update_fields=["author_orcids"])
    return paper


def _checked_orcid(text: str) -> str:
    match = _ORCID.fullmatch(text)
    if not match or not _has_right_check_digit(match[1].replace("-", "")):
        raise ValidationError(
            {"orcids": f"{text[:60]} is no ORCID iD; it looks like 0000-0002-1825-0097"}, code="orcid"
        )
    return match[1]


def _has_right_check_digit(digits: str) -> bool:
    """ISO 7064 MOD 11-2, as ORCID iDs have it."""
    total = 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == digits[-1]
