"""How often the tests find a difference where means are equal, by simulation."""

from functools import cache

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import beta

from analysis.comparisons import (
    adjust_pvalues,
    bootstrap_shift_test,
    compare_family,
    equivalence_test,
    randomization_test,
    randomized_tukey_hsd,
    sign_test,
    step_down_max_t,
    ttest_rel,
    tukey_hsd,
    wilcoxon_test,
)
from analysis.scores import ScoreMatrix
from tests.analysis.matrices import shipped_matrix

pytestmark = pytest.mark.slow


def error_rates(differences):
    """Return the share of rows of differences, whose true mean is 0, in which each test rejects at .05, two-sided."""
    n_rows, n_topics = differences.shape
    matrix = ScoreMatrix(
        [str(row) for row in range(n_rows)] + ["zero"],
        [str(topic) for topic in range(n_topics)],
        np.vstack([differences, np.zeros(n_topics)]),
    )
    return {
        test: compare_family(
            matrix, test=test, correction="none", baseline="zero", n_resamples=2000, rng=1
        ).significant.mean()
        for test in ("t", "randomization", "bootstrap-shift", "wilcoxon", "sign")
    }


@cache
def skewed_differences(n_topics, n_rows=8000):
    """Return scores like AP: means of .25, other shapes (beta 1, 3 and 2.5, 7.5), correlation .7 through the topics."""
    rng = np.random.default_rng(1)
    topics = rng.normal(0, 1, (n_rows, n_topics))
    first, second = (ndtr((topics + rng.normal(0, 0.6, topics.shape)) / np.sqrt(1.36)) for _ in range(2))
    return beta.ppf(first, 1, 3) - beta.ppf(second, 2.5, 7.5)


def test_all_tests_hold_their_level_on_symmetric_differences():
    # The standard error of a rate of .05 in 8000 rows is .0024.
    rates = error_rates(np.random.default_rng(1).standard_normal((8000, 50)))
    for test in ("t", "randomization", "wilcoxon"):
        assert 0.04 <= rates[test] <= 0.06, test
    assert rates["sign"] <= 0.05  # discrete: .033 is the level that 50 topics allow
    assert 0.052 <= rates["bootstrap-shift"] <= 0.068


@pytest.mark.parametrize(
    # Actual error of t, permutation and bootstrap-shift under AP: Urbano, Lima & Hanjalic (2019).
    ("n_topics", "t", "randomization", "bootstrap"),
    [(25, 0.0509, 0.0534, 0.0689), (50, 0.0512, 0.0522, 0.0597), (100, 0.0511, 0.0517, 0.0553)],
)
def test_tests_of_means_have_the_published_error_on_skewed_differences(n_topics, t, randomization, bootstrap):
    rates = error_rates(skewed_differences(n_topics))
    assert 0.04 <= rates["t"] <= 0.06
    assert rates["t"] == pytest.approx(t, abs=0.008)
    assert rates["randomization"] == pytest.approx(randomization, abs=0.008)
    assert rates["bootstrap-shift"] == pytest.approx(bootstrap, abs=0.008)


def test_tests_of_medians_reject_equal_means_ever_more_often():
    # They test another null hypothesis, which is false here: means are equal, medians are not.
    rates = [error_rates(skewed_differences(n_topics)) for n_topics in (25, 50, 100)]
    wilcoxon, sign = ([rate[test] for rate in rates] for test in ("wilcoxon", "sign"))
    assert 0.05 < wilcoxon[0] < wilcoxon[1] < wilcoxon[2]
    assert wilcoxon[2] > 0.085
    assert sign[0] < sign[1] < sign[2]
    assert sign[2] > 0.2


def test_resampled_trec8_agrees_with_the_published_check():
    # TREC-8 AP with means equalised, 50 topics with replacement: t .054, Wilcoxon .108, sign .181, bootstrap .065.
    scores = shipped_matrix("trec-8-adhoc__AP").scores
    first, second = np.triu_indices(scores.shape[0], 1)
    differences = scores[first] - scores[second]
    differences -= differences.mean(axis=1, keepdims=True)
    drawn = np.random.default_rng(3).integers(0, 50, differences.shape)
    rates = error_rates(np.take_along_axis(differences, drawn, axis=1))
    for test, expected in (("t", 0.054), ("bootstrap-shift", 0.065), ("wilcoxon", 0.108), ("sign", 0.181)):
        assert rates[test] == pytest.approx(expected, abs=0.012), test


def test_the_interval_of_the_randomization_test_covers_the_mean():
    rows = skewed_differences(50)[:600]
    covered = 0
    for row, differences in enumerate(rows):
        interval = randomization_test(differences, np.zeros(50), n_resamples=1000, rng=row).interval
        covered += interval.low <= 0 <= interval.high
    assert 0.92 <= covered / len(rows) <= 0.97


