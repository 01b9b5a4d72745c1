"""Pages of standardized scores: of a collection, of a system, of a year."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry.catalog.pages import CollectionPage
from registry.core.columns import list_file
from registry.core.forms import QueryForm
from registry.core.http import json_response, kept_response, moved, negotiated
from registry.core.views import bad_request
from registry.leaderboards.queries import registry_version
from registry.results.access import get_visible_system
from registry.standardization.across import (
    YEAR_COLUMNS,
    across_version,
    system_across,
    year_across,
    years_on_record,
)
from registry.standardization.documents import standardized_document
from registry.standardization.drawings import draw_system, draw_year
from registry.standardization.queries import standardization_version

#: Of more rows a table shows the best alone; the JSON has all.
MOST_ROWS = 100

_PAGE = CollectionPage("standardization", "standardized", standardization_version, standardized_document)


@require_safe
def collection_standardized(request: HttpRequest, name: str, suffix: str = "") -> HttpResponse:
    """The standardized scores of a collection, as a page or as JSON."""
    return _PAGE.answer(request, name, suffix)


@require_safe
def system_standardized(request: HttpRequest, pk: int, suffix: str = "") -> HttpResponse:
    """A system on the scales of all its collections, as a page or as JSON."""
    system = get_visible_system(pk)
    if system.merged_into_id:
        name = "system-standardized-format" if suffix else "system-standardized"
        return moved(request, reverse(f"standardization:{name}", args=[system.merged_into_id]))

    def lay_out() -> dict[str, Any]:
        document = system_across(system)
        drawn = [(one, draw_system(one)) for one in document.groups]
        return {"document": document, "system": system, "groups": drawn, "most": MOST_ROWS}

    return _answer(request, f"system {pk}", "system_standardized", suffix, lay_out)


@require_safe
@negotiated("csv", "json")
def year_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """The years with results, as a page or as a file."""
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)

    def build() -> HttpResponse:
        years = years_on_record()
        if suffix:
            return list_file("years", YEAR_COLUMNS, years, suffix)
        return render(request, "standardization/year_list.html", {"years": years})

    return kept_response(request, key=f"years {suffix} {registry_version()}", build=build)


@require_safe
def year_detail(request: HttpRequest, year: int, suffix: str = "") -> HttpResponse:
    """A year on the scales of all its collections, as a page or as JSON."""

    def lay_out() -> dict[str, Any]:
        document = year_across(year)
        if not document.n_results:
            raise Http404(f"No comparable result of {year} is recorded.")
        drawn = [(one, draw_year(one)) for one in document.groups]
        return {"document": document, "groups": drawn, "most": MOST_ROWS}

    return _answer(request, f"year {year}", "year_detail", suffix, lay_out)


def _answer(
    request: HttpRequest, key: str, template: str, suffix: str, lay_out: Callable[[], dict[str, Any]]
) -> HttpResponse:
    form = QueryForm(request.GET)
    if not form.is_valid():
        return bad_request(request, form)

    def build() -> HttpResponse:
        context = lay_out()
        if suffix:
            return json_response(msgspec.to_builtins(context["document"]))
        return render(request, f"standardization/{template}.html", context)

    return kept_response(request, key=f"standardized {key} {suffix} {across_version()}", build=build)
