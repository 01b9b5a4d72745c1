"""How collections can be searched and narrowed down, on the page and in the API alike."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import django_filters
from django import forms

from registry.catalog.models import Collection
from registry.catalog.queries import CatalogNames
from registry.catalog.querysets import CollectionQuerySet, domains_in, languages_in
from registry.core.forms import require_known


class _WrittenField(forms.CharField):
    """What collections have in a column, whole or as one of its parts, in upper or lower case; another value is
    refused with the nearest."""

    def __init__(self, *, column: str, parts: Callable[[str], list[str]] = lambda _: [], **options: Any) -> None:
        super().__init__(max_length=100, **options)
        self.column, self.parts = column, parts

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        if not text:
            return text
        written = Collection.objects.order_by().values_list(self.column, flat=True).distinct()
        known = [name for one in written for name in (one, *self.parts(one))]
        return require_known(text, known, "collection", self.column)


class _WrittenFilter(django_filters.Filter):
    field_class = _WrittenField


class CollectionFilter(django_filters.FilterSet):
    """Free text over names, aliases and ids; the suite as it is written; a language, alone or beside others."""

    q = django_filters.CharFilter(
        method="search", label="Search", max_length=200, help_text="Words, each of which must occur in a name."
    )
    suite = _WrittenFilter(lookup_expr="iexact", label="Suite", column="suite", help_text="Track or benchmark.")
    language = _WrittenFilter(
        method="of_language", label="Language", column="language", parts=languages_in, help_text="A language of it."
    )

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
        """For suite, domain and language, how many collections each value keeps under the other choices, by name."""
        return {name: self._counts(name) for name in ("suite", "domain", "language")}

    def _counts(self, name: str) -> list[tuple[str, int]]:
        written = self.filter_queryset(self.queryset, without=name).values_list(name, flat=True)
        parts = {"language": languages_in, "domain": domains_in}.get(name, lambda one: [one])
        counts = Counter(value for one in written for value in parts(one))
        return sorted((value, n) for value, n in counts.items() if value)

    def of_language(self, queryset: CollectionQuerySet, name: str, value: str) -> CollectionQuerySet:
        return queryset.in_language(value)

    def search(self, queryset: CollectionQuerySet, name: str, value: str) -> CollectionQuerySet:
        called = [row.pk for row in CatalogNames().collections(value)] if value else []
        return queryset.matching(value, called=called)
