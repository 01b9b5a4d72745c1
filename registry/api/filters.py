"""What lists of the API can be narrowed down by."""

from typing import Any

import django_filters
from django import forms
from django.db.models import F, QuerySet

from analysis.readers.rejections import Refused
from registry.api.paging import PagedForm
from registry.catalog.filters import CollectionFilter
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.catalog.queries import find_collection, find_measure
from registry.core.forms import invalid


class NamedField(forms.CharField):
    """The row of this name; an unknown name is refused with the nearest ones, an ambiguous one with the candidates."""

    def __init__(self, *, model: type[Collection] | type[Measure], **options: Any) -> None:
        super().__init__(max_length=200, **options)
        self.model = model

    def clean(self, value: Any) -> Collection | Measure | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            return find_collection(text) if self.model is Collection else find_measure(text)
        except Refused as refused:
            raise invalid(refused) from refused


class _NamedFilter(django_filters.Filter):
    field_class = NamedField


class _WholeNumberFilter(django_filters.Filter):
    field_class = forms.IntegerField


class PagedFilterSet(django_filters.FilterSet):
    """Filters of a list in pages. Not every parameter is a filter, and unknown ones are refused."""

    class Meta:
        form = PagedForm

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        for name, one in self.filters.items():
            queryset = one.filter(queryset, self.form.cleaned_data[name])
        return queryset


class CollectionListFilter(CollectionFilter):
    """As on the page of collections."""

    class Meta(CollectionFilter.Meta):
        form = PagedForm


class LeaderboardListForm(PagedForm):
    """Which leaderboards, in which order."""

    analysed = forms.ChoiceField(
        choices=[(word, word) for word in ("true", "false", "all")],
        help_text="Those that carry an analysis (the default), those that don't, or all.",
    )
    sort = forms.ChoiceField(
        choices=[(word, word) for word in ("name", "n_results")],
        help_text="By collection and measure (the default), or those with the most counted results first.",
    )


class LeaderboardListFilter(PagedFilterSet):
    """Leaderboards that have results."""

    collection = _NamedFilter(model=Collection, help_text="Slug or alias of a collection, in any case.")
    measure = _NamedFilter(model=Measure, help_text="Name or alias of a measure, in any case.")
    suite = django_filters.CharFilter(
        "collection__suite", lookup_expr="iexact", max_length=100, help_text="Track or benchmark, as collections say."
    )
    language = django_filters.CharFilter(
        method="of_language", max_length=100, help_text="A language of collections, or their languages as they say."
    )
    min_results = _WholeNumberFilter(
        "analysis__n_counted",
        lookup_expr="gte",
        min_value=1,
        max_value=1_000_000,
        help_text="At least so many counted results.",
    )

    class Meta:
        form = LeaderboardListForm

    def of_language(self, queryset: QuerySet[Leaderboard], name: str, value: str) -> QuerySet[Leaderboard]:
        return queryset.filter(collection__in=Collection.objects.in_language(value))

    def filter_queryset(self, queryset: QuerySet[Leaderboard]) -> QuerySet[Leaderboard]:
        given = self.form.cleaned_data
        if given["analysed"] != "all":
            queryset = queryset.filter(analysis__snapshot__isnull=given["analysed"] == "false")
        order = [F("analysis__n_counted").desc(nulls_last=True)] if given["sort"] == "n_results" else []
        return super().filter_queryset(queryset).order_by(*order, "collection__slug", "measure__name")
