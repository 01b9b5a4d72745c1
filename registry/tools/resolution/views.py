"""The page that says how much a collection can resolve."""

from registry.catalog.pages import collection_page
from registry.tools.resolution.documents import ResolutionDocument, resolution_document
from registry.tools.resolution.presentation import efforts_of, sections_of
from registry.tools.resolution.queries import resolution_version

RESOLUTION = collection_page(
    template="tools/resolution/collection_resolution.html",
    meaning="How much a collection can resolve: swap rates, resolvable differences, topics needed; by slug or alias.",
    document=ResolutionDocument,
    version=resolution_version,
    describe=lambda collection, form: resolution_document(collection),
    lay_out=lambda collection, document, form: {
        "collection": collection,
        "sections": sections_of(document),
        "efforts": efforts_of(document),
        "without": [one for one in document.matrices if one.findings is None],
    },
)
