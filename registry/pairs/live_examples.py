"""Leaderboards whose systems are compared topic by topic, as examples of the methods that do so."""

from collections.abc import Callable

from django.urls import reverse

from registry.catalog.models import Leaderboard
from registry.core.live_examples import LiveExample, register_live_example
from registry.leaderboards.queries import analysed_leaderboards
from registry.results.models import TopicScores


def _compared(page: str, title: str) -> Callable[[], LiveExample | None]:
    def find() -> LiveExample | None:
        board = analysed_leaderboards().filter(analysis__headline__evidence="own-topics").first()
        return _example(board, page, title) if board else None

    return find


def _executed() -> LiveExample | None:
    vectors = TopicScores.objects.standing().filter(result__replicate_of__isnull=False, result__ended_at__isnull=True)
    vector = vectors.select_related("result__leaderboard__collection", "result__leaderboard__measure").first()
    return _example(vector.result.leaderboard, "executions", "Executions of one system") if vector else None


def _example(board: Leaderboard, page: str, title: str) -> LiveExample:
    address = reverse(f"pairs:{page}", args=[board.collection.slug, board.measure.name])
    return LiveExample(f"{title}: {board}", address)


def register_examples() -> None:
    """Of which methods the pages of pairs, topics and executions are examples."""
    register_live_example(
        _compared("pairs", "Every pair of systems"),
        "paired-tests", "multiple-comparisons", "equivalence", "winner", "probability-of-best", "model-confidence-set",
        "comparisons-with-the-best", "rank-intervals", "verified-leader",
    )  # fmt: skip
    register_live_example(_compared("topics", "Topic by topic"), "mean-score")
    register_live_example(_executed, "non-deterministic-systems", "instances-and-topics", "expected-maximum")
