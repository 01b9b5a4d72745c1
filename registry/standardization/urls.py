"""Addresses of standardized scores."""

from django.urls import path, re_path

from registry.standardization import views

app_name = "standardization"

urlpatterns = [
    path("collections/<str:name>/standardized/", views.collection_standardized, name="collection-standardized"),
    re_path(
        r"^collections/(?P<name>[^/]+)/standardized\.(?P<suffix>json)$",
        views.collection_standardized,
        name="standardized-format",
    ),
    path("systems/<int:pk>/standardized/", views.system_standardized, name="system-standardized"),
    path(
        "systems/<int:pk>/standardized.json",
        views.system_standardized,
        {"suffix": "json"},
        name="system-standardized-format",
    ),
    path("years/", views.year_list, name="year-list"),
    re_path(r"^years\.(?P<suffix>csv|json)$", views.year_list, name="year-file"),
    path("years/<int:year>/", views.year_detail, name="year-detail"),
    path("years/<int:year>.json", views.year_detail, {"suffix": "json"}, name="year-format"),
]
