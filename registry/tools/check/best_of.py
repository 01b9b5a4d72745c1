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
        headline=(
            f"Had all {n:,} one and the same true mean of {score(found.adjusted_mean)}, the best of them would reach"
            f" {score(found.best)} one time in five."
        ),
        sentences=[
            *_chance(found, largest, smallest),
            f"Of {n:,} such systems around {score(found.adjusted_mean)}, all lie between {score(found.lower)} and"
            f" {score(found.best)} with a probability of {100 * held:.0f} %.",
            *_correlation(found, effective, adjusted, correlation),
            *_textbook(found, gumbel),
            _about_error(found),
        ],
        analysis=found,
        expected_best=largest.mean(),
        expected_worst=smallest.mean(),
        held=held,
        effective=effective,
        adjusted_mean_correlated=adjusted,
        gumbel=gumbel,
    )


def _chance(found: ExtremeValueAnalysis, largest: ExtremeDistribution, smallest: ExtremeDistribution) -> Iterator[str]:
    level = f"{100 * found.chance_level:.0f} %"
    yield (
        f"The best of {found.n_results:,} equally good systems around {score(found.mean)} is expected at"
        f" {score(largest.mean())} and stays below {score(found.chance_upper)} in {level} of cases; the worst is"
        f" expected at {score(smallest.mean())} and stays above {score(found.chance_lower)} in as many."
    )
    reached = 100 * float(largest.sf(found.best))
    share = "less than 0.1" if reached < 0.1 else "more than 99.9" if reached >= 99.95 else f"{reached:.1f}"
    yield f"Their best would reach {score(found.best)} in {share} % of cases."


def _correlation(
    found: ExtremeValueAnalysis, effective: EffectiveN, adjusted: float, correlation: float
) -> Iterator[str]:
    if correlation:
        yield (
            f"Where the errors of every two are correlated by {correlation:g}, the best of {found.n_results:,} is like"
            f" that of {effective.estimate:.1f} uncorrelated ones, as far as its {100 * found.tail:.0f} % point goes;"
            f" the true mean of all that explains {score(found.best)} is then {score(adjusted)}."
        )


def _textbook(found: ExtremeValueAnalysis, gumbel: GumbelApproximation) -> Iterator[str]:
    exact = score(found.chance_upper)
    rough = score(found.chance_upper + dict(gumbel.quantile_errors)[found.chance_level])
    if rough != exact:
        yield (
            f"The Gumbel distribution that textbooks have for the best would put its {100 * found.chance_level:.0f} %"
            f" point around {score(found.mean)} at {rough}, not at {exact}."
        )


def _about_error(found: ExtremeValueAnalysis) -> str:
    if found.scale == "published":
        return (
            f"The standard error, {score(found.standard_error)}, is the spread of the results divided by the square"
            " root of the number of topics, as published; it takes real differences between systems for error."
        )
    return f"The standard error, {score(found.standard_error)}, rests on the variance that was given."
