"""Papers beside what is found here."""

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.core.http import json_response
from registry.core.pages import read_method
from registry.reproductions.lines import reproductions


@require_safe
def paper_list(request: HttpRequest) -> HttpResponse:
    """The papers, with how many of their numbers came out."""
    document = read_method("papers")
    if document is None:
        raise Http404("No method is called papers.")
    context = {
        "document": document,
        "body": document.html.partition("</h1>")[2],
        "papers": list(reproductions().values()),
    }
    return render(request, "reproductions/paper_list.html", context)


@require_safe
def paper_detail(request: HttpRequest, slug: str, suffix: str = "") -> HttpResponse:
    """One paper: every number as printed, and as recomputed, as a page or as JSON."""
    found = reproductions().get(slug)
    if found is None:
        raise Http404(f"No paper that is computed again is called {slug}.")
    if suffix:
        return json_response(msgspec.to_builtins(found))
    methods = [document for name in found.methods if (document := read_method(name))]
    return render(request, "reproductions/paper_detail.html", {"paper": found, "methods": methods})
