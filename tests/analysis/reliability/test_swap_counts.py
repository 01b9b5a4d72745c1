"""Counts of reversed orders, made up by hand, and the rates, errors and differences that are asked of them."""

import numpy as np
import pytest
import scipy.stats

from analysis.errors import ArgumentError, DegenerateWarning
from analysis.reliability import significant_shares, swap_rates

# --- arguments


def test_an_experiment_says_what_it_was():
    scores = np.random.default_rng(5).normal(0.3, 0.1, (6, 16))
    found = swap_rates(scores, 2, test="sign", design="replacement", sizes=[16, 3], n_splits=4, top_fraction=1)
    assert (found.design, found.test, found.sizes, found.n_splits) == ("replacement", "sign", (3, 16), 4)
    assert (found.n_systems, found.n_pairs) == (6, 15)
    assert found.pvalue_edges == (0, 0.001, 0.01, 0.04, 0.05, 1)
    assert found.absolute_edges == tuple(step / 100 for step in range(21))
    assert found.relative_edges == tuple(step / 20 for step in range(21))
    assert found.by_split.shape == (2, 4, 5, 3)
    assert found.absolute.shape == found.relative.shape == (2, 5, 21, 3)
    assert swap_rates(scores, 2).n_splits == 50
    assert swap_rates(scores[:4], 2, n_splits=1).n_systems == 3
    with pytest.raises(ArgumentError, match="progress must be None or a function"):
        swap_rates(scores, 2, progress=3)
    with pytest.warns(DegenerateWarning, match="nothing can be told apart") as warned:
        swap_rates(np.full((4, 12), 0.5), 1)
    assert warned[0].filename == __file__


# --- profiles and shares


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
def test_shares_of_significant_pairs_are_those_of_scipys_tests(test):
    scores = np.random.default_rng(2).normal([[0.2], [0.24], [0.3], [0.5], [0.1]], 0.1, (5, 30))
    found = significant_shares(scores, test=test, confidence_level=0.9, edges=[0, 0.2, 0.5], top_fraction=0.8)
    assert (found.test, found.confidence_level, found.edges) == (test, 0.9, (0, 0.2, 0.5))
    n_pairs, n_significant = [0, 0, 0], [0, 0, 0]
    for first in range(4):
        for second in range(first + 1, 4):
            differences = scores[first] - scores[second]
            worse = min(scores[first].mean(), scores[second].mean())
            place = int(np.searchsorted([0.2, 0.5], abs(differences.mean()) / worse, side="right"))
            n_pairs[place] += 1
            if test == "t":
                pvalue = scipy.stats.ttest_1samp(differences, 0).pvalue
            elif test == "sign":
                pvalue = scipy.stats.binomtest(int((differences > 0).sum()), 30).pvalue
            else:
                pvalue = scipy.stats.wilcoxon(differences, method="exact").pvalue
            n_significant[place] += pvalue <= 0.1
    assert (found.n_pairs.tolist(), found.n_significant.tolist()) == (n_pairs, n_significant)
    assert 0 < sum(n_significant) < 6


def test_a_pvalue_at_the_level_is_significant():
    scores = np.array([np.zeros(5), [0.1, 0.2, 0.3, 0.4, 0.5]])
    for level, n in ((1 - 0.0625, 1), (0.94, 0), (0.93, 1)):
        found = significant_shares(scores, test="sign", confidence_level=level, top_fraction=1)
        assert found.n_significant.tolist() == [0] * 10 + [n]
        assert found.n_pairs.tolist() == [0] * 10 + [1]
    assert found.edges == tuple(step / 10 for step in range(11))
    for options, message in (
        ({"test": "bootstrap"}, "test must be one of"),
        ({"confidence_level": 1}, "confidence_level must lie strictly between"),
        ({"top_fraction": 0.4}, "must leave at least two systems"),
    ):
        with pytest.raises(ArgumentError, match=message):
            significant_shares(scores, **options)
    with pytest.raises(ArgumentError, match="at least 4 topics"):
        significant_shares(scores[:, :3], top_fraction=1)
    with pytest.warns(DegenerateWarning, match="nothing can be told apart") as warned:
        significant_shares(np.full((4, 12), 0.5))
    assert warned[0].filename == __file__
