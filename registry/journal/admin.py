"""Looking at the journal."""

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from registry.journal.models import Entry


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows to look at: what changes them is a service, which writes the journal."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ["recorded_at", "actor_name", "action", "subject_type", "subject_id", "reason"]
    list_filter = ["action", "subject_type"]
    search_fields = ["subject_id", "actor__username", "reason"]
    list_select_related = ["actor"]
    date_hierarchy = "recorded_at"
    show_full_result_count = False
