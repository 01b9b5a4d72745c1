"""Looking at lineages. They are changed on their pages, where a reason is asked for."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.lineage.models import Lineage, LineageDecision, TrainingDeclaration


@admin.register(Lineage)
class LineageAdmin(ReadOnlyAdmin):
    list_display = ["key", "system", "holds", "origin", "source", "recorded_at", "ended_at"]
    list_filter = ["origin", "holds"]
    list_select_related = ["system"]
    search_fields = ["key", "system__name_key"]
    show_full_result_count = False


@admin.register(LineageDecision)
class LineageDecisionAdmin(ReadOnlyAdmin):
    list_display = ["key", "kind", "system", "into", "recorded_at", "ended_at"]
    list_filter = ["kind"]
    list_select_related = ["system"]
    search_fields = ["key", "system__name_key"]


@admin.register(TrainingDeclaration)
class TrainingDeclarationAdmin(ReadOnlyAdmin):
    list_display = ["system", "collection", "declared", "how", "source", "recorded_at", "ended_at"]
    list_filter = ["declared"]
    list_select_related = ["system", "collection"]
    search_fields = ["system__name_key", "collection__slug"]
    show_full_result_count = False
