"""Addresses of standardized scores."""

from django.urls import path

from registry.tools.standardization.views import STANDARDIZED, SYSTEM, YEAR, YEARS, latest_year

app_name = "standardization"

urlpatterns = [
    *STANDARDIZED.paths("collections/<str:collection>/standardized", "collection-standardized"),
    *SYSTEM.paths("systems/<str:slug>/standardized", "system-standardized"),
    *YEARS.paths("years", "year-list"),
    path("years/", latest_year, name="year-list"),
    *YEAR.paths("years/<int:year>", "year-detail"),
]
