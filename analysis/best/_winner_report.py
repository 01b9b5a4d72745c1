"""The best result without what it owes to having been picked: from scores by topic, and from published means.

From topics with an interval where that is honest; from means by James-Stein shrinkage alone.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from numpy.typing import ArrayLike

from analysis._resampling import RandomSource, as_generator
from analysis._validation import check_count, check_nonnegative, check_positive, check_probability, check_vector, warn
from analysis.best._contrasts import MIN_TOPICS_FOR_BADGE, contender_mask, find_best, mean_and_sd, warn_without_error
from analysis.best._selective_inference import winner_conditional, winner_hybrid, winner_projection
from analysis.best._winner import (
    WinnerEstimate,
    bootstrap_optimism,
    find_winner,
    james_stein_factor,
    shrinkage_of,
    shrunk_mean,
    winner_james_stein,
    winner_naive,
)
from analysis.errors import ArgumentError
from analysis.results import Interval, Result
from analysis.scores import ScoreMatrix, measure_nature

_WHY_NO_INTERVAL = (
    "published means do not show how much the topics vary: in simulations, 95 % intervals from borrowed variances "
    "held the true score in 75.6 to 97.8 % of cases"
)


@dataclass(frozen=True, slots=True)
class WinnerReport(Result):
    """The best result of a leaderboard, corrected for having been picked."""

    system: Annotated[str, "The run with the best mean; of several the first by name."]
    tied: Annotated[tuple[str, ...], "Other runs with the same mean."]
    measure_name: Annotated[str | None, "Measure as given."]
    n_systems: Annotated[int, "Size of the matrix."]
    n_topics: Annotated[int, "Size of the matrix."]
    raw_mean: Annotated[float, "The winner's mean as measured."]
    standard_error: Annotated[float, "Its standard error over topics."]
    estimate: Annotated[float, "The winner's mean corrected for having been picked."]
    interval: Annotated[Interval | None, "Interval for the winner's true mean."]
    method: Annotated[str, "Method of ``estimate`` and ``interval``."]
    why_no_interval: Annotated[str | None, "Why there is no interval."]
    shrinkage: Annotated[float, "Factor between 0 and 1 by which the winner's lead over the average was multiplied."]
    alternatives: Annotated[
        tuple[WinnerEstimate, ...], "Other methods, without intervals wherever ``interval`` is withheld."
    ]
    confidence_level: Annotated[float, "Of all intervals."]
    n_resamples: Annotated[int, "Draws behind the alternatives."]


def estimate_winner(
    matrix: ScoreMatrix,
    rng: RandomSource,
    *,
    measure_name: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    higher_is_better: bool = True,
) -> WinnerReport:
    """Return the winner's mean corrected for having been picked, with an interval where one can be trusted.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics.
    rng : numpy.random.Generator or int
        Source of randomness, or its seed. The leading estimate and interval don't depend on it, the alternatives do.
    measure_name : str, optional
        Measure in the spelling of ir-measures, for example "AP" or "RR@10". Needed for the guard described below.
    confidence_level : float, default 0.95
        Between 0 and 1.
    n_resamples : int, default 10_000
        Draws behind the alternatives; at least 10 / (1 - confidence_level).
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    WinnerReport
        James-Stein estimate and interval, and naive, bootstrap, hybrid, projection and conditional alternatives.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems or a number is out of range.

    Notes
    -----
    No interval is given

    - for RR, Success and measures cut off at rank 1 (:func:`analysis.scores.measure_nature`): they have few distinct
      values and a ceiling, the winner is near it, and its standard error is underestimated (coverage of the nominal
      95 % interval for RR: 0.84; of the alternatives 0.72 to 0.91);
    - on fewer than 25 topics, where no coverage has been established;
    - if all scores of the winner are equal.

    References
    ----------
    Efron & Morris (1973), "Stein's estimation rule and its competitors", JASA 68, doi:10.1080/01621459.1973.10481350.
    Andrews, Kitagawa & McCloskey (2024), "Inference on winners", QJE 139, doi:10.1093/qje/qjad043.
    """
    generator = as_generator(rng)
    level = check_probability(confidence_level, "confidence_level")
    if measure_name is not None and not isinstance(measure_name, str):
        raise ArgumentError("measure_name", measure_name, "must be text or None")
    leading = winner_james_stein(matrix, confidence_level=level, higher_is_better=higher_is_better)
    options: dict[str, Any] = {"confidence_level": level, "higher_is_better": higher_is_better}
    drawn: dict[str, Any] = options | {"n_resamples": n_resamples, "rng": generator}
    alternatives: tuple[WinnerEstimate, ...] = (
        winner_naive(matrix, **options),
        bootstrap_optimism(matrix, **drawn),
        winner_hybrid(matrix, **drawn),
        winner_projection(matrix, **drawn),
        winner_conditional(matrix, **options),
    )
    why = _why_no_interval(measure_name, matrix.n_topics)
    if why is not None:
        leading, *rest = (
            replace(estimate, interval=None, why_no_interval=estimate.why_no_interval or why)
            for estimate in (leading, *alternatives)
        )
        alternatives = tuple(rest)
    winner = find_winner(matrix, higher_is_better)
    shrinkage = shrinkage_of(matrix)
    return WinnerReport(
        system=leading.system,
        tied=leading.tied,
        measure_name=measure_name,
        n_systems=matrix.n_systems,
        n_topics=matrix.n_topics,
        raw_mean=winner.sign * winner.mean,
        standard_error=winner.standard_error,
        estimate=winner.sign * shrunk_mean(winner, shrinkage),
        interval=leading.interval,
        method=leading.method,
        why_no_interval=leading.why_no_interval,
        shrinkage=shrinkage,
        alternatives=alternatives,
        confidence_level=level,
        n_resamples=n_resamples,
    )


def _why_no_interval(measure_name: str | None, n_topics: int) -> str | None:
    if measure_name is not None and measure_nature(measure_name).kind.is_coarse:
        return (
            f"{measure_name} has few distinct values and a ceiling near the best runs: a 95 % interval would hold in as"
            " few as 72 to 91 % of cases"
        )
    if n_topics < MIN_TOPICS_FOR_BADGE:
        return f"{n_topics} topics are too few: below {MIN_TOPICS_FOR_BADGE} no coverage has been established"
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner(Result):
    """The best contender's own score, without what it owes to having been selected."""

    index: Annotated[int, "Index into ``means`` of the best contender; the first of them if several are equal."]
    n_tied: Annotated[int, "Number of contenders that share its score."]
    raw: Annotated[float, "Its published score."]
    estimate: Annotated[float, "Its shrunken score, or ``raw`` where nothing can be shrunk."]
    shrinkage: Annotated[float, "Share of the distance to ``target`` that is kept: 1 means no shrinkage, 0 all of it."]
    target: Annotated[float | None, 'Mean of the contenders, towards which is shrunk; None for "raw".']
    method: Annotated[Literal["james-stein", "raw"], "Shrunk, or as published."]
    why_raw: Annotated[str | None, 'The reason for "raw".']
    n_contenders: Annotated[int, "Number of means that it could have been."]
    residual_variance: Annotated[float, "Of a score beyond system and topic, in squared units of the measure."]
    interval: Annotated[Interval | None, "Always None here."]
    why_no_interval: Annotated[str, "The reason."]


