"""Addresses that compare systems, and vectors of topic scores."""

from django.urls import path

from registry.tools.compare import views

app_name = "compare"

urlpatterns = [
    path("compare/", views.compare, name="compare"),
    path("compare.json", views.compare, {"suffix": "json"}, name="compare-format"),
    path("compare/beside/", views.compare_beside, name="compare-beside"),
    path("compare/topics/", views.compare_topics, name="compare-topics"),
]
