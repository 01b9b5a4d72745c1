"""What pages about a collection have in common."""

from functools import partial

from registry.catalog.access import get_visible_collection
from registry.core.document_pages import DocumentPage
from registry.core.forms import QueryForm

#: A page about a collection, by any of its names, of which nothing may be asked.
collection_page = partial(
    DocumentPage,
    names=("collection",),
    find=get_visible_collection,
    canonical=lambda collection, form: (collection.slug,),
    form=QueryForm,
)
