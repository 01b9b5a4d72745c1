"""The page that says how much a collection can resolve."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry.catalog.access import get_visible_collection
from registry.core.forms import QueryForm
from registry.core.http import json_response, kept_response, moved
from registry.core.views import bad_request
from registry.resolution.documents import resolution_document
from registry.resolution.presentation import sections_of
from registry.resolution.queries import resolution_version


@require_safe
def collection_resolution(request: HttpRequest, name: str, suffix: str = "") -> HttpResponse:
    """How much a collection can resolve, as a page or as JSON."""
    collection = get_visible_collection(name)
    if collection.slug != name:
        address = "resolution:resolution-format" if suffix else "resolution:collection-resolution"
        return moved(request, reverse(address, args=[collection.slug, suffix] if suffix else [collection.slug]))
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)

    def build() -> HttpResponse:
        document = resolution_document(collection)
        if suffix:
            return json_response(msgspec.to_builtins(document))
        context = {
            "collection": collection,
            "document": document,
            "sections": sections_of(document),
            "without": [one for one in document.matrices if one.findings is None],
        }
        return render(request, "resolution/collection_resolution.html", context)

    return kept_response(request, key=f"resolution {suffix} {resolution_version(collection)}", build=build)
