"""How few results, of how few groups, give no verdict, and the pairs that are compared in its place."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.best import MIN_FAMILIES, MIN_RESULTS
from analysis.boards._competitors import Competitors
from analysis.boards._families import family_of
from analysis.boards._findings import Contest, Distance, Evidence, Family, TooFew
from analysis.boards._inputs import BoardInputs, BoardRow
from analysis.boards._margins import PairError, pair_error_of, planned_pairs

#: The variance of a pair's difference is taken for at least this share of the median over all pairs.
_FLOOR = 0.1

WHY_TOO_FEW: dict[TooFew, str] = {
    "one": "there is nothing to compare it with",
    "results": f"a ranking needs {MIN_RESULTS} results, from {MIN_FAMILIES} groups",
    "groups": f"a ranking needs results from {MIN_FAMILIES} groups",
}


def contest_of(
    inputs: BoardInputs,
    competitors: Competitors,
    families: Sequence[Family],
    evidence: Evidence,
    error: PairError | None = None,
) -> Contest:
    """Return how many compete, of how many groups; where these are too few for a verdict, the best beside each other
    one.

    ``error`` is that of an average pair, which of a board follows from its evidence.
    """
    numbers, rows = family_of(families), competitors.contending
    counts: dict[str, Any] = {"n_rows": len(rows), "n_groups": len({numbers[row.id] for row in rows})}
    if not Contest(**counts).too_few:
        return Contest(**counts)
    if evidence.kind == "own-topics" and competitors.matrix is not None:
        errors = _own_errors(competitors)
    else:
        average = error or pair_error_of(inputs, evidence)
        errors = None if average is None else [average] * (len(rows) - 1)
    return Contest(**counts, pairs=_compared(rows, errors, inputs.measure.higher_is_better) if errors else ())


def _compared(rows: Sequence[BoardRow], errors: Sequence[PairError], higher_is_better: bool) -> tuple[Distance, ...]:
    """The best beside each other row, picked by its score: as some of all pairs (Holm)."""
    best, *others = rows
    sign = 1.0 if higher_is_better else -1.0
    behind = [sign * (best.value - other.value) for other in others]
    pairs = planned_pairs(behind, errors, len(rows) * len(others) // 2)
    return tuple(
        Distance(result=other.id, behind=distance, margin=pair.margin, rival=best.id)
        for other, distance, pair in zip(others, behind, pairs, strict=True)
    )


def _own_errors(competitors: Competitors) -> list[PairError] | None:
    """The error of the best's difference from each other row, by their own topic scores; None where all are alike."""
    assert competitors.matrix is not None
    rows = [str(row.id) for row in competitors.contending]
    if len(rows) < 2:
        return None
    of_rows = np.cov(competitors.matrix.select(rows).scores)
    variances = np.add.outer(of_rows.diagonal(), of_rows.diagonal()) - 2.0 * of_rows
    least = _FLOOR * float(np.median(variances[np.triu_indices(len(rows), 1)]))
    n_topics = competitors.matrix.n_topics
    if least <= 0.0:
        return None
    return [PairError(float(np.sqrt(max(one, least) / n_topics)), n_topics - 1.0) for one in variances[0, 1:]]
