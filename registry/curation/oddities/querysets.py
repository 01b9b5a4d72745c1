"""Which oddities wait for a decision, and which are decided."""

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Exists, OuterRef, Prefetch

if TYPE_CHECKING:
    from registry.curation.oddities.models import Oddity


class OddityQuerySet(models.QuerySet["Oddity"]):
    def waiting(self) -> "OddityQuerySet":
        """Those that are found today, and on which nobody decided."""
        return self.filter(~Exists(self._decisions().filter(oddity=OuterRef("pk"))), ended_at__isnull=True)

    def decided(self) -> "OddityQuerySet":
        """Those on which a decision holds, found today or not, the last decision first."""
        return self.filter(decisions__ended_at__isnull=True, decisions__isnull=False).order_by("-decisions__pk")

    def for_listing(self) -> "OddityQuerySet":
        """With everything that a list names, and the decisions that hold."""
        standing = self._decisions().select_related("entry__actor")
        names = ("result__system", "result__leaderboard__collection", "result__leaderboard__measure")
        pairs = (f"{other}{name}" for name in ("system", "collection", "paper") for other in ("", "other_"))
        return self.select_related(*names, *pairs).prefetch_related(Prefetch("decisions", queryset=standing))

    def _decisions(self) -> "models.QuerySet[models.Model]":
        decisions: models.QuerySet[models.Model] = self.model._meta.apps.get_model(
            "curation", "OddityDecision"
        ).objects.filter(ended_at__isnull=True)
        return decisions
