"""Looking at suites. They are changed by files, which say where their members are from."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.suites.models import ElsewhereTable, Suite, SuiteMember


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
