"""The reference sets of a leaderboard: the named, frozen systems that its results are standardized against."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils import timezone

from analysis.boards import BoardRow
from analysis.scales import reference_factors
from registry.leaderboards.models import ReferenceSet
from registry.leaderboards.queries.boards import Board
from registry.results.models import Result

#: Fewer reference systems than this make no yardstick.
MIN_REFERENCES = 3
#: The sorts of systems that sets are of, the first that there are enough of; names of sets end with one.
ORIGINAL_RUNS = "original shared-task runs"
TOOLKITS = "reference implementations"
RECORDED = "results recorded when the set was frozen"


@dataclass(frozen=True, slots=True)
class ProposedReference:
    """A reference set that is not written yet, with the ids of its members."""

    reference: ReferenceSet
    members: tuple[int, ...]


def propose_references(board: Board) -> tuple[ProposedReference, ...]:
    """The sets to standardize against, frozen as results stand: by published means, and by topic where possible.

    The original shared-task runs where there are any, else reference implementations, else whatever is comparable.
    """
    proposed = []
    for name, rows in _candidates(board):
        values = np.array([row.value for row in rows])
        if values.size >= MIN_REFERENCES and np.ptp(values) > 0:
            factors = {"mean": values.mean(), "sd": values.std(ddof=1), "means": values.tolist()}
            proposed.append(_propose(board, ReferenceSet.Basis.PUBLISHED_MEANS, name, rows, factors))
            break
    matrix = board.topic_scores
    for name, rows in _candidates(board):
        rows = [row for row in rows if matrix is not None and str(row.id) in matrix.systems]
        if matrix is not None and len(rows) >= MIN_REFERENCES:
            factors = reference_factors(matrix.select([str(row.id) for row in rows])).to_dict()
            proposed.append(_propose(board, ReferenceSet.Basis.TOPIC_SCORES, name, rows, factors))
            break
    return tuple(proposed)


def _candidates(board: Board) -> Iterator[tuple[str, list[BoardRow]]]:
    comparable = [row for row in board.inputs.rows if row.is_comparable and row.replicate_of is None]
    yield ORIGINAL_RUNS, [row for row in comparable if row.role == Result.Role.TREC_RUN]
    toolkits = [row for row in comparable if row.role == Result.Role.REFERENCE_IMPLEMENTATION]
    yield TOOLKITS, toolkits
    yield RECORDED, comparable


def _propose(board: Board, basis: str, name: str, rows: list[BoardRow], factors: dict[str, Any]) -> ProposedReference:
    reference = ReferenceSet(
        leaderboard=board.leaderboard,
        basis=basis,
        name=f"{board.leaderboard.collection.name}: {len(rows)} {name}",
        n_systems=len(rows),
        factors=_rounded(factors),
        frozen_on=timezone.now().date(),
    )
    return ProposedReference(reference, tuple(row.id for row in rows))


def _rounded(value: Any) -> Any:
    """Every float at ten significant digits, so that another processor's last bit makes no new snapshot."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return float(f"{float(value):.10g}") if isinstance(value, (float, np.floating)) else value
