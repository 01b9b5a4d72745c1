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
]
