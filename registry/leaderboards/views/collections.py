"""Pages that show collections: the list of them, each with its leaderboards, and what is known of it."""

from django import forms
from django.db.models import F, FloatField, IntegerField, OuterRef, Subquery, Sum
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import JSONObject
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from analysis.boards import METHODS
from registry.accounts.access import is_editor
from registry.catalog.access import get_visible_collection
from registry.catalog.documents import COLLECTION_COLUMNS, collection_cells, describe_density
from registry.catalog.forms import CollectionForm
from registry.catalog.models import Collection
from registry.catalog.querysets import CollectionQuerySet
from registry.catalog.relatives import group_relatives, relatives_of
from registry.core.columns import list_file
from registry.core.forms import NumberField, PageForm, QueryForm, asked
from registry.core.http import json_response, leads_to, must_exist, negotiated
from registry.core.kept import kept_response
from registry.core.lists import ROWS_PER_PAGE, ListColumn, heads
from registry.core.messages import say
from registry.core.metadata import set_collection, set_signposts
from registry.core.pages import read_method
from registry.core.services import hurry_jobs
from registry.leaderboards.calibration import calibration_context, list_predictions
from registry.leaderboards.exports import files as exports
from registry.leaderboards.exports.files import collection_linked_data
from registry.leaderboards.exports.metadata import collection_data
from registry.leaderboards.models import Analysis
from registry.leaderboards.queries.boards import leaderboards_of
from registry.leaderboards.queries.suites import suite_boards_of
from registry.leaderboards.services import awaited_analyses
from registry.leaderboards.versions import registry_version

#: How the variance of scores between topics is known, by the kind of evidence.
KNOWN_BY = {
    "own-topics": "measured",
    "own-variance": "measured",
    "own-and-predicted": "measured on few runs",
    "predicted": "estimated",
    "predicted-from-siblings": "estimated from other years",
    "predicted-without-density": "rough estimate",
}

#: What the list can be in the order of, each with the field of a collection.
SORTS = {
    "name": "name", "documents": "n_documents", "topics": "n_topics", "leaderboards": "n_leaderboards",
    "results": "n_results", "resolves": "resolves", "year": "year",
}  # fmt: skip


def resolving(
    collections: CollectionQuerySet, *, at_most: float | None = None, measure: str = "", sort: str = ""
) -> CollectionQuerySet:
    """Return collections with the smallest difference that one planned test tells apart, and what that is of.

    Under the measure of most results, or under this one; ``at_most`` keeps those that resolve so much. In the order of
    the collections, or of a column, what is not known last.
    """
    of_collection = Analysis.objects.filter(leaderboard__collection=OuterRef("pk"))
    analyses = of_collection.with_resolves()
    if measure:
        analyses = analyses.filter(leaderboard__measure__name__iexact=measure)
    main = analyses.order_by("-n_results", "leaderboard")
    results = of_collection.order_by().values("leaderboard__collection")
    told = JSONObject(
        measure="leaderboard__measure__name",
        decimals="leaderboard__measure__decimals",
        evidence=KeyTransform("evidence", "headline"),
    )
    annotated = collections.annotate(
        resolves=Subquery(main.annotate(number=F("resolves")).values("number")[:1], output_field=FloatField()),
        told=Subquery(main.annotate(told=told).values("told")[:1]),
        n_results=Subquery(results.annotate(n=Sum("n_results")).values("n"), output_field=IntegerField()),
    )
    if at_most is not None:
        annotated = annotated.filter(resolves__lte=at_most)
    field = F(SORTS[sort.removeprefix("-")]) if sort else None
    if field is None:
        return annotated
    way = field.desc(nulls_last=True) if sort.startswith("-") else field.asc(nulls_last=True)
    return annotated.order_by(way, "suite", "name")


class CollectionListForm(PageForm, CollectionForm):
    """The page of the list of collections: of those with results, or of those without any."""

    domain = forms.CharField(max_length=100, help_text=say("choose-collections-domain"))
    judge = forms.ChoiceField(choices=[*Collection.JUDGES.items()], help_text=say("choose-collections-judge"))
    results = forms.ChoiceField(choices=[("none", "none")], help_text=say("choose-collections-results"))
    resolves = NumberField(min_value=1e-6, help_text=say("choose-collections-resolves"))
    measure = forms.CharField(max_length=100, help_text=say("choose-collections-measure"))
    sort = forms.ChoiceField(
        choices=[(sort, sort) for sort in (*SORTS, *(f"-{sort}" for sort in SORTS))],
        help_text=say("choose-collections-sort"),
    )

    def narrow(self, collections: CollectionQuerySet) -> CollectionQuerySet:
        """Return the collections that a valid form asks for, with what each resolves, in the order that it asks for."""
        choices, matching = self.cleaned_data, self.chosen(collections)
        narrowed = matching.narrowed(domain=choices["domain"], judge=choices["judge"])
        matching = matching if narrowed is None else narrowed
        sort = choices["sort"] or ("" if choices.get("q") else self.default_sort)
        return resolving(matching, at_most=choices["resolves"], measure=choices["measure"], sort=sort)

    @property
    def default_sort(self) -> str:
        """The order of a valid form that asks for none: the smallest difference where that is asked for."""
        return "resolves" if self.cleaned_data["resolves"] else "-results"


RESOLVING_COLUMNS = (
    *COLLECTION_COLUMNS[:-1], "domain", "judge", "held_by", "n_results", "resolves", "measure", "evidence", "url",
)  # fmt: skip
COLUMNS = (
    ListColumn("Collection", "name"),
    ListColumn("Domain"),
    ListColumn("Language"),
    ListColumn("Documents", "documents", is_number=True),
    ListColumn("Topics", "topics", is_number=True),
    ListColumn("Judged by"),
    ListColumn("Measures", "leaderboards", is_number=True),
    ListColumn("Results", "results", is_number=True),
    ListColumn("Smallest significant difference", "resolves", is_number=True),
    ListColumn("Basis"),
)


def resolving_cells(collection: Collection) -> tuple[object, ...]:
    """Return a collection as a row of a file, with what it resolves; for collections that :func:`resolving` found."""
    *cells, url = collection_cells(collection)
    told = getattr(collection, "told", None) or {}
    facts = (collection.domain, collection.judge, collection.held_by, getattr(collection, "n_results", None))
    return (*cells, *facts, getattr(collection, "resolves", None), told.get("measure"), told.get("evidence"), url)


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
