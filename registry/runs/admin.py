"""Looking at who has runs scored against sealed judgements; judgements and uploads themselves are not shown."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.runs.models import Probe


@admin.register(Probe)
class ProbeAdmin(ReadOnlyAdmin):
    list_display = ["user", "judgements", "n_alike", "created_at"]
    list_select_related = ["user", "judgements"]
    exclude = ["sketch"]
