"""The page of what papers on a collection compared with."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from registry.baselines.documents import baselines_document, baselines_version
from registry.baselines.drawings import draw_papers
from registry.catalog.pages import CollectionPage

_PAGE = CollectionPage(
    "baselines",
    "baselines",
    baselines_version,
    baselines_document,
    lambda document: {"boards": [(board, draw_papers(board)) for board in document.boards]},
)


@require_safe
def collection_baselines(request: HttpRequest, name: str, suffix: str = "") -> HttpResponse:
    """What papers on a collection compared with, as a page or as JSON."""
    return _PAGE.answer(request, name, suffix)
