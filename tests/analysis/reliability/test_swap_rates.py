"""Swap rates: cases by hand, a slow second route, degenerate scores, invariances."""

import json
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
import scipy.stats

from analysis.errors import ArgumentError, DegenerateWarning
from analysis.reliability import swap_rates
from analysis.reliability._swap_counts import TopicSets, draw_topic_sets
from analysis.reliability._swap_profiles import reversal_profile
from analysis.reliability._swap_rates import count_swaps

WHOLE = {"top_fraction": 1.0, "rng": 1}


def random_scores(n_systems=8, n_topics=24, seed=0, decimals=4):
    rng = np.random.default_rng(seed)
    level = rng.normal(0.3, 0.05, (n_systems, 1)) + rng.normal(0, 0.1, n_topics)
    return np.clip(level + rng.normal(0, 0.1, (n_systems, n_topics)), 0, 1).round(decimals)


class TestByHand:
    def test_a_system_that_is_always_better_is_never_reversed(self):
        scores = random_scores(2)
        scores[1] = scores[0] + np.linspace(0.1, 0.2, 24)
        point = swap_rates(scores, sizes=[5], n_splits=10, **WHOLE).error_rate(5)
        assert (point.estimate, point.n_compared, point.n_tied) == (0, 10, 0)

    def test_halves_of_an_exact_tie_always_reverse(self):
        # Over all topics the systems tie, so what one half says the other half contradicts.
        scores = np.zeros((2, 20))
        scores[0] = [1, -1, 2, -2, 4, -4, 8, -8, 16, -16, 32, -32, 64, -64, 128, -128, 256, -256, 512, -512]
        point = swap_rates(scores, sizes=[10], n_splits=40, **WHOLE).error_rate(10)
        assert point.n_reversed == point.n_compared > 20
        assert point.standard_error == 0

    def test_ties_on_the_second_set_are_no_errors(self):
        scores = np.zeros((2, 20))
        scores[0, 0] = 1.0  # one topic: the set that holds it orders the pair, and the other ties
        point = swap_rates(scores, sizes=[10], n_splits=30, **WHOLE).error_rate(10)
        assert point.n_compared == point.n_tied
        assert 5 < point.n_tied < 25
        assert point.estimate == 0

    def test_classes_of_differences_and_p_values(self):
        # Means .50 and .55 on every set: .05 absolute, 10 % of the worse one, and no variation at all.
        scores = np.full((2, 12), 0.5)
        scores[1] = 0.55
        rates = swap_rates(scores, sizes=[4], n_splits=7, **WHOLE)
        assert rates.error_rate(4, difference=(0.05, 0.06), scale="absolute").n_compared == 7
        assert rates.error_rate(4, difference=(0.10, 0.15)).n_compared == 7
        assert rates.error_rate(4, difference=(0.05, 0.10)).n_compared == 0
        assert rates.error_rate(4, pvalues=(0, 0.001)).n_compared == 7

    def test_the_open_class_holds_what_has_no_relative_difference(self):
        scores = np.zeros((2, 12))
        scores[1] = np.linspace(0.1, 0.3, 12)
        rates = swap_rates(scores, sizes=[4], n_splits=5, **WHOLE)
        assert rates.error_rate(4, difference=(1.0, np.inf)).n_compared == 5

    def test_the_worst_quarter_is_left_out_by_direction(self):
        scores = np.linspace(0.1, 0.8, 8)[:, np.newaxis] + np.random.default_rng(0).normal(0, 0.3, (8, 20))
        best = swap_rates(scores, sizes=[5], rng=1)
        assert (best.n_systems, best.n_pairs) == (6, 15)
        as_cost = swap_rates(-scores, sizes=[5], rng=1, higher_is_better=False)
        assert (best.by_split == as_cost.by_split).all()

    def test_nothing_compared_gives_no_rate(self):
        point = swap_rates(random_scores(2), sizes=[5], test=None, **WHOLE).error_rate(5, pvalues=(0, 0.05))
        assert (point.estimate, point.n_compared, point.standard_error) == (None, 0, None)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
