"""What the best of many equally good systems shows by chance, from a summary of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from analysis.best import (
    EffectiveN,
    ExtremeDistribution,
    ExtremeValueAnalysis,
    GumbelApproximation,
    analyse_summary,
    effective_n,
    gumbel_approximation,
    maximum_distribution,
    minimum_distribution,
    range_probability,
)
from registry.core.messages import say
from registry.core.templatetags.formatting import score


@dataclass(frozen=True, slots=True)
class BestOfDocument:
    """What the best of many equally good systems shows by chance."""

    headline: Annotated[str, "The answer in a sentence."]
    sentences: Annotated[list[str], "What else can be said, one sentence each."]
    analysis: Annotated[ExtremeValueAnalysis, "As published in 2015, of independent errors."]
    expected_best: Annotated[float, "Mean of the largest of as many equal systems around ``analysis.mean``."]
    expected_worst: Annotated[float, "Likewise of the smallest."]
    held: Annotated[
        float,
        "Probability that all of them around ``analysis.adjusted_mean`` lie between ``analysis.lower`` and the best.",
    ]
    effective: Annotated[EffectiveN, "How many independent results are worth as much, where errors are correlated."]
    adjusted_mean_correlated: Annotated[float, "``analysis.adjusted_mean`` for correlated errors."]
    gumbel: Annotated[
        GumbelApproximation,
        "What textbooks would have in place of the distribution of the best, and how far that is off.",
    ]


def best_of_document(given: dict[str, Any]) -> BestOfDocument:
    """The answer to what a valid form of ``forms.BestOfForm`` gives."""
    n, variance, correlation = given["n"], given["variance"], given["correlation"] or 0.0
    found = analyse_summary(
        mean=given["mean"],
        sd=given["sd"],
        best=given["best"],
        n_results=n,
        n_topics=given["topics"],
        scale="published" if variance is None else "residual",
        residual_variance=variance,
    )
    around: dict[str, float] = {"n": n, "mean": found.mean, "sd": found.standard_error}
    largest, smallest = maximum_distribution(**around), minimum_distribution(**around)
    held = range_probability(found.lower, found.best, n, mean=found.adjusted_mean, sd=found.standard_error)
    correlated = maximum_distribution(n, sd=found.standard_error, correlation=correlation)
    effective = effective_n(n, correlation, probability=found.tail)
    gumbel = gumbel_approximation(n, mean=found.mean, sd=found.standard_error)
    adjusted = found.best - float(correlated.ppf(found.tail))
    return BestOfDocument(
        headline=say("best-of-headline", n=n, mean=score(found.adjusted_mean), best=score(found.best)),
        sentences=list(_sentences(found, largest, smallest, held, effective, adjusted, gumbel, correlation)),
        analysis=found,
        expected_best=largest.mean(),
        expected_worst=smallest.mean(),
        held=held,
        effective=effective,
        adjusted_mean_correlated=adjusted,
        gumbel=gumbel,
    )


def _sentences(
    found: ExtremeValueAnalysis,
    largest: ExtremeDistribution,
    smallest: ExtremeDistribution,
    held: float,
    effective: EffectiveN,
    adjusted: float,
    gumbel: GumbelApproximation,
    correlation: float,
) -> Iterator[str]:
    level, upper = f"{100 * found.chance_level:.0f}%", score(found.chance_upper)
    known = {"n": found.n_results, "mean": score(found.mean), "best": score(found.best), "lower": score(found.lower)}
    ends = {"expected_best": score(largest.mean()), "expected_worst": score(smallest.mean())}
    yield say("best-of-chance", **known, **ends)
    yield say("best-of-ends", level=level, upper=upper, lower=score(found.chance_lower))
    reached = 100 * float(largest.sf(found.best))
    share = "less than 0.1%" if reached < 0.1 else "more than 99.9%" if reached >= 99.95 else f"{reached:.1f}%"
    yield say("best-of-reached", **known, share=share)
    yield say("best-of-held", **known | {"mean": score(found.adjusted_mean)}, held=f"{100 * held:.0f}%")
    if correlation:
        point = f"{100 * found.tail:.0f}%"
        estimate = f"{effective.estimate:.1f}"
        yield say("best-of-correlation", correlation=f"{correlation:g}", level=point, effective=estimate)
        yield say("best-of-correlated-mean", mean=score(adjusted), best=score(found.best))
    rough = score(found.chance_upper + dict(gumbel.quantile_errors)[found.chance_level])
    if rough != upper:
        yield say("best-of-gumbel", level=level, mean=score(found.mean), rough=rough, exact=upper)
    key = "best-of-published" if found.scale == "published" else "best-of-given"
    yield say(key, error=score(found.standard_error))
