"""A lineage as pages show it."""

from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.http import urlencode

from registry.lineage.models import Lineage, LineageDecision
from registry.lineage.pipeline.keys import describe_key
from registry.results.models import System


@dataclass(frozen=True, slots=True)
class NamedLineage:
    """What systems have in common: one maker, model, paper or toolkit."""

    key: str

    def __str__(self) -> str:
        return self.name

    @property
    def kind(self) -> str:
        """What it rests on, for people."""
        return describe_key(self.key)[0]

    @property
    def name(self) -> str:
        """What it is called."""
        return describe_key(self.key)[1]

    def get_absolute_url(self) -> str:
        return f"{reverse('lineage:lineage-detail')}?{urlencode({'key': self.key})}"

    def systems(self, ids: set[int]) -> QuerySet[System]:
        """Those of the systems with these ids, by name."""
        return System.objects.filter(pk__in=ids).order_by("name_key", "team_key")

    def decisions(self) -> QuerySet[LineageDecision]:
        """What editors decided about it that holds."""
        standing = LineageDecision.objects.standing().select_related("entry__actor", "system")
        return standing.filter(key=self.key) | standing.filter(into=self.key)

    def why_nobodys(self) -> str:
        """Why it makes no family, as a file says; blank where none does."""
        row = Lineage.objects.standing().filter(system=None, key=self.key).first()
        return row.source if row else ""
