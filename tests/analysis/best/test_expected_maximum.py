"""Expected best score of several attempts at one system."""

from itertools import combinations, product

import numpy as np
import pytest

from analysis.best import expected_maximum_of_attempts
from tests.published_means import published_means

SCORES = [0.31, 0.28, 0.35, 0.28, 0.33, 0.30]


def test_four_scores_by_hand():
    expected = expected_maximum_of_attempts([0.1, 0.2, 0.3, 0.4], 2)
    assert expected.estimate == pytest.approx((1 / 3,))
    assert expected.with_replacement == pytest.approx((0.3125,))
    assert (expected.n_scores, expected.n_attempts) == (4, (2,))
    assert expected_maximum_of_attempts([0.1, 0.4], [2, 1]).estimate == pytest.approx((0.4, 0.25))


@pytest.mark.parametrize("size", [1, 2, 3, 6])
@pytest.mark.parametrize("best", [max, min])
def test_enumeration_agrees(size, best):
    expected = expected_maximum_of_attempts(SCORES, size, higher_is_better=best is max)
    assert expected.estimate[0] == pytest.approx(np.mean([best(subset) for subset in combinations(SCORES, size)]))
    assert expected.with_replacement[0] == pytest.approx(np.mean([best(draw) for draw in product(SCORES, repeat=size)]))


def test_published_runs_of_trec_7():
    expected = expected_maximum_of_attempts(published_means("trec-7-adhoc"), [1, 10, 50, 103])
    # reference values from unrounded means; these are printed to four decimals
    np.testing.assert_allclose(expected.estimate, [0.19919, 0.31616, 0.36396, 0.37024], atol=5e-5)


def test_many_scores_neither_overflow_nor_lose_digits():
    scores = np.arange(20_000.0)
    sizes = [1, 2, 700, 20_000]
    expected = expected_maximum_of_attempts(scores, sizes).estimate
    # the largest of a subset of 0..B-1 has mean n (B + 1) / (n + 1) - 1
    np.testing.assert_allclose(expected, [n * 20_001 / (n + 1) - 1 for n in sizes], rtol=1e-10)
