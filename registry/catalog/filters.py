"""How collections can be searched and narrowed down, on the page and in the API alike."""

from collections import Counter

import django_filters

from registry.catalog.models import Collection
from registry.catalog.queries import CatalogNames
from registry.catalog.querysets import CollectionQuerySet


class CollectionFilter(django_filters.FilterSet):
    """Free text over names, aliases and ids; suite and language as they are written."""

    q = django_filters.CharFilter(
        method="search", label="Search", max_length=200, help_text="Words, each of which must occur in a name."
    )
    suite = django_filters.CharFilter(
        lookup_expr="iexact", label="Suite", max_length=100, help_text="Track or benchmark."
    )
    language = django_filters.CharFilter(lookup_expr="iexact", label="Language", max_length=100, help_text="Language.")

    class Meta:
        model = Collection
        fields = ["q", "suite", "language"]

    def filter_queryset(self, queryset: CollectionQuerySet, *, without: str = "") -> CollectionQuerySet:
        """The rows that pass the filters, but for one; a form may ask for more than filters, such as a page."""
        for name, one in self.filters.items():
            if name != without:
                queryset = one.filter(queryset, self.form.cleaned_data[name])
        return queryset

    def facets(self) -> dict[str, list[tuple[str, int]]]:
        """For suite and language, how many collections each value would keep under the other choices, by name."""
        return {name: self._counts(name) for name in ("suite", "language")}

    def _counts(self, name: str) -> list[tuple[str, int]]:
        counts = Counter(self.filter_queryset(self.queryset, without=name).values_list(name, flat=True))
        return sorted((value, n) for value, n in counts.items() if value)

    def search(self, queryset: CollectionQuerySet, name: str, value: str) -> CollectionQuerySet:
        called = [row.pk for row in CatalogNames().collections(value)] if value else []
        return queryset.matching(value, called=called)
