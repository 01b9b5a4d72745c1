"""Remarks that ship and are shown as they are, on pages of collections and suites: what is missing, splits, leaks."""

from typing import Any

from django import template

from registry.catalog.models import Collection
from registry.core.shipping import shipped_rows

register = template.Library()


@register.inclusion_tag("catalog/_missing.html")
def missing_on(about: str, slug: str) -> dict[str, Any]:
    """What was looked for and not found on a ``collection`` or a ``suite``, and how to add it."""
    missing = [row for row in shipped_rows("missing.csv") if (row["about"], row["slug"]) == (about, slug)]
    return {"missing": missing, "collection": slug if about == "collection" else ""}


@register.inclusion_tag("catalog/_split.html")
def splits_of_collection(collection: Collection) -> dict[str, Any]:
    """Which splits the task of a collection has, which of them is scored, and what is known to leak."""
    split = next((row for row in shipped_rows("splits.csv") if row["collection"] == collection.slug), None)
    addresses = [one for one in split["leak_sources"].split(";") if one.startswith("https://")] if split else []
    return {"split": split, "addresses": addresses}
