"""Paired tests: cases by hand, degenerate scores, invariances."""

import warnings

import numpy as np
import pytest

from analysis.comparisons import (
    bootstrap_shift_test,
    compare,
    equivalence_test,
    randomization_test,
    sign_test,
    ttest_rel,
    wilcoxon_test,
)
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.scores import ScoreMatrix

FIRST = np.array([0.31, 0.52, 0.17, 0.44, 0.68, 0.25, 0.39, 0.81, 0.12, 0.57])
SECOND = np.array([0.28, 0.41, 0.22, 0.40, 0.49, 0.25, 0.31, 0.66, 0.14, 0.48])


def randomization(first, second, **options):
    return randomization_test(first, second, **{"rng": 1, "n_resamples": 2000} | options)


def bootstrap(first, second, **options):
    return bootstrap_shift_test(first, second, **{"rng": 1, "n_resamples": 2000} | options)


ALL = [ttest_rel, wilcoxon_test, sign_test, randomization, bootstrap]
every_test = pytest.mark.parametrize("test", ALL, ids=["t", "wilcoxon", "sign", "randomization", "bootstrap-shift"])


class TestRefusedArguments:
    @every_test
    def test_differences_that_no_square_can_be_told_from_0(self, test):
        with pytest.raises(ArgumentError, match=r"first - second must hold a number of 1e-70 or more .*; got 9e-71"):
            test([9e-71, 0.0, 1e-72], [0.0, 0.0, 0.0])
        small, plain = (test([2 * unit, 0.0, 0.01 * unit], [0.0, 0.0, 0.0]).pvalue for unit in (1e-70, 1.0))
        assert small == pytest.approx(plain, rel=1e-12)


class TestByHand:
    def test_equivalence_is_the_shorter_interval_inside_the_margin(self):
        narrow = ttest_rel(FIRST, SECOND, confidence_level=0.9).interval
        edge = max(abs(narrow.low), abs(narrow.high))
        assert equivalence_test(FIRST, SECOND, margin=edge * 1.001).equivalent
        assert not equivalence_test(FIRST, SECOND, margin=edge * 0.999).equivalent
        assert equivalence_test(FIRST, SECOND, margin=edge).pvalue == pytest.approx(0.05)


class TestWhatATestSaysOfItself:
    @pytest.mark.parametrize(
        ("test", "options", "name", "null", "method", "estimand", "n_used"),
        [
            (ttest_rel, {}, "t", "the mean difference is 0", "Student's t with 9 degrees of freedom", "mean", 10),
            (
                wilcoxon_test, {}, "wilcoxon", "the differences are symmetric about 0",
                "exact distribution, zero method wilcox", "pseudo-median", 9,
            ),
            (
                wilcoxon_test, {"correction": False, "method": "normal"}, "wilcoxon",
                "the differences are symmetric about 0",
                "normal approximation, without continuity correction, zero method wilcox", "pseudo-median", 9,
            ),
            (
                sign_test, {"tie_threshold": 0.03}, "sign", "each system wins as many topics",
                "exact binomial distribution, ties up to 0.03 left out", "share of wins", 7,
            ),
            (
                randomization, {}, "randomization",
                "the mean difference is 0, and systems are exchangeable on every topic",
                "all 1024 sign patterns", "mean", 10,
            ),
            (
                randomization, {"n_resamples": 1000}, "randomization", "the mean difference is 0",
                "1000 random sign patterns", "mean", 10,
            ),
            (
                bootstrap, {}, "bootstrap-shift", "the mean difference is 0",
                "2000 bootstrap samples of the topics", "mean", 10,
            ),
        ],
    )  # fmt: skip
    def test_its_name_null_hypothesis_method_and_sizes(self, test, options, name, null, method, estimand, n_used):
        comparison = test(FIRST, SECOND, alternative="greater", confidence_level=0.9, **options)
        assert (comparison.test, comparison.alternative, comparison.method) == (name, "greater", method)
        assert comparison.null_hypothesis.startswith(null)
        assert comparison.estimand.startswith(estimand)
        assert (comparison.n_topics, comparison.n_used) == (10, n_used)
        differences = FIRST - SECOND
        assert comparison.mean_difference == pytest.approx(differences.mean())
        assert comparison.standardized_difference == pytest.approx(differences.mean() / differences.std(ddof=1))
        assert (comparison.interval.confidence_level, comparison.why_no_interval) == (0.9, None)
        assert comparison.interval.low < comparison.estimate < comparison.interval.high

    @pytest.mark.parametrize(
        ("test", "options", "why"),
        [
            (ttest_rel, {}, "the systems agree on every topic"),
            (wilcoxon_test, {}, "too few topics differ for this confidence level"),
            (sign_test, {}, "every topic is tied"),
            (bootstrap, {}, "too few resamples for this confidence level, or no difference at all"),
            (randomization, {"n_resamples": 10}, "too few topics or resamples for this confidence level"),
        ],
    )
    def test_why_there_is_no_interval(self, test, options, why):
        with pytest.warns(DegenerateWarning, match="the systems agree on every topic: the p-value is 1"):
            comparison = test(FIRST, FIRST, **options)
        assert (comparison.interval, comparison.why_no_interval) == (None, why)
        assert bootstrap(FIRST, SECOND, n_resamples=10).interval is None


