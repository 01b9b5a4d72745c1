"""Which analyses stand."""

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F

if TYPE_CHECKING:
    from registry.catalog.models import Leaderboard
    from registry.leaderboards.models import Analysis


class AnalysisQuerySet(models.QuerySet["Analysis"]):
    def current(self, leaderboard: "Leaderboard", methods_version: str) -> "AnalysisQuerySet":
        """The analysis of this leaderboard, if it is up to date with the results and the methods."""
        return self.filter(
            leaderboard=leaderboard,
            results_version=F("leaderboard__results_version"),
            methods_version=methods_version,
        )
