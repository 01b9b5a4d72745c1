"""Pages that show collections: the list of them, each with its leaderboards, and what is known of it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from analysis.boards import METHODS
from registry.accounts.access import is_editor
from registry.catalog.access import get_visible_collection
from registry.catalog.documents import describe_density
from registry.catalog.models import Collection
from registry.catalog.relatives import group_relatives, relatives_of
from registry.core.columns import list_file
from registry.core.forms import QueryForm, asked
from registry.core.http import json_response, leads_to, must_exist, negotiated
from registry.core.kept import kept_response
from registry.core.lists import ROWS_PER_PAGE, heads
from registry.core.metadata import set_collection, set_signposts
from registry.core.pages import read_method
from registry.core.services import hurry_jobs
from registry.leaderboards.calibration import calibration_context, list_predictions
from registry.leaderboards.exports import files as exports
from registry.leaderboards.exports.files import collection_linked_data
from registry.leaderboards.exports.metadata import collection_data
from registry.leaderboards.forms import CollectionListForm
from registry.leaderboards.queries.boards import leaderboards_of
from registry.leaderboards.queries.suites import suite_boards_of
from registry.leaderboards.resolving import COLUMNS, KNOWN_BY, RESOLVING_COLUMNS, resolving_cells
from registry.leaderboards.services import awaited_analyses
from registry.leaderboards.versions import registry_version


@require_safe
def calibration_detail(request: HttpRequest) -> HttpResponse:
    """Return how often verdicts held where the truth is known, and how those fared that later evidence scores."""
    asked(QueryForm(request.GET))
    document = must_exist(read_method("calibration"), "This copy has no documents.")

    def build() -> HttpResponse:
        context = {"document": document, "body": document.html.partition("</h1>")[2], **calibration_context()}
        return render(request, "leaderboards/calibration.html", context | {"predictions": list_predictions()})

    return kept_response(request, key=f"calibration {METHODS.version} {registry_version()}", build=build)


@require_safe
@negotiated("csv", "json")
def collection_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    """Show collections with results, or those without any, narrowed down: as a page, or all of them as a file."""
    lacking, with_results = Collection.objects.without_results(), Collection.objects.with_results()
    form = asked(CollectionListForm(request.GET))
    collections = lacking if form.cleaned_data["results"] else with_results
    query = {name: str(value) for name, value in form.cleaned_data.items() if value}

    def build() -> HttpResponse:
        if suffix:
            return list_file("collections", RESOLVING_COLUMNS, map(resolving_cells, form.narrow(collections)), suffix)
        page = form.cut(form.narrow(collections), ROWS_PER_PAGE)
        context = {"query": query, "page": page, "facets": form.facets(collections), "n_lacking": lacking.count()}
        context |= {
            "heads": heads(COLUMNS, query, form.default_sort),
            "judges": Collection.JUDGES,
            "known_by": KNOWN_BY,
        }
        return render(request, "leaderboards/collection_list.html", context)

    return kept_response(request, key=f"collections {suffix} {registry_version()} {sorted(query.items())}", build=build)


@require_safe
@leads_to(json="api:collection-detail", **{"croissant.json": "leaderboards:collection-croissant"})
def collection_detail(request: HttpRequest, name: str) -> HttpResponse:
    """Show one collection with its leaderboards."""
    collection = get_visible_collection(name)
    if collection.slug != name:
        return redirect(collection, permanent=True)
    asked(QueryForm(request.GET))
    leaderboards = list(leaderboards_of(collection))
    hurry_jobs(awaited_analyses(board.pk for board in leaderboards if not hasattr(board, "analysis")))
    context = {
        "collection": collection,
        "leaderboards": leaderboards,
        "linked_data": collection_linked_data(collection, collection.other_names, leaderboards),
    }
    response = render(request, "leaderboards/collection_detail.html", context)
    address = collection.get_absolute_url()
    return set_signposts(
        response,
        cite_as=address,
        kind="Dataset",
        described_by={
            f"{address.rstrip('/')}.croissant.json": "application/ld+json",
            reverse("api:collection-detail", args=[collection.slug]): "application/json",
        },
        items={f"{board.get_absolute_url().rstrip('/')}.csv": "text/csv" for board in leaderboards},
    )


@require_safe
def collection_about(request: HttpRequest, name: str) -> HttpResponse:
    """Return what is known of one collection, and who looks after it."""
    collection = get_visible_collection(name)
    if collection.slug != name:
        return redirect("leaderboards:collection-about", collection.slug, permanent=True)
    asked(QueryForm(request.GET))
    context = {
        "collection": collection,
        "suites": suite_boards_of(collection),
        "density": describe_density(collection),
        "relatives": group_relatives(relatives_of(collection)),
        "may_edit": is_editor(request.user),
    }
    return render(request, "leaderboards/collection_about.html", context)


@require_safe
def collection_croissant(request: HttpRequest, name: str) -> HttpResponse:
    """Return the leaderboards of a collection as data, in the words of Croissant."""
    asked(QueryForm(request.GET))
    collection = get_visible_collection(name)
    if collection.slug != name:
        return redirect("leaderboards:collection-croissant", collection.slug, permanent=True)
    response = json_response(collection_data(collection, list(leaderboards_of(collection))))
    response["Content-Type"] = exports.MEDIA_TYPES["croissant.json"]
    page = collection.get_absolute_url()
    return set_collection(response, page, page)
