"""What pages of collections say of judgements and runs that are here."""

from typing import Any

from django import template

from registry.catalog.models import Collection
from registry.runs.queries import shipped_runs_of, standing_judgements

register = template.Library()


@register.inclusion_tag("runs/_judged.html")
def judgements_of_collection(collection: Collection) -> dict[str, Any]:
    """Which judgements of a collection are here, on what terms, and how many runs beside them."""
    return {
        "collection": collection,
        "judgements": standing_judgements(collection),
        "runs": shipped_runs_of(collection),
    }
