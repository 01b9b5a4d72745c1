"""Where many rows would stand at once, on the leaderboards that they are of."""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from registry.catalog.models import Measure
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow
from registry.submissions.pipeline.checking import CheckedRow


@dataclass(frozen=True, slots=True)
class Place:
    """Where a score would stand among ``n_results`` counted results, itself included; equal ones share a rank."""

    rank: int
    n_results: int


def find_places(rows: Iterable[CheckedRow]) -> dict[int, Place]:
    """Where the rows that would count would stand if all of them were published, by line."""
    counting = [one for one in rows if one.row is not None and _counts(one.row)]
    replaced = {one.existing_id for one in counting if one.existing_id}
    values = _standing_values({_board(one.row) for one in counting if one.row}, replaced)
    for one in counting:
        if one.row:
            insort(values[_board(one.row)], one.row.score.value)
    lower_is_better = set(Measure.objects.filter(higher_is_better=False).values_list("pk", flat=True))
    return {one.line: _place(one.row, values[_board(one.row)], lower_is_better) for one in counting if one.row}


def _place(row: ResultRow, values: list[float], lower_is_better: Collection[int]) -> Place:
    value, n = row.score.value, len(values)
    n_better = bisect_left(values, value) if row.measure_id in lower_is_better else n - bisect_right(values, value)
    return Place(rank=n_better + 1, n_results=n)


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
