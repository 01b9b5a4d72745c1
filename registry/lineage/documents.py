"""A lineage as pages show it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.http import urlencode

from registry.lineage.models import Lineage, LineageDecision, SystemFacts
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


def system_facts(system: System, *, moment: datetime | None = None) -> dict[str, Any] | None:
    """What the maker of a system says of it, for programs; None where nothing is known."""
    facts = SystemFacts.objects.known_at(moment).about([system.pk]).order_by("model").first()
    if facts is None:
        return None
    hidden = {"id", "system", "recorded_at", "ended_at"}
    fields = [field.name for field in SystemFacts._meta.concrete_fields if field.name not in hidden]
    document = {name: getattr(facts, name) for name in fields}
    return document | {"released": facts.released.isoformat() if facts.released else None}
