"""Paired tests against values made elsewhere: R, SciPy, statsmodels, published tables, and exact convolutions."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.weightstats import ttost_paired

from analysis.comparisons import (
    bootstrap_shift_test,
    equivalence_test,
    randomization_test,
    sign_test,
    ttest_rel,
    wilcoxon_test,
)
from tests.analysis.matrices import shipped_matrix

R = json.loads((Path(__file__).parents[1] / "reference" / "paired_tests.json").read_text(encoding="utf-8"))
SIDES = ("two-sided", "less", "greater")


@pytest.fixture(params=R["pairs"], ids=lambda pair: f"{pair['measure']} {pair['first'][9:]} v {pair['second'][9:]}")
def pair(request):
    matrix = shipped_matrix(f"trec-dl-2019-passage__{request.param['measure']}")
    first, second = matrix.select([request.param["first"], request.param["second"]]).scores
    return request.param, first, second


@pytest.fixture(scope="module")
def runs_125_and_126():
    """Return the example of Urbano, Lima & Hanjalic: two runs of TREC-8 under AP."""
    return shipped_matrix("trec-8-adhoc__AP").select(["run125", "run126"]).scores


class TestAgainstR:
    @pytest.mark.parametrize("side", SIDES)
    def test_p_values(self, pair, side):
        expected, first, second = pair
        assert ttest_rel(first, second, alternative=side).pvalue == pytest.approx(expected["t_p"][side], rel=1e-9)
        assert sign_test(first, second, alternative=side).pvalue == pytest.approx(expected["sign_p"][side], rel=1e-9)
        for options, name in (
            ({}, "wilcoxon_corrected_p"),
            ({"method": "normal"}, "wilcoxon_normal_corrected_p"),
            ({"method": "normal", "correction": False}, "wilcoxon_normal_p"),
        ):
            ours = wilcoxon_test(first, second, alternative=side, **options).pvalue
            assert ours == pytest.approx(expected[name][side], rel=1e-9), name

    def test_statistics_and_intervals(self, pair):
        expected, first, second = pair
        t, sign, wilcoxon = ttest_rel(first, second), sign_test(first, second), wilcoxon_test(first, second)
        assert t.statistic == pytest.approx(expected["t"])
        assert (t.interval.low, t.interval.high) == pytest.approx((expected["t_low"], expected["t_high"]))
        assert (sign.interval.low, sign.interval.high) == pytest.approx((expected["sign_low"], expected["sign_high"]))
        assert (wilcoxon.statistic, wilcoxon.n_used) == (expected["wilcoxon_statistic"], expected["n_untied"])

    def test_pseudo_median_and_its_interval(self):
        expected = R["depression"]
        result = wilcoxon_test(expected["differences"], np.zeros(9))
        assert result.pvalue == pytest.approx(expected["p"], rel=1e-9)
        values = (result.estimate, result.interval.low, result.interval.high)
        assert values == pytest.approx((expected["estimate"], expected["low"], expected["high"]))


class TestAgainstScipy:
    @pytest.mark.parametrize("side", SIDES)
    def test_exact_randomization(self, side):
        first, second = np.random.default_rng(11).random((2, 9)).round(2)
        expected = scipy.stats.permutation_test(
            (first - second,), np.mean, permutation_type="samples", alternative=side, n_resamples=np.inf
        )
        assert randomization_test(first, second, alternative=side, rng=1).pvalue == pytest.approx(expected.pvalue)

    def test_every_sum_of_ranks_is_counted(self):
        magnitudes = np.arange(1.0, 13)
        for losses in (1, 2, 5):
            differences = np.where(magnitudes <= losses, -magnitudes, magnitudes)
            expected = scipy.stats.wilcoxon(differences, method="exact").pvalue
            assert wilcoxon_test(differences, np.zeros(12)).pvalue == pytest.approx(expected, rel=1e-12)

    def test_equivalence_against_statsmodels(self, pair):
        _, first, second = pair
        pvalue, (_, lower, _), (_, upper, _) = ttost_paired(first, second, -0.04, 0.04)
        ours = equivalence_test(first, second, margin=0.04)
        assert (ours.pvalue_above_lower, ours.pvalue_below_upper) == pytest.approx((lower, upper), rel=1e-9)
        assert ours.pvalue == pytest.approx(pvalue, rel=1e-9)


class TestAgainstPublishedValues:
    """TREC-8 ad hoc AP, runs 125 and 126: the read-me of julian-urbano/sigir2019-statistical."""

    def test_t(self, runs_125_and_126):
        assert ttest_rel(*runs_125_and_126).pvalue == pytest.approx(0.0013193972, abs=5e-11)

    def test_wilcoxon_with_and_without_continuity_correction(self, runs_125_and_126):
        options = {"tie_tolerance": 0, "method": "normal"}
        raw = wilcoxon_test(*runs_125_and_126, **options)
        assert raw.pvalue == pytest.approx(0.003445188, abs=5e-10)
        without = wilcoxon_test(*runs_125_and_126, correction=False, **options)
        assert without.pvalue == pytest.approx(0.0033921, abs=5e-8)

    def test_wilcoxon_sees_a_tie_that_floating_point_hides(self, runs_125_and_126):
        # Two of the 50 differences are equal to the 4 decimals of the scores, but not as floating-point numbers.
        first, second = runs_125_and_126
        in_integers = scipy.stats.wilcoxon(
            np.rint(first * 1e4) - np.rint(second * 1e4), correction=True, method="asymptotic"
        )
        assert wilcoxon_test(first, second).pvalue == pytest.approx(in_integers.pvalue, rel=1e-12)
        assert in_integers.pvalue == pytest.approx(0.0033919427, abs=5e-11)

    def test_sign_with_ties_up_to_a_hundredth(self, runs_125_and_126):
        result = sign_test(*runs_125_and_126, tie_threshold=0.01)
        assert (result.n_used - result.statistic, result.n_used) == (31, 44)
        assert result.pvalue == pytest.approx(0.009559879, abs=5e-10)

    def test_equivalence(self, runs_125_and_126):
        second, first = runs_125_and_126
        result = equivalence_test(first, second, margin=0.05)
        assert result.pvalue == pytest.approx(0.5762583, abs=5e-8)
        assert (result.interval.low, result.interval.high) == pytest.approx((0.0269256, 0.0790904), abs=5e-8)

    @pytest.mark.parametrize(
        ("test", "name", "low", "high"),
        [
            (randomization_test, "randomization", 0.00119, 0.00121),
            (bootstrap_shift_test, "bootstrap-shift", 0.00059, 0.00061),
        ],
    )
    def test_resampling(self, runs_125_and_126, test, name, low, high):
        exact = exact_pvalue(*runs_125_and_126, name)
        # The published values are simulated: a million resamples leave an error of 2.4e-5 on .0006. Without
        # resampling, bootstrap-shift is .000584.
        assert low - 2.4e-5 <= exact <= high + 2.4e-5
        n_resamples = 40_000
        ours = test(*runs_125_and_126, n_resamples=n_resamples, rng=20)
        assert ours.pvalue == pytest.approx(exact, abs=4 * np.sqrt(exact / n_resamples))


def exact_pvalue(first, second, test):
    """Return the p-value without resampling: of scores of 4 decimals, whole numbers, sums have a finite distribution.

    Convolves the distribution of one topic's contribution with itself: ±d for each topic in turn, or n times a draw
    from all of d.
    """
    differences = np.rint(first * 1e4).astype(int) - np.rint(second * 1e4).astype(int)
    n, total = differences.size, differences.sum()
    size = 2 * int(np.abs(differences).sum() if test == "randomization" else n * np.abs(differences).max()) + 1
    transform = np.ones(size // 2 + 1, dtype=complex)
    frequencies = 2 * np.pi * np.arange(size // 2 + 1) / size
    if test == "randomization":
        for difference in differences:
            transform *= np.cos(frequencies * difference)
        null, shift = np.fft.irfft(transform, size), 0
    else:
        values, counts = np.unique(differences, return_counts=True)
        transform = (np.exp(-1j * np.outer(frequencies, values)) @ (counts / differences.size)) ** n
        null, shift = np.fft.irfft(transform, size), total
    sums = np.arange(size)
    sums[sums > size // 2] -= size
    return null[np.abs(sums - shift) >= abs(total)].sum()
