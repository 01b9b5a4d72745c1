"""Looking at what was found of collections; it follows from their topic scores."""

from django.contrib import admin

from registry.journal.admin import ReadOnlyAdmin
from registry.resolution.models import Resolution


@admin.register(Resolution)
class ResolutionAdmin(ReadOnlyAdmin):
    list_display = ["digest", "obstacle", "studied_at"]
