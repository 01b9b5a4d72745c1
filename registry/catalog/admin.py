"""Editing the catalog."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models
from django.db.models import Q
from django.http import HttpRequest

from registry.catalog.models import (
    Collection,
    CollectionAlias,
    Leaderboard,
    Measure,
    MeasureAlias,
    Question,
    ResidualVariance,
    Topic,
)
from registry.catalog.services import journal_id, mark_leaderboards_changed
from registry.journal.admin import JournalledAdmin, ReadOnlyAdmin


class CatalogAdmin(JournalledAdmin):
    """Edits are journalled, and the leaderboards that show what was edited are analysed again."""

    def leaderboards_of(self, obj: Any) -> Q:
        """Return the leaderboards that show the row or rest on it."""
        raise NotImplementedError

    def after_edit(self, obj: models.Model) -> None:
        boards = Leaderboard.objects.filter(self.leaderboards_of(obj), results_version__gt=0)
        mark_leaderboards_changed(leaderboard_ids=list(boards.values_list("pk", flat=True)))

    def subject_id(self, obj: models.Model) -> str:
        return journal_id(obj)

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False  # Results rest on it.


if TYPE_CHECKING:
    AliasInline = admin.TabularInline[models.Model, models.Model]
else:  # takes no parameters when the site runs
    AliasInline = admin.TabularInline


class CollectionAliasInline(AliasInline):
    model = CollectionAlias
    extra = 1


class MeasureAliasInline(AliasInline):
    model = MeasureAlias
    extra = 1


@admin.register(Collection)
class CollectionAdmin(CatalogAdmin):
    list_display = ["slug", "name", "suite", "n_topics", "year"]
    list_filter = ["suite", "language", "task"]
    search_fields = ["slug", "name", "ir_datasets_id", "aliases__alias"]
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    inlines = [CollectionAliasInline]

    def leaderboards_of(self, obj: Collection) -> Q:
        return Q(collection=obj)


@admin.register(Measure)
class MeasureAdmin(CatalogAdmin):
    list_display = ["name", "trec_eval", "low", "high", "higher_is_better", "decimals"]
    search_fields = ["name", "long_name", "trec_eval", "aliases__alias"]
    inlines = [MeasureAliasInline]

    def leaderboards_of(self, obj: Measure) -> Q:
        return Q(measure=obj)


@admin.register(Question)
class QuestionAdmin(JournalledAdmin):
    """Questions about names: nothing else rests on them, so they may go."""

    list_display = ["kind", "names", "text"]
    list_filter = ["kind"]
    search_fields = ["names", "text"]
    autocomplete_fields = ["collections", "measures"]


@admin.register(Leaderboard)
class LeaderboardAdmin(CatalogAdmin):
    list_display = ["collection", "measure", "n_topics_here", "results_version", "results_changed_at"]
    list_select_related = ["collection", "measure"]
    search_fields = ["collection__slug", "measure__name"]
    autocomplete_fields = ["collection", "measure"]
    readonly_fields = ["results_version", "results_changed_at"]

    def leaderboards_of(self, obj: Leaderboard) -> Q:
        return Q(pk=obj.pk)


@admin.register(ResidualVariance)
class ResidualVarianceAdmin(CatalogAdmin):
    list_display = ["measure", "collection", "residual_variance", "n_topics", "n_systems"]
    list_select_related = ["collection", "measure"]
    search_fields = ["collection__slug", "measure__name"]
    autocomplete_fields = ["collection", "measure"]

    def leaderboards_of(self, obj: ResidualVariance) -> Q:
        return Q(measure=obj.measure_id)


@admin.register(Topic)
class TopicAdmin(ReadOnlyAdmin):
    """Fixed by the first table of per-topic scores: these are stored in the order of the topics."""

    list_display = ["collection", "position", "label"]
    list_select_related = ["collection"]
    search_fields = ["collection__slug", "label"]
