"""Remarks that ship, on pages of collections and suites."""

from typing import Any

from django import template

from registry.catalog.models import Collection
from registry.catalog.noted import missing_of, split_of

register = template.Library()


@register.inclusion_tag("catalog/_missing.html")
def missing_on(about: str, slug: str) -> dict[str, Any]:
    """What is known to be missing on the page of a ``collection`` or a ``suite``, and how to add it."""
    return {"missing": missing_of(about, slug), "collection": slug if about == "collection" else ""}


@register.inclusion_tag("catalog/_split.html")
def splits_of_collection(collection: Collection) -> dict[str, Any]:
    """Which splits there are, which is scored, what leaks."""
    split = split_of(collection)
    addresses = [one for one in split["leak_sources"].split(";") if one.startswith("https://")] if split else []
    return {"split": split, "addresses": addresses}
