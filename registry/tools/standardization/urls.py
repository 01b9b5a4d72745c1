"""Addresses of standardized scores."""

from registry.tools.standardization.views import STANDARDIZED, SYSTEM, YEAR, YEARS

app_name = "standardization"

urlpatterns = [
    *STANDARDIZED.paths("collections/<str:collection>/standardized", "collection-standardized"),
    *SYSTEM.paths("systems/<str:slug>/standardized", "system-standardized"),
    *YEARS.paths("years", "year-list"),
    *YEAR.paths("years/<int:year>", "year-detail"),
]
