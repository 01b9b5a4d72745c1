"""The page that says how much a collection can resolve."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from registry.catalog.pages import CollectionPage
from registry.resolution.documents import resolution_document
from registry.resolution.presentation import efforts_of, sections_of
from registry.resolution.queries import resolution_version

_PAGE = CollectionPage(
    "resolution",
    "resolution",
    resolution_version,
    resolution_document,
    lambda document: {
        "sections": sections_of(document),
        "efforts": efforts_of(document),
        "without": [one for one in document.matrices if one.findings is None],
    },
)


@require_safe
def collection_resolution(request: HttpRequest, name: str, suffix: str = "") -> HttpResponse:
    """How much a collection can resolve, as a page or as JSON."""
    return _PAGE.answer(request, name, suffix)
