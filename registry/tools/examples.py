"""What the tools show before anybody asks: an example from the record, with its answer."""

from django.db.models import Count
from django.http import QueryDict

from registry.catalog.models import Leaderboard
from registry.leaderboards.queries.boards import analysed_leaderboards
from registry.results.models import Model, Result

#: Shown where it is on record; else the busiest leaderboard.
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
    rows = [f"{one.system.name}\t{one.value:.4f}" for one in results[:: max(1, len(results) // 3)]]
    ours = [f"Ours\t{one.value:.4f}†" for one in results[-1:]]
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


def _busy_board() -> Leaderboard | None:
    boards = analysed_leaderboards()
    return boards.filter(**_KNOWN_BOARD).first() or boards.first()


def _values(board: Leaderboard) -> list[float]:
    """Return the scores of a leaderboard, best first."""
    values = Result.objects.for_leaderboard(board).comparable().order_by().values_list("value", flat=True)
    return sorted(values, reverse=board.measure.higher_is_better)
