"""What pages of systems say of their families and training data."""

from datetime import date
from typing import Any

from django import template
from django.db.models import Count

from registry.core.days import end_of
from registry.lineage.documents import NamedLineage
from registry.lineage.models import TrainingDeclaration
from registry.lineage.queries import ties_of
from registry.results.models import System

register = template.Library()


@register.inclusion_tag("lineage/_of_system.html")
def lineages(system: System, day: date | None, may_edit: bool) -> dict[str, Any]:
    """A system's lineages and declared training data, today or as they were known at the end of a day."""
    moment = end_of(day) if day else None
    declared = TrainingDeclaration.objects.known_at(moment).about([system.pk])
    return {
        "system": system,
        "ties": [(NamedLineage(tie.key), tie) for tie in ties_of(system, moment=moment)],
        "training": declared.values("declared", "source").annotate(n=Count("pk")).order_by("declared", "source"),
        "may_edit": may_edit,
    }
