"""Papers beside what is found here."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry.core.columns import list_file
from registry.core.forms import QueryForm, asked
from registry.core.http import json_response, must_exist, negotiated
from registry.core.pages import read_method
from registry.tools.reproductions.lines import Reproduction, reproductions

_COLUMNS = ("title", "url", "doi", "n_compared", "n_as_printed", "n_not_recomputed")


@require_safe
@negotiated("csv", "json")
def paper_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """The papers, with how many of their numbers came out, as a page or as a file."""
    asked(QueryForm(request.GET))
    papers = list(reproductions().values())
    if suffix:
        return list_file("papers-computed-again", _COLUMNS, map(_cells, papers), suffix)
    document = must_exist(read_method("papers"), "No method is called papers.")
    context = {"document": document, "body": document.html.partition("</h1>")[2], "papers": papers}
    return render(request, "tools/reproductions/paper_list.html", context)


def _cells(paper: Reproduction) -> tuple[str | int | None, ...]:
    page = reverse("reproductions:paper-detail", args=[paper.slug])
    return paper.title, page, paper.doi, paper.n_compared, paper.n_as_printed, paper.n_missing


@require_safe
def paper_detail(request: HttpRequest, slug: str, suffix: str = "") -> HttpResponse:
    """One paper: every number as printed, and as recomputed, as a page or as JSON."""
    asked(QueryForm(request.GET))
    found = must_exist(reproductions().get(slug), f"No paper that is computed again is called {slug}.")
    if suffix:
        return json_response(msgspec.to_builtins(found))
    methods = [document for name in found.methods if (document := read_method(name))]
    return render(request, "tools/reproductions/paper_detail.html", {"paper": found, "methods": methods})
