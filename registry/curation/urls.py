"""Addresses of all parts, which go by the name of each."""

from django.urls import include, path

from registry.curation.lineage import views as lineage
from registry.curation.lineage.views import SOURCES

_PARTS = {
    "about": SOURCES.paths("sources", "sources"),
    "lineage": [
        path("lineages/", lineage.lineage_detail, name="lineage-detail"),
    ],
}

urlpatterns = [path("", include((addresses, part))) for part, addresses in _PARTS.items()]
