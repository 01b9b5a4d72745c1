"""Tags about submissions for pages of every kind."""

from dataclasses import dataclass

from django import template

from registry.accounts.access import AnyUser
from registry.results.access import corrections_to_decide
from registry.results.models import Result
from registry.results.queries import before_confirmations
from registry.submissions.access import is_reviewer, reviewable_by
from registry.submissions.models import Submission

register = template.Library()


@dataclass(frozen=True, slots=True)
class Waiting:
    """The number of things that wait for somebody's decision."""

    n_submissions: int
    n_corrections: int

    @property
    def n(self) -> int:
        return self.n_submissions + self.n_corrections


@register.simple_tag
def waiting_for(user: AnyUser) -> Waiting | None:
    """Return how much waits for somebody's decision; None for those who decide on nothing."""
    if not is_reviewer(user):
        return None
    submissions = reviewable_by(user).pending().exclude(contributor=user)
    return Waiting(submissions.count(), corrections_to_decide(user).count())


@dataclass(frozen=True, slots=True)
class HandedIn:
    """The submission that a result came from, and whether the reader may see it."""

    submission: Submission
    is_visible: bool


@register.simple_tag
def handed_in(result: Result, user: AnyUser) -> HandedIn | None:
    """Return the submission of a result; None for one from a file, or from a dump of another site."""
    first = before_confirmations(result)
    entry = first.recorded_by
    if entry.subject_type != "submission":
        return None
    submission = Submission.objects.select_related("contributor").filter(pk=entry.subject_id).first()
    if submission is None:
        return None
    is_own = submission.contributor_id == user.pk
    return HandedIn(submission, is_own or reviewable_by(user).filter(pk=submission.pk).exists())
