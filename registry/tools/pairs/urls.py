"""Addresses of comparisons topic by topic."""

from registry.tools.pairs.views import EXECUTIONS, PAIR, PAIRS, TOPIC, TOPICS

app_name = "pairs"

_BOARD = "leaderboards/<str:collection>/<str:measure>"

urlpatterns = [
    *PAIRS.paths(f"{_BOARD}/pairs", "pairs"),
    *PAIR.paths(f"{_BOARD}/pairs/<int:first>/<int:second>", "pair"),
    *EXECUTIONS.paths(f"{_BOARD}/executions", "executions"),
    *TOPICS.paths(f"{_BOARD}/topics", "topics"),
    *TOPIC.paths(f"{_BOARD}/topics/<path:label>", "topic"),
]
