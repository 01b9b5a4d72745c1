"""Following something, and following it no longer."""

from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.accounts.models import User
from registry.following.models import KINDS, Digest, Followable, Following
from registry.following.queries import settled_entry
from registry.following.querysets import digest_day
from registry.leaderboards.models import Analysis

#: More than this is a mail that nobody reads; whoever wants everything takes the feed of the log.
MAX_FOLLOWED = 200

Every = Following.Every


@transaction.atomic
def follow(*, user: User, thing: Followable, every: str, site: str) -> Following:
    """How the person follows the thing from now on; ``site`` is the address of the site in their words."""
    # Held, so that no two tabs together follow more than is allowed.
    User.objects.select_for_update().get(pk=user.pk)
    of_this = {kind: thing for kind, model in KINDS.items() if isinstance(thing, model)}
    following = Following.objects.filter(user=user, **of_this).first()
    if following:
        return set_every(following=following, every=every)
    if user.followings.count() >= MAX_FOLLOWED:
        raise Refused("too_many", f"You follow {MAX_FOLLOWED} things, which is the most. Stop following one first.")
    return Following.objects.create(user=user, every=every, site=site, **of_this, **_start(of_this))


def _start(of_this: dict[str, Followable]) -> dict[str, Any]:
    """How far somebody has been told who begins to listen now."""
    now = timezone.now()
    board = of_this.get("leaderboard")
    analysis = Analysis.objects.filter(leaderboard_id=board.pk).first() if board else None
    return {
        "told_entry": settled_entry(now),
        "told_snapshot_id": analysis.snapshot_id if analysis else None,
        "told_on": digest_day(now),
    }


@transaction.atomic
def set_every(*, following: Following, every: str) -> Following:
    """The same, told of as often as this; what happened while no mail was wanted is not told afterwards."""
    following = Following.objects.select_for_update().get(pk=following.pk)
    if following.every == Every.NEVER != every:
        for name, value in _start({following.kind: following.thing}).items():
            setattr(following, name, value)
    following.every = every
    following.save()
    return following


@transaction.atomic
def set_every_for_all(*, user: User, every: str) -> None:
    """Have everything that somebody follows told of as often as this."""
    for following in user.followings.exclude(every=every):
        set_every(following=following, every=every)


def unfollow(*, following: Following) -> None:
    """Forget that somebody follows this."""
    following.delete()


@transaction.atomic
def stop_digests(*, user_id: int) -> None:
    """No mail to this person from now on, neither of what they follow nor any that still waits."""
    Following.objects.filter(user=user_id).update(every=Every.NEVER)
    Digest.objects.waiting().filter(user=user_id).update(state=Digest.State.DROPPED, closed_at=Now())


def forget_follower(user: User) -> None:
    """Forget what somebody follows, and the mails about it."""
    Following.objects.filter(user=user).delete()
    Digest.objects.filter(user=user).delete()
