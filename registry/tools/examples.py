"""Examples from the record: for the tools before anybody asks, and pages on which methods are at work."""

from collections.abc import Callable

from django.db.models import Count
from django.http import QueryDict

from registry.catalog.models import Collection, Leaderboard
from registry.core.pages import Finder, LiveExample, register_live_example
from registry.leaderboards.queries.boards import analysed_leaderboards
from registry.results.models import Model, Result, TopicScores, UnnamedScores
from registry.results.queries import WITHHELD

#: The example where it is on record; else the busiest leaderboard is.
_KNOWN_BOARD = {"collection__slug": "beir-scifact", "measure__name": "nDCG@10"}
#: A table as papers have it; its last row is made up.
_TABLE = """\
nDCG@10                   BEIR NFCorpus  BEIR SciFact  BEIR FiQA-2018  BEIR TREC-COVID  BEIR SCIDOCS
BM25                      0.325          0.665         0.236           0.656            0.158
contriever-base-msmarco   0.328          0.677         0.329           0.596            0.165
SPLADE-v3                 0.357          0.710         0.374           0.748            0.158
bge-base-en-v1.5          0.374          0.743         0.406           0.780            0.217
Ours                      0.379          0.752         0.489†          0.801†           0.219

† significant, paired t-test
"""


def example_of_check() -> QueryDict:
    """Return a score in the best quarter of a leaderboard with a baseline in its last third; empty on an empty site."""
    query, board = QueryDict(mutable=True), _busy_board()
    values = _values(board) if board else []
    if board and values:
        score, baseline = (f"{values[int(share * len(values))]:.3f}" for share in (1 / 4, 2 / 3))
        names = {"collection": board.collection.name, "measure": board.measure.name}
        query.update(names | {"score": score, "baseline": baseline})
    return query


def example_of_review() -> QueryDict:
    """Return a table with a row that calls itself ours; of the busiest leaderboard where the known one is missing."""
    query, board = QueryDict(mutable=True), _busy_board()
    if board is not None:
        is_known = (board.collection.slug, board.measure.name) == tuple(_KNOWN_BOARD.values())
        query.update({"text": _TABLE if is_known else _table_of(board), "measure": board.measure.name})
    return query


def _table_of(board: Leaderboard) -> str:
    results = list(Result.objects.for_leaderboard(board).comparable().with_names().order_by("value"))
    rows = [f"{result.system.name}\t{result.value:.4f}" for result in results[:: max(1, len(results) // 3)]]
    ours = [f"Ours\t{result.value:.4f}†" for result in results[-1:]]
    return "\n".join([f"System\t{board.collection.name}", *rows[:3], *ours])


#: Models that people weigh against each other; else the two systems with the most results.
_KNOWN_MODELS = ["bge-m3", "e5-mistral-7b-instruct"]


def example_of_compare() -> QueryDict:
    """Return two models, or else two systems, with many results; empty where there are none."""
    query = QueryDict(mutable=True)
    if Model.objects.filter(slug__in=_KNOWN_MODELS).count() == len(_KNOWN_MODELS):
        query.setlist("model", _KNOWN_MODELS)
    else:
        systems = Result.objects.comparable().order_by().values_list("system").annotate(n=Count("pk"))
        query.setlist("system", [str(pk) for pk, _ in systems.order_by("-n", "system")[:2]])
    return query


def example_of_run() -> Result | None:
    """Return the result of the run that is the example for scoring one; None where it is not on record."""
    results = Result.objects.comparable().select_related("system", "leaderboard__collection", "leaderboard__measure")
    board = {"leaderboard__collection__slug": "trec-dl-2019-passage", "leaderboard__measure__name": "nDCG@10"}
    return results.filter(system__name="rank_llm REP_LLAMA", **board).first()


def _busy_board() -> Leaderboard | None:
    boards = analysed_leaderboards()
    return boards.filter(**_KNOWN_BOARD).first() or boards.first()


def _values(board: Leaderboard) -> list[float]:
    values = Result.objects.for_leaderboard(board).comparable().order_by().values_list("value", flat=True)
    return sorted(values, reverse=board.measure.higher_is_better)


#: Fewer topics give no ranks.
_ENOUGH_TOPICS = 25


def _on_scored(example: Callable[[Leaderboard], LiveExample | None]) -> Finder:
    """Return the example on the busiest leaderboard that is judged by its own topics, enough for every method."""

    def find() -> LiveExample | None:
        boards = analysed_leaderboards().filter(analysis__headline__evidence="own-topics")
        board = boards.filter(collection__n_topics__gte=_ENOUGH_TOPICS).first()
        return example(board) if board else None

    return find


def _two(board: Leaderboard) -> LiveExample | None:
    both = _scored(board)[:2]
    return _page(board, "pair", "Two systems", *(result.pk for result in both)) if len(both) == 2 else None


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
    others = [result.pk for result in _scored(board) if result.pk != first]
    return _page(board, "pair", "Executions of one system", first, others[0]) if others else None


def _page(board: Leaderboard, name: str, title: str, *args: int) -> LiveExample:
    return LiveExample.at(f"{title}: {board}", f"pairs:{name}", *board.names, *args)


def _resolved() -> LiveExample | None:
    collection = Collection.objects.filter(unnamed_scores__isnull=False).order_by("slug").first()
    if collection is None:
        return None
    title = f"How much can {collection.name} resolve?"
    return LiveExample.at(title, "resolution:collection-resolution", collection.slug)


def _compared_with() -> LiveExample | None:
    baselines = Result.objects.standing().filter(role=Result.Role.BASELINE).order_by()
    by_collection = baselines.values_list("leaderboard__collection__slug", "leaderboard__collection__name")
    counted = by_collection.annotate(n=Count("paper", distinct=True)).order_by("-n", "leaderboard__collection__slug")
    if not counted:
        return None
    slug, name, _ = counted[0]
    return LiveExample.at(f"What did papers on {name} compare with?", "baselines:collection-baselines", slug)


def _by_topic() -> LiveExample | None:
    named = UnnamedScores.objects.exclude(runs__contains=WITHHELD).select_related("collection")
    scores = named.order_by("collection__slug", "pk").first()
    if scores is None:
        return None
    title = f"{scores.collection.name} on a fixed scale"
    return LiveExample.at(title, "standardization:collection-standardized", scores.collection.slug)


def register_examples() -> None:
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
