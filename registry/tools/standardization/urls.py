"""Addresses of standardized scores."""

from django.urls import path, re_path

from registry.tools.standardization.views import STANDARDIZED, SYSTEM, YEAR, year_list

app_name = "standardization"

urlpatterns = [
    *STANDARDIZED.paths("collections/<str:collection>/standardized", "collection-standardized"),
    *SYSTEM.paths("systems/<int:id>/standardized", "system-standardized"),
    path("years/", year_list, name="year-list"),
    re_path(r"^years\.(?P<suffix>csv|json)$", year_list, name="year-file"),
    *YEAR.paths("years/<int:year>", "year-detail"),
]
