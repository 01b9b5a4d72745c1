"""Addresses of cautions: what they say, answering them, deciding on them."""

from django.urls import path

from registry.curation.cautions import views

app_name = "cautions"

urlpatterns = [
    path("results/<int:pk>/cautions/<slug:code>/", views.caution_detail, name="caution-detail"),
    path("results/<int:pk>/cautions/<slug:code>/answer/", views.caution_answer, name="caution-answer"),
    path("results/<int:pk>/cautions/<slug:code>/decide/", views.caution_decide, name="caution-decide"),
    path("cautions/answers/<int:pk>/withdraw/", views.answer_withdraw, name="answer-withdraw"),
]
