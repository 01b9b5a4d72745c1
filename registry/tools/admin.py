"""Looking at what was found of collections and leaderboards; it follows from their topic scores."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.tools.found_once import RedrawnFigures, Resolution, TopicStudy


@admin.register(RedrawnFigures, Resolution, TopicStudy)
class StudyAdmin(ReadOnlyAdmin):
    list_display = ["digest", "obstacle", "studied_at"]
