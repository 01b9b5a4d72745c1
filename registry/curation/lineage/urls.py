"""Addresses of lineages, of decisions on them, and of answers on training."""

from django.urls import path

from registry.curation.lineage import views

app_name = "lineage"

urlpatterns = [
    path("lineages/", views.lineage_detail, name="lineage-detail"),
    path("lineages/decide/", views.lineage_decide, name="lineage-decide"),
    path("lineages/decisions/<int:pk>/take-back/", views.decision_take_back, name="decision-take-back"),
    path("systems/<str:slug>/training/", views.training_answer, name="training-answer"),
    path("training/answers/<int:pk>/withdraw/", views.training_answer_withdraw, name="training-answer-withdraw"),
    path("systems/<str:slug>/lineage/", views.system_lineage, name="system-lineage"),
]
