"""The page of what papers on a collection compared with."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from analysis.boards import METHODS
from registry.baselines.documents import baselines_document
from registry.baselines.drawings import draw_papers
from registry.catalog.access import get_visible_collection
from registry.core.forms import QueryForm
from registry.core.http import json_response, kept_response, moved
from registry.core.views import bad_request
from registry.leaderboards.queries import registry_version


@require_safe
def collection_baselines(request: HttpRequest, name: str, suffix: str = "") -> HttpResponse:
    """What papers on a collection compared with, as a page or as JSON."""
    collection = get_visible_collection(name)
    if collection.slug != name:
        address = "baselines:baselines-format" if suffix else "baselines:collection-baselines"
        return moved(request, reverse(address, args=[collection.slug, suffix] if suffix else [collection.slug]))
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)

    def build() -> HttpResponse:
        document = baselines_document(collection)
        if suffix:
            return json_response(msgspec.to_builtins(document))
        boards = [(board, draw_papers(board)) for board in document.boards]
        context = {"collection": collection, "document": document, "boards": boards}
        return render(request, "baselines/collection_baselines.html", context)

    key = f"baselines {suffix} {collection.pk} {METHODS.version} {registry_version()}"
    return kept_response(request, key=key, build=build)
