"""Looking at what was found of collections and leaderboards; it follows from their topic scores."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.tools.pairs.models import TopicStudy
from registry.tools.reproductions.models import RedrawnFigures
from registry.tools.resolution.models import Resolution


@admin.register(RedrawnFigures, Resolution, TopicStudy)
class StudyAdmin(ReadOnlyAdmin):
    list_display = ["digest", "obstacle", "studied_at"]
