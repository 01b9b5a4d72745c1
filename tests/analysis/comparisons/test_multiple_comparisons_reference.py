"""Families of comparisons against values made elsewhere, and derived again by a slow second route."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import mpmath
import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.multitest import multipletests

from analysis.comparisons import adjust_pvalues, compare_family, randomized_tukey_hsd, step_down_max_t, tukey_hsd
from analysis.comparisons._studentized_range import sd_rule, studentized_range_ppf, studentized_range_sf
from analysis.scores import ScoreMatrix
from tests.analysis.matrices import shipped_matrix
from tests.thoroughness import every

REFERENCE = Path(__file__).parents[1] / "reference"


@pytest.fixture(scope="module")
def dl19():
    return shipped_matrix("trec-dl-2019-passage__nDCG-at-10")


@pytest.fixture(scope="module")
def differences(dl19):
    return [first - second for first, second in itertools.combinations(dl19.scores, 2)]


@pytest.mark.parametrize(("method", "theirs"), [("holm", "holm"), ("benjamini-hochberg", "fdr_bh")])
def test_adjusted_p_values_are_those_of_statsmodels(method, theirs):
    pvalues = np.random.default_rng(2).beta(0.3, 2, 200).round(3)  # with ties
    assert adjust_pvalues(pvalues, method) == pytest.approx(multipletests(pvalues, method=theirs)[1], abs=1e-15)


@pytest.mark.parametrize("df", [1.0, 5.0, 250.0, 100_000.0])
def test_the_estimated_deviation_has_the_moments_of_chi(df):
    """E s = sqrt(2 / df) Γ((df + 1) / 2) / Γ(df / 2), and E s² = 1, to the digits of a double."""
    nodes, weights = sd_rule(df)
    mean = float(mpmath.sqrt(2 / mpmath.mpf(df)) * mpmath.gammaprod([(df + 1) / 2], [df / 2]))
    assert float(weights @ nodes) == pytest.approx(mean, rel=1e-13)
    assert float(weights @ nodes**2) == pytest.approx(1.0, rel=1e-13)


def test_the_studentized_range_waits_for_no_distributions_of_scipy():
    """They take as long to load as all else that a check of a score needs."""
    lines = (
        "import sys",
        "from analysis.comparisons._studentized_range import studentized_range_ppf",
        "assert 3 < studentized_range_ppf(0.95, 3, 20) < 4",
        "print('scipy.stats' in sys.modules)",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


class TestAllPairsAgainstLoopsOverScipy:
    def test_t(self, dl19, differences):
        expected = [scipy.stats.ttest_1samp(row, 0).pvalue for row in differences]
        assert compare_family(dl19, correction="none").pvalues == pytest.approx(expected, rel=1e-9)

    def test_wilcoxon_without_ties_or_zeros_is_exact(self, dl19, differences):
        ours = compare_family(dl19, test="wilcoxon", correction="none").pvalues
        untied = [
            index
            for index, row in enumerate(differences)
            if len(set(np.abs(row).round(8))) == row.size and (row != 0).all()
        ]
        assert len(untied) > 5
        for index in untied:
            expected = scipy.stats.wilcoxon(differences[index], method="exact").pvalue
            assert ours[index] == pytest.approx(expected, rel=1e-9)

    def test_sign(self, dl19, differences):
        expected = [
            scipy.stats.binomtest(int((row > 1e-9).sum()), int((abs(row) > 1e-9).sum())).pvalue for row in differences
        ]
        assert compare_family(dl19, test="sign", correction="none").pvalues == pytest.approx(expected, rel=1e-9)

    @pytest.mark.parametrize("test", ["randomization", "bootstrap-shift"])
    def test_resampling_within_its_error_of_scipy_and_t(self, dl19, differences, test):
        ours = compare_family(dl19, test=test, correction="none", n_resamples=20_000, rng=3).pvalues
        for index in (0, 7, 23, 40):
            row = differences[index]
            if test == "randomization":
                expected = scipy.stats.permutation_test(
                    (row,), lambda d, axis: d.mean(axis=axis), permutation_type="samples", n_resamples=20_000, rng=4
                ).pvalue
            else:
                drawn = np.random.default_rng(4).choice(row, (20_000, row.size)).mean(axis=1) - row.mean()
                expected = np.mean(np.abs(drawn) >= abs(row.mean()))
            error = np.sqrt(2 * max(expected, 1e-4) / 20_000)
            assert ours[index] == pytest.approx(expected, abs=4 * error)


class TestStudentizedRange:
    def test_reference_quantile(self):
        assert studentized_range_ppf(0.95, 103, 5049) == pytest.approx(6.107301515, abs=5e-10)

    @pytest.mark.parametrize(
        ("k", "df"), every(2, [(2, 2), (3, 10), (5, 3), (10, 20), (129, 6272), (1000, 48951)], __file__)
    )
    def test_quantiles_and_tails_against_scipy(self, k, df):
        quantile = studentized_range_ppf(0.95, k, df)
        assert quantile == pytest.approx(scipy.stats.studentized_range.ppf(0.95, k, df), rel=1e-9)
        for q in (1.0, 4.0, quantile):
            expected = scipy.stats.studentized_range.sf(q, k, df)
            assert float(studentized_range_sf(np.array(q), k, df)) == pytest.approx(expected, abs=1e-8)

    @pytest.mark.parametrize("df", [2, 10, 500])
    def test_two_means_are_a_t_test_far_into_the_tail(self, df):
        q = np.array([0.0, 0.5, 3.0, 8.0, 15.0])
        expected = 2 * scipy.stats.t.sf(q / np.sqrt(2), df)
        assert studentized_range_sf(q, 2, df) == pytest.approx(expected, rel=1e-7)


class TestTukey:
    def test_trec7_reference_value(self):
        family = tukey_hsd(shipped_matrix("trec-7-adhoc__AP"))
        assert family.critical_difference == pytest.approx(0.094772, abs=5e-7)

    def test_against_r_with_topics_as_blocks(self, dl19):
        expected = json.loads((REFERENCE / "tukey_blocks.json").read_text(encoding="utf-8"))
        family = tukey_hsd(dl19)
        for row, (first, second) in enumerate(zip(expected["first"], expected["second"], strict=True)):
            ours = family.pair(dl19.systems[first], dl19.systems[second])
            assert ours.estimate == pytest.approx(expected["estimate"][row])
            assert ours.interval.low == pytest.approx(expected["low"][row], abs=1e-6)
            assert ours.interval.high == pytest.approx(expected["high"][row], abs=1e-6)
            assert ours.adjusted_pvalue == pytest.approx(expected["adjusted"][row], abs=2e-6)

    def test_scipys_one_way_test_is_another_one(self, dl19):
        some = dl19.select(dl19.systems[:5])
        one_way = scipy.stats.tukey_hsd(*some.scores)
        assert (one_way.pvalue[np.triu_indices(5, 1)] < 0.05).sum() < tukey_hsd(some).n_significant


class TestSecondRoutes:
    SMALL = ScoreMatrix(
        list("abcd"), list("1234567"), np.random.default_rng(9).normal([[0.0], [0.3], [0.5], [0.55]], 0.2, (4, 7))
    )

    def test_max_t_by_enumeration_with_t_statistics(self):
        family = step_down_max_t(self.SMALL, rng=1)
        differences = self.SMALL.scores[family.first] - self.SMALL.scores[family.second]
        signs = np.array(list(itertools.product([-1, 1], repeat=7)))
        flipped = differences[np.newaxis] * signs[:, np.newaxis, :]
        null = np.abs(scipy.stats.ttest_1samp(flipped, 0, axis=2).statistic)
        observed = np.abs(scipy.stats.ttest_1samp(differences, 0, axis=1).statistic)
        adjusted, largest = {}, 0.0
        remaining = list(np.argsort(-observed))
        while remaining:
            share = np.mean(null[:, remaining].max(axis=1) >= observed[remaining[0]] - 1e-9)
            largest = max(largest, share)
            adjusted[remaining.pop(0)] = largest
        assert family.adjusted_pvalues == pytest.approx([adjusted[index] for index in range(len(adjusted))])

    def test_shuffled_ranges_by_enumeration(self):
        matrix = ScoreMatrix(list("abc"), list("123"), np.random.default_rng(9).random((3, 3)))
        orders = list(itertools.permutations(range(3)))
        ranges = np.array(
            [
                np.ptp(sum(matrix.scores[list(order), topic] for topic, order in enumerate(chosen))) / 3
                for chosen in itertools.product(orders, repeat=3)
            ]
        )
        family = randomized_tukey_hsd(matrix, n_resamples=40_000, rng=5)
        expected = [(ranges >= abs(estimate) - 1e-12).mean() for estimate in family.estimates]
        assert family.adjusted_pvalues == pytest.approx(expected, abs=0.012)

    def test_max_t_finds_more_than_holm_and_tukey_on_real_runs(self):
        matrix = shipped_matrix("trec-8-adhoc__AP")
        count = step_down_max_t(matrix, n_resamples=2000, rng=1).n_significant
        assert (
            count > tukey_hsd(matrix).n_significant > randomized_tukey_hsd(matrix, n_resamples=200, rng=1).n_significant
        )
        assert count > compare_family(matrix).n_significant
