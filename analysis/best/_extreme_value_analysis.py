"""Carterette's extreme-value analysis of the best of N results, from a summary of them."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from scipy.special import ndtri_exp

from analysis._validation import check_choice, check_count, check_flag, check_nonnegative, check_probability, check_real
from analysis.best._contenders import warn_without_error
from analysis.errors import ArgumentError
from analysis.results import Result

Scale = Literal["published", "residual", "borrowed"]

_SCALES = ("published", "residual", "borrowed")


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
        float | None,
        "Distance from ``best`` to ``adjusted_mean`` as a share of ``best``; None where ``best`` is not above 0.",
    ]
    why_no_inflation: Annotated[str | None, "The reason where ``inflation`` is None."]
    chance_level: Annotated[float, "Probability of the next two."]
    chance_upper: Annotated[
        float, "What the largest of that many around ``mean`` stays below with probability ``chance_level``."
    ]
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
    chance_level: float = 0.95,
    higher_is_better: bool = True,
) -> ExtremeValueAnalysis:
    """The same analysis as :func:`analyse_best` where only a summary of the results is known.

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
    n_topics, scale, residual_variance, n_multiplier, tail, chance_level, higher_is_better
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

    Examples
    --------
    The best automatic run of TREC-7, from the numbers that the paper prints; by simulation it finds 0.2705, 0.2378,
    0.2375 and 0.1625:

    >>> found = analyse_summary(mean=0.2, sd=0.08, best=0.303, n_results=103, n_topics=50)
    >>> round(found.adjusted_mean, 4), round(found.lower, 4)
    (0.2707, 0.2384)
    >>> round(found.chance_upper, 4), round(found.chance_lower, 4)
    (0.2372, 0.1628)
    """
    premises = Premises(
        n_topics=n_topics,
        scale=scale,
        residual_variance=residual_variance,
        n_multiplier=n_multiplier,
        tail=tail,
        chance_level=chance_level,
        higher_is_better=higher_is_better,
    )
    analysis = analyse(
        mean=check_real(mean, "mean"),
        sd=None if sd is None else check_nonnegative(sd, "sd"),
        best=check_real(best, "best"),
        n_results=check_count(n_results, "n_results"),
        premises=premises,
    )
    warn_without_error(analysis.standard_error)
    return analysis


@dataclass(frozen=True, slots=True, kw_only=True)
class Premises:
    """The options of an analysis, checked once."""

    n_topics: int
    scale: Scale
    residual_variance: float | None
    n_multiplier: int
    tail: float
    chance_level: float
    higher_is_better: bool

    def __post_init__(self) -> None:
        check_count(self.n_topics, "n_topics", minimum=2)
        check_choice(self.scale, "scale", _SCALES)
        check_count(self.n_multiplier, "n_multiplier")
        check_flag(self.higher_is_better, "higher_is_better")
        for value, argument in ((self.tail, "tail"), (self.chance_level, "chance_level")):
            if check_probability(value, argument) < 0.5:
                raise ArgumentError(argument, value, "must be at least 0.5 and below 1")
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
        """Sampling sd of a mean on this scale, for means with the given sd."""
        if self.residual_variance is not None:
            return float(np.sqrt(self.residual_variance / self.n_topics))
        if sd is None:
            raise ArgumentError("scale", self.scale, "needs at least two results, or their sd: one has no spread")
        return float(sd / np.sqrt(self.n_topics))

    def adjusted_range(self, best: float, standard_error: float, n: int) -> tuple[float, float, float]:
        """The adjusted mean, and the lower and the upper end of the range around it (section 3.1 of the paper)."""
        step = _standard_quantile(self.tail, n) * standard_error
        if self.higher_is_better:
            return best - step, best - 2.0 * step, best
        return best + step, best, best + 2.0 * step


def analyse(*, mean: float, sd: float | None, best: float, n_results: int, premises: Premises) -> ExtremeValueAnalysis:
    """The analysis of a checked summary under checked premises."""
    n = n_results * premises.n_multiplier
    check_real(n, "n_multiplier")
    standard_error = premises.standard_error(sd)
    adjusted, lower, upper = premises.adjusted_range(best, standard_error, n)
    chance = _standard_quantile(premises.chance_level, n) * standard_error
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
        chance_level=premises.chance_level,
        chance_upper=mean + chance,
        chance_lower=mean - chance,
        higher_is_better=premises.higher_is_better,
    )


def _standard_quantile(probability: float, n: int) -> float:
    """Return what the largest of ``n`` standard normals stays below with the given probability, exact for any n."""
    return float(ndtri_exp(np.log(probability) / n))


def _band_probability(tail: float, n: int) -> float:
    """P(all n within the range) = (2 tail**(1/n) - 1)**n, in logarithms so that any n is exact."""
    inside = 2.0 * np.expm1(np.log(tail) / n)  # what a single result lacks to certainty; -1 for n = 1, tail = 1/2
    return float(np.exp(n * np.log1p(inside))) if inside > -1.0 else 0.0
