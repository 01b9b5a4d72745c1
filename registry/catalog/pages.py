"""What pages about a collection have in common."""

from typing import Any

from registry.catalog.access import get_visible_collection
from registry.core.documents import DocumentPage


def collection_page(**declared: Any) -> DocumentPage[Any, Any]:
    """A page about a collection, by any of its names, of which nothing may be asked.

    Its tabs tell of the collection's judgements, too: every version changes with what is recorded of collections.
    """
    return DocumentPage(
        names=("collection",),
        find=get_visible_collection,
        canonical=lambda collection, form: (collection.slug,),
        **declared,
    )