@pytest.mark.parametrize("design", ["disjoint", "replacement"])
def test_second_route_by_a_loop_over_pairs(test, design):
    scores, size, n_splits = random_scores(5, 24, decimals=1), 10, 4
    rates = swap_rates(scores, test=test, design=design, sizes=[size], n_splits=n_splits, **WHOLE)
    sets = draw_topic_sets(24, size, n_splits, design, np.random.default_rng(1))
    expected = {"compared": 0, "reversed": 0, "tied": 0, "significant": 0, "significant and reversed": 0}
    for half, other in zip(sets.first, sets.second, strict=True):
        for first in range(5):
            for second in range(first + 1, 5):
                seen, again = (np.round(scores[first, chosen] - scores[second, chosen], 1) for chosen in (half, other))
                if round(seen.sum(), 9) == 0:
                    continue
                outcome = np.sign(round(seen.sum(), 9)) * np.sign(round(again.sum(), 9))
                significant = slow_pvalue(seen, test) <= 0.05
                expected["compared"] += 1
                expected["reversed"] += outcome < 0
                expected["tied"] += outcome == 0
                expected["significant"] += significant
                expected["significant and reversed"] += significant and outcome < 0
    every, significant = rates.error_rate(size), rates.error_rate(size, pvalues=(0, 0.05))
    assert (every.n_compared, every.n_reversed, every.n_tied) == tuple(expected.values())[:3]
    assert (significant.n_compared, significant.n_reversed) == tuple(expected.values())[3:]
    assert expected["tied"] > 0 or design == "replacement"


@pytest.mark.parametrize("higher_is_better", [True, False])
@pytest.mark.parametrize(("n_systems", "n_topics", "size"), [(2, 4, 2), (4, 6, 3), (3, 7, 3)])
def test_rates_of_every_disjoint_split_are_those_of_the_paper_in_fractions(n_systems, n_topics, size, higher_is_better):
    """Of the pairs that one set orders, the share that a disjoint set orders the other way."""
    tenths = np.random.default_rng(n_topics).integers(0, 6, (n_systems, n_topics))
    tenths[:, 0] = 3  # a topic that tells nothing apart
    halves = combinations(range(n_topics), size)
    splits = [(half, other) for half, other in permutations(halves, 2) if not {*half} & {*other}]
    expected = np.zeros((2, 3), dtype=int)  # below and from 25 % on: same, reversed, tied
    for half, other in splits:
        for first, second in combinations(tenths.tolist(), 2):
            means = [Fraction(sum(row[topic] for topic in half), 10 * size) for row in (first, second)]
            seen, again = means[0] - means[1], sum(first[topic] - second[topic] for topic in other)
            if seen:
                worse = min(means) if higher_is_better else max(means)
                is_large = not worse or abs(seen) / worse >= Fraction(1, 4)
                expected[int(is_large), 2 if not again else int(seen * again < 0)] += 1
    sets = TopicSets(*(np.array(side) for side in zip(*splits, strict=True)))
    counts = count_swaps(tenths / 10, [sets], None, "disjoint", higher_is_better=higher_is_better)
    classes = np.add.reduceat(counts.relative[0].sum(axis=0), [0, counts.relative_edges.index(0.25)])
    np.testing.assert_array_equal(classes, expected)
    every = counts.error_rate(size)
    assert every.estimate == expected[:, 1].sum() / expected.sum()
    drawn = swap_rates(
        tenths / 10, sizes=[size], n_splits=4000, test=None, higher_is_better=higher_is_better, **WHOLE
    ).error_rate(size)
    assert drawn.estimate == pytest.approx(every.estimate, abs=4 * drawn.standard_error)


