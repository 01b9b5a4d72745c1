"""Addresses that check a score."""

from django.urls import path

from registry.tools.check import views

app_name = "check"

urlpatterns = [
    path("check/", views.check, name="check"),
]
