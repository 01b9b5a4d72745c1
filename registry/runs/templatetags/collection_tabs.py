"""The head of every page of a collection."""

from typing import Any

from django import template

from registry.catalog.models import Collection
from registry.runs.collection_tabs import tabs_of

register = template.Library()


@register.inclusion_tag("catalog/_collection_head.html", takes_context=True)
def collection_head(context: dict[str, Any], collection: Collection, current: str, is_below: bool = False) -> Any:
    """Name, facts in a line, Follow and the tabs; ``current`` names the tab that the page is, or ``is_below``."""
    return {
        "user": context["user"],
        "collection": collection,
        "tabs": tabs_of(collection),
        "current": current,
        "says": "true" if is_below else "page",
    }
