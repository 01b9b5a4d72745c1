"""What pages about a collection have in common."""

from collections.abc import Callable
from typing import Any

from registry.catalog.access import get_visible_collection
from registry.catalog.models import Collection
from registry.core.document_pages import DocumentPage
from registry.journal.queries import last_entry_about


def collection_page(*, version: Callable[[Collection], object], **declared: Any) -> DocumentPage[Any, Any]:
    """A page about a collection, by any of its names, of which nothing may be asked.

    Its tabs tell of the collection's judgements, too: whatever is recorded of the collection itself ends what is kept.
    """
    return DocumentPage(
        names=("collection",),
        find=get_visible_collection,
        canonical=lambda collection, form: (collection.slug,),
        version=lambda collection: (version(collection), last_entry_about("collection", collection.slug)),
        **declared,
    )
