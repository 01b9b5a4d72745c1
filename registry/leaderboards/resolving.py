"""Which collections can tell a small difference from chance: what one planned test tells apart on each."""

from dataclasses import dataclass

from django.db.models import F, FloatField, OuterRef, Subquery
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import JSONObject

from registry.catalog.documents import COLLECTION_COLUMNS, collection_cells
from registry.catalog.models import Collection
from registry.catalog.querysets import CollectionQuerySet
from registry.leaderboards.models import Analysis

#: How the variance of scores between topics is known, by the kind of evidence.
KNOWN_BY = {
    "own-topics": "measured on its topics",
    "own-variance": "measured on its runs",
    "own-and-predicted": "few runs, and predicted",
    "predicted": "predicted",
    "predicted-from-siblings": "predicted from other years",
    "predicted-without-density": "predicted, roughly",
}

#: What the list can be in the order of, each with the field of a collection.
SORTS = {"resolves": "resolves", "leaderboards": "n_leaderboards", "topics": "n_topics", "year": "year", "name": "name"}


def resolving(
    collections: CollectionQuerySet, *, at_most: float | None = None, measure: str = "", sort: str = ""
) -> CollectionQuerySet:
    """With ``resolves``, the smallest difference that one planned test tells apart, and ``told``, which says of what.

    Under the measure of most results, or under this one; ``at_most`` keeps those that resolve so much. In the order of
    the collections, or of a column, what is not known last.
    """
    known = Analysis.objects.with_resolves().filter(leaderboard__collection=OuterRef("pk"))
    if measure:
        known = known.filter(leaderboard__measure__name__iexact=measure)
    main = known.order_by("-n_results", "leaderboard")
    told = JSONObject(
        measure="leaderboard__measure__name",
        decimals="leaderboard__measure__decimals",
        evidence=KeyTransform("evidence", "headline"),
    )
    found = collections.annotate(
        resolves=Subquery(main.annotate(number=F("resolves")).values("number")[:1], output_field=FloatField()),
        told=Subquery(main.annotate(told=told).values("told")[:1]),
    )
    if at_most is not None:
        found = found.filter(resolves__lte=at_most)
    field = F(SORTS[sort.removeprefix("-")]) if sort else None
    if field is None:
        return found
    way = field.desc(nulls_last=True) if sort.startswith("-") else field.asc(nulls_last=True)
    return found.order_by(way, "suite", "name")


RESOLVING_COLUMNS = (*COLLECTION_COLUMNS[:-1], "resolves", "measure", "evidence", COLLECTION_COLUMNS[-1])


def resolving_cells(collection: Collection) -> tuple[object, ...]:
    """A collection as a row of a file, with what it resolves; for collections that :func:`resolving` found."""
    *cells, url = collection_cells(collection)
    told = getattr(collection, "told", None) or {}
    return (*cells, getattr(collection, "resolves", None), told.get("measure"), told.get("evidence"), url)


@dataclass(frozen=True, slots=True)
class ListColumn:
    """The head of a column: where it sorts the list, and in which order the list is by it, blank if by another."""

    name: str
    sort: str
    order: str
    is_number: bool


def collection_columns(sort: str) -> tuple[ListColumn, ...]:
    """The columns that the list can be in the order of, as it is now; asked for again, the order turns round."""
    names = {"name": "Collection"} | {key: key.capitalize() for key in ("resolves", "leaderboards", "topics", "year")}
    orders = {"": "", sort: "ascending", sort.removeprefix("-"): "descending" if sort.startswith("-") else "ascending"}
    return tuple(
        ListColumn(name, f"-{key}" if sort == key else key, orders.get(key, ""), key != "name")
        for key, name in names.items()
    )
