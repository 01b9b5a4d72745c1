"""Addresses of comparisons topic by topic."""

from django.urls import path

from registry.pairs import views

app_name = "pairs"

_BOARD = "leaderboards/<str:collection>/<str:measure>/"

urlpatterns = [
    path(f"{_BOARD}pairs/", views.pairs, name="pairs"),
    path(f"{_BOARD}pairs.json", views.pairs, {"suffix": "json"}, name="pairs-json"),
    path(f"{_BOARD}pairs/<int:first>/<int:second>/", views.pair, name="pair"),
    path(f"{_BOARD}pairs/<int:first>/<int:second>.json", views.pair, {"suffix": "json"}, name="pair-json"),
    path(f"{_BOARD}executions/", views.executions, name="executions"),
    path(f"{_BOARD}executions.json", views.executions, {"suffix": "json"}, name="executions-json"),
    path(f"{_BOARD}topics/", views.topics, name="topics"),
    path(f"{_BOARD}topics/<path:label>.json", views.topic, {"suffix": "json"}, name="topic-json"),
    path(f"{_BOARD}topics/<path:label>/", views.topic, name="topic"),
    path(f"{_BOARD}topics.json", views.topics, {"suffix": "json"}, name="topics-json"),
]
