"""The differences that a collection can resolve, from its matrix of scores, by one method and one seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np

from analysis.errors import ArgumentError
from analysis.reliability._swap_profiles import SignificantPairs, reversal_profile, significant_shares
from analysis.reliability._swap_rates import SWAP_TESTS, Design, SwapTest, check_sizes, swap_rates
from analysis.reliability._swap_results import ErrorRate, Scale, SwapRates, project_error_rate
from analysis.reliability._topic_set_size import (
    PrecisionAtSize,
    precision_of_means,
    smallest_resolvable_difference,
    topics_needed,
)
from analysis.reliability._variance_components import components_of
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix

#: With fewer of either, rates are rough and a residual variance says little.
LEAST_SYSTEMS, LEAST_TOPICS = 5, 10

SEED, DIFFERENCES = 2005, (0.02, 0.03, 0.05, 0.1)
_SIGNIFICANT = (0.0, 0.05)
#: The largest sets on which tests are set beside each other, those of the paper: Wilcoxon's takes its time.
_TESTED = 25
#: Parts that the splits of a pair are put in, by the difference that they show.
_N_PARTS = 10


@dataclass(frozen=True, slots=True)
class ClassRate(Result):
    """The rate of reversed orders within a class of differences, or of p-values."""

    low: Annotated[float, "Lower end of the class."]
    high: Annotated[float | None, "Its upper end; None where there is none."]
    rate: Annotated[float | None, "Reversed orders over compared ones; None if nothing was compared."]
    n_compared: Annotated[int, "Pairs times splits in the class."]


@dataclass(frozen=True, slots=True)
class SizeProfile(Result):
    """Reversed orders by how much a pair differed, among its own pairs of topic sets of one size."""

    n_topics: Annotated[int, "Size of either topic set."]
    rates: Annotated[
        tuple[float, ...],
        "Share of all pairs that were reversed, in the tenth of the splits in which each pair differed least "
        "on the first set, in the next tenth, and so on up to that in which it differed most.",
    ]


@dataclass(frozen=True, slots=True)
class RatesByTest(Result):
    """The rates of one test on the same pairs and disjoint topic sets."""

    test: Annotated[SwapTest, "Two-sided test on the first set."]
    n_topics: Annotated[int, "Size of either topic set."]
    significant: Annotated[ClassRate, "Pairs with p at most .05 on the first set, and how many others reversed."]
    barely: Annotated[ClassRate, "Those of them with p above .01."]
    significant_pairs: Annotated[tuple[SignificantPairs, ...], "Significant pairs, by relative difference."]


@dataclass(frozen=True, slots=True)
class ProjectedRate(Result):
    """The rate of reversed orders projected to another number of topics."""

    n_topics: Annotated[int, "Size of either topic set."]
    exponential: Annotated[float, "By the paper's trend, which is too low far out, and by one that flattens."]
    power: Annotated[float, "By the paper's trend, which is too low far out, and by one that flattens."]


@dataclass(frozen=True, slots=True)
class DesignRates(Result):
    """Reversed orders when both topic sets are drawn in one way."""

    design: Annotated[
        Literal["disjoint", "replacement"],
        "Without a common topic (an upper bound), or samples with replacement (a lower bound).",
    ]
    every: Annotated[tuple[ErrorRate, ...], "All pairs, by size of the topic sets."]
    significant: Annotated[tuple[ErrorRate, ...], "Pairs with p at most .05 in a t test on the first set, by size."]
    n_topics: Annotated[int, "Size that classes and needed differences are of: half of the topics, in steps of five."]
    by_difference: Annotated[tuple[ClassRate, ...], "By the difference on the first set, in the unit of the measure."]
    by_relative_difference: Annotated[tuple[ClassRate, ...], "By the same difference as a fraction of the worse mean."]
    by_pvalue: Annotated[tuple[ClassRate, ...], "By the p-value on the first set."]
    significant_from: Annotated[
        tuple[ClassRate, ...],
        "Significant pairs that differ by ``low`` or more on the first set, in the unit of the measure; "
        "``high`` is None.",
    ]
    difference_needed: Annotated[float | None, "Smallest difference from which at most 5 % are reversed, if any."]
    relative_difference_needed: Annotated[float | None, "The same as a fraction of the worse mean."]
    significant_difference_needed: Annotated[float | None, "The same among significant pairs."]
    profile: Annotated[
        tuple[float, ...],
        "Share of all pairs that were reversed, in the tenth of the splits in which each pair differed least "
        "on the first set, in the next tenth, and so on up to that in which it differed most.",
    ]
    profiles: Annotated[tuple[SizeProfile, ...], "The same on sets of every size up to that."]
    projected: Annotated[
        tuple[ProjectedRate, ...], "Of all pairs, at sizes that can't be measured; empty if too few had a reversal."
    ]


@dataclass(frozen=True, slots=True)
class NeededForDifference(Result):
    """The topics that find a true difference four times in five."""

    difference: Annotated[float, "True difference of two means, in the unit of the measure."]
    n_topics: Annotated[int, "Fewest topics on which a t test at .05 finds it with probability .8."]


@dataclass(frozen=True, slots=True)
class CollectionResolution(Result):
    """The differences that the topics of a collection can tell apart, from the scores of many systems on them."""

    n_systems: Annotated[int, "Size of the matrix."]
    n_topics: Annotated[int, "Size of the matrix."]
    n_compared_systems: Annotated[int, "Systems whose pairs the reversals are of: the best 75 % by mean."]
    residual_variance: Annotated[float, "Residual mean square of systems x topics."]
    significant: Annotated[float, "Smallest observed difference that is significant at .05 in one planned comparison."]
    significant_in_family: Annotated[float, "The same where all pairs are compared (Tukey's HSD)."]
    detectable: Annotated[float, "True difference that one planned comparison finds four times in five."]
    topics_needed: Annotated[tuple[NeededForDifference, ...], "Topics for given true differences."]
    precision: Annotated[tuple[PrecisionAtSize, ...], "How far means over fewer topics, and over these, vary."]
    significant_pairs: Annotated[tuple[SignificantPairs, ...], "Significant compared pairs, by relative difference."]
    designs: Annotated[tuple[DesignRates, ...], "Reversed orders, by how topic sets are drawn."]
    tests: Annotated[tuple[RatesByTest, ...], "All tests on the same disjoint sets of up to 25 topics."]


def collection_resolution(scores: ScoreMatrix, *, higher_is_better: bool = True) -> CollectionResolution:
    """Return what the topics of a collection can tell apart under one measure, by both designs and by the variance.

    Parameters
    ----------
    scores : ScoreMatrix
        At least 5 systems and 10 topics.
    higher_is_better : bool, default True
        Direction of the measure.

    Returns
    -------
    CollectionResolution

    Raises
    ------
    ArgumentError
        If there are too few systems or topics, or nothing varies beyond systems and topics.

    Notes
    -----
    :func:`swap_rates` with its defaults (50 splits, the best 75 % of the systems, t tests) and the seed 2005, by both
    designs; with replacement up to all topics. :func:`smallest_resolvable_difference` and :func:`topics_needed` at .05
    and a power of .8, from the residual mean square. Rates of all pairs are projected to all topics, where these were
    not measured, and to twice as many. :func:`reversal_profile` and :func:`significant_shares` are of the same
    systems. The same scores always give the same answer.

    References
    ----------
    Sanderson & Zobel (2005), doi:10.1145/1076034.1076064.

    Examples
    --------
    >>> rng = np.random.default_rng(7)
    >>> means = np.linspace(0.2, 0.4, 6)[:, None]
    >>> scores = means + rng.normal(0, 0.1, (6, 20))
    >>> resolution = collection_resolution(ScoreMatrix(list("abcdef"), [str(topic) for topic in range(20)], scores))
    >>> resolution.n_compared_systems, round(resolution.significant, 3)
    (5, 0.055)
    """
    check_matrix(scores, "scores", n_systems=LEAST_SYSTEMS)
    if scores.n_topics < LEAST_TOPICS:
        raise ArgumentError("scores", scores.n_topics, f"must hold at least {LEAST_TOPICS} topics")
    residual = components_of(scores).residual_mean_square
    if residual <= (1e-12 * float(np.abs(scores.scores).max())) ** 2:  # What rounding leaves.
        raise ArgumentError("scores", residual, "must vary beyond systems and topics")
    limits = smallest_resolvable_difference(residual, scores.n_topics, scores.n_systems)
    disjoint = swap_rates(scores.scores, SEED, higher_is_better=higher_is_better)
    sizes = [*disjoint.sizes, scores.n_topics]
    replacement = swap_rates(scores.scores, SEED, design="replacement", sizes=sizes, higher_is_better=higher_is_better)
    tests = tuple(_by_test(test, scores, disjoint.sizes, higher_is_better) for test in SWAP_TESTS)
    return CollectionResolution(
        n_systems=scores.n_systems,
        n_topics=scores.n_topics,
        n_compared_systems=disjoint.n_systems,
        residual_variance=residual,
        significant=limits.significant,
        significant_in_family=limits.significant_in_family,
        detectable=limits.detectable,
        topics_needed=tuple(
            NeededForDifference(size, topics_needed(size, residual_variance=residual).n_topics)
            for size in DIFFERENCES
            if residual < 1e5 * size**2  # Else millions: scores about 1e6.
        ),
        precision=precision_of_means(scores.scores, sizes),
        significant_pairs=tests[0].significant_pairs,
        designs=(
            _design(disjoint, "disjoint", scores, (scores.n_topics, 2 * scores.n_topics), higher_is_better),
            _design(replacement, "replacement", scores, (2 * scores.n_topics,), higher_is_better),
        ),
        tests=tests,
    )


def _by_test(test: SwapTest, scores: ScoreMatrix, sizes: Sequence[int], higher_is_better: bool) -> RatesByTest:
    n_topics = max(size for size in sizes if size <= _TESTED)
    rates = swap_rates(scores.scores, SEED, test=test, sizes=[n_topics], higher_is_better=higher_is_better)
    shares = significant_shares(scores.scores, test=test, higher_is_better=higher_is_better)
    significant, barely = (
        _class(*band, rates.error_rate(n_topics, pvalues=band)) for band in (_SIGNIFICANT, (0.01, 0.05))
    )
    return RatesByTest(test, n_topics, significant, barely, shares)


def _design(
    rates: SwapRates,
    design: Literal["disjoint", "replacement"],
    scores: ScoreMatrix,
    beyond: Sequence[int],
    higher_is_better: bool,
) -> DesignRates:
    every = rates.curve()
    sizes = check_sizes(None, scores.n_topics, design)
    n_topics = sizes[-1]
    profiles = tuple(SizeProfile(size, _tenths(scores, size, design, higher_is_better)) for size in sizes)

    def by_size_of_difference(scale: Scale, edges: Sequence[float]) -> tuple[ClassRate, ...]:
        return tuple(
            _class(low, high, rates.error_rate(n_topics, difference=(low, high), scale=scale))
            for low, high in pairwise((*edges, np.inf))
        )

    return DesignRates(
        design=design,
        every=every,
        significant=rates.curve(pvalues=_SIGNIFICANT),
        n_topics=n_topics,
        by_difference=by_size_of_difference("absolute", rates.absolute_edges),
        by_relative_difference=by_size_of_difference("relative", rates.relative_edges),
        by_pvalue=tuple(
            _class(low, high, rates.error_rate(n_topics, pvalues=(low, high)))
            for low, high in pairwise(rates.pvalue_edges)
        ),
        significant_from=tuple(
            _class(
                low,
                np.inf,
                rates.error_rate(n_topics, pvalues=_SIGNIFICANT, difference=(low, np.inf), scale="absolute"),
            )
            for low in rates.absolute_edges
        ),
        difference_needed=rates.difference_needed(n_topics, scale="absolute").difference,
        relative_difference_needed=rates.difference_needed(n_topics).difference,
        significant_difference_needed=rates.difference_needed(
            n_topics, pvalues=_SIGNIFICANT, scale="absolute"
        ).difference,
        profile=profiles[-1].rates,
        profiles=profiles,
        projected=_projected(every, beyond),
    )


def _tenths(scores: ScoreMatrix, n_topics: int, design: Design, higher_is_better: bool) -> tuple[float, ...]:
    rates = reversal_profile(scores.scores, n_topics, SEED, design=design, higher_is_better=higher_is_better)
    return tuple(rates.reshape(_N_PARTS, -1).mean(axis=1).tolist())


def _class(low: float, high: float, rate: ErrorRate) -> ClassRate:
    return ClassRate(low, None if high == np.inf else high, rate.estimate, rate.n_compared)


def _projected(every: Sequence[ErrorRate], beyond: Sequence[int]) -> tuple[ProjectedRate, ...]:
    points = [(point.n_topics, point.estimate) for point in every if point.estimate]
    if len(points) < 3:
        return ()
    sizes, rates = zip(*points, strict=True)
    return tuple(
        ProjectedRate(
            size,
            exponential=project_error_rate(sizes, rates, size).rate,
            power=project_error_rate(sizes, rates, size, trend="power").rate,
        )
        for size in beyond
    )
