"""Addresses of all parts, which go by the name of each."""

from django.urls import include, path

from registry.curation.lineage import views as lineage
from registry.curation.lineage.views import SOURCES

_PARTS = {
    "about": SOURCES.paths("sources", "sources"),
    "lineage": [
        path("lineages/", lineage.lineage_detail, name="lineage-detail"),
        path("systems/<str:slug>/training/", lineage.training_answer, name="training-answer"),
        path("training/answers/<int:pk>/withdraw/", lineage.training_answer_withdraw, name="training-answer-withdraw"),
    ],
}

urlpatterns = [path("", include((addresses, part))) for part, addresses in _PARTS.items()]
