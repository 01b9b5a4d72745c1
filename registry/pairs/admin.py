"""Looking at what was found of leaderboards; it follows from their topic scores."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.pairs.models import TopicStudy


@admin.register(TopicStudy)
class TopicStudyAdmin(ReadOnlyAdmin):
    list_display = ["digest", "obstacle", "studied_at"]
