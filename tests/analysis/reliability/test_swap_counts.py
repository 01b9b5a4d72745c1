"""Counts of reversed orders, made up by hand, and the rates, errors and differences that are asked of them."""

import numpy as np
import pytest
import scipy.stats

from analysis.errors import DegenerateWarning
from analysis.reliability import SwapRates, project_error_rate, significant_shares

#: Kept, reversed and tied pairs: of two sizes, two bands of p-values (significant, not) and three classes.
COUNTS = np.array(
    [
        [[[4, 4, 2], [8, 1, 1], [5, 0, 0]], [[3, 7, 0], [6, 2, 2], [0, 0, 0]]],
        [[[6, 2, 2], [9, 1, 0], [5, 0, 0]], [[5, 5, 0], [9, 1, 0], [1, 0, 0]]],
    ]
)


def rates(counts: np.ndarray = COUNTS, sizes: tuple[int, ...] = (5, 10), **fields) -> SwapRates:
    """Return an experiment with these counts by relative difference, ten times as many by absolute, three splits."""
    by_band = counts.sum(axis=2)
    first = by_band // 3
    settings = {
        "design": "disjoint",
        "test": "t",
        "sizes": sizes,
        "n_splits": 3,
        "n_systems": 4,
        "n_pairs": 6,
        "pvalue_edges": (0.0, 0.05, 1.0),
        "absolute_edges": (0.0, 0.01, 0.02),
        "relative_edges": (0.0, 0.1, 0.2),
        "absolute": 10 * counts,
        "relative": counts,
        "by_split": np.stack([first, first, by_band - 2 * first], axis=1),
    }
    return SwapRates(**(settings | fields))


def facts(point) -> tuple:
    return point.n_topics, point.estimate, point.n_compared, point.n_reversed, point.n_tied


def test_rates_are_of_the_bands_and_classes_that_are_asked_for():
    swaps = rates()
    assert facts(swaps.error_rate(5)) == (5, 14 / 45, 45, 14, 5)
    assert facts(swaps.error_rate(10)) == (10, 9 / 46, 46, 9, 2)
    assert facts(swaps.error_rate(5, pvalues=(0, 0.05))) == (5, 5 / 25, 25, 5, 3)
    assert facts(swaps.error_rate(5, pvalues=(0.05, 1.0))) == (5, 9 / 20, 20, 9, 2)
    assert facts(swaps.error_rate(5, difference=(0, 0.1))) == (5, 11 / 20, 20, 11, 2)
    assert facts(swaps.error_rate(5, difference=(0.1, np.inf))) == (5, 3 / 25, 25, 3, 3)
    assert facts(swaps.error_rate(5, difference=(0.1, 0.2), pvalues=(0.0, 0.05))) == (5, 1 / 10, 10, 1, 1)
    assert facts(swaps.error_rate(5, difference=(0.01, 0.02), scale="absolute")) == (5, 3 / 20, 200, 30, 30)
    assert facts(swaps.error_rate(10, difference=(0.2 + 1e-10, np.inf), pvalues=(0.05, 1))) == (10, 0.0, 1, 0, 0)
    assert facts(swaps.error_rate(5, difference=(0.2, np.inf), pvalues=(0.05, 1))) == (5, None, 0, 0, 0)
    assert [facts(point) for point in swaps.curve(pvalues=(0, 0.05))] == [(5, 5 / 25, 25, 5, 3), (10, 3 / 25, 25, 3, 2)]
    (small, large) = swaps.curve(difference=(0.0, 0.01), scale="absolute")
    assert (small.n_compared, large.n_reversed) == (200, 70)


def test_the_standard_error_is_that_of_a_ratio_of_sums_over_splits():
    swaps = rates(
        by_split=np.array([[[[4, 1, 0], [5, 0, 0]], [[3, 2, 0], [4, 1, 1]], [[2, 2, 1], [6, 0, 0]]]]), sizes=(5,)
    )
    point = swaps.error_rate(5)
    # Reversed 1, 3, 2 of 10, 11 and 11.
    deviations = np.array([1, 3, 2]) - 6 / 32 * np.array([10, 11, 11])
    assert point.standard_error == pytest.approx(np.sqrt(3 / 2 * (deviations**2).sum()) / 32)
    assert swaps.error_rate(5, difference=(0, 0.1)).standard_error is None
    alone = rates(by_split=np.array([[[[4, 1, 0], [5, 0, 0]]]]), sizes=(5,)).error_rate(5)
    assert (alone.estimate, alone.standard_error) == (0.1, None)
    two = rates(by_split=np.array([[[[4, 1, 0], [5, 0, 0]], [[4, 1, 0], [4, 1, 0]]]]), sizes=(5,)).error_rate(5)
    assert two.standard_error == pytest.approx(np.sqrt(2 * 2 * 0.5**2) / 20)


def by_class(*reversed_of_100: int) -> np.ndarray:
    """Return one size and band with a hundred pairs in each class, so many of them reversed, and an open class."""
    return np.array([[[[100 - n, n, 0] for n in (*reversed_of_100, 99)]]])


def one_band(counts: np.ndarray, **fields) -> SwapRates:
    edges = tuple(step / 10 for step in range(counts.shape[2]))
    settings = {"pvalue_edges": (0.0, 1.0), "relative_edges": edges, "sizes": (5,)} | fields
    return rates(counts, **settings)