@pytest.mark.parametrize(
    # The sign test's interval is that of the share of topics where the first wins, and never too narrow.
    ("test", "centre", "low", "high"),
    [
        (ttest_rel, 0, 0.935, 0.965),
        (wilcoxon_test, 0, 0.935, 0.965),
        (sign_test, 0.5, 0.95, 0.98),
        (bootstrap_shift_test, 0, 0.92, 0.96),
    ],
)
def test_intervals_cover_the_centre_of_symmetric_differences(test, centre, low, high):
    # The standard error of a coverage of .95 in 2000 rows is .005.
    rows = np.random.default_rng(12).standard_normal((2000, 50))
    covered = 0
    for row, differences in enumerate(rows):
        options = {"n_resamples": 1000, "rng": row} if test is bootstrap_shift_test else {}
        interval = test(differences, np.zeros(50), **options).interval
        covered += interval.low <= centre <= interval.high
    assert low <= covered / len(rows) <= high


@pytest.mark.parametrize("procedure", ["holm", "max-t", "tukey", "randomized-tukey"])
def test_a_family_of_equal_systems_is_told_apart_in_five_percent_of_collections(procedure):
    n_collections, false = 600, 0
    for seed in range(n_collections):
        rng = np.random.default_rng(seed)
        scores = rng.normal(0, 0.15, 40) + rng.normal(0, 0.1, (8, 40))
        matrix = ScoreMatrix([str(row) for row in range(8)], [str(topic) for topic in range(40)], scores)
        if procedure == "max-t":
            family = step_down_max_t(matrix, n_resamples=400, rng=seed)
        elif procedure == "randomized-tukey":
            family = randomized_tukey_hsd(matrix, n_resamples=400, rng=seed)
        else:
            family = tukey_hsd(matrix) if procedure == "tukey" else compare_family(matrix)
        false += family.n_significant > 0
    assert false / n_collections <= 0.05 + 2.5 * 0.009
    assert procedure == "holm" or false / n_collections >= 0.05 - 2.5 * 0.009


def test_max_t_holds_its_level_among_the_equal_when_others_differ():
    false = 0
    for seed in range(600):
        rng = np.random.default_rng(seed)
        scores = rng.normal(0, 0.15, 40) + rng.normal(0, 0.1, (8, 40))
        scores[4:] += 0.2 * np.arange(1, 5)[:, np.newaxis]
        matrix = ScoreMatrix(list("abcdefgh"), [str(topic) for topic in range(40)], scores)
        family = step_down_max_t(matrix, n_resamples=400, rng=seed)
        false += family.significant[(family.first < 4) & (family.second < 4)].any()
    assert false / 600 <= 0.05 + 2.5 * 0.009


def test_holm_of_uniform_p_values_errs_in_five_percent():
    pvalues = np.random.default_rng(8).random((4000, 20))
    assert np.mean([adjust_pvalues(row).min() <= 0.05 for row in pvalues]) == pytest.approx(0.049, abs=0.009)


def test_benjamini_hochberg_keeps_the_share_of_false_discoveries():
    """15 of 20 hypotheses are true, their p-values independent: the expected share is .05 * 15 / 20."""
    pvalues = np.random.default_rng(9).random((4000, 20))
    pvalues[:, 15:] **= 6
    discoveries = np.array([adjust_pvalues(row, "benjamini-hochberg") <= 0.05 for row in pvalues])
    false = discoveries[:, :15].sum(axis=1) / np.maximum(discoveries.sum(axis=1), 1)
    assert false.mean() == pytest.approx(0.0375, abs=0.008)
    assert discoveries[:, 15:].mean() > 0.3


@pytest.mark.parametrize(
    ("difference", "lowest", "highest"),
    # At the margin one of the two tests errs in 5 %; where the margin is narrow, both rarely reject together.
    [(0.05, 0.042, 0.058), (-0.05, 0.042, 0.058), (0.08, 0.0, 0.002)],
)
def test_equivalence_is_claimed_of_systems_that_differ_by_the_margin_in_five_percent(difference, lowest, highest):
    rows = np.random.default_rng(10).normal(difference, 0.1, (6000, 50))
    claimed = [equivalence_test(row, np.zeros(50), margin=0.05).equivalent for row in rows]
    assert lowest <= np.mean(claimed) <= highest


def test_equivalence_within_a_margin_too_narrow_for_the_data_is_hardly_ever_claimed():
    rows = np.random.default_rng(11).normal(0.02, 0.1, (3000, 50))
    assert np.mean([equivalence_test(row, np.zeros(50), margin=0.02).equivalent for row in rows]) < 0.02
