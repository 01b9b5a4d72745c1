"""Remarks that ship and are shown as they are, on pages of collections and suites: what is missing, splits, leaks."""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse

from registry.catalog.models import Collection
from registry.core.loading import shipped_rows

register = template.Library()


@register.inclusion_tag("catalog/_missing.html")
def missing_on(about: str, slug: str) -> dict[str, Any]:
    """Show what was searched in vain on a ``collection`` or a ``suite``: where, when, and the form that takes it."""
    missing = [row for row in shipped_rows("missing.csv") if (row["about"], row["slug"]) == (about, slug)]
    query = f"?{urlencode({'collection': slug})}" if about == "collection" else ""
    return {"missing": missing, "address": reverse("submissions:results-submit") + query}


@register.inclusion_tag("catalog/_split.html")
def splits_of_collection(collection: Collection) -> dict[str, Any]:
    """Show the splits of a collection's task, which of them is scored, and what is known to leak."""
    split = next((row for row in shipped_rows("splits.csv") if row["collection"] == collection.slug), None)
    addresses = (
        [source for source in split["leak_sources"].split(";") if source.startswith("https://")] if split else []
    )
    return {"split": split, "addresses": addresses}
