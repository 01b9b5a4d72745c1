"""What is said of cautions now, and what was said at an earlier moment."""

import datetime
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import F, Q

if TYPE_CHECKING:
    from registry.results.models import Result


class CautionQuerySet(models.QuerySet[Any]):
    """Rows about a result and a caution, which hold from ``recorded_at`` until ``ended_at``."""

    def known_at(self, moment: datetime.datetime | None) -> Self:
        """What held at that moment; without one, what holds now."""
        if moment is None:
            return self.filter(ended_at__isnull=True)
        return self.filter(Q(ended_at__isnull=True) | Q(ended_at__gt=moment), recorded_at__lte=moment)

    def on_score_of(self, result: "Result") -> Self:
        """About this score of this system on this leaderboard, in whichever version of the result."""
        system = result.system
        same = Q(result__system=system) | Q(result__system__merged_into=system)
        if system.merged_into_id:
            same |= Q(result__system=system.merged_into_id)
        return self.filter(same, result__leaderboard=result.leaderboard_id, result__value=result.value)

    def with_place(self) -> Self:
        """With the leaderboard, both names that the system has had, and the score that each is about."""
        return self.annotate(
            leaderboard_id=F("result__leaderboard_id"),
            system_id=F("result__system_id"),
            merged_id=F("result__system__merged_into_id"),
            value=F("result__value"),
        )
