"""Leaderboards whose systems are compared topic by topic, as examples of the methods that do so."""

from collections.abc import Callable

from django.urls import reverse

from registry.catalog.models import Leaderboard
from registry.core.live_examples import Finder, LiveExample, register_live_example
from registry.leaderboards.queries import analysed_leaderboards
from registry.results.models import Result, TopicScores

#: Over fewer topics nothing is said of ranks.
_ENOUGH_TOPICS = 25


def _on_scored(example: Callable[[Leaderboard], LiveExample | None]) -> Finder:
    """The example on the busiest leaderboard that is judged by its own topics, enough for every method."""

    def find() -> LiveExample | None:
        boards = analysed_leaderboards().filter(analysis__headline__evidence="own-topics")
        board = boards.filter(collection__n_topics__gte=_ENOUGH_TOPICS).first()
        return example(board) if board else None

    return find


def _pairs(board: Leaderboard) -> LiveExample:
    return _page(board, "pairs", "Every pair of systems")


def _topics(board: Leaderboard) -> LiveExample:
    return _page(board, "topics", "Topic by topic")


def _two(board: Leaderboard) -> LiveExample | None:
    both = _scored(board)[:2]
    return _page(board, "pair", "Two systems", *(one.pk for one in both)) if len(both) == 2 else None


def _mean(board: Leaderboard) -> LiveExample | None:
    one = _scored(board)[:1]
    return LiveExample(f"{one[0].system} on {board}", one[0].get_absolute_url()) if one else None


def _scored(board: Leaderboard) -> list[Result]:
    scored = TopicScores.objects.standing().values("result")
    results = Result.objects.for_leaderboard(board).standing().filter(comparability=Result.Comparability.STANDARD)
    return list(results.filter(pk__in=scored, replicate_of=None).select_related("system").order_by("pk")[:2])


def _executions() -> LiveExample | None:
    vectors = TopicScores.objects.standing().filter(result__replicate_of__isnull=False, result__ended_at__isnull=True)
    vector = vectors.select_related("result__leaderboard__collection", "result__leaderboard__measure").first()
    return _page(vector.result.leaderboard, "executions", "Executions of one system") if vector else None


def _page(board: Leaderboard, name: str, title: str, *args: int) -> LiveExample:
    address = reverse(f"pairs:{name}", args=[board.collection.slug, board.measure.name, *args])
    return LiveExample(f"{title}: {board}", address)


def register_examples() -> None:
    """Of which methods the pages of pairs, topics and executions are examples."""
    register_live_example(
        _on_scored(_pairs),
        "multiple-comparisons", "winner", "probability-of-best", "model-confidence-set", "comparisons-with-the-best",
        "rank-intervals",
    )  # fmt: skip
    register_live_example(_on_scored(_two), "paired-tests", "equivalence")
    register_live_example(_on_scored(_mean), "mean-score")
    register_live_example(_on_scored(_topics), "variance-components")
    register_live_example(_executions, "non-deterministic-systems", "instances-and-topics", "expected-maximum")
