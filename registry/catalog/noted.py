"""Remarks on collections that ship and are shown as they are: what is known to be missing, splits and leaks."""

from collections.abc import Mapping

from registry.catalog.models import Collection
from registry.core.shipping import shipped_rows


def missing_of(about: str, slug: str) -> list[Mapping[str, str]]:
    """What was looked for and not found on a collection, or on a suite: ``missing``, and ``why``."""
    return [row for row in shipped_rows("missing.csv") if (row["about"], row["slug"]) == (about, slug)]


def split_of(collection: Collection) -> Mapping[str, str] | None:
    """Which splits the task of a collection has, which of them is scored, and what is known to leak."""
    return next((row for row in shipped_rows("splits.csv") if row["collection"] == collection.slug), None)
