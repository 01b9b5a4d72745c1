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
    """Return what was searched and not found on a ``collection`` or a ``suite``: where, when, and the form that takes
    it."""
    missing = [row for row in shipped_rows("missing.csv") if (row["about"], row["slug"]) == (about, slug)]
    asked = f"?{urlencode({'collection': slug})}" if about == "collection" else ""
    return {"missing": missing, "address": reverse("submissions:results-submit") + asked}


@register.inclusion_tag("catalog/_split.html")
def splits_of_collection(collection: Collection) -> dict[str, Any]:
    """Return which splits the task of a collection has, which of them is scored, and what is known to leak."""
    split = next((row for row in shipped_rows("splits.csv") if row["collection"] == collection.slug), None)
    addresses = [one for one in split["leak_sources"].split(";") if one.startswith("https://")] if split else []
    return {"split": split, "addresses": addresses}
