"""The page of a collection's standardized scores."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry.catalog.access import get_visible_collection
from registry.core.forms import QueryForm
from registry.core.http import json_response, kept_response, moved
from registry.core.views import bad_request
from registry.standardization.documents import standardized_document
from registry.standardization.queries import standardization_version


@require_safe
def collection_standardized(request: HttpRequest, name: str, suffix: str = "") -> HttpResponse:
    """The standardized scores of a collection, as a page or as JSON."""
    collection = get_visible_collection(name)
    if collection.slug != name:
        address = "standardization:standardized-format" if suffix else "standardization:collection-standardized"
        return moved(request, reverse(address, args=[collection.slug, suffix] if suffix else [collection.slug]))
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)

    def build() -> HttpResponse:
        document = standardized_document(collection)
        if suffix:
            return json_response(msgspec.to_builtins(document))
        context = {"collection": collection, "document": document}
        return render(request, "standardization/collection_standardized.html", context)

    return kept_response(request, key=f"standardized {suffix} {standardization_version(collection)}", build=build)