def test_the_difference_needed_is_where_it_and_all_larger_ones_err_no_more_than_tolerated():
    needed = one_band(by_class(30, 4, 20, 5, 2)).difference_needed(5)
    assert (needed.difference, needed.why_none, needed.projected) == (0.3, None, False)
    assert (needed.n_topics, needed.scale, needed.max_error_rate) == (5, "relative", 0.05)
    assert one_band(by_class(5, 5, 5)).difference_needed(5).difference == 0.0
    none = one_band(by_class(0, 0, 6)).difference_needed(5)
    assert (none.difference, none.why_none) == (None, "no class is reliable")
    assert one_band(by_class(0, 0, 6)).difference_needed(5, max_error_rate=0.06).difference == 0.0
    few = one_band(by_class(0, 0, 6) - [1, 0, 0]).difference_needed(5)
    assert (few.difference, few.why_none) == (None, "too few comparisons")
    last_by_n = {
        n: by_class(30, 4, 6) - np.array([[[[0, 0, 0]] * 2 + [[100 - n, 0, 0]] + [[0, 0, 0]]]]) for n in (99, 100)
    }
    assert one_band(last_by_n[99]).difference_needed(5).difference == 0.1
    assert one_band(last_by_n[100]).difference_needed(5).why_none == "no class is reliable"


def test_the_difference_needed_of_one_band_and_scale_is_read_there():
    swaps = rates(10 * COUNTS)
    assert swaps.difference_needed(5).why_none == "no class is reliable"
    assert swaps.difference_needed(5, pvalues=(0, 0.05), max_error_rate=0.1).difference == 0.1
    absolute = swaps.difference_needed(10, scale="absolute", max_error_rate=0.1)
    assert (absolute.difference, absolute.scale) == (0.01, "absolute")


def test_rates_of_classes_are_projected_to_sizes_that_were_not_measured():
    """Of three classes the first falls to a tenth from size to size, the second does not fall, the third has none."""
    counts = np.array(
        [
            [[[500, 500, 0], [990, 10, 0], [100, 0, 0], [0, 5, 0]]],
            [[[750, 250, 0], [990, 10, 0], [100, 0, 0], [0, 5, 0]]],
            [[[875, 125, 0], [990, 10, 0], [100, 0, 0], [0, 5, 0]]],
        ]
    )
    swaps = one_band(counts, sizes=(5, 10, 15))
    projected = swaps.difference_needed(30)
    assert (projected.difference, projected.projected) == (0.0, True)
    # 2 ** -(20 / 5 + ...): at 25 topics the rate is .5 / 2 ** 4 = .03125, at 20 it is .0625.
    assert swaps.difference_needed(25, max_error_rate=0.03126).difference == 0.0
    assert swaps.difference_needed(25, max_error_rate=0.03124).difference == 0.1
    assert swaps.difference_needed(20).difference == 0.1
    power = project_error_rate([5, 10, 15], [0.5, 0.25, 0.125], 25, trend="power").rate
    assert swaps.difference_needed(25, trend="power", max_error_rate=power + 1e-9).difference == 0.0
    assert swaps.difference_needed(25, trend="power", max_error_rate=power - 1e-9).difference == 0.1
    # With two sizes nothing is projected: the last one stands.
    two = one_band(counts[:2], sizes=(5, 10))
    assert two.difference_needed(30, max_error_rate=0.25).difference == 0.0
    assert two.difference_needed(30, max_error_rate=0.24).difference == 0.1


def test_pooled_experiments_add_up_and_agree_in_everything_else():
    swaps, other = rates(), rates(2 * COUNTS, n_systems=7, n_pairs=21)
    pooled = swaps.pooled_with([other, swaps])
    assert (pooled.n_systems, pooled.n_pairs, pooled.n_splits, pooled.sizes) == (15, 33, 3, (5, 10))
    for name in ("absolute", "relative", "by_split"):
        assert (getattr(pooled, name) == 2 * getattr(swaps, name) + getattr(other, name)).all()


# --- arguments


# --- profiles and shares


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
def test_shares_of_significant_pairs_are_those_of_scipys_tests(test):
    scores = np.random.default_rng(2).normal([[0.2], [0.24], [0.3], [0.5], [0.1]], 0.1, (5, 30))
    significant = significant_shares(scores, test=test, top_fraction=0.8)
    assert [pairs.low for pairs in significant] == [step / 10 for step in range(11)]
    assert [pairs.high for pairs in significant] == [*(step / 10 for step in range(1, 11)), None]
    n_pairs, n_significant = [0] * 11, [0] * 11
    for first in range(4):
        for second in range(first + 1, 4):
            differences = scores[first] - scores[second]
            worse = min(scores[first].mean(), scores[second].mean())
            place = int(np.searchsorted(np.arange(1, 11) / 10, abs(differences.mean()) / worse, side="right"))
            n_pairs[place] += 1
            if test == "t":
                pvalue = scipy.stats.ttest_1samp(differences, 0).pvalue
            elif test == "sign":
                pvalue = scipy.stats.binomtest(int((differences > 0).sum()), 30).pvalue
            else:
                pvalue = scipy.stats.wilcoxon(differences, method="exact").pvalue
            n_significant[place] += pvalue <= 0.05
    assert [(pairs.n_pairs, pairs.n_significant) for pairs in significant] == [
        *zip(n_pairs, n_significant, strict=True)
    ]
    assert 0 < sum(n_significant) < 6


def test_pairs_with_a_pvalue_above_the_level_are_counted_as_pairs_alone():
    for n_topics, n in ((5, 0), (6, 1)):  # p-values of .0625 and .03125
        scores = np.array([np.zeros(n_topics), np.arange(1, n_topics + 1) / 10])
        significant = significant_shares(scores, test="sign", top_fraction=1)
        assert [(pairs.n_pairs, pairs.n_significant) for pairs in significant] == [(0, 0)] * 10 + [(1, n)]
    with pytest.warns(DegenerateWarning, match="nothing can be told apart") as warned:
        significant_shares(np.full((4, 12), 0.5))
    assert warned[0].filename == __file__
