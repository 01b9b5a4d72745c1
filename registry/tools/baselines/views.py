"""The page of what papers on a collection compared with."""

from registry.catalog.pages import collection_page
from registry.tools.baselines.documents import BaselinesDocument, baselines_document, baselines_version
from registry.tools.baselines.drawings import draw_papers

BASELINES = collection_page(
    template="tools/baselines/collection_baselines.html",
    meaning="What papers on a collection compared with, and whether their gains add up; by slug or alias.",
    document=BaselinesDocument,
    version=baselines_version,
    describe=lambda collection, form: baselines_document(collection),
    lay_out=lambda collection, document, form: {
        "collection": collection,
        "boards": [(board, draw_papers(board)) for board in document.boards],
    },
)
