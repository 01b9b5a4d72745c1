"""Multiple comparisons with the best: how far each run may be ahead of, or behind, the best of the others."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis._validation import FloatArray, check_flag, check_probability
from analysis.best import gupta_constant
from analysis.best._contrasts import too_few_topics
from analysis.errors import ArgumentError
from analysis.reliability._variance_components import components_of
from analysis.results import Interval, Result
from analysis.scores import ScoreMatrix

#: From this many degrees of freedom on the residual variance counts as known; the radius changes by 0.2 % at most.
_LARGE_DEGREES_OF_FREEDOM = 1_000


@dataclass(frozen=True, slots=True)
class ComparisonWithBest(Result):
    """One run against the best of the others."""

    system: Annotated[str, "Label of the run."]
    mean: Annotated[float, "Its mean score."]
    lead: Annotated[float, "How much better than the best other run, whatever the direction; negative if worse."]
    interval: Annotated[Interval, "Simultaneous, for the true lead; it always contains or touches 0."]
    is_member: Annotated[bool, "Whether the run may be the best: the interval reaches above 0, or the run's lead does."]


@dataclass(frozen=True, slots=True)
class ComparisonsWithBest(Result):
    """All runs compared with the best, under one variance for all."""

    entries: Annotated[tuple[ComparisonWithBest, ...], "One for each run, in the order of the matrix."]
    members: Annotated[tuple[str, ...], "Labels of the runs that may be the best, best mean first."]
    n_members: Annotated[int, "Their number, 1 or more."]
    radius: Annotated[float, "How far from the best mean a run may be the best, in the unit of the measure."]
    critical_value: Annotated[float, "``radius`` in standard errors of a difference."]
    residual_variance: Annotated[float, "MSE of the two-way analysis of variance."]
    degrees_of_freedom: Annotated[int, "Of the residual variance."]
    confidence_level: Annotated[float, "Between 0 and 1."]
    why_no_badge: Annotated[str | None, "Why the set must not be shown as a verdict; None where it may."]


def comparisons_with_best(
    matrix: ScoreMatrix, *, confidence_level: float = 0.95, higher_is_better: bool = True
) -> ComparisonsWithBest:
    """Return simultaneous intervals for each run's lead over the best other run, and the runs that may be the best.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems and 2 topics; below 25 topics the result says why it earns no badge.
    confidence_level : float, default 0.95
        Between 0 and 1, of all intervals together.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    ComparisonsWithBest
        Intervals, members, and the radius that decides both.

    Raises
    ------
    ArgumentError
        If there are fewer than 2 systems, the level is out of range, or the residual variance is 0 (all systems
        differ by constants).

    Notes
    -----
    With r = d sqrt(2 MSE / n_topics) and D_i the lead of run i over the best other run, the interval is
    [min(0, D_i - r), max(0, D_i + r)]. d is Gupta's constant (:func:`analysis.best.gupta_constant`) for the
    residual degrees of freedom; from 1,000 of them on the variance counts as known. Instant and without chance, but
    all differences are given the same standard error; where runs differ in how alike they are, as they do, the
    confidence set for the best run is the better answer. Means that are equal stay or go together.

    References
    ----------
    Hsu (1984), "Constrained simultaneous confidence intervals", doi:10.1214/aos/1176346732.
    """
    level = check_probability(confidence_level, "confidence_level")
    check_flag(higher_is_better, "higher_is_better")
    parts = components_of(matrix)
    if parts.residual_mean_square == 0:
        raise ArgumentError("matrix", 0.0, "must have a residual variance above 0")
    df = parts.residual_degrees_of_freedom
    critical = gupta_constant(matrix.n_systems, level, df if df < _LARGE_DEGREES_OF_FREEDOM else None)
    radius = critical * parts.difference_standard_error
    leads = _leads(matrix.means if higher_is_better else -matrix.means)
    entries = tuple(
        ComparisonWithBest(
            system=system,
            mean=float(mean),
            lead=float(lead),
            interval=Interval(min(0.0, float(lead) - radius), max(0.0, float(lead) + radius), level),
            is_member=bool(lead >= -radius),
        )
        for system, mean, lead in zip(matrix.systems, matrix.means, leads, strict=True)
    )
    members = sorted((entry for entry in entries if entry.is_member), key=lambda entry: -entry.lead)
    return ComparisonsWithBest(
        entries=entries,
        members=tuple(entry.system for entry in members),
        n_members=len(members),
        radius=radius,
        critical_value=critical,
        residual_variance=parts.residual_mean_square,
        degrees_of_freedom=df,
        confidence_level=level,
        why_no_badge=too_few_topics(matrix.n_topics),
    )


def _leads(means: FloatArray) -> FloatArray:
    """Return each mean less the largest of the others."""
    second, best = np.sort(means)[-2:]
    leads: FloatArray = means - best
    leads[int(means.argmax())] = best - second
    return leads
