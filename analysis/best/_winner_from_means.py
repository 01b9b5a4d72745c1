"""The best contender's own score, from published means: James-Stein shrinkage."""

import warnings
from dataclasses import dataclass
from typing import Annotated, Literal

from numpy.typing import ArrayLike

from analysis._validation import check_count, check_nonnegative, check_positive, check_vector
from analysis.best._contrasts import contender_mask, find_best, mean_and_sd, warn_without_error
from analysis.best._winner import james_stein_factor
from analysis.errors import DegenerateWarning
from analysis.results import Interval, Result

_WHY_NO_INTERVAL = (
    "published means do not show how much the topics vary: in simulations, 95 % intervals from borrowed variances "
    "held the true score in 75.6 to 97.8 % of cases"
)


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
            warnings.warn("all contenders have the same score: shrinkage is complete", DegenerateWarning, stacklevel=2)
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
