"""Where a score, or many rows at once, would stand among what is recorded; and what is recorded of a system already."""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Annotated

from django.db.models import Case, F, When
from typing_extensions import TypedDict

from analysis.boards import METHODS, BoardRow, study
from analysis.readers.text import comparison_key
from registry.catalog.models import Leaderboard, Measure
from registry.leaderboards.queries.boards import read_board
from registry.leaderboards.stored import read_stored
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow
from registry.submissions.models import SubmittedRow

#: Below this there is nothing to stand among.
MIN_RECORDED = 5
MAX_SHOWN = 10

#: The id of the row that is asked about: no result has it.
_ASKED = 0


@dataclass(frozen=True, slots=True)
class Prospect:
    """A score among the results that compete on a leaderboard, the one it would replace and those held back aside.

    ``rank`` counts from 1, equal scores share one. ``n`` is the number of the others, ``n_held_back`` of those that
    are held back. ``z`` and ``percentile`` are taken against the leaderboard's reference set, as its page has them;
    None where it has none. ``reference`` is what that set is called. ``may_be_best`` is None where that cannot be told.
    """

    leaderboard: Leaderboard
    value: float
    rank: int
    n: int
    n_held_back: int
    best: BoardRow | None
    z: float | None
    percentile: float | None
    may_be_best: bool | None
    reference: str = ""

    @property
    def is_highest(self) -> bool:
        """Whether no score recorded is better."""
        return self.rank == 1

    @property
    def confidence_level(self) -> float:
        return METHODS.confidence_level


def read_prospect(leaderboard: Leaderboard, value: float, *, without: int | None = None) -> Prospect:
    """Where the score would stand; ``without`` is the result that it would take the place of."""
    board, stored = read_board(leaderboard.pk), read_stored([leaderboard.pk]).get(leaderboard.pk)
    held_back = stored.findings.verdict.held_back if stored else frozenset()
    rows = [row for row in board.inputs.rows if row.is_comparable and row.replicate_of is None and row.id != without]
    rows = [row for row in rows if row.id not in held_back]
    sign = 1.0 if leaderboard.measure.higher_is_better else -1.0
    found = None
    if len(rows) >= MIN_RECORDED:
        asked = BoardRow(id=_ASKED, system="", printed=str(value), value=value)
        inputs = replace(board.inputs, rows=(*rows, asked), topic_scores=None)
        found = study(inputs)
    standing = next((one for one in found.standing if one.result == _ASKED), None) if found else None
    members = found.verdict.set if found else None
    return Prospect(
        leaderboard=leaderboard,
        value=value,
        rank=1 + sum(sign * row.value > sign * value for row in rows),
        n=len(rows),
        n_held_back=len(held_back - {without}),
        best=rows[0] if rows else None,
        z=standing.z if standing else None,
        percentile=standing.percentile if standing else None,
        may_be_best=_ASKED in members.members if members else None,
        reference=next((one.name for one in board.inputs.references if one.basis == "published-means"), ""),
    )


def results_of_system(name: str, leaderboard: Leaderboard) -> list[Result]:
    """What is recorded for systems of this name on the collection: what is on the leaderboard first, the best first."""
    key = comparison_key(name)
    if not key:
        return []
    better = Case(When(leaderboard__measure__higher_is_better=True, then=-F("value")), default=F("value"))
    results = (
        Result.objects.standing()
        .filter(system__name_key=key, leaderboard__collection=leaderboard.collection)
        .select_related("system", "paper", "leaderboard__collection", "leaderboard__measure")
        .order_by("leaderboard__measure__name", better, "pk")[: 5 * MAX_SHOWN]
    )
    return sorted(results, key=lambda result: result.leaderboard_id != leaderboard.pk)[:MAX_SHOWN]


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
