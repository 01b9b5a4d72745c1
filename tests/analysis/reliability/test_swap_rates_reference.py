"""Swap rates on TREC runs against the values made before, and against what Sanderson and Zobel (2005) print.

The paper pooled the ad hoc and web tracks of TREC-2 to TREC-11; here are TREC-5, 7 and 8, so its figures are met
only roughly, and the tests say how roughly.
"""

from functools import cache

import numpy as np
import pytest

from analysis.reliability import compare_effort, project_error_rate, significant_shares, swap_rates
from analysis.reliability._swap_profiles import reversal_profile
from tests.analysis.matrices import shipped_matrix

pytestmark = pytest.mark.slow

COLLECTIONS = ("trec-5-adhoc", "trec-7-adhoc", "trec-8-adhoc")
BARELY = (0.01, 0.05)


@cache
def pooled(measure="AP", design="disjoint", test="t"):
    first, *others = (
        swap_rates(shipped_matrix(f"{collection}__{measure}").scores, test=test, design=design, n_splits=40, rng=1)
        for collection in COLLECTIONS
    )
    return first.pooled_with(others)


class TestAgainstEarlierValues:
    """Twenty splits each; their own standard error is .006 without a test, .005 with one and .0095 in the band."""

    @pytest.mark.parametrize(
        ("name", "design", "size", "expected"),
        [
            ("trec-7-adhoc__AP", "disjoint", 25, (0.167, 0.035, 0.035, 0.033, 0.071)),
            ("trec-7-adhoc__AP", "replacement", 50, (0.115, 0.020, 0.021, 0.023, 0.064)),
            ("trec-2004-robust__AP", "disjoint", 49, (0.185, 0.039, 0.043, 0.042, 0.082)),
        ],
    )
    def test_swap_rates(self, name, design, size, expected):
        scores = shipped_matrix(name).scores
        by_test = {
            test: swap_rates(scores, test=test, design=design, sizes=[size], n_splits=30, rng=6)
            for test in ("t", "wilcoxon", "sign")
        }
        every = by_test["t"].error_rate(size)
        assert every.estimate == pytest.approx(expected[0], abs=3 * np.hypot(0.006, every.standard_error))
        for value, test in zip(expected[1:4], by_test, strict=True):
            point = by_test[test].error_rate(size, pvalues=(0, 0.05))
            assert point.estimate == pytest.approx(value, abs=3 * np.hypot(0.005, point.standard_error)), test
        band = by_test["t"].error_rate(size, pvalues=BARELY)
        assert band.estimate == pytest.approx(expected[4], abs=3 * np.hypot(0.0095, band.standard_error))


