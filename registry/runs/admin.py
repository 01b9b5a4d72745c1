"""Looking at who has runs scored against sealed judgements; judgements and uploads themselves are not shown."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.runs.models import Answer


@admin.register(Answer)
class AnswerAdmin(ReadOnlyAdmin):
    list_display = ["user", "judgements", "is_refused", "created_at"]
    list_select_related = ["user", "judgements"]
