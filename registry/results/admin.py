"""The record in Django's admin. Results are not edited here: services supersede and withdraw them, with a reason."""

from django.contrib import admin
from django.db import models

from registry.journal.admin import JournalledAdmin, ReadOnlyAdmin
from registry.results.models import Paper, Result, System, TopicScores, UnnamedScores


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    list_display = ["system", "leaderboard", "printed", "unit", "role", "provenance", "year", "recorded_at", "ending"]
    list_filter = ["role", "provenance", "comparability", "run_type", "ending"]
    list_select_related = ["system", "leaderboard__collection", "leaderboard__measure"]
    search_fields = ["system__name_key", "leaderboard__collection__slug", "paper__cite"]
    show_full_result_count = False


class KeptAdmin(JournalledAdmin):
    """Rows that come with results, and stay."""

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(System)
class SystemAdmin(KeptAdmin):
    """A system is known by its name and team, which are fixed; the rest may be edited."""

    list_display = ["name", "team"]
    search_fields = ["name_key", "team_key"]
    readonly_fields = ["name", "team", "name_key", "team_key", "merged_into"]
    show_full_result_count = False


@admin.register(Paper)
class PaperAdmin(KeptAdmin):
    """Everything may be completed but what identifies a paper."""

    list_display = ["cite", "title", "venue", "year", "doi", "arxiv_id"]
    search_fields = ["cite", "title", "doi", "arxiv_id", "acl_id", "dblp_key"]
    readonly_fields = ["identity", "merged_into", "author_orcids"]
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}


@admin.register(TopicScores)
class TopicScoresAdmin(ReadOnlyAdmin):
    list_display = ["result", "recorded_at", "ended_at"]
    list_select_related = ["result__system"]
    search_fields = ["result__system__name_key"]
    show_full_result_count = False


@admin.register(UnnamedScores)
class UnnamedScoresAdmin(ReadOnlyAdmin):
    list_display = ["label", "collection", "measure", "n_topics", "n_runs", "source", "licence"]
    list_select_related = ["collection", "measure"]
    search_fields = ["label", "collection__slug", "measure__name"]
    exclude = ["content"]
