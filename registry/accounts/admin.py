"""Looking at people. Roles are granted on the pages of ``accounts``, where they enter the journal."""

from django.contrib import admin

from registry.accounts.models import User
from registry.journal.admin import ReadOnlyAdmin


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    list_display = ["username", "full_name", "role", "is_active", "orcid", "date_joined", "last_login"]
    list_filter = ["is_active", "is_editor", "is_superuser"]
    search_fields = ["username", "full_name", "email", "orcid"]
    date_hierarchy = "date_joined"
    exclude = ["password", "groups", "user_permissions"]
    show_full_result_count = False
