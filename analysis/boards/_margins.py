"""Margins by which means tell rows of a board apart, planned pairs or not, and the ranks that rows may have.

Where too few rows compete for a verdict, the best is compared with each other one in its place.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Annotated, Any

import numpy as np
from scipy.special import stdtr, stdtrit

from analysis._validation import check_instance, check_instances, check_probability, check_vector
from analysis.best import MIN_FAMILIES, MIN_RESULTS, best_set_from_errors
from analysis.boards._competitors import Competitors, family_of
from analysis.boards._evidence import n_averaged, why_no_set_from_means
from analysis.boards._findings import Contest, Distance, Evidence, Family, Findings, TooFew
from analysis.boards._inputs import BoardInputs, BoardRow
from analysis.boards._methods import METHODS
from analysis.comparisons import adjust_pvalues
from analysis.comparisons._difference_tests import SMALLEST_PVALUE
from analysis.errors import ArgumentError
from analysis.scores._matrix import independent_scores


@dataclass(frozen=True, slots=True)
class PairError:
    """The error of the difference of two means of a board, for an average pair of systems."""

    value: Annotated[float, "Standard error of the difference."]
    degrees_of_freedom: Annotated[float, "How surely it is known."]

    def margin(self, level: float) -> float:
        """Return from which difference on Student's t, in either direction, is significant at this level.

        Parameters
        ----------
        level : float
            Between 0 and 1.

        Raises
        ------
        ArgumentError
            If the level is out of range.
        """
        return -float(stdtrit(self.degrees_of_freedom, check_probability(level, "level") / 2)) * self.value


@dataclass(frozen=True, slots=True)
class PlannedPair:
    """A planned comparison of two means, judged with those that were made beside it."""

    pvalue: Annotated[float, "Of Student's t in either direction, adjusted for the other comparisons (Holm)."]
    margin: Annotated[
        float, "From which difference on the two would be told apart, the other comparisons being as they are."
    ]
    is_told_apart: Annotated[bool, "Whether one of the two is better beyond chance."]


@dataclass(frozen=True, slots=True)
class RankRange:
    """The range in which a row's true rank among those that are ranked lies."""

    low: Annotated[int, "The best, from 1; holds with the confidence of the verdict."]
    high: Annotated[int, "The worst, from 1; holds likewise."]


def margin_of_means(inputs: BoardInputs, findings: Findings) -> float | None:
    """Return from which distance on two rows of a board can be told apart by their means.

    Parameters
    ----------
    inputs : BoardInputs
    findings : Findings
        Of these inputs.

    Returns
    -------
    float or None
        In the unit of the measure; None where it is not known how scores vary or over how many topics the means are.

    Raises
    ------
    ArgumentError
        If an argument is of another kind.

    Notes
    -----
    The margin of the verdict, so that no pair with the best row is told apart that the verdict leaves together:
    Gupta's constant for all rows that compete, of a verdict by topic scores with the variance of its own topics.
    Where few compete, that constant is smaller than Student's for one pair named beforehand, in either direction;
    then it is the latter. For a pair chosen because its difference is the largest of all, neither is enough.

    References
    ----------
    S. S. Gupta (1965), doi:10.1080/00401706.1965.10490251.

    Examples
    --------
    >>> from analysis.boards import BoardRow, KnownVariance, MeasureFacts, study
    >>> rows = [BoardRow(id=n, system=f"run {n}", printed=f"{v}", value=v) for n, v in enumerate([0.2, 0.25, 0.31])]
    >>> variance = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=980.0, sources=("its runs",))
    >>> board = BoardInputs(
    ...     collection="x", measure=MeasureFacts(name="AP"), rows=tuple(rows), n_topics=50, variances=(variance,)
    ... )
    >>> round(margin_of_means(board, study(board)), 4)
    0.0471
    """
    error = error_of_pair(inputs, findings)
    if error is None:
        return None
    margin = findings.verdict.set.margin if findings.verdict.set else None
    if margin is None and len(values := list(_competing(inputs, findings).values())) > 1:
        margin = best_set_from_errors(
            values,
            error_variance=error.value**2 / 2,
            degrees_of_freedom=error.degrees_of_freedom,
            confidence_level=METHODS.confidence_level,
            higher_is_better=inputs.measure.higher_is_better,
        ).margin
    return max(error.margin(1 - METHODS.confidence_level), margin or 0.0)


