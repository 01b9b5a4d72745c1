"""The best score without the luck of coming first, and how much of it the topics leave open."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from analysis._validation import (
    check_count,
    check_in_range,
    check_instance,
    check_labels,
    check_nonnegative,
    check_positive,
    check_probability,
    check_vector,
)
from analysis.best._contrasts import MIN_TOPICS_FOR_BADGE, contender_mask, find_best
from analysis.best._luck import Field, HiddenTries, Luck, WhyNotCorrected
from analysis.best._winner import MatrixWinner, find_winner
from analysis.errors import ArgumentError
from analysis.reliability import family_weighted_variance
from analysis.reliability._families import check_families
from analysis.results import Interval, Result
from analysis.scores import MeasureKind, ScoreMatrix
from analysis.scores._matrix import independent_scores

#: How much wider than the variance says the interval is at least, where that is no variance of the scores at hand.
LEAST_WIDENING = 1.2
_MOST_DEGREES = 60.0


class WhyNoInterval(StrEnum):
    """A reason for giving no interval for topics that are harder or easier on average."""

    #: There is no corrected score either.
    NOT_CORRECTED = "not-corrected"
    #: The measure takes few values on a topic, with a ceiling: :attr:`analysis.scores.MeasureKind.is_coarse`.
    COARSE_MEASURE = "coarse-measure"
    #: The winner has the same score on every topic.
    CONSTANT_SCORES = "constant-scores"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedMean(Result):
    """The best published mean, without the luck of coming first."""

    index: Annotated[int, "Index into ``means`` of the best contender; the first of them if several are equal."]
    n_tied: Annotated[int, "Number of contenders that share its score."]
    raw: Annotated[float, "Its published score."]
    estimate: Annotated[float | None, "``raw`` less the luck; None where nothing tells how much that is."]
    luck: Annotated[Luck | None, "None likewise."]
    half_width: Annotated[float | None, "What the topics leave open to either side, None likewise."]
    interval: Annotated[Interval | None, "For other topics, as hard on average as these; None likewise."]
    why_not_corrected: Annotated[WhyNotCorrected | None, "Why there is no estimate."]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRun(Result):
    """The mean of the best run, without the luck of coming first."""

    system: Annotated[str, "The run with the best mean; of several the first by name."]
    tied: Annotated[tuple[str, ...], "Other runs with the same mean."]
    raw: Annotated[float, "Its mean score."]
    estimate: Annotated[float | None, "``raw`` less the luck; None where nothing tells how much that is."]
    luck: Annotated[Luck | None, "None likewise."]
    half_width: Annotated[float | None, "What the topics leave open to either side, None likewise."]
    interval: Annotated[Interval | None, "For other topics, as hard on average as these; None likewise."]
    why_not_corrected: Annotated[WhyNotCorrected | None, "Why there is no estimate."]
    interval_other_topics: Annotated[Interval | None, "For other topics, however hard these are on average."]
    why_no_interval: Annotated[WhyNoInterval | None, "Why ``interval_other_topics`` is None."]
    residual_variance: Annotated[float | None, "Variance of a score beyond system and topic, behind the luck."]


def corrected_best_from_means(
    means: ArrayLike,
    *,
    error_variance: float,
    degrees_of_freedom: float,
    families: Sequence[str] | None = None,
    n_in_set: int | None = None,
    interval_variance: float | None = None,
    margin: float | None = None,
    value_range: tuple[float, float] | None = None,
    tries: HiddenTries | None = None,
    contenders: ArrayLike | None = None,
    confidence_level: float = 0.95,
    higher_is_better: bool = True,
) -> CorrectedMean:
    """Return the best published score without the luck of coming first, with what the topics leave open.

    Parameters
    ----------
    means : array_like of float, shape (n_results,)
        Mean score of every result, in the unit of the measure; one is enough.
    error_variance : float
        Variance of a mean beyond what all systems share, 0 or more, in squared units of the measure: the residual
        variance of a score divided by the number of topics.
    degrees_of_freedom : float
        How surely it is known, above 0.
    families : sequence of str, optional
        The family of each result (team, paper, model with its variants), in the order of ``means``; each counts once.
        Default: each result is a family of its own.
    n_in_set : int, optional
        How many results may be the best. Default: all that compete.
    interval_variance : float, optional
        The error variance that the interval takes. Default: 1.2 times ``error_variance``.
    margin : float, optional
        How far behind the best a result may be and still be the best: the interval never reaches below that.
    value_range : pair of float, optional
        Lowest and highest score that the measure can give: the interval stays within.
    tries : HiddenTries, optional
        What is supposed of tries that nobody listed. Default: there were none.
    contenders : array_like of bool, shape (n_results,), optional
        Who competes; the others are left out. Default: all.
    confidence_level : float, default 0.95
        Of the interval.
    higher_is_better : bool, default True

    Returns
    -------
    CorrectedMean

    Raises
    ------
    ArgumentError
        If an argument is out of range, not finite or of another shape.

    Notes
    -----
    The lead over the mean of the families is shrunk by James and Stein's factor, by no more than sqrt(v) E_s, with
    E_s the expected maximum of s standard normals, s results in the set and v the error variance. The interval is the
    estimate ± t sqrt(interval variance): for other topics that are as hard on average as these, as what topics do to
    all results alike is left out. With fewer than 5 results, or results of fewer than 3 families, there is no estimate.
    ``tries`` take more off besides. Formulas: ``docs/methods/corrected-best.md``.

    References
    ----------
    Efron & Morris (1973), "Stein's estimation rule and its competitors", JASA 68, doi:10.1080/01621459.1973.10481350.

    Examples
    --------
    >>> corrected = corrected_best_from_means(
    ...     [0.303, 0.301, 0.281, 0.245, 0.239, 0.238],
    ...     families=list("aabcdd"),
    ...     error_variance=0.012 / 50,
    ...     degrees_of_freedom=18,
    ...     n_in_set=5,
    ... )
    >>> round(corrected.estimate, 4), round(corrected.half_width, 4), corrected.luck.bound
    (0.2979, 0.0357, 'shrinkage')
    """
    values = check_vector(means, "means")
    mask = contender_mask(contenders, values.size)
    variance = check_nonnegative(error_variance, "error_variance")
    of_interval = LEAST_WIDENING * variance if interval_variance is None else interval_variance
    check_nonnegative(of_interval, "interval_variance")
    level = check_probability(confidence_level, "confidence_level")
    df = check_positive(degrees_of_freedom, "degrees_of_freedom")
    index, n_tied = find_best(values, mask, higher_is_better)
    labels = None if families is None else check_labels(families, "families", values.size)
    competing = np.flatnonzero(mask)
    n_members = _check_members(n_in_set, competing.size)
    limits = check_in_range(np.empty(0), "value_range", value_range)
    reach = np.inf if margin is None else check_positive(margin, "margin")
    tries = HiddenTries() if tries is None else check_instance(tries, "tries", HiddenTries)
    sign = 1.0 if higher_is_better else -1.0
    scores = Field.of(sign * values[competing], None if labels is None else [labels[row] for row in competing])
    luck, why = scores.luck(variance, df, n_members, tries, sign)
    raw = float(values[index])
    estimate = half = interval = None
    if luck is not None:
        estimate = raw - sign * luck.amount
        half = _half_width(of_interval * tries.variance_left, df, level)
        floor = sign * raw - reach - luck.of_tries
        interval = _interval(sign * estimate, half, floor, sign, level, limits)
    return CorrectedMean(
        index=index,
        n_tied=n_tied,
        raw=raw,
        estimate=estimate,
        luck=luck,
        half_width=half,
        interval=interval,
        why_not_corrected=why,
    )


def corrected_best(
    matrix: ScoreMatrix,
    *,
    kind: MeasureKind,
    families: Sequence[str] | None = None,
    n_in_set: int | None = None,
    topic_groups: Sequence[str] | None = None,
    residual_variance: float | None = None,
    value_range: tuple[float, float] | None = None,
    tries: HiddenTries | None = None,
    confidence_level: float = 0.95,
    higher_is_better: bool = True,
) -> CorrectedRun:
    """Return the mean of the best run without the luck of coming first, with what the topics leave open.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics.
    kind : MeasureKind
        Of the measure (:func:`analysis.scores.measure_nature`): coarse ones get no interval for other topics.
    families : sequence of str, optional
        The family of each system, in the order of the matrix. Default: each is a family of its own.
    n_in_set : int, optional
        How many systems may be the best. Default: all.
    topic_groups : sequence of str, optional
        The group of each topic, in the order of the matrix, where topics come in groups
        (turns of a conversation, wordings of one need). Then groups count in place of topics in every limit.
    residual_variance : float, optional
        Variance of a score beyond system and topic, 0 or more, in squared units of the measure. Default: that of the
        matrix, each pair of families weighing the same (:func:`analysis.reliability.family_weighted_variance`).
    value_range, tries
        As for :func:`corrected_best_from_means`.
    confidence_level : float, default 0.95
        Between 0 and 1.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    CorrectedRun

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems, labels of families don't fit, or a number is out of range.

    Warns
    -----
    DegenerateWarning
        If all scores of the best run are equal, or the residual variance of the matrix is 0.

    Notes
    -----
    The estimate is that of :func:`corrected_best_from_means`, with min((n - 1)(k - 1), 60) degrees of freedom. Its half
    width is the larger of t sqrt(s2 / n) and of t sd / sqrt(n), sd that of the best run's distance from the mean of all
    families over the topics. The interval for other topics, however hard these are, is estimate ± t s, s the standard
    error of the best run's mean over topics: none for coarse measures, or if all scores of the best run are equal.

    References
    ----------
    Efron & Morris (1973), "Stein's estimation rule and its competitors", JASA 68, doi:10.1080/01621459.1973.10481350.

    Examples
    --------
    >>> scores = np.random.default_rng(1).normal(0.4, 0.1, (20, 50))
    >>> matrix = ScoreMatrix(list("abcdefghijklmnopqrst"), [str(topic) for topic in range(50)], scores)
    >>> corrected = corrected_best(matrix, kind=MeasureKind.MANY_VALUED)
    >>> corrected.system, round(corrected.raw, 3), round(corrected.estimate, 3), round(corrected.half_width, 3)
    ('r', 0.428, 0.403, 0.031)
    """
    level = check_probability(confidence_level, "confidence_level")
    limits = check_in_range(np.empty(0), "value_range", value_range)
    is_coarse = check_instance(kind, "kind", MeasureKind).is_coarse
    if residual_variance is not None:
        check_nonnegative(residual_variance, "residual_variance")
    columns, n_independent = independent_scores(matrix, topic_groups)
    winner = find_winner(columns, higher_is_better)
    labels = check_families(families, matrix)
    n, k = matrix.n_topics, matrix.n_systems
    variance = residual_variance
    if variance is None and len(set(labels)) > 1:
        variance = family_weighted_variance(columns, labels) * n / columns.n_topics
    of_mean, df = (variance or 0.0) / n, min((n_independent - 1.0) * (k - 1), _MOST_DEGREES)
    tries = HiddenTries() if tries is None else check_instance(tries, "tries", HiddenTries)
    means, n_members = Field.of(winner.means, labels), _check_members(n_in_set, k)
    luck: Luck | None = None
    why: WhyNotCorrected | None = WhyNotCorrected.TOO_FEW_TOPICS
    if n_independent >= MIN_TOPICS_FOR_BADGE:
        luck, why = means.luck(of_mean, df, n_members, tries, winner.sign)
    estimate = half = interval = None
    if luck is not None:
        estimate = winner.mean - luck.amount
        ahead = winner.scores[winner.row] - means.weights @ winner.scores
        left = tries.variance_left
        of_leader = float(ahead.var(ddof=1)) * left / columns.n_topics
        half = max(_half_width(of_mean * left, df, level), _half_width(of_leader, n_independent - 1.0, level))
        interval = _interval(estimate, half, -np.inf, winner.sign, level, limits)
    other_topics, why_no_interval = _interval_other_topics(winner, estimate, is_coarse, level, n_independent)
    return CorrectedRun(
        system=winner.system,
        tied=winner.tied,
        raw=winner.sign * winner.mean,
        estimate=None if estimate is None else winner.sign * estimate,
        luck=luck,
        half_width=half,
        interval=interval,
        why_not_corrected=why,
        interval_other_topics=other_topics,
        why_no_interval=why_no_interval,
        residual_variance=variance,
    )


def _check_members(n_in_set: int | None, n_competing: int) -> int:
    if n_in_set is None:
        return n_competing
    if check_count(n_in_set, "n_in_set") > n_competing:
        raise ArgumentError("n_in_set", n_in_set, f"must be no more than the {n_competing} that compete")
    return n_in_set


def _half_width(variance: float, degrees_of_freedom: float, level: float) -> float:
    return float(stdtrit(degrees_of_freedom, (1.0 + level) / 2.0) * np.sqrt(variance))


def _interval(
    estimate: float, half: float, floor: float, sign: float, level: float, limits: tuple[float, float] | None
) -> Interval:
    """Return the interval around an oriented estimate, in the direction of the measure and within its range."""
    low, high = sorted(sign * end for end in (max(estimate - half, floor), estimate + half))
    if limits is not None:
        low, high = max(low, limits[0]), min(high, limits[1])
    return Interval(low, high, level)


def _interval_other_topics(
    winner: MatrixWinner, estimate: float | None, is_coarse: bool, level: float, n_independent: float
) -> tuple[Interval | None, WhyNoInterval | None]:
    if estimate is None:
        return None, WhyNoInterval.NOT_CORRECTED
    if is_coarse:
        return None, WhyNoInterval.COARSE_MEASURE
    if winner.standard_error == 0:
        return None, WhyNoInterval.CONSTANT_SCORES
    half = _half_width(winner.standard_error**2, n_independent - 1.0, level)
    return _interval(estimate, half, -np.inf, winner.sign, level, None), None
