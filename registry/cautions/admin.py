"""Looking at answers to cautions and at decisions on them. They are made on their pages."""

from django.contrib import admin

from registry.cautions.models import CautionAnswer, CautionDecision
from registry.journal.admin import ReadOnlyAdmin


@admin.register(CautionAnswer)
class CautionAnswerAdmin(ReadOnlyAdmin):
    list_display = ["result_id", "code", "person", "is_author", "recorded_at", "ended_at"]
    list_filter = ["code"]
    list_select_related = ["person"]


@admin.register(CautionDecision)
class CautionDecisionAdmin(ReadOnlyAdmin):
    list_display = ["result_id", "code", "kind", "recorded_at", "ended_at"]
    list_filter = ["code", "kind"]
