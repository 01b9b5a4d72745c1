"""A lineage as pages show it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypedDict

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.http import urlencode
from typing_extensions import Doc

from registry.core.documents import Day
from registry.curation.lineage.models import Lineage, LineageDecision, SystemFacts
from registry.curation.lineage.pipeline.keys import describe_key
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


class SystemFactsDocument(TypedDict):
    """What the maker of a system says of it."""

    model: Annotated[str, Doc("Its name in the source.")]
    organisation: str
    released: Day | None
    n_parameters: int | None
    n_active_parameters: Annotated[int | None, Doc("Those that a text passes through.")]
    base_model: str
    superseded_by: str
    revision: str
    has_open_weights: bool | None
    licence: str
    reference: Annotated[str, Doc("Its page.")]
    training: Annotated[str, SystemFacts.Training]
    training_data: Annotated[list[str], Doc("Data sets, as the source lists them.")]
    source: Annotated[str, Doc("How it is known.")]


class KnownOfSystem(TypedDict):
    """What is known of a system beside its results."""

    facts: SystemFactsDocument | None


def system_facts(system: System, *, moment: datetime | None = None) -> SystemFactsDocument | None:
    """What the maker of a system says of it, for programs; None where nothing is known."""
    facts = SystemFacts.objects.known_at(moment).about([system.pk]).order_by("model").first()
    if facts is None:
        return None
    return {
        "model": facts.model,
        "organisation": facts.organisation,
        "released": facts.released.isoformat() if facts.released else None,
        "n_parameters": facts.n_parameters,
        "n_active_parameters": facts.n_active_parameters,
        "base_model": facts.base_model,
        "superseded_by": facts.superseded_by,
        "revision": facts.revision,
        "has_open_weights": facts.has_open_weights,
        "licence": facts.licence,
        "reference": facts.reference,
        "training": facts.training,
        "training_data": facts.training_data,
        "source": facts.source,
    }
