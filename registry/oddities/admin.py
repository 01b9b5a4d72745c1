"""Looking at oddities and decisions on them. They are made at ``/oddities/``."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.oddities.models import Oddity, OddityDecision


@admin.register(Oddity)
class OddityAdmin(ReadOnlyAdmin):
    list_display = ["kind", "says", "found_at", "ended_at"]
    list_filter = ["kind"]


@admin.register(OddityDecision)
class OddityDecisionAdmin(ReadOnlyAdmin):
    list_display = ["oddity_id", "kind", "recorded_at", "ended_at"]
    list_filter = ["kind"]
