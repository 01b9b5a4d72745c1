"""Looking at what files and people say of systems and collections; it is changed by files, and on its pages."""

from django.contrib import admin

from registry.curation.lineage.models import Lineage, TrainingDeclaration
from registry.curation.suites.models import ElsewhereTable, Suite, SuiteMember
from registry.journal.admin import ReadOnlyAdmin


@admin.register(Lineage)
class LineageAdmin(ReadOnlyAdmin):
    list_display = ["key", "system", "holds", "into", "origin", "source", "recorded_at", "ended_at"]
    list_filter = ["origin", "holds"]
    list_select_related = ["system"]
    search_fields = ["key", "system__name_key"]
    show_full_result_count = False


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
    list_display = ["suite", "position", "collection", "measure", "part_of", "has_training_part", "task"]
    list_filter = ["suite"]
    list_select_related = ["suite", "collection", "measure", "part_of__collection", "part_of__measure"]


@admin.register(ElsewhereTable)
class ElsewhereTableAdmin(ReadOnlyAdmin):
    list_display = ["suite", "as_of", "sha256", "created_at"]
    exclude = ["content"]
