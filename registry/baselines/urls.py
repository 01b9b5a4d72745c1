"""Addresses of the baselines of a collection."""

from django.urls import path, re_path

from registry.baselines import views

app_name = "baselines"

urlpatterns = [
    path("collections/<str:name>/baselines/", views.collection_baselines, name="collection-baselines"),
    re_path(
        r"^collections/(?P<name>[^/]+)/baselines\.(?P<suffix>json)$",
        views.collection_baselines,
        name="baselines-format",
    ),
]
