"""The page that says how much a collection can resolve."""

from typing import Any

from registry.catalog.models import Collection
from registry.catalog.pages import collection_page
from registry.tools.resolution.documents import ResolutionDocument, resolution_document
from registry.tools.resolution.presentation import lead_of, sections_of
from registry.tools.resolution.queries import resolution_version
from registry.tools.resolution.services import STUDY_COLLECTION


def _laid_out(collection: Collection, document: ResolutionDocument) -> dict[str, Any]:
    sections = sections_of(document)
    return {
        "collection": collection,
        "sections": sections,
        "lead": lead_of(sections),
        "without": [matrix for matrix in document.matrices if matrix.findings is None],
    }


def _awaited(collection: Collection, document: ResolutionDocument) -> list[tuple[str, dict[str, Any]]]:
    states = {matrix.state for matrix in document.matrices}
    return [(STUDY_COLLECTION, {"collection_id": collection.pk})] if "waiting" in states else []


RESOLUTION = collection_page(
    template="tools/resolution/collection_resolution.html",
    meaning="How much a collection can resolve: swap rates, resolvable differences, topics needed; by slug or alias.",
    document=ResolutionDocument,
    version=resolution_version,
    describe=lambda collection, form: resolution_document(collection),
    lay_out=lambda collection, document, form: _laid_out(collection, document),
    awaits=_awaited,
)
