"""How collections can be searched and narrowed down, on the page and in the API alike."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django import forms

from registry.catalog.models import Collection
from registry.catalog.queries import CatalogNames
from registry.catalog.querysets import CollectionQuerySet, domains_in, languages_in
from registry.core.forms import QueryForm, require_known


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


class CollectionForm(QueryForm):
    """Free text over names, aliases and ids; the suite as it is written; a language, alone or beside others."""

    q = forms.CharField(max_length=200, help_text="Words, each of which must occur in a name.")
    suite = _WrittenField(column="suite", help_text="Track or benchmark.")
    language = _WrittenField(column="language", parts=languages_in, help_text="A language of it.")

    def chosen(self, collections: CollectionQuerySet, *, without: str = "") -> CollectionQuerySet:
        """Return those that a valid form asks for, whatever it says under the name ``without``."""
        text, suite, language = (self.cleaned_data[name] for name in ("q", "suite", "language"))
        if suite and without != "suite":
            collections = collections.filter(suite__iexact=suite)
        if language and without != "language":
            collections = collections.in_language(language)
        return (
            collections.matching(text, called=[row.pk for row in CatalogNames().collections(text)])
            if text
            else collections
        )

    def facets(self, collections: CollectionQuerySet) -> dict[str, list[tuple[str, int]]]:
        """For suite, domain and language, how many collections each value keeps under the other choices, by name."""
        return {name: self._counts(collections, name) for name in ("suite", "domain", "language")}

    def _counts(self, collections: CollectionQuerySet, name: str) -> list[tuple[str, int]]:
        written = self.chosen(collections, without=name).values_list(name, flat=True)
        parts = {"language": languages_in, "domain": domains_in}.get(name, lambda one: [one])
        counts = Counter(value for one in written for value in parts(one))
        return sorted((value, n) for value, n in counts.items() if value)
