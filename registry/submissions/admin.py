"""Looking at submissions: what changes them are the services."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.submissions.models import Comment, Submission, SubmittedRow


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "contributor", "way", "state", "created_at", "submitted_at", "decided_by"]
    list_filter = ["state", "way"]
    list_select_related = ["contributor", "decided_by"]
    search_fields = ["id", "contributor__username"]
    date_hierarchy = "created_at"


@admin.register(SubmittedRow)
class SubmittedRowAdmin(ReadOnlyAdmin):
    list_display = ["submission", "line", "outcome", "existing", "result"]
    list_filter = ["outcome"]
    list_select_related = ["submission", "existing__system", "result__system"]
    search_fields = ["submission__id"]
    show_full_result_count = False


@admin.register(Comment)
class CommentAdmin(ReadOnlyAdmin):
    list_display = ["submission", "author", "created_at"]
    list_select_related = ["submission", "author"]
