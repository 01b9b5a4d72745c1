"""Access to submissions: to see, change and decide on them, and how many in a while.

Somebody else's is not there: 404, not 403.
"""

import math
import uuid
from datetime import timedelta
from typing import TypeGuard

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils import timezone

from registry.accounts.access import AnyUser, is_editor, require_second_factor
from registry.accounts.models import ApiToken, User
from registry.catalog.access import is_curator
from registry.catalog.models import Collection
from registry.core.http import client_address, must_exist
from registry.core.limits import DAY, HOUR, LIMITS, MINUTE, Limited, spend, why_limited
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
    """Return the submission to its contributor, who may submit it, take it back or delete it."""
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


_IS_ONE = "A table counts once, however many results are in it."
LIMITS_OF_SUBMISSIONS = {
    "submission: account": (20, HOUR, "An account may submit {n} times an hour, {no_room} " + _IS_ONE),
    "submission: new account": (5, HOUR, "A new account may submit {n} times an hour, {no_room} " + _IS_ONE),
    "submission: address": (40, HOUR, "From one network {n} submissions an hour are taken, {no_room} " + _IS_ONE),
    "submission: token": (60, HOUR, "An account may submit {n} times an hour with tokens, {no_room} " + _IS_ONE),
    "draft rows: account": (200_000, DAY, "An account may store {n} rows a day, {no_room}"),
    "check: account": (60, 5 * MINUTE, "An account may have results checked {n} times in five minutes, {no_room}"),
    "check: address": (60, 5 * MINUTE, "Without signing in, a network may check {n} tables in five minutes, {no_room}"),
    "check rows: account": (200_000, 5 * MINUTE, "An account may have {n} rows checked in five minutes, {no_room}"),
    "check rows: address": (
        50_000,
        5 * MINUTE,
        "Without signing in, a network may check {n} rows in five minutes, {no_room}",
    ),
}
#: How long an account counts as new.
_NEW = timedelta(days=7)


def require_place(user: User, token: ApiToken | None = None) -> None:
    """Refuse whoever has submitted as many as the hour allows; what is taken back no longer counts.

    Drafts are free: the limit protects those who check submissions. Programs have more room. Call it in the
    transaction that submits: others of the same account wait for its end.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    now = timezone.now()
    is_new = user.role == User.Role.CONTRIBUTOR and now - user.date_joined < _NEW
    name = "submission: new account" if is_new else f"submission: {'token' if token else 'account'}"
    most, seconds = LIMITS[name]
    began = now - timedelta(seconds=seconds)
    recent = user.submissions.filter(submitted_at__gt=began).order_by("-submitted_at")
    # The parts of a table that reviewers divide keep its moment, and take one place together.
    moments = recent.values_list("submitted_at", flat=True).distinct()
    taken = [moment for moment in moments[:most] if moment]
    if len(taken) == most:
        raise Limited(math.ceil((taken[-1] - began).total_seconds()), why_limited(name))


def charge(request: HttpRequest, n_rows: int) -> None:
    """Count a table of so many rows against the limits, before it is read or checked."""
    is_known = request.user.is_authenticated
    whose, key = ("account", request.user.pk) if is_known else ("address", client_address(request))
    spend(f"check: {whose}", key)
    spend(f"check rows: {whose}", key, n_rows)
