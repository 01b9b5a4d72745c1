"""Carterette's extreme-value analysis of the best of N published means, from a summary of them or from each."""

from dataclasses import dataclass, fields
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri_exp

from analysis._validation import (
    FloatArray,
    check_choice,
    check_count,
    check_flag,
    check_nonnegative,
    check_probability,
    check_real,
    check_vector,
)
from analysis.best._contrasts import contender_mask, find_best, mean_and_sd, warn_without_error
from analysis.errors import ArgumentError
from analysis.results import Result

Scale = Literal["published", "residual", "borrowed"]

_SCALES = ("published", "residual", "borrowed")
#: The probability of the points that the extremes of equal results stay within.
_CHANCE_LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtremeValueAnalysis(Result):
    """The best of N results, set against what the best of N equal systems would show (Carterette 2015).

    Scores are in the unit of the measure. Where lower is better, everything is mirrored: the best is the smallest,
    ``adjusted_mean`` is above it, ``lower`` is the best itself and ``upper`` the worst score that may still have
    been the best.
    """

    scale: Annotated[
        Scale,
        "Where the standard error comes from: the sd of the means over sqrt(n_topics), as published in 2015; "
        "or a residual variance, of the collection itself or borrowed from a library.",
    ]
    standard_error: Annotated[float, "Sampling standard deviation that was used for every mean."]
    n_topics: int
    n_results: int
    n_multiplier: Annotated[int, "Attempts that each result is taken to stand for, published or not."]
    n_effective_results: Annotated[int, "``n_results`` times ``n_multiplier``."]
    mean: Annotated[float, "Mean of the means."]
    sd: Annotated[float | None, "Their standard deviation (ddof = 1); None for a single result."]
    best: Annotated[float, "Best score among the contenders."]
    adjusted_mean: Annotated[
        float,
        "The mean for which the best of ``n_effective_results`` results stays short of ``best`` with "
        "probability ``tail``: the most ordinary score that explains the best one.",
    ]
    lower: Annotated[float, "Low end of the range around ``adjusted_mean`` that neither extreme leaves: ``tail`` each."]
    upper: Annotated[float, "Its high end. One end is ``best``; a contender at or beyond the other is plausible."]
    tail: Annotated[float, "Probability that defines ``adjusted_mean`` and the range."]
    band_probability: Annotated[float, "Probability that all results of equal systems fall into the range together."]
    inflation: Annotated[
        float | None, "Distance from ``best`` to ``adjusted_mean`` as a share of ``best``, if that is above 0."
    ]
    why_no_inflation: Annotated[str | None, "The reason where ``inflation`` is None."]
    chance_level: Annotated[float, "Probability of the next two."]
    chance_upper: Annotated[float, "The largest of that many around ``mean`` is below it with that probability."]
    chance_lower: Annotated[float, "What the smallest of that many stays above with probability ``chance_level``."]
    higher_is_better: Annotated[bool, "Direction of the measure."]


def analyse_summary(
    *,
    mean: float,
    sd: float | None,
    best: float,
    n_results: int,
    n_topics: int,
    scale: Scale = "published",
    residual_variance: float | None = None,
    n_multiplier: int = 1,
    tail: float = 0.8,
    higher_is_better: bool = True,
) -> ExtremeValueAnalysis:
    """Analyse as :func:`analyse_best` does, where only a summary of the results is known.

    Parameters
    ----------
    mean : float
        Mean of the mean scores.
    sd : float or None
        Their standard deviation (ddof = 1), 0 or more; needed for the "published" scale only.
    best : float
        Best score among the contenders.
    n_results : int
        Number of results, 1 or more.
    n_topics, scale, residual_variance, n_multiplier, tail, higher_is_better
        As for :func:`analyse_best`.

    Returns
    -------
    ExtremeValueAnalysis

    Raises
    ------
    ArgumentError
        As for :func:`analyse_best`.

    Warns
    -----
    DegenerateWarning
        If the standard error is 0.

    References
    ----------
    B. Carterette (2015), The best published result is random, SIGIR, doi:10.1145/2766462.2767812, section 3.1.
    """
    premises = Premises(n_topics, scale, residual_variance, n_multiplier, tail, higher_is_better)
    analysis = analyse(
        mean=check_real(mean, "mean"),
        sd=None if sd is None else check_nonnegative(sd, "sd"),
        best=check_real(best, "best"),
        n_results=check_count(n_results, "n_results"),
        premises=premises,
    )
    warn_without_error(analysis.standard_error)
    return analysis


