"""Who follows what, and for whom it is time."""

import datetime
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from registry.accounts.models import User
    from registry.following.models import Digest, Following

#: Digests are made from this hour of the day on (UTC), weekly ones on Mondays.
DIGEST_HOUR = 5


def digest_day(now: datetime.datetime) -> datetime.date:
    """The day whose digests are made at this moment."""
    return (now - datetime.timedelta(hours=DIGEST_HOUR)).date()


class FollowingQuerySet(models.QuerySet["Following"]):
    def of(self, user: "User") -> "FollowingQuerySet":
        """What somebody follows, in the order of beginning, with names at hand."""
        return (
            self.filter(user=user)
            .select_related("collection", "leaderboard__collection", "leaderboard__measure", "system", "paper", "model")
            .order_by("since", "pk")
        )

    def due(self, now: datetime.datetime) -> "FollowingQuerySet":
        """Those that no digest has looked at on this day or, if weekly, in this week; of people who can get mail."""
        day = digest_day(now)
        monday = day - datetime.timedelta(days=day.weekday())
        is_time = Q(every="day", told_on__lt=day) | Q(every="week", told_on__lt=monday)
        return self.filter(
            is_time,
            user__is_active=True,
            user__emailaddress__verified=True,
            user__emailaddress__primary=True,
        )


class DigestQuerySet(models.QuerySet["Digest"]):
    def waiting(self) -> "DigestQuerySet":
        """Those that no mail server has taken yet."""
        return self.filter(state="waiting")
