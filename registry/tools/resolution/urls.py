"""Addresses of what collections can resolve."""

from registry.tools.resolution.views import RESOLUTION

app_name = "resolution"

urlpatterns = RESOLUTION.paths("collections/<str:collection>/resolution", "collection-resolution")