def winner_from_means(
    means: ArrayLike,
    *,
    n_topics: int,
    residual_variance: float,
    degrees_of_freedom: float | None = None,
    contenders: ArrayLike | None = None,
    higher_is_better: bool = True,
) -> Winner:
    """Return the score that the best contender would show on other topics, by James-Stein shrinkage of the means.

    A second opinion: :func:`corrected_best_from_means` is not moved by weak results and copies, as this one is.

    Parameters
    ----------
    means : array_like of float, shape (n_results,)
        Mean score of every result, in the unit of the measure; one is enough.
    n_topics : int
        Number of topics, the same for all results, 2 or more.
    residual_variance : float
        Variance of a score after the effects of system and topic (squared unit), 0 or more.
    degrees_of_freedom : float, optional
        How surely the variance is known, above 0. Default: exactly.
    contenders : array_like of bool, shape (n_results,), optional
        Who competes. Default: all. The contenders alone are shrunk towards their own mean: they are what the best
        was selected from, and others (manual runs, baselines) need not resemble them.
    higher_is_better : bool, default True

    Returns
    -------
    Winner

    Raises
    ------
    ArgumentError
        If an argument is out of range, not finite or of another shape.

    Warns
    -----
    DegenerateWarning
        If ``residual_variance`` is 0 (nothing is shrunk) or the contenders are all equal.

    Notes
    -----
    B = max(0, 1 - (k - 3) / (k - 1) MSE / MSS), MSS = n sum (y_i - g)**2 / (k - 1), estimate = g + B (y_w - g).
    Assumes true means that resemble each other like draws from one distribution; a winner that truly stands alone
    is shrunk too far. With df degrees of freedom the MSE counts df / (df + 2) times, as James and Stein have it for an
    estimated variance. Needs 4 contenders: with fewer, the published score is given back.

    References
    ----------
    B. Efron and C. Morris (1973), Stein's estimation rule and its competitors, doi:10.1080/01621459.1973.10481350.

    Examples
    --------
    >>> winner = winner_from_means([0.303, 0.296, 0.281, 0.245, 0.239], n_topics=50, residual_variance=0.012)
    >>> round(winner.estimate, 4), round(winner.shrinkage, 4)
    (0.2988, 0.8602)
    """
    values = check_vector(means, "means")
    mask = contender_mask(contenders, values.size)
    check_count(n_topics, "n_topics", minimum=2)
    variance = check_nonnegative(residual_variance, "residual_variance")
    certainty = 1.0
    if degrees_of_freedom is not None:
        freedom = check_positive(degrees_of_freedom, "degrees_of_freedom")
        certainty = freedom / (freedom + 2.0)
    index, n_tied = find_best(values, mask, higher_is_better)
    raw = float(values[index])
    k = int(mask.sum())
    target, sd = mean_and_sd(values[mask])
    if sd is None or k < 4:
        target_or_none, shrinkage, reason = None, 1.0, f"shrinkage needs at least 4 contenders, and there are {k}"
    else:
        target_or_none, reason = target, None
        shrinkage = james_stein_factor(k, certainty * variance / n_topics, sd * sd)
        if sd == 0 and variance > 0:
            warn("all contenders have the same score: shrinkage is complete")
    warn_without_error(variance)
    return Winner(
        index=index,
        n_tied=n_tied,
        raw=raw,
        estimate=raw if target_or_none is None else target + shrinkage * (raw - target),
        shrinkage=shrinkage,
        target=target_or_none,
        method="raw" if target_or_none is None else "james-stein",
        why_raw=reason,
        n_contenders=k,
        residual_variance=variance,
        interval=None,
        why_no_interval=_WHY_NO_INTERVAL,
    )
