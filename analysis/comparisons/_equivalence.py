"""Are two systems as good as each other, or is one not worse, within a margin that was declared beforehand?

For differences that come with a standard error and degrees of freedom, such as those between non-deterministic
algorithms, and for posterior intervals. Two score vectors: see :func:`analysis.comparisons.equivalence_test`.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol

from scipy.special import stdtr, stdtrit

from analysis._validation import (
    check_flag,
    check_instance,
    check_nonnegative,
    check_positive,
    check_probability,
    check_real,
)
from analysis.comparisons._difference_tests import SMALLEST_PVALUE
from analysis.errors import ArgumentError
from analysis.results import Interval, Result

Conclusion = Literal[
    "equivalent",
    "first higher beyond the margin",
    "second higher beyond the margin",
    "first not lower beyond the margin",
    "second not lower beyond the margin",
    "inconclusive",
]


class EstimatedDifference(Protocol):
    """A difference, first minus second, whose error follows a t distribution."""

    @property
    def estimate(self) -> float:
        """Return the estimated difference."""

    @property
    def standard_error(self) -> float:
        """Return its standard error."""

    @property
    def df(self) -> float:
        """Return degrees of freedom of the standard error."""


@dataclass(frozen=True, slots=True)
class EquivalenceOfDifference(Result):
    """Two one-sided t tests of whether a difference lies within a margin."""

    margin: Annotated[float, "Differences between -margin and +margin are of no consequence, in the measure's unit."]
    estimate: Annotated[float, "The difference, first minus second."]
    pvalue: Annotated[float, "The larger of the two one-sided p-values; small if equivalent."]
    pvalue_above_lower: Annotated[float, 'One-sided p-values of "above -margin" and of "below +margin".']
    pvalue_below_upper: Annotated[float, 'One-sided p-values of "above -margin" and of "below +margin".']
    interval: Annotated[Interval, "t interval at 1 - 2 (1 - confidence_level): inside the margin if ``equivalent``."]
    equivalent: Annotated[bool, "Whether both tests reject."]
    conclusion: Annotated[Conclusion, "What the interval allows to be said; one of :data:`Conclusion`."]


@dataclass(frozen=True, slots=True)
class Noninferiority(Result):
    """A one-sided t test of whether the first system is not worse than the second by the margin or more."""

    margin: Annotated[float, "Smallest loss that is of consequence, in the unit of the measure."]
    estimate: Annotated[float, "The difference, first minus second."]
    pvalue: Annotated[float, "Small if the first is not worse by the margin."]
    bound: Annotated[float, "One-sided confidence bound of the difference: the worst that the first system may be."]
    confidence_level: Annotated[float, "Level of the bound."]
    noninferior: Annotated[bool, "Whether the test rejects, which is whether the bound is inside the margin."]


@dataclass(frozen=True, slots=True)
class IntervalAgainstMargin(Result):
    """An interval set against a margin."""

    margin: Annotated[float, "Differences between -margin and +margin are without consequence."]
    interval: Annotated[Interval, "The interval of the difference, first minus second."]
    conclusion: Annotated[Conclusion, "One of :data:`Conclusion`."]


def equivalence_of_difference(
    difference: EstimatedDifference, *, margin: float, confidence_level: float = 0.95
) -> EquivalenceOfDifference:
    """Return two one-sided t tests (TOST) of whether a difference lies within a margin declared in advance.

    Parameters
    ----------
    difference : EstimatedDifference
        Anything with ``estimate``, ``standard_error`` (above 0) and ``df``, such as an
        :class:`analysis.instances.AlgorithmComparison`.
    margin : float, above 0
        Smallest difference that matters, in the unit of the measure; chosen before the scores were seen.
    confidence_level : float in (0.5, 1), default 0.95
        Each test is made at 1 - confidence_level; the interval that says the same has level
        1 - 2 (1 - confidence_level), 90 % by default.

    Returns
    -------
    EquivalenceOfDifference

    Raises
    ------
    ArgumentError
        If the margin is not above 0, the level .5 or less, or the difference has no standard error.

    Notes
    -----
    That a difference is not significant is no evidence of equivalence: with few topics nothing is significant. Here
    the null hypothesis is a difference of the margin or more, so that more topics and instances help whoever claims
    equivalence. A 95 % interval inside the margin, as in Jayasinghe et al., is this test at .025.

    References
    ----------
    Schuirmann (1987), doi:10.1007/BF01068419. Jayasinghe et al., SIGIR 2014, doi:10.1145/2600428.2609472, section 5.
    """
    check_positive(margin, "margin")
    level = one_sided_level(confidence_level)
    estimate, error, df = _checked(difference)
    return EquivalenceOfDifference(**two_one_sided_tests(estimate, error, df, margin, level))


def two_one_sided_tests(estimate: float, error: float, df: float, margin: float, level: float) -> dict[str, Any]:
    """Return the fields of :class:`EquivalenceOfDifference`, of checked arguments; without an error p is the
    smallest."""
    above, below = (
        max(float(stdtr(df, (side * estimate - margin) / error)), SMALLEST_PVALUE) if error else SMALLEST_PVALUE
        for side in (-1, 1)
    )
    half = float(stdtrit(df, level)) * error
    interval = Interval(estimate - half, estimate + half, round(2 * level - 1, 12))
    return {
        "margin": margin,
        "estimate": estimate,
        "pvalue": max(above, below),
        "pvalue_above_lower": above,
        "pvalue_below_upper": below,
        "interval": interval,
        "equivalent": -margin < interval.low and interval.high < margin,
        "conclusion": _conclusion(interval, margin),
    }


def noninferiority_of_difference(
    difference: EstimatedDifference, *, margin: float, confidence_level: float = 0.95, higher_is_better: bool = True
) -> Noninferiority:
    """Return a one-sided t test of whether the first system is not worse than the second by the margin or more.

    Parameters
    ----------
    difference : EstimatedDifference
        As in :func:`equivalence_of_difference`.
    margin : float, above 0
        Smallest loss that matters, in the unit of the measure; chosen before the scores were seen.
    confidence_level : float in (0.5, 1), default 0.95
        Level of the bound; the test is made at 1 - confidence_level.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    Noninferiority

    Raises
    ------
    ArgumentError
        As :func:`equivalence_of_difference`.

    References
    ----------
    Schuirmann (1987), doi:10.1007/BF01068419: one of its two one-sided tests.
    """
    check_positive(margin, "margin")
    level = one_sided_level(confidence_level)
    estimate, error, df = _checked(difference)
    gain = estimate if check_flag(higher_is_better, "higher_is_better") else -estimate
    bound = gain - float(stdtrit(df, level)) * error
    return Noninferiority(
        margin=margin,
        estimate=estimate,
        pvalue=max(float(stdtr(df, -(gain + margin) / error)), SMALLEST_PVALUE),
        bound=bound if higher_is_better else -bound,
        confidence_level=level,
        noninferior=bound > -margin,
    )


def interval_against_margin(interval: Interval, *, margin: float) -> IntervalAgainstMargin:
    """Return what an interval of a difference, such as a highest-posterior-density interval, says about a margin.

    Parameters
    ----------
    interval : Interval
        Interval of the difference, first minus second, with finite ends.
    margin : float, above 0
        Smallest difference that matters, in the unit of the measure.

    Returns
    -------
    IntervalAgainstMargin
        An end that touches the margin is not inside it.

    Raises
    ------
    ArgumentError
        If the margin is not above 0 or the interval is not finite or upside down.

    References
    ----------
    Jayasinghe et al., SIGIR 2014, doi:10.1145/2600428.2609472, section 5 and Figure 2.
    """
    check_positive(margin, "margin")
    check_instance(interval, "interval", Interval)
    if check_real(interval.low, "interval.low") > check_real(interval.high, "interval.high"):
        raise ArgumentError("interval", (interval.low, interval.high), "must have its low end below its high end")
    return IntervalAgainstMargin(margin=margin, interval=interval, conclusion=_conclusion(interval, margin))


def one_sided_level(confidence_level: float) -> float:
    """Return the level of a one-sided test, once it is one."""
    level = check_probability(confidence_level, "confidence_level")
    if level <= 0.5:
        raise ArgumentError("confidence_level", confidence_level, "must lie strictly between 0.5 and 1")
    return level


def _checked(difference: EstimatedDifference) -> tuple[float, float, float]:
    if not all(hasattr(difference, name) for name in ("estimate", "standard_error", "df")):
        raise ArgumentError("difference", difference, "must have estimate, standard_error and df")
    error = check_nonnegative(difference.standard_error, "difference.standard_error")
    if error == 0:
        raise ArgumentError(
            "difference.standard_error", error, "must be above 0: without variation there is nothing to test"
        )
    df = check_positive(difference.df, "difference.df")
    return check_real(difference.estimate, "difference.estimate"), error, df


def _conclusion(interval: Interval, margin: float) -> Conclusion:
    if -margin < interval.low and interval.high < margin:
        return "equivalent"
    if interval.low >= margin:
        return "first higher beyond the margin"
    if interval.high <= -margin:
        return "second higher beyond the margin"
    if interval.low > -margin:
        return "first not lower beyond the margin"
    if interval.high < margin:
        return "second not lower beyond the margin"
    return "inconclusive"
