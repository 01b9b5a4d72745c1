"""What is said of cautions now, and what was said at an earlier moment."""

from typing import TYPE_CHECKING, Any, Self

from django.db.models import F, Q

from registry.core.querysets import RecordedQuerySet

if TYPE_CHECKING:
    from registry.results.models import Result


class CautionQuerySet(RecordedQuerySet[Any]):
    """Rows about a result and a caution."""

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
