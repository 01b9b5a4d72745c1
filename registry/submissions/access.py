"""Access to submissions: to see, change and decide on them. Somebody else's is not there: 404, not 403."""

import uuid
from typing import TypeGuard

from django.core.exceptions import PermissionDenied
from django.http import Http404

from registry.accounts.access import AnyUser, is_editor, require_second_factor
from registry.accounts.models import User
from registry.catalog.access import is_curator
from registry.catalog.models import Collection
from registry.core.http import must_exist
from registry.core.messages import say
from registry.submissions.models import Submission, SubmissionQuerySet, SubmittedRow


def reviewable_by(user: AnyUser) -> SubmissionQuerySet:
    """Return the submissions that somebody may review: editors all, curators those on their collections alone."""
    handed_in = Submission.objects.exclude(state=Submission.State.DRAFT)
    if is_editor(user):
        return handed_in
    if is_curator(user):
        return handed_in.within(Collection.objects.curated_by(user))
    return handed_in.none()


def is_reviewer(user: AnyUser) -> TypeGuard[User]:
    """Return whether somebody may review anything at all."""
    return is_editor(user) or is_curator(user)


def require_reviewer(user: AnyUser) -> User:
    """Return the user, if somebody who may review."""
    if not is_reviewer(user):
        raise PermissionDenied(say("only-curators"))
    require_second_factor(user)
    return user


def get_visible_submission(pk: uuid.UUID, user: AnyUser) -> Submission:
    """Return the submission to its contributor in every state, and to those who may review it."""
    submission = Submission.objects.select_related("contributor", "decided_by").filter(pk=pk).first()
    if submission and isinstance(user, User) and submission.contributor_id == user.pk:
        return submission
    if submission and isinstance(user, User) and reviewable_by(user).filter(pk=pk).exists():
        require_second_factor(user)
        return submission
    raise Http404(say("no-submission"))


def get_own_submission(pk: uuid.UUID, user: AnyUser) -> Submission:
    """Return the submission to its contributor, who may hand it in, take it back or delete it."""
    submission = get_visible_submission(pk, user)
    if submission.contributor_id != user.pk:
        raise PermissionDenied(say("only-contributor"))
    return submission


def get_editable_submission(pk: uuid.UUID, user: AnyUser) -> Submission:
    """Return the submission to those who may change its rows: its contributor while open, reviewers while it waits."""
    submission = get_visible_submission(pk, user)
    if not may_edit(submission, user):
        raise PermissionDenied(say("rows-closed", state=submission.get_state_display()))
    return submission


def get_reviewable_submission(pk: uuid.UUID, user: AnyUser) -> Submission:
    """Return the submission to those who may decide on it."""
    submission = get_visible_submission(pk, user)
    if not isinstance(user, User) or not may_review(submission, user):
        raise PermissionDenied(say("not-your-own"))
    require_second_factor(user)
    return submission


def may_edit(submission: Submission, user: AnyUser) -> bool:
    """Return whether somebody who may see the submission may change its rows now."""
    if submission.is_open:
        return submission.contributor_id == user.pk
    return submission.is_pending and may_review(submission, user)


def may_review(submission: Submission, user: AnyUser) -> bool:
    """Return whether somebody who sees the submission may decide on it; only administrators decide on their own."""
    return user.is_superuser or (submission.contributor_id != user.pk and is_reviewer(user))


def get_row(submission: Submission, line: int) -> SubmittedRow:
    return must_exist(submission.rows.filter(line=line).first(), say("no-row", line=line))
