"""Tests of many rows at once, and what families and resampling are made of: each part against SciPy or a count."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from analysis.comparisons import (
    adjust_pvalues,
    bootstrap_shift_test,
    compare_family,
    randomization_test,
    randomized_tukey_hsd,
    sign_test,
    step_down_max_t,
    tukey_hsd,
    wilcoxon_test,
)
from analysis.comparisons._bca import bca_limits
from analysis.comparisons._comparison_family import family_pairs, pair_differences
from analysis.comparisons._difference_tests import (
    SMALLEST_PVALUE,
    bootstrap_weights,
    count_as_extreme,
    is_exact,
    n_as_extreme,
    n_resampled,
    resampled_pvalues,
    round_ties,
    row_moments,
    score_differences,
    sign_counts,
    sign_flip_weights,
    sign_tests,
    signed_rank_cdf,
    signed_ranks,
    t_tests,
    two_tails,
    wilcoxon_tests,
)
from analysis.comparisons._joint_comparisons import _shuffled_ranges
from analysis.comparisons._paired_resampling import _shift_interval, _typical_interval
from analysis.comparisons._paired_results import tail_rank
from analysis.comparisons._studentized_range import sd_rule, studentized_range_ppf, studentized_range_sf
from analysis.comparisons._superiority_tests import _ordered_walsh, _walsh_interval, _walsh_median
from analysis.errors import ArgumentError, DegenerateWarning
from tests.analysis.simulated import labelled, noisy_matrix

SIDES = ("two-sided", "less", "greater")
TIED = np.array(
    [
        [0.1, -0.2, 0.2, 0.3, 0.0, -0.1, 0.4, 0.5, 0.2, 0.0, 0.6, -0.3],
        [-0.1, -0.2, -0.4, 0.3, 0.0, 0.0, 0.0, -0.5, -0.2, 0.1, -0.6, -0.3],
    ]
)
UNTIED = np.array([[0.11, -0.23, 0.29, 0.37, 0.05, -0.13, 0.41], [-0.3, 0.11, -0.52, 0.07, -0.61, -0.9, 0.23]])


class TestRows:
    def test_differences_and_moments_forget_rounding(self):
        first, second = np.array([0.1 + 0.2, 0.5, 1.0]), np.array([0.3, 0.2, 1.0 + 1e-9])
        found = score_differences(first, second)
        assert found[0] == 0
        assert found[1:] == pytest.approx([0.3, -1e-9])
        means, sds = row_moments(np.array([[0.1 + 0.2, 0.3, 0.3], [0.1, 0.2, 0.6], [0.0, 0.0, 0.0]]))
        assert means == pytest.approx([0.3, 0.3, 0.0])
        assert sds == pytest.approx([0.0, np.std([0.1, 0.2, 0.6], ddof=1), 0.0], abs=0)

    def test_tails_are_doubled_and_never_0_or_above_1(self):
        lower, upper = np.array([0.0, 0.3, 0.7]), np.array([1.0, 0.75, 0.7])
        assert two_tails(lower.copy(), upper.copy(), "less").tolist() == [SMALLEST_PVALUE, 0.3, 0.7]
        assert two_tails(lower.copy(), upper.copy(), "greater").tolist() == [1.0, 0.75, 0.7]
        assert two_tails(lower.copy(), upper.copy(), "two-sided").tolist() == [SMALLEST_PVALUE, 0.6, 1.0]

    @pytest.mark.parametrize("side", SIDES)
    def test_t_is_that_of_scipy_and_constant_rows_have_their_limits(self, side):
        found = t_tests(TIED, side)
        expected = stats.ttest_1samp(TIED, 0, axis=1, alternative=side)
        assert found.statistics == pytest.approx(expected.statistic)
        assert found.pvalues == pytest.approx(expected.pvalue)
        limits = t_tests(np.array([[0.0] * 3, [0.2] * 3, [-0.2] * 3, [0.1, 0.2, -0.3]]), side)
        assert limits.statistics.tolist() == [0.0, np.inf, -np.inf, 0.0]
        ends = {"two-sided": (0, 0), "less": (1, 0), "greater": (0, 1)}[side]
        assert limits.pvalues[0] == 1.0
        assert limits.pvalues[1:3] == pytest.approx(ends)
        assert limits.pvalues[3] == (1.0 if side == "two-sided" else 0.5)

    @pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])
    def test_ranks_of_ties_and_zeros_by_hand(self, zero_method):
        found = signed_ranks(np.array([[0.3, -0.1, 0.0, 0.1, 0.5, -0.3]]), zero_method=zero_method, tie_tolerance=1e-12)
        shift = 0.0 if zero_method == "wilcox" else 1.0
        ranks = np.array([1.5, 1.5, 3.5, 3.5, 5.0]) + shift
        assert found.statistics == pytest.approx([3.5 + 1.5 + 5 + 3 * shift])
        assert found.means == pytest.approx([ranks.sum() / 2])
        assert found.variances == pytest.approx([(ranks**2).sum() / 4])
        assert (found.n_used.tolist(), found.untied.tolist()) == ([5], [False])
        plain = signed_ranks(UNTIED, zero_method=zero_method, tie_tolerance=1e-12)
        assert plain.untied.tolist() == [True, True]
        assert plain.statistics == pytest.approx([28 - 4 - 3, 2 + 1 + 3])
        assert plain.variances == pytest.approx([140 / 4] * 2)

    def test_ties_are_rounded_on_a_grid_below_the_largest(self):
        rows = np.array([[0.3 - 0.1, 0.5 - 0.3, -0.0, 0.9]])
        assert rows[0, 0] != rows[0, 1]
        rounded = round_ties(rows, 1e-12)
        assert rounded[0, 0] == rounded[0, 1] == pytest.approx(2e11)
        assert not np.signbit(rounded[0, 2])
        assert round_ties(rows, 0) is rows
        assert round_ties(np.array([[1.0, 0.55, 10.0]]), 0.1).tolist() == [[1.0, 1.0, 10.0]]
        assert round_ties(np.zeros((1, 2)), 0.1).tolist() == [[0.0, 0.0]]

    @pytest.mark.parametrize("side", SIDES)
    @pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])
    @pytest.mark.parametrize("correction", [True, False])
    def test_wilcoxon_with_ties_is_that_of_scipy(self, side, zero_method, correction):
        found = wilcoxon_tests(TIED, side, zero_method=zero_method, correction=correction)
        for row, pvalue in zip(TIED, found.pvalues, strict=True):
            options = {"zero_method": zero_method, "correction": correction, "alternative": side}
            expected = stats.wilcoxon(np.rint(row * 10), method="approx", **options)
            assert pvalue == pytest.approx(expected.pvalue)

    @pytest.mark.parametrize("side", SIDES)
    def test_wilcoxon_without_ties_is_exact_below_50(self, side):
        found = wilcoxon_tests(UNTIED, side)
        assert found.pvalues == pytest.approx(stats.wilcoxon(UNTIED, axis=1, method="exact", alternative=side).pvalue)
        normal = wilcoxon_tests(UNTIED, side, method="normal")
        options = {"axis": 1, "method": "approx", "correction": True, "alternative": side}
        assert normal.pvalues == pytest.approx(stats.wilcoxon(UNTIED, **options).pvalue)
        for n, exact in ((49, True), (50, False)):
            row = np.random.default_rng(n).normal(0.2, 1, (1, n))
            method = "exact" if exact else "approx"
            expected = stats.wilcoxon(row[0], method=method, correction=True, alternative=side)
            assert wilcoxon_tests(row, side).pvalues == pytest.approx([expected.pvalue])
            assert wilcoxon_tests(row, side, method="exact").pvalues == pytest.approx(
                [stats.wilcoxon(row[0], method="exact", alternative=side).pvalue]
            )
        mixed = wilcoxon_tests(np.vstack([UNTIED[0], np.zeros(7), np.full(7, 0.1)]), side)
        assert mixed.pvalues[0] == pytest.approx(found.pvalues[0])
        assert mixed.pvalues[1] == 1

    def test_sums_of_ranks_are_counted_over_all_subsets(self):
        sums = [sum(rank for rank, is_in in enumerate(signs, 1) if is_in) for signs in product((0, 1), repeat=5)]
        expected = [np.mean(np.array(sums) <= w) for w in range(16)]
        assert signed_rank_cdf(5) == pytest.approx(expected)
        with pytest.raises(ValueError, match="read-only"):
            signed_rank_cdf(5)[0] = 1

    @pytest.mark.parametrize("side", SIDES)
    def test_signs_are_tosses_of_a_coin(self, side):
        rows = np.array([[0.3, 0.1, -0.2, 0.05, 0.0, 0.4], [-0.3, 0.1, -0.2, -0.1, -0.5, -0.4], [0.0] * 6])
        wins, losses = sign_counts(rows, 0.1)
        assert (wins.tolist(), losses.tolist()) == ([2, 0, 0], [1, 4, 0])
        found = sign_tests(rows, side, tie_threshold=0.1)
        expected = [stats.binomtest(won, n, alternative=side).pvalue for won, n in ((2, 3), (0, 4))]
        assert found.pvalues == pytest.approx([*expected, 1.0])
        assert found.statistics.tolist() == [2.0, 0.0, 0.0]
        assert sign_tests(rows, side).statistics.tolist() == [4.0, 1.0, 0.0]


class TestResampling:
    def test_all_sign_patterns_come_once_where_they_are_few(self, monkeypatch):
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 9)
        steps = []
        rng = np.random.default_rng(1)
        weights = np.concatenate(list(sign_flip_weights(3, 8, rng, 1, lambda done, total: steps.append((done, total)))))
        assert sorted(map(tuple, (weights * 3).tolist())) == sorted(product((-1.0, 1.0), repeat=3))
        assert steps == [(3, 8), (6, 8), (8, 8)]
        drawn = list(sign_flip_weights(3, 7, rng, 1))
        assert [len(part) for part in drawn] == [3, 3, 1]
        assert np.abs(np.concatenate(drawn)) == pytest.approx(1 / 3)
        assert [is_exact(n, 16) for n in (3, 4, 5)] == [True, True, False]
        assert [n_resampled(n, 16) for n in (3, 4, 5)] == [8, 16, 16]
        assert is_exact(62, 2**62)
        assert not is_exact(63, 2**63)

    def test_weights_of_samples_count_every_topic(self, monkeypatch):
        found = list(bootstrap_weights(4, 5000, np.random.default_rng(2), 1))
        assert [len(part) for part in found] == [2048, 2048, 904]
        every = np.concatenate(found)
        assert every.sum(axis=1) == pytest.approx(1)
        assert every.mean(axis=0) == pytest.approx([0.25] * 4, abs=0.01)
        assert (every * 4 == np.rint(every * 4)).all()
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 40)
        assert [len(part) for part in bootstrap_weights(4, 9, np.random.default_rng(2), 10)] == [4, 4, 1]

    @pytest.mark.parametrize("side", SIDES)
    def test_as_extreme_is_as_far_on_its_side(self, side):
        draws = np.array([[0.3, 0.1, -0.2, 0.0], [0.1, 0.3, 0.2, 0.0], [0.0, 0.0, 0.0, 0.0]])
        first, second = np.array([0] * 70 + [1]), np.array([1] * 70 + [2])
        observed = np.array([0.2] * 70 + [-0.2])
        found = count_as_extreme(draws, first, second, observed, 1e-12, side)
        # Differences .2, -.2, -.4, 0 against .2; and .1, .3, .2, 0 against -.2.
        expected = {"two-sided": (3, 2), "greater": (1, 4), "less": (4, 0)}[side]
        assert found.tolist() == [expected[0]] * 70 + [expected[1]]
        assert (
            n_as_extreme(np.array([0.3, -0.3, 0.1 + 0.2]), np.array([0.1, 0.5]), side)
            == ({"two-sided": 3, "greater": 2, "less": 3}[side])
        )

    def test_p_values_are_shares_of_all_patterns_or_of_one_more_than_drawn(self):
        assert resampled_pvalues(2, 4, 16, enumerable=True) == 2 / 16
        assert resampled_pvalues(2, 5, 16, enumerable=True) == 3 / 17
        assert resampled_pvalues(2, 4, 16, enumerable=False) == 3 / 17
        assert [tail_rank(0.05, n) for n in (18, 19, 39, 99)] == [0, 1, 2, 5]

    def test_intervals_of_resampled_means_by_hand(self):
        means = np.random.default_rng(3).permutation(np.arange(1.0, 40.0))
        found = _typical_interval(means, 0.9)
        assert (found.low, found.high, found.confidence_level) == (2.0, 38.0, 0.9)
        assert _typical_interval(means, 0.96) is None
        assert _typical_interval(means, 0.95).low == 1.0
        deviations = np.concatenate([means[:20], -means[20:]])
        shifted = _shift_interval(deviations, 100.0, 0.9)
        assert (shifted.low, shifted.high, shifted.confidence_level) == (64.0, 136.0, 0.9)
        assert _shift_interval(deviations, 0.0, 0.98) is None
        assert _shift_interval(np.zeros(39), 0.0, 0.9) is None

    def test_a_randomization_test_by_enumeration(self):
        first, second = np.array([0.5, 0.7, 0.2, 0.9, 0.6]), np.array([0.4, 0.3, 0.3, 0.4, 0.4])
        found = randomization_test(first, second, 1, confidence_level=0.8, n_resamples=32)
        gaps = first - second
        means = [np.dot(signs, gaps) / 5 for signs in product((-1, 1), repeat=5)]
        assert found.pvalue == np.mean(np.abs(means) >= gaps.mean() - 1e-12)
        subsets = sorted(gaps[np.array(chosen, bool)].mean() for chosen in product((0, 1), repeat=5) if any(chosen))
        assert (found.interval.low, found.interval.high) == pytest.approx((subsets[2], subsets[-3]))
        assert found.method == "all 32 sign patterns"
        drawn = randomization_test(first, second, 1, n_resamples=31)
        assert drawn.method == "31 random sign patterns"
        assert (drawn.pvalue * 32) == pytest.approx(round(drawn.pvalue * 32))

    def test_a_shift_test_by_its_draws(self):
        first, second = np.array([0.5, 0.7, 0.2, 0.9, 0.6]), np.array([0.4, 0.3, 0.3, 0.4, 0.4])
        gaps = first - second
        for side in SIDES:
            found = bootstrap_shift_test(first, second, 6, n_resamples=199, alternative=side)
            (weights,) = bootstrap_weights(5, 199, np.random.default_rng(6), 5)
            null = weights @ (gaps - gaps.mean())
            extreme = {"two-sided": np.abs(null) >= gaps.mean(), "greater": null >= gaps.mean()}
            extreme["less"] = null <= gaps.mean() + 1e-12
            assert found.pvalue == pytest.approx((1 + extreme[side].sum()) / 200)
            half = np.sort(np.abs(null))[-10]
            assert (found.interval.low, found.interval.high) == pytest.approx((gaps.mean() - half, gaps.mean() + half))

    def test_bca_limits_by_the_formula(self):
        samples = np.random.default_rng(4).gamma(2.0, 1.0, 999)
        influence, counts = np.array([2.0, -0.5, -0.25]), np.array([1, 2, 4])
        found = bca_limits(samples, 1.9, influence, 1.5, counts=counts)
        repeated = np.repeat(influence, counts)
        acceleration = (repeated**3).sum() / (6 * (repeated**2).sum() ** 1.5)
        shift = stats.norm.ppf((np.mean(samples < 1.9) + 1 - np.mean(samples > 1.9)) / 2)
        levels = stats.norm.cdf([shift + (shift + z) / (1 - acceleration * (shift + z)) for z in (-1.5, 1.5)])
        assert (found.low, found.high) == pytest.approx(tuple(np.quantile(samples, levels)))
        assert (found.bias_correction, found.acceleration) == pytest.approx((shift, acceleration))
        assert bca_limits(samples, 1.9, np.zeros(3), 1.5) is None
        assert bca_limits(samples, samples.max() + 1, influence, 1.5) is None
        assert bca_limits(samples, -1.0, influence, 1.5) is None
        ties = np.array([1.0, 1.0, 1.0, 2.0])
        assert bca_limits(ties, 1.0, influence, 1.5).bias_correction == pytest.approx(stats.norm.ppf(3 / 8))


class TestWalshAverages:
    def test_every_rank_is_that_of_the_sorted_averages(self):
        gaps = np.array([0.3, -0.1, 0.2, 0.2, -0.4])
        averages = np.sort([(gaps[i] + gaps[j]) / 2 for i in range(5) for j in range(i, 5)])
        assert [_ordered_walsh(gaps, rank) for rank in range(1, 16)] == pytest.approx(averages)
        assert _walsh_median(gaps) == pytest.approx(np.median(averages))
        assert _walsh_median(gaps[:3]) == pytest.approx(np.mean([-0.1, 0.05, 0.1, 0.2, 0.25, 0.3][2:4]))
        # P(W <= 0) = 1/32 for five topics: the first and the last average at 90 %.
        found = _walsh_interval(gaps, 0.9)
        assert (found.low, found.high, found.confidence_level) == (pytest.approx(-0.4), pytest.approx(0.3), 0.9)
        assert _walsh_interval(gaps, 0.95) is None
        wide = _walsh_interval(np.append(gaps, 0.9), 0.9)
        six = np.append(gaps, 0.9)
        averages = np.sort([(six[i] + six[j]) / 2 for i in range(6) for j in range(i, 6)])
        assert (wide.low, wide.high) == pytest.approx((averages[2], averages[-3]))

    def test_from_50_topics_on_its_rank_is_normal(self):
        gaps = np.random.default_rng(1).normal(0.1, 1, 50)
        averages = np.sort([(gaps[i] + gaps[j]) / 2 for i in range(50) for j in range(i, 50)])
        rank = int(np.floor(1275 / 2 - stats.norm.ppf(0.975) * np.sqrt(50 * 51 * 101 / 24) + 0.5))
        found = _walsh_interval(gaps, 0.95)
        assert (found.low, found.high) == pytest.approx((averages[rank - 1], averages[-rank]))


class TestFamilies:
    MATRIX = noisy_matrix([0.2, 0.24, 0.3, 0.31], n_topics=12)

    def test_pairs_are_formed_in_parts_of_memory(self, monkeypatch):
        pairs = family_pairs(self.MATRIX, None)
        assert (pairs.first.tolist(), pairs.second.tolist()) == ([0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3])
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 4 * 10 * 12)
        parts = list(pair_differences(self.MATRIX.scores, pairs))
        assert [part for part, _ in parts] == [slice(0, 4), slice(4, 6)]
        scores = self.MATRIX.scores
        assert np.vstack([rows for _, rows in parts]) == pytest.approx(scores[pairs.first] - scores[pairs.second])
        against = family_pairs(self.MATRIX, "s2")
        assert (against.first.tolist(), against.second.tolist()) == ([0, 1, 3], [2, 2, 2])

    def test_the_caller_is_warned_where_all_agree(self):
        same = labelled(np.tile([0.1, 0.5, 0.3], (3, 1)))
        with pytest.warns(DegenerateWarning, match="all systems have the same score on every topic") as caught:
            found = compare_family(same, test="wilcoxon")
        assert [warning.filename for warning in caught] == [__file__]
        assert found.pvalues.tolist() == [1.0] * 3
        with pytest.warns(DegenerateWarning, match="agree on every topic: the p-value is 1") as caught:
            sign_test([0.1, 0.2], [0.1, 0.2])
        assert [warning.filename for warning in caught] == [__file__]

    def test_adjusted_p_values_by_hand(self):
        values = [0.03, 0.01, 0.04, 0.5]
        assert adjust_pvalues(values, "holm").tolist() == pytest.approx([0.09, 0.04, 0.09, 0.5])
        assert adjust_pvalues(values, "benjamini-hochberg").tolist() == pytest.approx([4 / 75, 0.04, 4 / 75, 0.5])
        assert adjust_pvalues(values, "none").tolist() == values
        assert adjust_pvalues(values, n_comparisons=10).tolist() == pytest.approx([0.27, 0.1, 0.32, 1.0])
        assert adjust_pvalues([0.0, 1.0], "benjamini-hochberg", n_comparisons=3).tolist() == [0.0, 1.0]
        with pytest.raises(ArgumentError, match="n_comparisons must be a whole number, 4 or more"):
            adjust_pvalues(values, n_comparisons=3)
        for bad in (-1e-9, 1 + 1e-9):
            with pytest.raises(ArgumentError, match="pvalues must lie between 0 and 1"):
                adjust_pvalues([0.5, bad])

    def test_an_adjusted_p_at_the_level_is_significant(self):
        gaps = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.15])
        matrix = labelled([gaps, np.zeros(7)])
        found = compare_family(matrix, test="sign", correction="none", confidence_level=1 - 2 / 128)
        assert (found.pvalues.tolist(), found.significant.tolist()) == ([2 / 128], [True])
        stricter = compare_family(matrix, test="sign", correction="none", confidence_level=1 - 1.99 / 128)
        assert (stricter.n_significant, stricter.n_comparisons) == (0, 1)
        assert found.significantly_below("s0") == ("s1",)
        assert found.significantly_below("s1") == ()
        pair = found.pair("s1", "s0")
        assert (pair.statistic, pair.estimate, pair.interval) == (None, pytest.approx(-gaps.mean()), None)
        assert found.pair("s0", "s1").statistic == 7.0

    @pytest.mark.parametrize("side", SIDES)
    def test_max_t_against_a_baseline_is_the_step_down_of_all_patterns(self, side):
        matrix = noisy_matrix([0.3, 0.2, 0.3, 0.45], n_topics=7, seed=3)
        found = step_down_max_t(matrix, 1, baseline="s0", alternative=side, n_resamples=128)
        gaps = matrix.scores[1:] - matrix.scores[0]
        sizes = np.sqrt((gaps**2).mean(axis=1))
        turn = {"two-sided": np.abs, "greater": lambda x: x, "less": lambda x: -x}[side]
        seen = turn(gaps.mean(axis=1) / sizes)
        null = turn(np.array([gaps @ np.array(signs) / 7 for signs in product((-1, 1), repeat=7)]) / sizes)
        assert found.pvalues == pytest.approx([np.mean(null[:, j] >= seen[j] - 1e-12) for j in range(3)])
        adjusted, largest, left = np.empty(3), 0.0, [0, 1, 2]
        for j in np.argsort(-seen):
            largest = max(largest, np.mean(null[:, left].max(axis=1) >= seen[j] - 1e-12))
            adjusted[j] = largest
            left.remove(j)
        assert found.adjusted_pvalues == pytest.approx(adjusted)
        assert found.n_resamples == 128
        assert found.statistics == pytest.approx(gaps.mean(axis=1) / sizes)

    def test_tukeys_difference_is_that_of_two_way_analysis(self):
        matrix = self.MATRIX.select(["s0", "s1", "s3"])
        scores = matrix.scores
        found = tukey_hsd(matrix, confidence_level=0.9)
        rest = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
        error = np.sqrt((rest**2).sum() / 22 / 12)
        assert found.critical_difference == pytest.approx(studentized_range_ppf(0.9, 3, 22) * error)
        gap = found.pair("s0", "s3")
        assert gap.statistic == pytest.approx(gap.estimate / error)
        assert gap.pvalue == pytest.approx(2 * stats.t.sf(abs(gap.statistic) / np.sqrt(2), 22), rel=1e-5)
        assert gap.adjusted_pvalue == pytest.approx(float(studentized_range_sf(abs(gap.statistic), 3, 22)))
        half = found.critical_difference
        assert (gap.interval.low, gap.interval.high) == pytest.approx((gap.estimate - half, gap.estimate + half))
        assert gap.interval.confidence_level == 0.9

    def test_shuffled_ranges_are_those_of_the_draws(self, monkeypatch):
        scores = self.MATRIX.scores
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 2 * 48 * 30)
        steps = []
        ranges = _shuffled_ranges(scores, 70, np.random.default_rng(9), lambda *step: steps.append(step))
        assert steps == [(30, 70), (60, 70), (70, 70)]
        assert ranges.shape == (70,)
        found = randomized_tukey_hsd(self.MATRIX, 9, confidence_level=0.9, n_resamples=70)
        gap = abs(found.estimates)
        assert found.pvalues == pytest.approx((1 + (ranges[:, None] >= gap - 1e-13).sum(axis=0)) / 71)
        # Of 71 at most 7.1 may be as wide: six of the ranges.
        assert found.critical_difference == np.sort(ranges)[-7]
        assert randomized_tukey_hsd(self.MATRIX, 9, n_resamples=19).critical_difference is not None
        assert randomized_tukey_hsd(self.MATRIX, 9, n_resamples=18).critical_difference is None


class TestStudentizedRange:
    def test_two_means_are_a_t_test(self):
        q = np.array([0.0, 1.0, 3.5, 6.0])
        assert studentized_range_sf(q, 2, 10.0) == pytest.approx(2 * stats.t.sf(q / np.sqrt(2), 10), rel=1e-6)
        # One degree of freedom reaches far beyond 8.
        assert studentized_range_ppf(0.99, 2, 1.0) == pytest.approx(np.sqrt(2) * stats.t.ppf(0.995, 1), rel=1e-5)

    def test_nodes_of_the_deviation_have_its_moments(self):
        for df in (2.0, 30.0):
            nodes, weights = sd_rule(df)
            assert weights.sum() == pytest.approx(1)
            assert weights @ nodes**2 == pytest.approx(1, rel=1e-9)
            assert weights @ nodes == pytest.approx(stats.chi.mean(df) / np.sqrt(df), rel=1e-9)


def test_conventions_of_wilcoxon_are_checked_and_told():
    first, second = UNTIED[0], np.zeros(7)
    for change, message in (
        ({"method": "fast"}, "method must be one of 'auto', 'exact', 'normal'"),
        ({"correction": 1}, "correction must be True or False"),
        ({"tie_tolerance": -1}, "tie_tolerance must be 0 or more"),
    ):
        with pytest.raises(ArgumentError, match=message):
            wilcoxon_test(first, second, **change)
    exact = wilcoxon_test(first, second, method="exact")
    assert exact.method == "exact distribution, zero method wilcox"
    assert exact.pvalue == pytest.approx(stats.wilcoxon(first, method="exact").pvalue)
    normal = wilcoxon_test(first, second, method="normal", correction=False, zero_method="pratt")
    assert normal.method == "normal approximation, without continuity correction, zero method pratt"
    assert normal.pvalue == pytest.approx(stats.wilcoxon(first, method="approx", correction=False).pvalue)
    signs = sign_test(first, second, confidence_level=0.8)
    share = stats.binomtest(5, 7).proportion_ci(0.8)
    assert (signs.interval.low, signs.interval.high, signs.estimate) == pytest.approx((share.low, share.high, 5 / 7))