def error_of_pair(inputs: BoardInputs, findings: Findings) -> PairError | None:
    """Return how far chance moves the difference of two means of a board, for an average pair of systems.

    Parameters
    ----------
    inputs : BoardInputs
    findings : Findings
        Of these inputs.

    Returns
    -------
    PairError or None
        None where it is not known how scores vary, over how many topics the means are, or where these are too few.

    Raises
    ------
    ArgumentError
        If an argument is of another kind.

    Notes
    -----
    √(2·s²/topics), with the variance of the set and the degrees of freedom of the verdict. Pairs differ: the scores of
    two variants of one system vary together, and need less.

    References
    ----------
    Searle, Casella & McCulloch (1992), Variance Components, Wiley, doi:10.1002/9780470316856.

    Examples
    --------
    >>> from analysis.boards import BoardRow, KnownVariance, MeasureFacts, study
    >>> rows = [BoardRow(id=n, system=f"run {n}", printed=f"{v}", value=v) for n, v in enumerate([0.2, 0.25, 0.31])]
    >>> variance = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=18.0, sources=("its runs",))
    >>> board = BoardInputs(
    ...     collection="x", measure=MeasureFacts(name="AP"), rows=tuple(rows), n_topics=50, variances=(variance,)
    ... )
    >>> error_of_pair(board, study(board))
    PairError(value=0.024, degrees_of_freedom=18.0)
    """
    check_instance(inputs, "inputs", BoardInputs)
    return pair_error_of(inputs, check_instance(findings, "findings", Findings).verdict.evidence)


def pair_error_of(inputs: BoardInputs, evidence: Evidence) -> PairError | None:
    n_topics = n_averaged(inputs)
    if not evidence.variance_of_set or evidence.degrees_of_freedom is None or n_topics is None:
        return None
    if why_no_set_from_means(inputs, evidence):
        return None
    return PairError(sqrt(2 * evidence.variance_of_set / n_topics), evidence.degrees_of_freedom)


def planned_pairs(
    differences: Sequence[float], errors: Sequence[PairError], n_comparisons: int | None = None
) -> tuple[PlannedPair, ...]:
    """Return which of some pairs of systems, named before their scores were seen, can be told apart by their means.

    Parameters
    ----------
    differences : sequence of float
        Of the two means of each pair, in either direction.
    errors : sequence of PairError
        Of each pair; they may be of several boards.
    n_comparisons : int, optional
        How many were made, where these are some of them. For pairs that were picked because of their scores, as the
        best of a list with the others, all pairs among which they were picked. Default: their number.

    Returns
    -------
    tuple of PlannedPair
        In the order given.

    Raises
    ------
    ArgumentError
        If a difference is not finite, an error is missing, or more pairs are given than were compared.

    Notes
    -----
    Student's t with the error of an average pair, at the level of the verdict, by Holm's step-down rule: the most
    significant pair is judged as one of all, the next as one of the remaining ones, until one is not told apart. The
    margin of every pair from there on is that of the level at which it ended.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> error = PairError(value=0.0253, degrees_of_freedom=10.0)
    >>> [round(pair.margin, 3) for pair in planned_pairs([0.085], [error])]
    [0.056]
    >>> [(round(pair.margin, 3), pair.is_told_apart) for pair in planned_pairs([0.085, 0.06, 0.01], [error] * 3)]
    [(0.073, True), (0.067, False), (0.067, False)]
    """
    values = np.abs(check_vector(differences, "differences", minimum=0))
    errors = check_instances(errors, "errors", PairError) if values.size or errors else ()
    if not values.size and not errors:
        return ()
    if len(errors) != values.size:
        raise ArgumentError("errors", errors, f"must be {values.size} PairErrors, one for each difference")
    level, scales = 1 - METHODS.confidence_level, np.array([error.value for error in errors])
    degrees = np.array([error.degrees_of_freedom for error in errors])
    pvalues = np.clip(2 * stdtr(degrees, -values / scales), SMALLEST_PVALUE, 1.0)
    adjusted = adjust_pvalues(pvalues, n_comparisons=n_comparisons)
    is_apart = adjusted <= level
    # Those that are not told apart are all judged where the first of them is.
    places = np.minimum(np.argsort(np.argsort(pvalues, kind="stable")), is_apart.sum())
    margins = -scales * stdtrit(degrees, level / 2 / np.maximum((n_comparisons or values.size) - places, 1))
    return tuple(map(PlannedPair, adjusted.tolist(), margins.tolist(), is_apart.tolist()))


