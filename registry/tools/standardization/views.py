"""The page of a collection's standardized scores."""

from registry.catalog.pages import collection_page
from registry.tools.standardization.documents import StandardizedDocument, standardized_document
from registry.tools.standardization.queries import standardization_version

STANDARDIZED = collection_page(
    template="tools/standardization/collection_standardized.html",
    meaning=(
        "Scores on the scale of fixed reference systems, and original runs among systems of today; by slug or alias."
    ),
    document=StandardizedDocument,
    version=standardization_version,
    describe=lambda collection, form: standardized_document(collection),
    lay_out=lambda collection, document, form: {"collection": collection},
)
