"""Where the scores of rows would stand among what is recorded."""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Annotated

from typing_extensions import TypedDict

from registry.catalog.models import Measure
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow
from registry.submissions.models import SubmittedRow


class PlaceShown(TypedDict):
    """Where a score would stand among the counted results, if all rows were published."""

    rank: int
    n_results: Annotated[int, "Itself included."]


def find_ranks(rows: Iterable[SubmittedRow]) -> dict[int, PlaceShown]:
    """Where the checked rows that would count would stand if all of them were published, by line; equal
    ones share a rank."""
    pairs = [(said, row.existing_id) for row in rows if (said := row.said()) and _counts(said)]
    counting = [said for said, _ in pairs]
    values = _standing_values({_board(one) for one in counting}, {existing for _, existing in pairs if existing})
    for one in counting:
        insort(values[_board(one)], one.score.value)
    lower_is_better = set(Measure.objects.filter(higher_is_better=False).values_list("pk", flat=True))
    return {one.line: _rank(one, values[_board(one)], lower_is_better) for one in counting}


def _rank(row: ResultRow, values: list[float], lower_is_better: Collection[int]) -> PlaceShown:
    value, n = row.score.value, len(values)
    n_better = bisect_left(values, value) if row.measure_id in lower_is_better else n - bisect_right(values, value)
    return {"rank": n_better + 1, "n_results": n}


def _counts(row: ResultRow) -> bool:
    """Whether the row is a counted result (``ResultQuerySet.counted``)."""
    is_standard = row.comparability == Result.Comparability.STANDARD
    return row.role in Result.COUNTED_ROLES and is_standard and not row.replicate_of


def _board(row: ResultRow) -> tuple[int, int]:
    return row.collection_id, row.measure_id


def _standing_values(
    boards: Collection[tuple[int, int]], replaced: Collection[int]
) -> defaultdict[tuple[int, int], list[float]]:
    """The scores of the counted results of each (collection, measure), ascending, without those replaced."""
    found = (
        Result.objects.standing()
        .counted()
        .filter(
            leaderboard__collection__in={collection for collection, _ in boards},
            leaderboard__measure__in={measure for _, measure in boards},
        )
        .order_by("value")
        .values_list("leaderboard__collection_id", "leaderboard__measure_id", "pk", "value")
    )
    values: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for collection, measure, pk, value in found:
        if pk not in replaced:
            values[collection, measure].append(value)
    return values