class TestDegenerateScores:
    @pytest.mark.parametrize("test", [ttest_rel, wilcoxon_test, randomization, bootstrap])
    def test_differences_that_cancel_but_for_rounding_have_an_estimate_of_0(self, test):
        assert (0.3 - 0.1) + (0.3 - 0.5) != 0.0  # the trap
        comparison = test([0.3, 0.3], [0.1, 0.5])
        assert str(comparison.estimate) == str(comparison.mean_difference) == "0.0", "not -0.0 either"
        assert comparison.standardized_difference == 0.0
        limits = wilcoxon_test([0.3, 0.3, 0.5, 0.5, 0.5], [0.1, 0.5, 0.5, 0.5, 0.5], confidence_level=0.5).interval
        assert (str(limits.low), str(limits.high)) == ("0.0", "0.0")

    @every_test
    def test_equal_systems_have_p_1_and_a_warning(self, test):
        with pytest.warns(DegenerateWarning, match="agree on every topic"):
            result = test(FIRST, FIRST)
        assert result.pvalue == 1
        assert result.standardized_difference is None

    def test_equal_systems_are_equivalent(self):
        with pytest.warns(DegenerateWarning, match="equivalent at any margin"):
            result = equivalence_test(FIRST, FIRST, margin=1e-6)
        assert result.equivalent
        assert 0 < result.pvalue < 1e-300

    @every_test
    def test_scores_that_differ_by_rounding_are_equal(self, test):
        with pytest.warns(DegenerateWarning):
            assert test([0.1 + 0.2, 0.7], [0.3, 0.1 * 7]).pvalue == 1

    def test_ties_only_leave_the_sign_test_without_an_answer(self):
        with pytest.warns(DegenerateWarning, match="every topic is tied"):
            result = sign_test(FIRST, SECOND, tie_threshold=1)
        assert (result.pvalue, result.estimate, result.interval) == (1, 0.5, None)

    def test_a_constant_difference_is_treated_by_tests_that_need_no_variance(self):
        assert randomization(FIRST + 0.1, FIRST).pvalue == 2 / 2**10
        assert wilcoxon_test(FIRST + 0.1, FIRST).pvalue < 0.01

    @every_test
    def test_p_is_never_0(self, test):
        wide = np.linspace(1, 2, 400)
        assert 0 < test(wide * 1e6, np.zeros(400), alternative="greater").pvalue < 1e-3

    def test_two_topics_are_too_few_for_an_interval_but_not_for_a_p(self):
        result = randomization([0.3, 0.5], [0.1, 0.2])
        assert (result.pvalue, result.interval) == (0.5, None)
        assert result.why_no_interval.startswith("too few")

    @pytest.mark.parametrize(("test", "fewest"), [(randomization_test, 39), (bootstrap_shift_test, 19)])
    def test_an_interval_takes_as_many_resamples_as_its_tails_are_thin(self, test, fewest):
        enough, too_few = (test(FIRST, SECOND, 1, n_resamples=n) for n in (fewest, fewest - 1))
        assert enough.interval is not None
        assert too_few.interval is None
        assert too_few.why_no_interval is not None

    @every_test
    def test_no_warning_on_ordinary_scores(self, test):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            test(FIRST, SECOND)


class TestInvariances:
    @every_test
    def test_swapping_the_systems_mirrors_the_result(self, test):
        comparison, other = test(FIRST, SECOND, alternative="greater"), test(SECOND, FIRST, alternative="less")
        assert comparison.pvalue == pytest.approx(other.pvalue, abs=0.03 if test is bootstrap else 1e-12)
        assert comparison.mean_difference == -other.mean_difference

    @pytest.mark.parametrize("test", [ttest_rel, wilcoxon_test, sign_test, randomization])
    def test_shift_and_scale_do_not_matter(self, test):
        shifted = test(3 + 7 * FIRST, 3 + 7 * SECOND)
        assert shifted.pvalue == pytest.approx(test(FIRST, SECOND).pvalue, rel=1e-9)


class TestCompare:
    MATRIX = ScoreMatrix(["a", "b"], [str(topic) for topic in range(10)], [FIRST, SECOND])

    def test_it_is_the_named_test(self):
        assert compare(self.MATRIX, "a", "b") == ttest_rel(FIRST, SECOND)
        assert compare(self.MATRIX, "b", "a", test="sign", tie_threshold=0.03) == sign_test(
            SECOND, FIRST, tie_threshold=0.03
        )
        assert compare(self.MATRIX, "a", "b", test="randomization", rng=4).pvalue == randomization(FIRST, SECOND).pvalue
