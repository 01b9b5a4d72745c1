"""Pages that show methods at work: of collections, of leaderboards with scores by topic."""

from collections.abc import Callable

from django.db.models import Count

from registry.catalog.models import Collection, Leaderboard
from registry.core.pages import Finder, LiveExample, register_live_example
from registry.leaderboards.queries.boards import analysed_leaderboards
from registry.results.models import Result, TopicScores, UnnamedScores
from registry.results.queries import WITHHELD

#: Over fewer topics nothing is said of ranks.
_ENOUGH_TOPICS = 25


def _on_scored(example: Callable[[Leaderboard], LiveExample | None]) -> Finder:
    """The example on the busiest leaderboard that is judged by its own topics, enough for every method."""

    def find() -> LiveExample | None:
        boards = analysed_leaderboards().filter(analysis__headline__evidence="own-topics")
        board = boards.filter(collection__n_topics__gte=_ENOUGH_TOPICS).first()
        return example(board) if board else None

    return find


def _two(board: Leaderboard) -> LiveExample | None:
    both = _scored(board)[:2]
    return _page(board, "pair", "Two systems", *(one.pk for one in both)) if len(both) == 2 else None


def _scored(board: Leaderboard) -> list[Result]:
    scored = TopicScores.objects.standing().values("result")
    results = Result.objects.for_leaderboard(board).comparable()
    return list(results.filter(pk__in=scored, replicate_of=None).select_related("system").order_by("pk")[:2])


def _executions() -> LiveExample | None:
    vectors = TopicScores.objects.standing().filter(result__replicate_of__isnull=False, result__ended_at__isnull=True)
    vector = vectors.select_related("result__leaderboard__collection", "result__leaderboard__measure").first()
    if vector is None or vector.result.replicate_of_id is None:
        return None
    board, first = vector.result.leaderboard, vector.result.replicate_of_id
    others = [one.pk for one in _scored(board) if one.pk != first]
    return _page(board, "pair", "Executions of one system", first, others[0]) if others else None


def _page(board: Leaderboard, name: str, title: str, *args: int) -> LiveExample:
    return LiveExample.at(f"{title}: {board}", f"pairs:{name}", *board.names, *args)


def _resolved() -> LiveExample | None:
    scored = Collection.objects.filter(unnamed_scores__isnull=False)
    found = scored.order_by("slug").first()
    if found is None:
        return None
    return LiveExample.at(f"How much can {found.name} resolve?", "resolution:collection-resolution", found.slug)


def _compared_with() -> LiveExample | None:
    baselines = Result.objects.standing().filter(role=Result.Role.BASELINE).order_by()
    by_collection = baselines.values_list("leaderboard__collection__slug", "leaderboard__collection__name")
    found = by_collection.annotate(n=Count("paper", distinct=True)).order_by("-n", "leaderboard__collection__slug")
    if not found:
        return None
    slug, name, _ = found[0]
    return LiveExample.at(f"What did papers on {name} compare with?", "baselines:collection-baselines", slug)


def _by_topic() -> LiveExample | None:
    named = UnnamedScores.objects.exclude(runs__contains=WITHHELD).select_related("collection")
    found = named.order_by("collection__slug", "pk").first()
    if found is None:
        return None
    collection = found.collection
    return LiveExample.at(
        f"{collection.name} on a fixed scale", "standardization:collection-standardized", collection.slug
    )


def register_examples() -> None:
    """Of which methods the pages are examples."""
    register_live_example(
        _on_scored(lambda board: _page(board, "pairs", "Every pair of systems")),
        "multiple-comparisons", "winner", "probability-of-best", "model-confidence-set", "comparisons-with-the-best",
        "rank-intervals",
    )  # fmt: skip
    register_live_example(_on_scored(_two), "paired-tests", "equivalence", "mean-score")
    register_live_example(_on_scored(lambda board: _page(board, "topics", "Topic by topic")), "variance-components")
    register_live_example(_executions, "non-deterministic-systems", "instances-and-topics", "expected-maximum")
    register_live_example(_resolved, "test-reliability", "topic-set-size")
    register_live_example(_compared_with, "baselines", "trends", "records")
    register_live_example(_by_topic, "standardization", "historical-standardization", "standing-among-reference-means")
