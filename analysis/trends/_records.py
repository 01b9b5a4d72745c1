"""Are new best results set more often than chance would set them, and further than luck would?"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from analysis._validation import FloatArray, check_direction, check_positive, check_probability, check_vectors
from analysis.best import gupta_constant
from analysis.comparisons._difference_tests import SMALLEST_PVALUE
from analysis.results import Result

#: No history sets this many records by chance: with a million results their expected number is 14.4.
_MOST_RECORDS = 200


@dataclass(frozen=True, slots=True)
class RecordsTest(Result):
    """Number of results that beat all earlier ones, against what exchangeable results would give."""

    n_results: Annotated[int, "Number of results."]
    n_records: Annotated[int, "Results above all earlier ones, the first included, in the order given."]
    fewest: Annotated[int, "The numbers that other orders of simultaneous results could give."]
    most: Annotated[int, "The numbers that other orders of simultaneous results could give."]
    expected: Annotated[float, "Mean and sd of the number of records among exchangeable results."]
    standard_deviation: Annotated[float, "Mean and sd of the number of records among exchangeable results."]
    pvalue_more: Annotated[float, "Probability of at least ``n_records`` among exchangeable results, in (0, 1]."]
    pvalue_fewer: Annotated[float, "Probability of at most ``n_records`` among exchangeable results, in (0, 1]."]
    record_positions: Annotated[tuple[int, ...], "Positions in the input of the records, in time order."]


def records_test(times: ArrayLike, values: ArrayLike, *, higher_is_better: bool = True) -> RecordsTest:
    """Return the number of records in a history of results, and how it compares with chance.

    Parameters
    ----------
    times : array_like of float, shape (n_results,)
        Date of each result in years, or as another number. Simultaneous results keep the order in which they are given;
        ``fewest`` and ``most`` say how much that matters.
    values : array_like of float, shape (n_results,)
        Scores in the unit of the measure, at least two.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    RecordsTest

    Raises
    ------
    ArgumentError
        If the lengths differ, there are fewer than two results or a number is not finite.

    Notes
    -----
    If results came in random order, the i-th would be a record with probability 1/i, independently of the others:
    the mean number is sum 1/i, the variance sum (1/i - 1/i²), and the distribution is exact whatever that of the
    scores, whatever the unit, and without any standard error. Progress makes more records, a field that only
    redoes what was known makes no more. Equal scores make no record, so that rounding makes them slightly rarer.

    References
    ----------
    Glick (1978), "Breaking records and breaking boards", American Mathematical Monthly 85, 2-26.
    """
    moments, scores = check_vectors(times, values, ("times", "values"), minimum=2)
    scores = check_direction(higher_is_better) * scores
    order = np.argsort(moments, kind="stable")
    positions = tuple(int(order[place]) for place in _record_places(scores[order]))
    # Within one time: best first gives the fewest records, worst first the most.
    fewest = len(_record_places(scores[np.lexsort((-scores, moments))]))
    most = len(_record_places(scores[np.lexsort((scores, moments))]))
    inverse = 1.0 / np.arange(1, scores.size + 1)
    chances = _record_distribution(scores.size)
    count = len(positions)
    return RecordsTest(
        n_results=scores.size,
        n_records=count,
        fewest=fewest,
        most=most,
        expected=float(inverse.sum()),
        standard_deviation=float(np.sqrt((inverse - inverse**2).sum())),
        pvalue_more=_probability(chances[count:]),
        pvalue_fewer=_probability(chances[: count + 1]),
        record_positions=positions,
    )


@dataclass(frozen=True, slots=True)
class LuckyBest(Result):
    """Best results so far, and how far luck alone would have brought them."""

    times: Annotated[tuple[float, ...], "Times with results, ascending, shape (n_times,)."]
    best: Annotated[tuple[float, ...], "Best so far at each time, shape (n_times,)."]
    by_luck: Annotated[tuple[float, ...], "Bounds of luck at each time, shape (n_times,); the first is the best."]
    n_later: Annotated[int, "Results after the first time."]
    is_beyond: Annotated[bool, "Whether the last best is better than luck alone explains."]


def best_against_luck(
    times: ArrayLike,
    values: ArrayLike,
    *,
    error: float,
    degrees_of_freedom: float | None = None,
    confidence_level: float = 0.95,
    higher_is_better: bool = True,
) -> LuckyBest:
    """Return the best so far at each time, and how far equally good tries would have brought it by luck.

    Parameters
    ----------
    times : array_like of float, shape (n_results,)
        Date of each result in years, or as another number.
    values : array_like of float, shape (n_results,)
        Scores in the unit of the measure, at least one.
    error : float
        Standard error of the difference of two systems, above 0.
    degrees_of_freedom : float, optional
        Of that error. Default: it is known.
    confidence_level : float, default 0.95
        Probability that luck alone stays within, between 0 and 1; for each time by itself.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    LuckyBest

    Raises
    ------
    ArgumentError
        If the lengths differ, a number is not finite, or error, degrees of freedom or level is out of range.

    Notes
    -----
    Suppose that no later result is of a better system than the best of the first time. Then the best so far beats that
    by more than Gupta's constant for all later results and itself, times the error, with at most 1 - level
    probability: exactly that where all are equally good and the first time has one result, less where it is the best of
    several, or later systems are worse. Results that nobody published would widen it.

    References
    ----------
    Gupta (1965), doi:10.1080/00401706.1965.10490251.

    Examples
    --------
    >>> history = best_against_luck([2019, 2020, 2020, 2021], [0.30, 0.31, 0.25, 0.36], error=0.01)
    >>> [round(bound, 4) for bound in history.by_luck], history.is_beyond
    ([0.3, 0.3192, 0.3206], True)
    """
    moments, scores = check_vectors(times, values, ("times", "values"))
    check_positive(error, "error")
    check_probability(confidence_level, "confidence_level")
    sign = check_direction(higher_is_better)
    order = np.argsort(moments, kind="stable")
    ordered, ends = np.unique(moments[order], return_counts=True)
    last = np.cumsum(ends)
    best = np.maximum.accumulate(sign * scores[order])[last - 1]
    later = (last - last[0]).tolist()
    allowed = [gupta_constant(1 + n, confidence_level, degrees_of_freedom) * error if n else 0.0 for n in later]
    by_luck = best[0] + np.array(allowed)
    return LuckyBest(
        times=tuple(ordered.tolist()),
        best=tuple((sign * best).tolist()),
        by_luck=tuple((sign * by_luck).tolist()),
        n_later=later[-1],
        is_beyond=bool(best[-1] > by_luck[-1]),
    )


def _record_places(scores: FloatArray) -> list[int]:
    best_before = np.concatenate([[-np.inf], np.maximum.accumulate(scores)[:-1]])
    places: list[int] = np.flatnonzero(scores > best_before).tolist()
    return places


def _record_distribution(n_results: int) -> FloatArray:
    """Return probabilities of 0, 1, 2, … records among exchangeable results: a sum of independent Bernoulli(1/i)."""
    chances = np.zeros(min(n_results, _MOST_RECORDS) + 1)
    chances[0] = 1.0
    for number in range(1, n_results + 1):
        chances[1:] += (chances[:-1] - chances[1:]) / number
        chances[0] *= 1 - 1 / number
    return chances


def _probability(chances: FloatArray) -> float:
    return float(min(1.0, max(chances.sum(), SMALLEST_PVALUE)))