def rank_ranges(inputs: BoardInputs, findings: Findings) -> dict[int, RankRange]:
    """Return the range of each row's true rank, by id: rows better or worse than it by the margin stay so.

    Parameters
    ----------
    inputs : BoardInputs
    findings : Findings
        Of these inputs.

    Returns
    -------
    dict of int to RankRange
        One for each row that is ranked: of the verdict's view, and not held back; empty where there is no margin or no
        set.

    Raises
    ------
    ArgumentError
        If an argument is of another kind.

    Notes
    -----
    Rank 1 is in the range exactly of the members of the verdict's set, where all may be best. By means each end is the
    one-sided bound of the comparisons of this row with all others (Hsu 1984); it is for one row that is named
    beforehand, not for all of them at once.

    References
    ----------
    J. C. Hsu (1984), doi:10.1214/aos/1176346732.

    Examples
    --------
    >>> from analysis.boards import BoardRow, KnownVariance, MeasureFacts, study
    >>> scores = [0.2, 0.23, 0.24, 0.25, 0.31]
    >>> rows = [BoardRow(id=n, system=f"run {n}", printed=f"{v}", value=v) for n, v in enumerate(scores)]
    >>> variance = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=980.0, sources=("its runs",))
    >>> board = BoardInputs(
    ...     collection="x", measure=MeasureFacts(name="AP"), rows=tuple(rows), n_topics=50, variances=(variance,)
    ... )
    >>> ranges = rank_ranges(board, study(board))
    >>> ranges[0], ranges[4]
    (RankRange(low=2, high=5), RankRange(low=1, high=1))
    """
    margin, best = margin_of_means(inputs, findings), findings.verdict.shown.set
    if margin is None or best is None:
        return {}
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    ranked, members = {distance.result for distance in best.distances}, set(best.members)
    values = {row: sign * value for row, value in _competing(inputs, findings).items() if row in ranked}
    ordered = sorted(values.values())
    ranges = {}
    for row, value in values.items():
        low = 1 if row in members else max(2, 1 + len(ordered) - bisect_right(ordered, value + margin))
        high = len(ordered) - bisect_left(ordered, value - margin)
        ranges[row] = RankRange(low=low, high=max(low, high))
    return ranges


def _competing(inputs: BoardInputs, findings: Findings) -> dict[int, float]:
    """Return the scores that rows compete with, by id: of several executions of a system their mean, under the
    first."""
    competing = {row for family in findings.families for row in family.results}
    return {row: mean for row, mean in inputs.means.items() if row in competing}


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
    """Return the best beside each other row, picked by its score: as some of all pairs (Holm)."""
    best, *others = rows
    sign = 1.0 if higher_is_better else -1.0
    behind = [sign * (best.value - other.value) for other in others]
    pairs = planned_pairs(behind, errors, len(rows) * len(others) // 2)
    return tuple(
        Distance(result=other.id, behind=distance, margin=pair.margin, rival=best.id)
        for other, distance, pair in zip(others, behind, pairs, strict=True)
    )


def _own_errors(competitors: Competitors) -> list[PairError] | None:
    """Return the error of the best's difference from each other row, by their own topic scores; None where all are
    alike."""
    assert competitors.matrix is not None
    rows = [str(row.id) for row in competitors.contending]
    if len(rows) < 2:
        return None
    columns, n = independent_scores(competitors.matrix.select(rows), competitors.topic_groups)
    of_rows = np.cov(columns.scores)
    variances = np.add.outer(of_rows.diagonal(), of_rows.diagonal()) - 2.0 * of_rows
    least = _FLOOR * float(np.median(variances[np.triu_indices(len(rows), 1)]))
    if least <= 0.0:
        return None
    return [PairError(float(np.sqrt(max(v, least) / columns.n_topics)), n - 1.0) for v in variances[0, 1:]]
