"""Addresses of models."""

from registry.tools.passports.views import PASSPORT

app_name = "passports"

urlpatterns = PASSPORT.paths("models/<slug:slug>", "model-detail")