@dataclass(frozen=True, slots=True)
class Premises:
    """The options of an analysis, checked once."""

    n_topics: int
    scale: Scale
    residual_variance: float | None
    n_multiplier: int
    tail: float
    higher_is_better: bool

    def __post_init__(self) -> None:
        check_count(self.n_topics, "n_topics", minimum=2)
        check_choice(self.scale, "scale", _SCALES)
        check_count(self.n_multiplier, "n_multiplier")
        check_flag(self.higher_is_better, "higher_is_better")
        if check_probability(self.tail, "tail") < 0.5:
            raise ArgumentError("tail", self.tail, "must be at least 0.5 and below 1")
        if self.scale == "published":
            if self.residual_variance is not None:
                raise ArgumentError(
                    "residual_variance", self.residual_variance, "must be left out on the scale 'published'"
                )
        elif self.residual_variance is None:
            raise ArgumentError("residual_variance", None, f"must be given for the scale {self.scale!r}")
        else:
            check_nonnegative(self.residual_variance, "residual_variance")

    def standard_error(self, sd: float | None) -> float:
        """Return the sampling sd of a mean on this scale, for means with the given sd."""
        if self.residual_variance is not None:
            return float(np.sqrt(self.residual_variance / self.n_topics))
        if sd is None:
            raise ArgumentError("scale", self.scale, "needs at least two results, or their sd: one has no spread")
        return float(sd / np.sqrt(self.n_topics))

    def adjusted_range(self, best: float, standard_error: float, n: int) -> tuple[float, float, float]:
        """Return the adjusted mean, and the lower and the upper end of the range around it (section 3.1 of the
        paper)."""
        step = _standard_quantile(self.tail, n) * standard_error
        if self.higher_is_better:
            return best - step, best - 2.0 * step, best
        return best + step, best, best + 2.0 * step


def analyse(*, mean: float, sd: float | None, best: float, n_results: int, premises: Premises) -> ExtremeValueAnalysis:
    """Analyse a checked summary under checked premises."""
    n = n_results * premises.n_multiplier
    check_real(n, "n_multiplier")
    standard_error = premises.standard_error(sd)
    adjusted, lower, upper = premises.adjusted_range(best, standard_error, n)
    chance = _standard_quantile(_CHANCE_LEVEL, n) * standard_error
    has_shares = best > 0
    return ExtremeValueAnalysis(
        scale=premises.scale,
        standard_error=standard_error,
        n_topics=premises.n_topics,
        n_results=n_results,
        n_multiplier=premises.n_multiplier,
        n_effective_results=n,
        mean=mean,
        sd=sd,
        best=best,
        adjusted_mean=adjusted,
        lower=lower,
        upper=upper,
        tail=premises.tail,
        band_probability=_band_probability(premises.tail, n),
        inflation=abs(best - adjusted) / best if has_shares else None,
        why_no_inflation=None if has_shares else "a best score of 0 or less has no shares",
        chance_level=_CHANCE_LEVEL,
        chance_upper=mean + chance,
        chance_lower=mean - chance,
        higher_is_better=premises.higher_is_better,
    )


def _standard_quantile(probability: float, n: int) -> float:
    """Return what the largest of ``n`` standard normals stays below with the given probability, exact for any n."""
    return float(ndtri_exp(np.log(probability) / n))


def _band_probability(tail: float, n: int) -> float:
    """Return P(all n within the range) = (2 tail**(1/n) - 1)**n, in logarithms so that any n is exact."""
    inside = 2.0 * np.expm1(np.log(tail) / n)  # what a single result lacks to certainty; -1 for n = 1, tail = 1/2
    return float(np.exp(n * np.log1p(inside))) if inside > -1.0 else 0.0


#: Attempts that each result may stand for, for which the analysis is repeated.
_MULTIPLIERS = (1, 2, 3, 5, 10, 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity(Result):
    """The analysis as it would be if each result stood for several attempts."""

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
    plausible: Annotated[tuple[int, ...], "Indices into ``means`` of contenders at or beyond ``lower`` (or ``upper``)."]
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
    higher_is_better: bool = True,
) -> BestResult:
    """Analyse the best of the published means as an extreme value (Carterette 2015).

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
    With z = Phi^-1(tail**(1/N)): adjusted_mean = best - z se, lower = adjusted_mean - z se. Assumes that the means of
    equal systems are independent and normal with one variance, around one true mean. The "published" scale is kept as
    the paper has it, but it is not the sampling error of a mean: in simulations on TREC data its plausible set held the
    true best in 6 % of cases if all systems are equal. With "residual" it held it in at least 99 % throughout, and is
    wide.

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
    premises = Premises(n_topics, scale, residual_variance, n_multiplier, tail, higher_is_better)
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
    """Return contenders within the range; its better end is the best contender, so that both ends can be asked."""
    return tuple(np.flatnonzero(mask & (values >= lower) & (values <= upper)).tolist())


def _sensitivity(
    values: FloatArray, mask: NDArray[np.bool_], core: ExtremeValueAnalysis, premises: Premises, multiplier: int
) -> Sensitivity:
    adjusted, lower, upper = premises.adjusted_range(core.best, core.standard_error, core.n_results * multiplier)
    n_plausible = len(_plausible(values, mask, lower, upper))
    return Sensitivity(
        n_multiplier=multiplier, adjusted_mean=adjusted, lower=lower, upper=upper, n_plausible=n_plausible
    )
