"""Forms that appoint curators, and that search and narrow collections, on the page and in the API alike."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django import forms

from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.catalog.queries import CatalogNames
from registry.catalog.querysets import CollectionQuerySet, domains_in, languages_in
from registry.core.forms import CleanTextField, QueryForm, require_known


class CuratorForm(forms.Form):
    """The person to look after a collection, and why."""

    username = forms.CharField(label="User name", max_length=150)
    reason = CleanTextField(
        widget=forms.Textarea(attrs={"rows": 2}), max_length=1000, help_text="Enters the public journal."
    )

    def clean_username(self) -> User:
        user = User.objects.public().named(self.cleaned_data["username"]).first()
        if user is None:
            raise forms.ValidationError("There is nobody of this name.", code="unknown")
        return user


class DismissalForm(forms.Form):
    """The reason why somebody looks after a collection no longer."""

    reason = CleanTextField(max_length=1000)


class _WrittenField(forms.CharField):
    """A value that collections have in a column, whole or as one of its parts, in upper or lower case; another value
    is refused with the nearest."""

    def __init__(self, *, column: str, parts: Callable[[str], list[str]] = lambda _: [], **options: Any) -> None:
        super().__init__(max_length=100, **options)
        self.column, self.parts = column, parts

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        if not text:
            return text
        written = Collection.objects.order_by().values_list(self.column, flat=True).distinct()
        known = [name for whole in written for name in (whole, *self.parts(whole))]
        return require_known(text, known, "collection", self.column)


class CollectionForm(QueryForm):
    """Free text over names, aliases and ids; the suite as it is written; a language, alone or beside others."""

    q = forms.CharField(max_length=200, help_text="Words, each of which must occur in a name.")
    suite = _WrittenField(column="suite", help_text="Track or benchmark.")
    language = _WrittenField(column="language", parts=languages_in, help_text="A language of it.")

    def chosen(self, collections: CollectionQuerySet, *, without: str = "") -> CollectionQuerySet:
        """Return the collections that a valid form asks for, but for its field ``without``."""
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
        """Count for suite, domain and language the collections that each value keeps under the other choices."""
        return {name: self._counts(collections, name) for name in ("suite", "domain", "language")}

    def _counts(self, collections: CollectionQuerySet, name: str) -> list[tuple[str, int]]:
        written = self.chosen(collections, without=name).values_list(name, flat=True)
        parts = {"language": languages_in, "domain": domains_in}.get(name, lambda whole: [whole])
        counts = Counter(value for whole in written for value in parts(whole))
        return sorted((value, n) for value, n in counts.items() if value)
