"""Looking at what was found of collections and leaderboards; it follows from their topic scores."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.tools.models import ExampleAnswers, RedrawnFigures, Resolution, TopicStudy


@admin.register(RedrawnFigures, Resolution, TopicStudy)
class StudyAdmin(ReadOnlyAdmin):
    list_display = ["digest", "obstacle", "studied_at"]


@admin.register(ExampleAnswers)
class ExampleAnswersAdmin(ReadOnlyAdmin):
    list_display = ["content"]
