"""Addresses of what looks wrong in the record."""

from django.urls import path

from registry.curation.oddities import views

app_name = "oddities"

urlpatterns = [
    path("oddities/", views.oddity_list, name="oddity-list"),
    path("oddities/<int:pk>/decide/", views.oddity_decide, name="oddity-decide"),
]
