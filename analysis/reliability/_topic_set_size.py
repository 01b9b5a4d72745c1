"""Topics that a comparison needs, differences that so many topics tell apart, and how far means over them move."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import chdtri, stdtrit

from analysis._validation import (
    check_choice,
    check_count,
    check_counts,
    check_flag,
    check_positive,
    check_probability,
    check_real,
    check_score_array,
    warn_without_variation,
)
from analysis.comparisons._studentized_range import rejection, studentized_range_ppf
from analysis.errors import ArgumentError
from analysis.results import Result

_SIDES = ("two-sided", "one-sided")
_MOST_TOPICS = 10_000_000


@dataclass(frozen=True, slots=True)
class TopicsNeeded(Result):
    """A number of topics, and what it achieves."""

    n_topics: Annotated[int, "Smallest number of topics with at least the power asked for."]
    power: Annotated[float, "Power at that number."]
    difference: Annotated[float, "True difference of means to be found."]
    difference_variance: Annotated[float, "Variance over topics of the difference of two systems."]
    confidence_level: Annotated[float, "Of each test, after Bonferroni's division by ``n_comparisons``."]
    n_comparisons: Annotated[int, "Comparisons that share the level."]
    alternative: Annotated[str, '"two-sided" or "one-sided". Of the t test.']


@dataclass(frozen=True, slots=True)
class ResolvableDifference(Result):
    """The smallest differences of means that a collection can tell from chance, in the unit of the measure."""

    significant: Annotated[float, "Observed difference from which on a single planned comparison is significant."]
    significant_in_family: Annotated[float, "The same if all pairs of systems are compared (Tukey's HSD)."]
    detectable: Annotated[float, "True difference that a single planned comparison finds with probability ``power``."]
    n_topics: Annotated[int, "Size of the collection's matrix."]
    n_systems: Annotated[int, "Size of the collection's matrix."]
    residual_variance: Annotated[float, "Residual mean square of systems x topics."]
    confidence_level: Annotated[float, "As asked for."]
    power: Annotated[float, "As asked for."]
    detectable_range: Annotated[
        tuple[float, float] | None, "``detectable`` in 9 of 10 cases, if it was said how surely the variance is known."
    ] = None


def topics_needed(
    difference: float,
    *,
    residual_variance: float | None = None,
    difference_variance: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
    n_comparisons: int = 1,
    alternative: str = "two-sided",
) -> TopicsNeeded:
    """Return the number of topics at which a paired t test finds a true difference with a given probability.

    Parameters
    ----------
    difference : float, not 0
        True difference of the mean scores, in the unit of the measure.
    residual_variance : float, above 0, optional
        Residual mean square of systems x topics; the difference of two systems has twice this variance. Typical
        square roots: AP .12, P@10 .20, RR .31, nDCG@20 .13.
    difference_variance : float, above 0, optional
        Variance over topics of the difference of the two systems, where it is known. One of both is needed.
    power : float in (0, 1), default 0.8
        Probability of a significant result.
    confidence_level : float in (0, 1), default 0.95
        1 minus the level of the test.
    n_comparisons : int, 1 or more, default 1
        Comparisons that share the level (Bonferroni).
    alternative : {"two-sided", "one-sided"}, default "two-sided"
        Of the test.

    Returns
    -------
    TopicsNeeded

    Raises
    ------
    ArgumentError
        If an argument is out of range, not exactly one variance is given, or more than ten million topics would be
        needed.

    Notes
    -----
    Exact power of the t test from the noncentral t distribution; assumes normal differences. Power is about the pair
    that truly differs so much: the variance of another pair may be another one.

    References
    ----------
    Cohen (1988), Statistical Power Analysis. Sakai (2016), doi:10.1007/s10791-015-9273-z.
    """
    if (residual_variance is None) == (difference_variance is None):
        raise ArgumentError("difference_variance", difference_variance, "must be given if residual_variance is not")
    size = abs(check_real(difference, "difference"))
    if size == 0:
        raise ArgumentError("difference", difference, "must not be 0")
    if residual_variance is not None:
        variance = 2 * check_positive(residual_variance, "residual_variance")
    else:
        variance = check_positive(difference_variance, "difference_variance")
    wanted, level = check_probability(power, "power"), check_probability(confidence_level, "confidence_level")
    check_choice(alternative, "alternative", _SIDES)
    level = 1 - (1 - level) / check_count(n_comparisons, "n_comparisons")
    effect = size / float(np.sqrt(variance))
    n_topics = _smallest_n(lambda n: _t_power(effect, n, level, alternative) >= wanted, difference)
    return TopicsNeeded(
        n_topics=n_topics,
        power=_t_power(effect, n_topics, level, alternative),
        difference=float(difference),
        difference_variance=variance,
        confidence_level=level,
        n_comparisons=n_comparisons,
        alternative=alternative,
    )


def smallest_resolvable_difference(
    residual_variance: float,
    n_topics: int,
    n_systems: int,
    *,
    confidence_level: float = 0.95,
    power: float = 0.8,
    variance_degrees_of_freedom: float | None = None,
) -> ResolvableDifference:
    """Return the smallest differences that a collection can tell from chance, one comparison at a time and all
    together.

    Parameters
    ----------
    residual_variance : float, above 0
        Residual mean square of systems x topics, from :func:`analysis.reliability.two_way_anova` or borrowed
        from like collections.
    n_topics : int, 2 or more
        Number of topics.
    n_systems : int, 2 or more
        Number of systems that are compared with each other.
    confidence_level : float in (0, 1), default 0.95
        1 minus the level of the tests.
    power : float in (0, 1), default 0.8
        For the true differences that are detectable.
    variance_degrees_of_freedom : float, above 0, optional
        How surely the variance is known: as one estimated with so many degrees of freedom. Gives
        ``detectable_range``.

    Returns
    -------
    ResolvableDifference

    Raises
    ------
    ArgumentError
        If an argument is out of range.

    Notes
    -----
    An average statement: it takes the differences of all pairs to vary alike. Degrees of freedom are
    (n_topics - 1)(n_systems - 1).

    References
    ----------
    Sakai (2016), doi:10.1007/s10791-015-9273-z. Tague-Sutcliffe & Blustein (1995), NIST SP 500-225.
    """
    variance = check_positive(residual_variance, "residual_variance")
    n = check_count(n_topics, "n_topics", minimum=2)
    k = check_count(n_systems, "n_systems", minimum=2)
    level, wanted = check_probability(confidence_level, "confidence_level"), check_probability(power, "power")
    df = (n - 1) * (k - 1)
    error = float(np.sqrt(2 * variance / n))
    single = float(-stdtrit(df, (1 - level) / 2))
    family = studentized_range_ppf(level, k, df) / float(np.sqrt(2))
    detectable, known = _detectable(single, df, wanted) * error, None
    if variance_degrees_of_freedom is not None:
        own = check_positive(variance_degrees_of_freedom, "variance_degrees_of_freedom")
        low, high = np.sqrt(own / chdtri(own, np.array([0.05, 0.95]))).tolist()
        known = (low * detectable, high * detectable)
    return ResolvableDifference(
        significant=single * error,
        significant_in_family=family * error,
        detectable=detectable,
        n_topics=n,
        n_systems=k,
        residual_variance=variance,
        confidence_level=level,
        power=wanted,
        detectable_range=known,
    )


def _t_power(effect: float, n_topics: int, level: float, alternative: str) -> float:
    """Return the power of the t test for a standardized difference above 0."""
    df = n_topics - 1
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    return min(1.0, rejection(float(-stdtrit(df, tail)), df, effect * float(np.sqrt(n_topics)), alternative))


def _detectable(critical: float, df: int, power: float) -> float:
    """Return the difference in standard errors at which |T| exceeds its critical value with probability ``power``."""
    if rejection(critical, df, 0.0) >= power:
        return 0.0
    high = critical + 50.0
    while rejection(critical, df, high) < power:  # with one degree of freedom the sd may be far above the true one
        high *= 2.0
    return float(brentq(lambda shift: rejection(critical, df, shift) - power, 0.0, high, xtol=1e-10))


def _smallest_n(enough: Callable[[int], bool], difference: float) -> int:
    """Return the smallest number of topics, 2 or more, that is enough, where more is never worse."""
    high = 2
    while not enough(high):
        high *= 2
        if high > _MOST_TOPICS:
            raise ArgumentError(
                "difference", difference, f"must be large enough to need no more than {_MOST_TOPICS} topics"
            )
    low = high // 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


@dataclass(frozen=True, slots=True)
class PrecisionAtSize(Result):
    """The variation of a mean over so many topics."""

    n_topics: Annotated[int, "Size of the topic set."]
    sd: Annotated[float, "Standard deviation of one system's mean over topic sets of that size, averaged over systems."]


def precision_of_means(
    scores: ArrayLike, sizes: Sequence[int], *, replacement: bool = True
) -> tuple[PrecisionAtSize, ...]:
    """Return the standard deviation of a system's mean score between random topic sets of several sizes.

    Parameters
    ----------
    scores : array_like of float, shape (n_systems, n_topics)
        In the unit of the measure; at least one system and two topics.
    sizes : sequence of int, 1 or more
        Sizes of the topic sets; without replacement at most n_topics.
    replacement : bool, default True
        True for topic sets from the population that the topics stand for; False for subsets of these very topics,
        whose means agree ever more, and exactly in the end.

    Returns
    -------
    tuple of PrecisionAtSize
        One for each size.

    Raises
    ------
    ArgumentError
        If a size is out of range.

    Warns
    -----
    DegenerateWarning
        If no system's score varies over topics.

    Notes
    -----
    In closed form, sd / sqrt(size) (without replacement times sqrt(1 - size / n_topics)); the paper drew ten samples
    of each size from about 400 topics instead. This is the precision of one system's mean. The difference of two
    systems on the same topics varies less, as topics are hard or easy for both.

    References
    ----------
    Sanderson & Zobel (2005), doi:10.1145/1076034.1076064, section 5: .056 at 5 topics, .025 at 25, below .01 from
    150 to 200 topics.
    """
    array = check_score_array(scores)
    checked = check_counts(sizes, "sizes")
    n_topics = array.shape[1]
    if not check_flag(replacement, "replacement") and max(checked) > n_topics:
        raise ArgumentError("sizes", sizes, f"must be of at most {n_topics} topics")
    warn_without_variation(array)
    topic_sd = float(array.std(axis=1, ddof=1).mean())
    shares = [0.0 if replacement else size / n_topics for size in checked]
    sds = [float(topic_sd * np.sqrt((1 - share) / size)) for size, share in zip(checked, shares, strict=True)]
    return tuple(map(PrecisionAtSize, checked, sds))
