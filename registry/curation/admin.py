"""Looking at what editors and curators decided.

It is changed on its pages, where a reason is asked for; suites by files, which say where their members are from.
"""

from django.contrib import admin

from registry.curation.lineage.models import Lineage, LineageDecision, TrainingDeclaration
from registry.curation.oddities.models import Oddity, OddityDecision
from registry.curation.suites.models import ElsewhereTable, Suite, SuiteMember
from registry.journal.admin import ReadOnlyAdmin


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
    list_display = [
        "system", "dataset", "collection", "declared", "split", "evidence", "confidence", "source", "recorded_at",
        "ended_at",
    ]  # fmt: skip
    list_filter = ["declared", "evidence", "confidence"]
    list_select_related = ["system", "collection"]
    search_fields = ["system__name_key", "collection__slug"]
    show_full_result_count = False


@admin.register(Suite)
class SuiteAdmin(ReadOnlyAdmin):
    list_display = ["slug", "name", "is_zero_shot", "is_average", "is_screen", "source"]


@admin.register(SuiteMember)
class SuiteMemberAdmin(ReadOnlyAdmin):
    list_display = ["suite", "position", "collection", "measure", "part_of", "has_training_part"]
    list_filter = ["suite"]
    list_select_related = ["suite", "collection", "measure", "part_of__collection", "part_of__measure"]


@admin.register(ElsewhereTable)
class ElsewhereTableAdmin(ReadOnlyAdmin):
    list_display = ["suite", "as_of", "sha256", "created_at"]
    exclude = ["content"]


@admin.register(Oddity)
class OddityAdmin(ReadOnlyAdmin):
    list_display = ["kind", "says", "found_at", "ended_at"]
    list_filter = ["kind"]


@admin.register(OddityDecision)
class OddityDecisionAdmin(ReadOnlyAdmin):
    list_display = ["oddity_id", "kind", "recorded_at", "ended_at"]
    list_filter = ["kind"]
