"""From which distance on two rows of a board can be told apart by their means, and the ranks that each may have."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from math import sqrt

from scipy import stats

from analysis.best import best_set_from_errors
from analysis.boards._evidence import MIN_TOPICS_FOR_MEANS
from analysis.boards._findings import Findings
from analysis.boards._inputs import BoardInputs
from analysis.boards._methods import METHODS
from analysis.errors import ArgumentError

__all__ = ["RankRange", "margin_of_means", "rank_ranges"]


@dataclass(frozen=True, slots=True)
class RankRange:
    """The ranks that a row may truly have among those that compete.

    Attributes
    ----------
    low, high : int
        The best and the worst, from 1; each of the two holds with the confidence of the verdict.
    """

    low: int
    high: int


def margin_of_means(inputs: BoardInputs, findings: Findings) -> float | None:
    """From which distance on two rows of a board can be told apart by their means.

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
    _check(inputs, findings)
    evidence = findings.verdict.evidence
    n_topics = inputs.n_topics or inputs.n_topics_at_least
    if evidence.residual_variance is None or evidence.degrees_of_freedom is None or n_topics is None:
        return None
    if n_topics < MIN_TOPICS_FOR_MEANS or evidence.residual_variance == 0:
        return None
    error = evidence.residual_variance / n_topics
    level, df = METHODS.confidence_level, evidence.degrees_of_freedom
    pair = float(stats.t.ppf((1 + level) / 2, df)) * sqrt(2 * error)
    found = findings.verdict.set.margin if findings.verdict.set else None
    values = _competing(inputs, findings)
    if found is None and len(values) > 1:
        found = best_set_from_errors(
            list(values.values()),
            error_variance=error,
            degrees_of_freedom=df,
            confidence_level=level,
            higher_is_better=inputs.measure.higher_is_better,
        ).margin
    return max(pair, found or 0.0)


def rank_ranges(inputs: BoardInputs, findings: Findings) -> dict[int, RankRange]:
    """The ranks that each row may truly have, by id: none of a row better than it by the margin may be behind it.

    Parameters
    ----------
    inputs : BoardInputs
    findings : Findings
        Of these inputs.

    Returns
    -------
    dict of int to RankRange
        One for each row that competes; empty where there is no margin or no set.

    Raises
    ------
    ArgumentError
        If an argument is of another kind.

    Notes
    -----
    Rank 1 is in the range exactly of the members of the verdict's set, whatever it rests on. By means each end is the
    one-sided bound of the comparisons of this row with all others (Hsu 1984); it is for one row that is named
    beforehand, not for all of them at once.

    References
    ----------
    J. C. Hsu (1984), doi:10.1214/aos/1176346732.

    Examples
    --------
    >>> from analysis.boards import BoardRow, KnownVariance, MeasureFacts, study
    >>> rows = [BoardRow(id=n, system=f"run {n}", printed=f"{v}", value=v) for n, v in enumerate([0.2, 0.23, 0.31])]
    >>> variance = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=980.0, sources=("its runs",))
    >>> board = BoardInputs(
    ...     collection="x", measure=MeasureFacts(name="AP"), rows=tuple(rows), n_topics=50, variances=(variance,)
    ... )
    >>> rank_ranges(board, study(board))
    {0: RankRange(low=2, high=3), 1: RankRange(low=2, high=3), 2: RankRange(low=1, high=1)}
    """
    margin, best = margin_of_means(inputs, findings), findings.verdict.set
    if margin is None or best is None:
        return {}
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    values = {row: sign * value for row, value in _competing(inputs, findings).items()}
    ordered, members = sorted(values.values()), set(best.members)
    found = {}
    for row, value in values.items():
        low = 1 + len(ordered) - bisect_right(ordered, value + margin)
        high = len(ordered) - bisect_left(ordered, value - margin)
        low = 1 if row in members else max(low, 2)
        found[row] = RankRange(low=low, high=max(low, high))
    return found


def _competing(inputs: BoardInputs, findings: Findings) -> dict[int, float]:
    competing = {row for family in findings.families for row in family.results}
    return {row.id: row.value for row in inputs.rows if row.id in competing}


def _check(inputs: BoardInputs, findings: Findings) -> None:
    if not isinstance(inputs, BoardInputs):
        raise ArgumentError("inputs", inputs, "must be BoardInputs")
    if not isinstance(findings, Findings):
        raise ArgumentError("findings", findings, "must be Findings")
