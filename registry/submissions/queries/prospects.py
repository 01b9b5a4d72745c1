"""Where a score would stand among what is recorded, and what is recorded of its system already."""

from dataclasses import dataclass, replace

from django.db.models import Case, F, When

from analysis.boards import METHODS, BoardRow, study
from analysis.readers.text import comparison_key
from registry.catalog.models import Leaderboard
from registry.leaderboards.queries import read_board
from registry.leaderboards.stored import read_stored
from registry.results.models import Result

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
