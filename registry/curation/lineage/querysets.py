"""What is said of systems now, and what was said at an earlier moment."""

import datetime
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from registry.results.models import System


class SaidQuerySet(models.QuerySet[Any]):
    """Rows that hold from ``recorded_at`` until ``ended_at``."""

    def standing(self) -> Self:
        """What holds now."""
        return self.filter(ended_at__isnull=True)

    def known_at(self, moment: datetime.datetime | None) -> Self:
        """What held at that moment; without one, what holds now."""
        if moment is None:
            return self.standing()
        return self.filter(Q(ended_at__isnull=True) | Q(ended_at__gt=moment), recorded_at__lte=moment)

    def about(self, systems: "models.QuerySet[System] | list[int]") -> Self:
        """Of these systems, under the names that were merged into them as well."""
        return self.filter(Q(system__in=systems) | Q(system__merged_into__in=systems))
