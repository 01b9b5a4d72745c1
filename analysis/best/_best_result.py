"""Carterette's extreme-value analysis of the best of N published means, with the results it says something about."""

from dataclasses import dataclass, fields
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis._validation import FloatArray, check_vector
from analysis.best._contenders import contender_mask, find_best, mean_and_sd, warn_without_error
from analysis.best._extreme_value_analysis import ExtremeValueAnalysis, Premises, Scale, analyse
from analysis.results import Result

#: Attempts that each result may stand for, for which the analysis is repeated.
_MULTIPLIERS = (1, 2, 3, 5, 10, 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity(Result):
    """What the analysis would say if each result stood for several attempts."""

    n_multiplier: Annotated[int, "How many."]
    adjusted_mean: Annotated[float, "As in :class:`ExtremeValueAnalysis`."]
    lower: Annotated[float, "As in :class:`ExtremeValueAnalysis`."]
    upper: Annotated[float, "As in :class:`ExtremeValueAnalysis`."]
    n_plausible: Annotated[int, "As in :class:`BestResult`."]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestResult(ExtremeValueAnalysis):
    """The analysis of :class:`ExtremeValueAnalysis` with the results it says something about."""

    best_index: Annotated[int, "Index into ``means`` of the best contender; the first of them if several are equal."]
    n_tied: Annotated[int, "Number of contenders that share the best score."]
    plausible: Annotated[
        tuple[int, ...],
        "Indices into ``means`` of the contenders at or beyond ``lower`` (``upper`` where lower is better).",
    ]
    n_plausible: Annotated[int, "Number of these."]
    n_above_chance: Annotated[int, "Results above ``chance_upper``; where lower is better, the remarkably bad ones."]
    n_within_chance: Annotated[int, "Results from ``chance_lower`` to ``chance_upper``."]
    n_below_chance: Annotated[int, "Results below ``chance_lower``; where lower is better, the remarkably good ones."]
    sensitivity: Annotated[tuple[Sensitivity, ...], "For 1, 2, 3, 5, 10 and 100 attempts behind each result."]


def analyse_best(
    means: ArrayLike,
    *,
    n_topics: int,
    scale: Scale = "published",
    residual_variance: float | None = None,
    n_multiplier: int = 1,
    contenders: ArrayLike | None = None,
    tail: float = 0.8,
    chance_level: float = 0.95,
    higher_is_better: bool = True,
) -> BestResult:
    """The best of the published means, analysed as an extreme value (Carterette 2015).

    Parameters
    ----------
    means : array_like of float, shape (n_results,)
        Mean score of every result that counts as an attempt, in the unit of the measure. One is enough, except on
        the "published" scale, which needs two.
    n_topics : int
        Number of topics behind each mean, 2 or more.
    scale : {"published", "residual", "borrowed"}, default "published"
        Standard error of a mean: sd of ``means`` / sqrt(n_topics) as in the paper, or
        sqrt(residual_variance / n_topics). See Notes.
    residual_variance : float, optional
        Variance of a score after the effects of system and topic (squared unit), 0 or more. Required by "residual"
        (from the collection's own scores by topic) and "borrowed" (from other collections), else left out.
    n_multiplier : int, default 1
        Attempts that each result stands for, 1 or more.
    contenders : array_like of bool, shape (n_results,), optional
        Which results may be called the best, for example the automatic ones. The others still count as attempts.
        Default: all.
    tail : float, default 0.8
        Probability with which the best of N results from ``adjusted_mean`` stays short of the best score; from 0.5
        (a median) to below 1.
    chance_level : float, default 0.95
        Probability of the points ``chance_upper`` and ``chance_lower``; from 0.5 to below 1.
    higher_is_better : bool, default True
        If False, everything is mirrored; see :class:`ExtremeValueAnalysis`.

    Returns
    -------
    BestResult

    Raises
    ------
    ArgumentError
        If there are no means, they are not finite, there is one topic, a probability is out of range, the residual
        variance is missing or superfluous, or a single mean is to be analysed on the "published" scale.

    Warns
    -----
    DegenerateWarning
        If the standard error is 0, so that nothing is left to chance: all means equal, or no residual variance.

    Notes
    -----
    With z = Phi^-1(tail**(1/N)): adjusted_mean = best - z se, lower = adjusted_mean - z se. Assumes that the means
    of equal systems are independent and normal with one variance, around one true mean.

    The "published" scale is kept as the paper has it, but it is not the sampling error of a mean: the sd of the
    means already is one if all systems are equal, and mostly reflects true differences otherwise. Simulations on
    TREC data put the true best into its plausible set in 6 % of cases if all systems are equal, and in 88 to 100 %
    on full TREC pools. With "residual" the set held the true best in at least 99 % throughout, and is wide.

    References
    ----------
    B. Carterette (2015), The best published result is random, SIGIR, doi:10.1145/2766462.2767812, section 3.1.

    Examples
    --------
    >>> best = analyse_best([0.303, 0.296, 0.281, 0.245, 0.239, 0.202, 0.175], n_topics=50)
    >>> round(best.adjusted_mean, 4), round(best.lower, 4), best.plausible
    (0.2903, 0.2776, (0, 1, 2))
    """
    values = check_vector(means, "means")
    mask = contender_mask(contenders, values.size)
    premises = Premises(
        n_topics=n_topics,
        scale=scale,
        residual_variance=residual_variance,
        n_multiplier=n_multiplier,
        tail=tail,
        chance_level=chance_level,
        higher_is_better=higher_is_better,
    )
    mean, sd = mean_and_sd(values)
    best_index, n_tied = find_best(values, mask, higher_is_better)
    core = analyse(mean=mean, sd=sd, best=float(values[best_index]), n_results=values.size, premises=premises)
    warn_without_error(core.standard_error)
    plausible = _plausible(values, mask, core.lower, core.upper)
    n_above, n_below = int((values > core.chance_upper).sum()), int((values < core.chance_lower).sum())
    return BestResult(
        **{field.name: getattr(core, field.name) for field in fields(core)},
        best_index=best_index,
        n_tied=n_tied,
        plausible=plausible,
        n_plausible=len(plausible),
        n_above_chance=n_above,
        n_within_chance=values.size - n_above - n_below,
        n_below_chance=n_below,
        sensitivity=tuple(_sensitivity(values, mask, core, premises, multiplier) for multiplier in _MULTIPLIERS),
    )


def _plausible(values: FloatArray, mask: NDArray[np.bool_], lower: float, upper: float) -> tuple[int, ...]:
    """Contenders within the range; its better end is the best contender, so that both ends can be asked."""
    return tuple(np.flatnonzero(mask & (values >= lower) & (values <= upper)).tolist())


def _sensitivity(
    values: FloatArray, mask: NDArray[np.bool_], core: ExtremeValueAnalysis, premises: Premises, multiplier: int
) -> Sensitivity:
    adjusted, lower, upper = premises.adjusted_range(core.best, core.standard_error, core.n_results * multiplier)
    n_plausible = len(_plausible(values, mask, lower, upper))
    return Sensitivity(
        n_multiplier=multiplier, adjusted_mean=adjusted, lower=lower, upper=upper, n_plausible=n_plausible
    )
