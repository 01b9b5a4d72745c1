"""Which analyses stand."""

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, FloatField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

if TYPE_CHECKING:
    from registry.catalog.models import Leaderboard
    from registry.leaderboards.models import Analysis


class AnalysisQuerySet(models.QuerySet["Analysis"]):
    def with_resolves(self) -> "AnalysisQuerySet":
        """Those that know what one planned test tells apart (``resolves``), with that."""
        resolves = Cast(KeyTextTransform("resolves", "headline"), FloatField())
        # SQLite makes 0 of a null of JSON.
        return self.annotate(resolves=resolves).filter(resolves__gt=0)

    def current(self, leaderboard: "Leaderboard", methods_version: str) -> "AnalysisQuerySet":
        """The analysis of this leaderboard, if it is up to date with the results and the methods."""
        return self.filter(
            leaderboard=leaderboard,
            results_version=F("leaderboard__results_version"),
            methods_version=methods_version,
        )
