"""Addresses of models."""

from django.urls import path

from registry.tools.passports.views import PASSPORT, model_feed, model_picture

app_name = "passports"

urlpatterns = [
    path("models/<slug:slug>.atom", model_feed, name="model-feed"),
    path("models/<slug:slug>/badge.svg", model_picture, name="model-badge"),
    *PASSPORT.paths("models/<slug:slug>", "model-detail"),
]
