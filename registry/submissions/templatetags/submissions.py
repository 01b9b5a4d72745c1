"""Tags about submissions for pages of every kind."""

from typing import Any

from django import template

from registry.accounts.access import AnyUser
from registry.results.access import corrections_to_decide
from registry.results.models import Result
from registry.results.queries import before_confirmations
from registry.submissions.access import is_reviewer, reviewable_by
from registry.submissions.models import Submission

register = template.Library()


@register.simple_tag
def waiting_for(user: AnyUser) -> dict[str, int] | None:
    """Return how much waits for somebody's decision; None for those who decide on nothing."""
    if not is_reviewer(user):
        return None
    n_submissions = reviewable_by(user).pending().exclude(contributor=user).count()
    n_corrections = corrections_to_decide(user).count()
    return {"n": n_submissions + n_corrections, "n_submissions": n_submissions, "n_corrections": n_corrections}


@register.simple_tag
def handed_in(result: Result, user: AnyUser) -> dict[str, Any] | None:
    """Return the submission of a result, and whether the reader may see it; None for one from a file or a dump."""
    first = before_confirmations(result)
    entry = first.recorded_by
    if entry.subject_type != "submission":
        return None
    submission = Submission.objects.select_related("contributor").filter(pk=entry.subject_id).first()
    if submission is None:
        return None
    is_own = submission.contributor_id == user.pk
    is_visible = is_own or reviewable_by(user).filter(pk=submission.pk).exists()
    return {"submission": submission, "is_visible": is_visible}
