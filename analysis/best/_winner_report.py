"""The best result of a leaderboard: what is left of its score, and an interval where that is honest."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

from analysis._resampling import Progress, RandomSource, as_generator
from analysis._validation import check_probability
from analysis.best._contrasts import MIN_TOPICS_FOR_BADGE
from analysis.best._selective_inference import winner_conditional, winner_hybrid, winner_projection
from analysis.best._winner import (
    WinnerEstimate,
    bootstrap_optimism,
    find_winner,
    shrinkage_of,
    shrunk_mean,
    winner_james_stein,
    winner_naive,
)
from analysis.errors import ArgumentError
from analysis.results import Interval, Result
from analysis.scores import ScoreMatrix, measure_nature


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
        tuple[WinnerEstimate, ...],
        "Other methods, for those who want details; without intervals wherever ``interval`` is withheld.",
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
    progress: Progress | None = None,
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
    progress : callable, optional
        Called with (done, total) resamples; starts again for each alternative.

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
    drawn: dict[str, Any] = options | {"n_resamples": n_resamples, "rng": generator, "progress": progress}
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
