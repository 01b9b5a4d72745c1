"""Who may see, change and decide on which submission. Somebody else's is not there: 404, not 403."""

import uuid

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from registry.accounts.models import User
from registry.submissions.models import Submission, SubmittedRow

Visitor = User | AnonymousUser


def is_editor(user: Visitor) -> bool:
    """Whether somebody may check everything."""
    return user.is_authenticated and (user.is_editor or user.is_superuser)


def reviewable_by(user: Visitor) -> QuerySet[Submission]:
    """What somebody may check: handed in, by editors all of it, by curators what is on their collections alone."""
    handed_in = Submission.objects.exclude(state=Submission.State.DRAFT)
    if is_editor(user):
        return handed_in
    return Submission.objects.none()


def is_reviewer(user: Visitor) -> bool:
    """Whether there can be anything for somebody to check."""
    return is_editor(user)


def get_visible_submission(pk: uuid.UUID, user: Visitor) -> Submission:
    """The submission, to its contributor in every state, and to those who may check it."""
    if user.is_authenticated:
        submission = Submission.objects.select_related("contributor", "decided_by").filter(pk=pk).first()
        if submission and (submission.contributor_id == user.pk or reviewable_by(user).filter(pk=pk).exists()):
            return submission
    raise Http404("There is no such submission.")


def get_own_submission(pk: uuid.UUID, user: Visitor) -> Submission:
    """The submission, to be handed in, taken back or deleted by its contributor."""
    submission = get_visible_submission(pk, user)
    if submission.contributor_id != user.pk:
        raise PermissionDenied("Only its contributor may do this.")
    return submission


def get_editable_submission(pk: uuid.UUID, user: Visitor) -> Submission:
    """The submission, whose rows may be changed: by its contributor while it is open, by reviewers while it waits."""
    submission = get_visible_submission(pk, user)
    if not may_edit(submission, user):
        raise PermissionDenied(f"This submission is {submission.get_state_display()}; you cannot change its rows now.")
    return submission


def get_reviewable_submission(pk: uuid.UUID, user: Visitor) -> Submission:
    """The submission, to be decided on: by somebody else than its contributor."""
    submission = get_visible_submission(pk, user)
    if not may_review(submission, user):
        raise PermissionDenied("Somebody else decides on what you hand in.")
    return submission


def may_edit(submission: Submission, user: Visitor) -> bool:
    """Whether somebody who may see the submission may change its rows now."""
    if submission.is_open:
        return submission.contributor_id == user.pk
    return submission.is_pending and may_review(submission, user)


def may_review(submission: Submission, user: Visitor) -> bool:
    """Whether somebody who may see the submission may decide on it: not on one's own, but for administrators."""
    return user.is_superuser or (submission.contributor_id != user.pk and is_reviewer(user))


def get_row(submission: Submission, line: int) -> SubmittedRow:
    """The row of this line."""
    row = submission.rows.filter(line=line).first()
    if row is None:
        raise Http404(f"This submission has no row {line} any more.")
    return row
