"""What a collection can resolve: the numbers of the functions that it is made of."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.stats import ttest_rel

from analysis.reliability import (
    collection_resolution,
    precision_of_means,
    smallest_resolvable_difference,
    swap_rates,
    topics_needed,
    two_way_anova,
)
from analysis.scores import ScoreMatrix


def matrix(n_systems: int = 12, n_topics: int = 40, seed: int = 3) -> ScoreMatrix:
    rng = np.random.default_rng(seed)
    scores = np.linspace(0.2, 0.4, n_systems)[:, None] + rng.normal(0, 0.1, n_topics)
    scores = scores + rng.normal(0, 0.1, (n_systems, n_topics))
    return ScoreMatrix([f"s{i}" for i in range(n_systems)], [f"t{i}" for i in range(n_topics)], scores)


def test_profiles_average_to_the_rate_of_all_pairs():
    for design in collection_resolution(matrix()).designs:
        (every,) = [rate for rate in design.every if rate.n_topics == design.n_topics]
        assert len(design.profile) == 10
        # Every trial ordered every pair: nothing is equal in these scores.
        assert np.mean(design.profile) == pytest.approx(every.estimate, abs=0.05)


def test_significant_pairs_are_those_of_a_t_test_on_all_topics():
    scores = matrix()
    summary = collection_resolution(scores)
    compared_scores = scores.scores[np.argsort(-scores.means)[: summary.n_compared_systems]]
    pvalues = [ttest_rel(first, second).pvalue for first, second in combinations(compared_scores, 2)]
    assert sum(row.n_pairs for row in summary.significant_pairs) == len(pvalues)
    assert sum(row.n_significant for row in summary.significant_pairs) == sum(p <= 0.05 for p in pvalues)
    assert (summary.significant_pairs[0].low, summary.significant_pairs[-1].high) == (0, None)


def test_rates_are_projected_beyond_what_can_be_measured():
    disjoint, replacement = collection_resolution(matrix()).designs
    assert [projected.n_topics for projected in disjoint.projected] == [40, 80]
    assert [projected.n_topics for projected in replacement.projected] == [80]
    assert disjoint.projected[1].power < disjoint.projected[0].power < disjoint.every[-1].estimate


def test_three_sizes_are_enough_to_project():
    disjoint, _ = collection_resolution(matrix(n_topics=30)).designs
    assert [point.n_topics for point in disjoint.every] == [5, 10, 15]
    assert all(point.estimate for point in disjoint.every)
    assert [point.n_topics for point in disjoint.projected] == [30, 60]


def test_systems_far_apart_leave_nothing_to_project():
    scores = np.linspace(0, 10, 6)[:, None] + np.random.default_rng(1).normal(0, 0.01, (6, 20))
    far = ScoreMatrix(list("abcdef"), list(map(str, range(20))), scores)
    assert all(design.projected == () for design in collection_resolution(far).designs)


def test_errors_are_what_they_would_be_with_gains():
    scores = matrix()
    turned = collection_resolution(
        ScoreMatrix(scores.systems, scores.topics, 1 - scores.scores), higher_is_better=False
    )
    gains = collection_resolution(scores)
    assert turned.significant == pytest.approx(gains.significant)
    assert [rate.n_reversed for rate in turned.designs[0].every] == [rate.n_reversed for rate in gains.designs[0].every]
    assert replace(turned, designs=()).n_compared_systems == gains.n_compared_systems


def test_it_says_what_the_functions_say_that_it_is_made_of():
    """Errors at .05, by both designs and all tests, asked for one by one."""
    scores, seed = matrix(), 2005
    summary = collection_resolution(scores)
    assert (summary.n_systems, summary.n_compared_systems, summary.n_topics) == (12, 9, 40)
    residual = two_way_anova(scores).residual_mean_square
    limits = smallest_resolvable_difference(residual, 40, 12)
    assert (summary.significant, summary.significant_in_family) == (limits.significant, limits.significant_in_family)
    assert summary.detectable == limits.detectable
    assert summary.topics_needed[2].n_topics == topics_needed(0.05, residual_variance=residual).n_topics
    assert [row.difference for row in summary.topics_needed] == [0.02, 0.03, 0.05, 0.1]
    assert [row.n_topics for row in summary.precision] == [5, 10, 15, 20, 40]
    assert summary.precision == precision_of_means(scores.scores, [5, 10, 15, 20, 40])
    disjoint, replacement = summary.designs
    for estimate, rates in (
        (disjoint, swap_rates(scores.scores, seed)),
        (replacement, swap_rates(scores.scores, seed, design="replacement", sizes=[5, 10, 15, 20, 40])),
    ):
        size = estimate.n_topics
        assert estimate.every == rates.curve()
        assert estimate.significant == rates.curve(pvalues=(0.0, 0.05))
        for classes, scale, edges in (
            (estimate.by_difference, "absolute", rates.absolute_edges),
            (estimate.by_relative_difference, "relative", rates.relative_edges),
        ):
            ends = [*edges[1:], np.inf]
            expected = [rates.error_rate(size, difference=band, scale=scale) for band in zip(edges, ends, strict=True)]
            assert [(part.rate, part.n_compared) for part in classes] == [(e.estimate, e.n_compared) for e in expected]
            assert [part.low for part in classes] == list(edges)
        bands = list(pairwise(rates.pvalue_edges))
        expected = [rates.error_rate(size, pvalues=band) for band in bands]
        assert [(part.rate, part.n_compared) for part in estimate.by_pvalue] == [
            (e.estimate, e.n_compared) for e in expected
        ]
        assert [(part.low, part.high) for part in estimate.by_pvalue] == bands
        expected = [
            rates.error_rate(size, pvalues=(0.0, 0.05), difference=(low, np.inf), scale="absolute")
            for low in rates.absolute_edges
        ]
        assert [(part.rate, part.n_compared) for part in estimate.significant_from] == [
            (e.estimate, e.n_compared) for e in expected
        ]
        assert estimate.difference_needed == rates.difference_needed(size, scale="absolute").difference
        assert estimate.relative_difference_needed == rates.difference_needed(size).difference
        significant = rates.difference_needed(size, pvalues=(0.0, 0.05), scale="absolute")
        assert estimate.significant_difference_needed == significant.difference
        assert estimate.profiles[-1].rates == estimate.profile
        assert {len(profile.rates) for profile in estimate.profiles} == {10}
    assert [row.test for row in summary.tests] == ["t", "wilcoxon", "sign"]
    for estimate in summary.tests:
        rates = swap_rates(scores.scores, seed, test=estimate.test, sizes=[20])
        for part, band in ((estimate.significant, (0.0, 0.05)), (estimate.barely, (0.01, 0.05))):
            expected = rates.error_rate(20, pvalues=band)
            assert (estimate.n_topics, part.low, part.high) == (20, *band)
            assert (part.rate, part.n_compared) == (expected.estimate, expected.n_compared)
        assert sum(part.n_pairs for part in estimate.significant_pairs) == 9 * 8 / 2
    assert summary.significant_pairs == summary.tests[0].significant_pairs
