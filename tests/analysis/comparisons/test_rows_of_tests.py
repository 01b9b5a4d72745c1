"""Tests of many rows at once, and what families and resampling are made of: each part against SciPy or a count."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from analysis.comparisons import (
    adjust_pvalues,
    compare_family,
    randomization_test,
    sign_test,
    step_down_max_t,
    wilcoxon_test,
)
from analysis.errors import DegenerateWarning
from tests.analysis.simulated import labelled, noisy_matrix

SIDES = ("two-sided", "less", "greater")


class TestResampling:
    def test_a_randomization_test_by_enumeration(self):
        first, second = np.array([0.5, 0.7, 0.2, 0.9, 0.6]), np.array([0.4, 0.3, 0.3, 0.4, 0.4])
        comparison = randomization_test(first, second, 1, confidence_level=0.8, n_resamples=32)
        gaps = first - second
        means = [np.dot(signs, gaps) / 5 for signs in product((-1, 1), repeat=5)]
        assert comparison.pvalue == np.mean(np.abs(means) >= gaps.mean() - 1e-12)
        subsets = sorted(gaps[np.array(chosen, bool)].mean() for chosen in product((0, 1), repeat=5) if any(chosen))
        assert (comparison.interval.low, comparison.interval.high) == pytest.approx((subsets[2], subsets[-3]))
        assert comparison.method == "all 32 sign patterns"
        drawn = randomization_test(first, second, 1, n_resamples=31)
        assert drawn.method == "31 random sign patterns"
        assert (drawn.pvalue * 32) == pytest.approx(round(drawn.pvalue * 32))


class TestFamilies:
    MATRIX = noisy_matrix([0.2, 0.24, 0.3, 0.31], n_topics=12)

    def test_the_caller_is_warned_where_all_agree(self):
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

    def test_an_adjusted_p_at_the_level_is_significant(self):
        gaps = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.15])
        matrix = labelled([gaps, np.zeros(7)])
        family = compare_family(matrix, test="sign", correction="none", confidence_level=1 - 2 / 128)
        assert (family.pvalues.tolist(), family.significant.tolist()) == ([2 / 128], [True])
        stricter = compare_family(matrix, test="sign", correction="none", confidence_level=1 - 1.99 / 128)
        assert (stricter.n_significant, stricter.n_comparisons) == (0, 1)
        assert family.significantly_below("s0") == ("s1",)
        assert family.significantly_below("s1") == ()
        pair = family.pair("s1", "s0")
        assert (pair.statistic, pair.estimate, pair.interval) == (None, pytest.approx(-gaps.mean()), None)
        assert family.pair("s0", "s1").statistic == 7.0

    @pytest.mark.parametrize("side", SIDES)
    def test_max_t_against_a_baseline_is_the_step_down_of_all_patterns(self, side):
        matrix = noisy_matrix([0.3, 0.2, 0.3, 0.45], n_topics=7, seed=3)
        family = step_down_max_t(matrix, 1, baseline="s0", alternative=side, n_resamples=128)
        gaps = matrix.scores[1:] - matrix.scores[0]
        sizes = np.sqrt((gaps**2).mean(axis=1))
        turn = {"two-sided": np.abs, "greater": lambda x: x, "less": lambda x: -x}[side]
        seen = turn(gaps.mean(axis=1) / sizes)
        null = turn(np.array([gaps @ np.array(signs) / 7 for signs in product((-1, 1), repeat=7)]) / sizes)
        assert family.pvalues == pytest.approx([np.mean(null[:, j] >= seen[j] - 1e-12) for j in range(3)])
        adjusted, largest, left = np.empty(3), 0.0, [0, 1, 2]
        for j in np.argsort(-seen):
            largest = max(largest, np.mean(null[:, left].max(axis=1) >= seen[j] - 1e-12))
            adjusted[j] = largest
            left.remove(j)
        assert family.adjusted_pvalues == pytest.approx(adjusted)
        assert family.n_resamples == 128
        assert family.statistics == pytest.approx(gaps.mean(axis=1) / sizes)


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("n", [5, 13, 14, 49, 50, 51])
def test_wilcoxon_is_exact_where_scipy_is(n, side):
    for step in (0.0, 0.5):
        differences = np.random.default_rng(n).normal(0.3, 1.0, n)
        differences = np.round(differences / step) * step if step else differences
        expected = stats.wilcoxon(differences, correction=True, alternative=side).pvalue
        assert wilcoxon_test(differences, np.zeros(n), alternative=side).pvalue == pytest.approx(expected, rel=1e-9)