class TestAgainstThePaper:
    def test_absolute_difference_needed_with_fifty_topics(self):
        # Section 3: "more than 5 %"; Voorhees & Buckley: 5 to 6 %.
        needed = pooled().difference_needed(50, scale="absolute")
        assert needed.projected
        assert 0.04 <= needed.difference <= 0.06

    def test_relative_difference_needed_with_fifty_topics(self):
        # Section 3: 25 %; with replacement (section 7): 15 to 20 %. TREC-5, 7 and 8 need a little less of the first.
        assert 0.20 <= pooled().difference_needed(50).difference <= 0.25
        assert 0.15 <= pooled(design="replacement").difference_needed(50).difference <= 0.20

    def test_significance_lets_small_differences_count(self):
        # Section 3, figure 3: less than 10 % once .01 < p <= .05 in a t test.
        assert pooled().difference_needed(50, pvalues=BARELY).difference <= 0.10

    @pytest.mark.parametrize(
        ("test", "high", "low"), [("t", 0.13, 0.07), ("wilcoxon", 0.16, 0.10), ("sign", 0.17, 0.08)]
    )
    def test_barely_significant_differences_of_10_to_30_percent_on_25_topics(self, test, high, low):
        # Section 3: 13 % to 7 % errors under t, 16 % to 10 % under Wilcoxon, 17 % to 8 % under sign.
        rates = pooled(test=test)
        small = rates.error_rate(25, pvalues=BARELY, difference=(0.10, 0.15)).estimate
        large = rates.error_rate(25, pvalues=BARELY, difference=(0.25, 0.30)).estimate
        assert small == pytest.approx(high, abs=0.03)
        assert large == pytest.approx(low, abs=0.035)

    def test_precision_at_ten_errs_a_little_more_on_the_same_topics(self):
        # Section 4: "a few percent higher", with a projection to 50 topics that is very similar.
        for ap, p10 in zip(pooled().curve()[1:], pooled("P-at-10").curve()[1:], strict=True):
            assert 0 < p10.estimate - ap.estimate < 0.06
        assert (
            abs(pooled("P-at-10").difference_needed(50).difference - pooled().difference_needed(50).difference) <= 0.1
        )

    @pytest.mark.parametrize("collection", COLLECTIONS)
    def test_precision_at_ten_costs_far_less_for_the_same_error(self, collection):
        # Section 4, figure 7, with pools of depth 10 at .11 to .14 of those of depth 100.
        ap, p10 = (shipped_matrix(f"{collection}__{measure}") for measure in ("AP", "P-at-10"))
        result = compare_effort(ap, p10, first_effort=1.0, second_effort=0.125, rng=1)
        assert result.equal_error
        assert all(5 < point.effort_ratio < 10 for point in result.equal_error)

    def test_disjoint_sets_err_more_than_sets_with_replacement(self):
        for upper, lower in zip(pooled().curve(), pooled(design="replacement").curve(), strict=True):
            assert upper.estimate > lower.estimate

    def test_large_disjoint_sets_mislead_where_differences_are_largest(self):
        # Section 6, figure 8: the error rises again at the right end, the more the larger the sets; an artefact.
        def end_over_middle(design, size):
            rates = np.mean(
                [
                    reversal_profile(shipped_matrix(f"{name}__AP").scores, size, design=design, rng=1)
                    for name in COLLECTIONS
                ],
                axis=0,
            )
            return rates[-1] / rates[20:30].mean()

        assert end_over_middle("disjoint", 5) < 1.2
        assert end_over_middle("disjoint", 25) > 2
        assert end_over_middle("replacement", 25) < 1

    def test_few_small_differences_are_significant_and_sign_and_wilcoxon_find_more_of_them(self):
        # Section 3, all topics, below 10 %: 1.3 % under t, 6.6 % under Wilcoxon, 8.6 % under sign (here 1.2, 2.8, 3.8).
        shares = {}
        for test in ("t", "wilcoxon", "sign"):
            counts = [significant_shares(shipped_matrix(f"{name}__AP").scores, test=test) for name in COLLECTIONS]
            shares[test] = sum(row[0].n_significant for row in counts) / sum(row[0].n_pairs for row in counts)
        assert shares["t"] == pytest.approx(0.013, abs=0.004)
        assert shares["t"] < shares["wilcoxon"] < shares["sign"] < 0.086


def test_the_exponential_projection_is_too_low_where_it_can_be_checked():
    # Fitted to 5 to 25 topics, as in the paper, and measured at 45, which collections of 50 topics do not allow.
    held = {"exponential": 0, "power": 0}
    for name in ("trec-2004-robust__AP", "trec-2004-robust__nDCG", "trec-2003-robust__AP"):
        for design in ("disjoint", "replacement"):
            rates = swap_rates(shipped_matrix(name).scores, design=design, n_splits=200, rng=3)
            for pvalues in ((0, 1), (0, 0.05)):
                points = {point.n_topics: point.estimate for point in rates.curve(pvalues=pvalues)}
                sizes = [size for size in points if size <= 25]
                projections = {
                    trend: project_error_rate(sizes, [points[size] for size in sizes], 45, trend=trend)
                    for trend in held
                }
                for trend, projection in projections.items():
                    held[trend] += projection.interval.low <= points[45] <= projection.interval.high
                assert projections["exponential"].rate < 0.9 * points[45]
                assert projections["power"].rate == pytest.approx(points[45], rel=0.27)
    assert held == {"exponential": 2, "power": 11}
