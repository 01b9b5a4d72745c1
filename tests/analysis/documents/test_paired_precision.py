"""Paired differences over documents: the sum of topics, separate bootstraps, real runs."""

import json
import statistics
from functools import cache

import numpy as np
import pytest
from scipy.special import logit, ndtr

from analysis.comparisons import meta_analysis
from analysis.documents import (
    average_precision,
    average_precision_interval,
    judge_pair,
    pair_rankings,
    paired_difference,
)
from analysis.documents._bootstrap import bootstrap_pair
from tests.analysis.documents import dl_2019

DOCUMENTS = [f"d{number}" for number in range(80)]
OTHER = DOCUMENTS[5:40] + DOCUMENTS[:5] + DOCUMENTS[40:]
PAIRS = [
    pair_rankings(DOCUMENTS, OTHER, {"d0", "d4", "d9", "d20", "d33", "d60"}),
    pair_rankings(DOCUMENTS, OTHER, {"d6", "d7", "d8", "d30", "d31"}),
    pair_rankings(OTHER, DOCUMENTS[::-1], {"d2", "d50", "d51", "unseen"}),
]


@pytest.fixture(scope="module")
def dl19():
    runs = [dl_2019.run_of(name) for name in ("BM25_RM3", "BM25")]
    return judge_pair(*runs, dl_2019.judgements(), minimum_grade=2, depth=100)


class TestDifference:
    def test_the_estimate_is_the_mean_difference(self):
        scores = np.array([[average_precision(pair.first), average_precision(pair.second)] for pair in PAIRS])
        linear, odds = (paired_difference(PAIRS, 1, scale=scale, n_resamples=50) for scale in ("linear", "logit"))
        assert linear.topic_differences == pytest.approx(scores[:, 0] - scores[:, 1])
        assert linear.estimate == pytest.approx(np.mean(scores[:, 0] - scores[:, 1]))
        assert odds.estimate == pytest.approx(np.mean(logit(scores[:, 0]) - logit(scores[:, 1])))

    def test_variances_of_topics_add_up(self):
        difference = paired_difference(PAIRS, 1, n_resamples=40_000)
        expected = np.sqrt(np.sum(np.square(difference.topic_standard_errors))) / len(PAIRS)
        assert difference.standard_error == pytest.approx(expected, rel=0.02)

    def test_the_unpaired_error_is_that_of_separate_intervals(self):
        difference = paired_difference(PAIRS[:1], 1, scale="linear", n_resamples=40_000)
        sides = [average_precision_interval(side, 2, n_resamples=40_000) for side in (PAIRS[0].first, PAIRS[0].second)]
        expected = np.hypot(sides[0].standard_error, sides[1].standard_error)
        assert difference.unpaired_standard_error == pytest.approx(expected, rel=0.02)

    def test_the_test_agrees_with_the_interval(self):
        difference = paired_difference(PAIRS, 1, scale="linear")
        assert difference.statistic == pytest.approx(difference.estimate / difference.standard_error)
        assert difference.pvalue == pytest.approx(2 * ndtr(-abs(difference.statistic)))
        level = 1 - difference.pvalue
        edge = paired_difference(PAIRS, 1, scale="linear", confidence_level=level).interval
        assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0.0, abs=1e-9)

    def test_exchanging_the_systems_changes_the_sign_only(self):
        pair = pair_rankings(OTHER, DOCUMENTS, {"d0", "d4", "d9", "d20", "d33", "d60"})
        there, back = (
            paired_difference(PAIRS[:1], 1, n_resamples=20_000),
            paired_difference([pair], 1, n_resamples=20_000),
        )
        assert back.estimate == pytest.approx(-there.estimate, rel=1e-14)
        assert back.standard_error == pytest.approx(there.standard_error, rel=0.03)

    def test_a_system_against_itself_has_no_test_and_says_why(self):
        difference = paired_difference([pair_rankings(DOCUMENTS, DOCUMENTS, {"d3", "d9"})], 1)
        assert difference.estimate == difference.standard_error == 0.0
        assert difference.interval is difference.pvalue is None
        assert difference.why_no_interval == "no resampled collection changes the difference"
        assert json.loads(json.dumps(difference.to_dict(), allow_nan=False))["statistic"] is None

    def test_pvalue_is_never_zero(self):
        relevant = {f"r{number}" for number in range(400)}
        pair = pair_rankings(sorted(relevant), [*DOCUMENTS, *sorted(relevant)[:30]], relevant)
        assert 0.0 < paired_difference([pair], 1, scale="linear").pvalue < 1e-100


