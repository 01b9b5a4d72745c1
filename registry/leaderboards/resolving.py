"""Collections by the smallest difference that one planned test tells from chance on each."""

from django.db.models import F, FloatField, IntegerField, OuterRef, Subquery, Sum
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import JSONObject

from registry.catalog.documents import COLLECTION_COLUMNS, collection_cells
from registry.catalog.models import Collection
from registry.catalog.querysets import CollectionQuerySet
from registry.core.lists import ListColumn, in_order
from registry.leaderboards.models import Analysis

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
    if not sort:
        return annotated
    return annotated.order_by(in_order(F(SORTS[sort.removeprefix("-")]), sort), "suite", "name")


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
