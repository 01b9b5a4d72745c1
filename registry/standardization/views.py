"""The page of a collection's standardized scores."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from registry.catalog.pages import CollectionPage
from registry.standardization.documents import standardized_document
from registry.standardization.queries import standardization_version

_PAGE = CollectionPage("standardization", "standardized", standardization_version, standardized_document)


@require_safe
def collection_standardized(request: HttpRequest, name: str, suffix: str = "") -> HttpResponse:
    """The standardized scores of a collection, as a page or as JSON."""
    return _PAGE.answer(request, name, suffix)
