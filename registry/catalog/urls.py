"""Addresses of curators. The pages of collections themselves are those of leaderboards."""

from django.urls import path

from registry.catalog import views

app_name = "catalog"

urlpatterns = [
    path("collections/<str:name>/curators/", views.curator_list, name="curator-list"),
    path("collections/<str:name>/curators/<int:pk>/dismiss/", views.curator_dismiss, name="curator-dismiss"),
]