def slow_pvalue(differences, test):
    if test == "t":
        return scipy.stats.ttest_1samp(differences, 0).pvalue if np.ptp(differences) else 0.0
    untied = differences[differences != 0]
    if test == "sign":
        return scipy.stats.binomtest(int((untied > 0).sum()), untied.size).pvalue
    exact = untied.size == differences.size == np.unique(np.abs(untied)).size
    return scipy.stats.wilcoxon(differences, correction=True, method="exact" if exact else "asymptotic").pvalue


class TestDegenerateScores:
    def test_duplicate_systems_have_no_order(self):
        scores = random_scores(3)
        scores[2] = scores[0]
        assert (
            swap_rates(scores, sizes=[5], n_splits=10, **WHOLE).error_rate(5).n_compared == 20
        )  # two of the three pairs

    def test_means_that_differ_by_rounding_are_equal(self):
        # The same numbers in another order: sums differ in the last digit.
        row = np.array([0.1, 0.2, 0.3, 0.7])
        point = swap_rates(
            [np.tile(row, 5), np.tile(row[::-1], 5)], design="replacement", sizes=[2], n_splits=400, **WHOLE
        ).error_rate(2)
        assert point.n_compared < 400  # equal means are no order
        assert point.n_tied > 0

    def test_all_systems_equal(self):
        with pytest.warns(DegenerateWarning, match="nothing can be told apart"):
            rates = swap_rates(np.full((4, 12), 0.5), **WHOLE)
        assert rates.error_rate(5).estimate is None
        needed = rates.difference_needed(5)
        assert (needed.difference, needed.why_none) == (None, "too few comparisons")
        assert json.dumps(rates.to_dict())


class TestInvariances:
    def test_order_of_systems_shift_and_scale_do_not_matter(self):
        scores = random_scores()
        swaps = swap_rates(scores, sizes=[5, 10], **WHOLE)
        turned = swap_rates(scores[::-1], sizes=[5, 10], **WHOLE)
        moved = swap_rates(5 + 3 * scores, sizes=[5, 10], **WHOLE)
        assert (swaps.relative == turned.relative).all()
        assert (swaps.by_split == turned.by_split).all()
        assert (swaps.by_split == moved.by_split).all()

    @pytest.mark.parametrize("test", ["t", "wilcoxon"])
    def test_memory_bounded_chunks_give_the_same_answer(self, test, monkeypatch):
        whole = swap_rates(random_scores(), test=test, rng=1).to_dict()
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 3000)
        assert swap_rates(random_scores(), test=test, rng=1).to_dict() == whole

    def test_classes_add_up(self):
        rates = swap_rates(random_scores(), sizes=[5, 10], rng=1)
        assert (rates.absolute.sum(axis=2) == rates.by_split.sum(axis=1)).all()
        assert (rates.relative.sum(axis=2) == rates.by_split.sum(axis=1)).all()

    def test_sizes_ascend_and_default_to_steps_of_five_up_to_half(self):
        assert swap_rates(random_scores(4, 33), rng=1, n_splits=1, sizes=[10, 5, 10]).sizes == (5, 10)
        assert swap_rates(random_scores(4, 33), rng=1, n_splits=1).sizes == (5, 10, 15)
        assert swap_rates(random_scores(4, 8), rng=1, n_splits=1).sizes == (4,)


class TestProfiles:
    def test_profile_of_a_tie_over_all_topics_is_all_reversals(self):
        scores = np.zeros((2, 8))
        scores[0] = [1, -1, 2, -2, 4, -4, 8, -8]
        profile = reversal_profile(scores, 4, n_splits=10, **WHOLE)
        assert profile.shape == (10,)
        assert profile[-1] == 1

    def test_profile_averages_to_the_error_rate(self):
        scores = random_scores()
        profile = reversal_profile(scores, 6, rng=9)
        point = swap_rates(scores, test=None, sizes=[6], rng=9).error_rate(6)
        assert profile.mean() == pytest.approx(point.n_reversed / (50 * 15))

    def test_they_refuse_what_swap_rates_refuse(self):
        with pytest.raises(ArgumentError, match="n_topics must leave room for a second set among 24 topics"):
            reversal_profile(random_scores(), 13, rng=1)