class TestRealRuns:
    def test_pairing_makes_feedback_against_its_base_twice_as_precise(self, dl19):
        difference = paired_difference(dl19.pairs, 1, scale="linear")
        assert difference.estimate == pytest.approx(0.2807 - 0.2476, abs=1e-4)
        assert difference.standard_error == pytest.approx(0.0086, abs=0.0007)
        assert difference.unpaired_standard_error > 1.8 * difference.standard_error

    def test_topics_differ_far_more_than_documents_explain(self, dl19):
        difference = paired_difference(dl19.pairs, 1)
        differences, errors = np.array(difference.topic_differences), np.array(difference.topic_standard_errors)
        # One topic ranks its relevant documents alike in both runs: no resample can tell them apart there.
        assert [topic for topic, error in zip(dl19.topics, errors, strict=True) if error == 0] == ["1121709"]
        combined = meta_analysis(differences[errors > 0], errors[errors > 0])
        assert combined.i_squared == pytest.approx(0.75, abs=0.04)
        assert combined.q_pvalue < 1e-9


def simulated_pair(rng, n_documents=1500, n_relevant=60):
    """Return two systems, the first better, with half of their noise in common, on a collection drawn anew."""
    is_relevant = rng.random(rng.poisson(n_documents)) < n_relevant / n_documents
    shared = rng.normal(0, np.sqrt(0.5), is_relevant.size)
    rankings = []
    for separation in (2.4, 2.0):
        scores = separation * is_relevant + shared + rng.normal(0, np.sqrt(0.5), is_relevant.size)
        rankings.append([f"d{number}" for number in np.argsort(-scores)[:500]])
    return pair_rankings(*rankings, {f"d{number}" for number in np.flatnonzero(is_relevant)}, depth=500)


@cache
def simulated_pairs(n_pairs):
    rng = np.random.default_rng(81)
    return [simulated_pair(rng) for _ in range(n_pairs)]


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["linear", "logit"])
def test_the_interval_holds_the_expected_difference_nearly_as_often_as_it_says(scale):
    """Five topics, 400 pairs of runs: a standard error of .011 at .95. Collections are drawn anew each time."""
    population = simulated_pairs(2000)
    scores = np.array([[average_precision(pair.first), average_precision(pair.second)] for pair in population])
    differences = np.subtract(*(scores if scale == "linear" else logit(scores)).T)
    held = 0
    for start in range(0, 2000, 5):
        interval = paired_difference(population[start : start + 5], start, scale=scale, n_resamples=200).interval
        held += interval.low <= differences.mean() <= interval.high
    assert 0.90 <= held / 400 <= 0.98


def test_lists_of_relevant_documents_alone_have_no_irrelevant_ones():
    pair = pair_rankings(["a", "b"], ["b", "a"], {"a", "b"}, depth=2)
    assert pair.irrelevant.tolist() == []
    assert pair.irrelevant.shape == (0, 3)
    cut = pair_rankings(["a", "x", "b"], ["x", "y", "a"], {"a", "b"}, depth=2)
    assert (cut.first.relevant_ranks.tolist(), cut.second.relevant_ranks.tolist(), cut.first.depth) == ([1], [], 2)


def test_the_unpaired_error_is_that_of_two_samples():
    """Few draws, where the divisor of a variance shows."""
    difference = paired_difference(PAIRS[:1], np.random.default_rng(4), n_resamples=5, scale="linear")
    drawn = bootstrap_pair(PAIRS[0], np.random.default_rng(4), n_resamples=5)
    expected = sum(statistics.variance(row.tolist()) for row in drawn) ** 0.5
    assert difference.unpaired_standard_error == pytest.approx(expected)
