"""What is said of systems now, and what was said at an earlier moment."""

from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Q

from registry.core.querysets import RecordedQuerySet

if TYPE_CHECKING:
    from registry.results.models import System


class SaidQuerySet(RecordedQuerySet[Any]):
    """What is said of systems."""

    def about(self, systems: "models.QuerySet[System] | list[int]") -> Self:
        """Of these systems, under the names that were merged into them as well."""
        return self.filter(Q(system__in=systems) | Q(system__merged_into__in=systems))
