"""Addresses of what collections can resolve."""

from django.urls import path, re_path

from registry.resolution import views

app_name = "resolution"

urlpatterns = [
    path("collections/<str:name>/resolution/", views.collection_resolution, name="collection-resolution"),
    re_path(
        r"^collections/(?P<name>[^/]+)/resolution\.(?P<suffix>json)$",
        views.collection_resolution,
        name="resolution-format",
    ),
]
