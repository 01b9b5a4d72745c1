"""Addresses of all parts, which go by the name of each."""

from django.urls import include, path

from registry.curation.about.views import JOINS, SOURCES
from registry.curation.lineage import views as lineage
from registry.curation.oddities import views as oddities

_PARTS = {
    "about": [*SOURCES.paths("sources", "sources"), *JOINS.paths("joins", "joins")],
    "lineage": [
        path("lineages/", lineage.lineage_detail, name="lineage-detail"),
        path("lineages/decide/", lineage.lineage_decide, name="lineage-decide"),
        path("lineages/decisions/<int:pk>/take-back/", lineage.decision_take_back, name="decision-take-back"),
        path("systems/<str:slug>/training/", lineage.training_answer, name="training-answer"),
        path("training/answers/<int:pk>/withdraw/", lineage.training_answer_withdraw, name="training-answer-withdraw"),
        path("systems/<str:slug>/lineage/", lineage.system_lineage, name="system-lineage"),
    ],
    "oddities": [
        path("oddities/", oddities.oddity_list, name="oddity-list"),
        path("oddities/<int:pk>/decide/", oddities.oddity_decide, name="oddity-decide"),
    ],
}

urlpatterns = [path("", include((addresses, part))) for part, addresses in _PARTS.items()]
