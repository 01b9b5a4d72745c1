"""Equivalence, intervals of means and combined effects in detail: by their formulas, on both sides of each limit."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from analysis.comparisons import (
    equivalence_of_difference,
    equivalence_test,
    interval_against_margin,
    mean_interval,
    meta_analysis,
    noninferiority_of_difference,
    ttest_rel,
)
from analysis.comparisons._difference_tests import SMALLEST_PVALUE
from analysis.comparisons._meta_analysis import (
    _generalized_q,
    _restricted_likelihoods,
    _restricted_slope,
    _solve_q,
    between_variance,
)
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.results import Interval


@dataclass
class Difference:
    estimate: float = 0.02
    standard_error: float = 0.01
    df: float = 12.0


class TestMargins:
    def test_two_one_sided_tests_by_their_formula(self):
        found = equivalence_of_difference(Difference(), margin=0.05, confidence_level=0.9)
        above, below = stats.t.sf((0.02 + 0.05) / 0.01, 12), stats.t.cdf((0.02 - 0.05) / 0.01, 12)
        assert (found.pvalue_above_lower, found.pvalue_below_upper) == pytest.approx((above, below))
        assert found.pvalue == max(found.pvalue_above_lower, found.pvalue_below_upper)
        half = stats.t.ppf(0.9, 12) * 0.01
        assert (found.interval.low, found.interval.high) == pytest.approx((0.02 - half, 0.02 + half))
        assert (found.interval.confidence_level, found.margin, found.estimate) == (0.8, 0.05, 0.02)
        assert (found.equivalent, found.conclusion) == (True, "equivalent")
        assert not equivalence_of_difference(Difference(), margin=0.02 + half, confidence_level=0.9).equivalent
        sure = equivalence_of_difference(Difference(0.0, 1e-300, 1e6), margin=0.5)
        assert sure.pvalue == SMALLEST_PVALUE

    @pytest.mark.parametrize("higher", [True, False])
    def test_noninferiority_by_its_formula(self, higher):
        found = noninferiority_of_difference(Difference(), margin=0.03, confidence_level=0.9, higher_is_better=higher)
        gain = 0.02 if higher else -0.02
        bound = gain - stats.t.ppf(0.9, 12) * 0.01
        assert found.pvalue == pytest.approx(stats.t.sf((gain + 0.03) / 0.01, 12))
        assert found.bound == pytest.approx(bound if higher else -bound)
        assert (found.noninferior, found.confidence_level, found.estimate, found.margin) == (
            bound > -0.03, 0.9, 0.02, 0.03
        )  # fmt: skip
        at_the_limit = noninferiority_of_difference(
            Difference(), margin=-bound if bound < 0 else 1e-9, confidence_level=0.9, higher_is_better=higher
        )
        assert at_the_limit.noninferior == (bound > 0)
        with pytest.raises(ArgumentError, match="higher_is_better must be True or False"):
            noninferiority_of_difference(Difference(), margin=0.03, higher_is_better=1)

    @pytest.mark.parametrize(
        ("low", "high", "conclusion"),
        [
            (-0.9, 0.9, "equivalent"),
            (-1.0, 0.9, "second not lower beyond the margin"),
            (-0.9, 1.0, "first not lower beyond the margin"),
            (-1.0, 1.0, "inconclusive"),
            (1.0, 2.0, "first higher beyond the margin"),
            (0.99, 2.0, "first not lower beyond the margin"),
            (-2.0, -1.0, "second higher beyond the margin"),
            (-2.0, -0.99, "second not lower beyond the margin"),
            (-2.0, 2.0, "inconclusive"),
            (1.0, 1.0, "first higher beyond the margin"),
        ],
    )
    def test_ends_at_the_margin(self, low, high, conclusion):
        found = interval_against_margin(Interval(low, high, 0.9), margin=1.0)
        assert (found.conclusion, found.margin, found.interval) == (conclusion, 1.0, Interval(low, high, 0.9))

    def test_arguments_are_refused_by_name(self):
        for level in (0.5, 0.3):
            with pytest.raises(ArgumentError, match=r"confidence_level must lie strictly between 0\.5 and 1"):
                equivalence_test([0.1, 0.2, 0.4], [0.2, 0.2, 0.3], margin=0.1, confidence_level=level)
        with pytest.raises(ArgumentError, match=r"interval\.low must be a finite number"):
            interval_against_margin(Interval(-np.inf, 1.0, 0.9), margin=1.0)
        with pytest.raises(ArgumentError, match=r"interval\.high must be a finite number"):
            interval_against_margin(Interval(0.0, np.nan, 0.9), margin=1.0)
        with pytest.raises(ArgumentError, match="interval must have its low end below its high end"):
            interval_against_margin(Interval(1.0, 0.9, 0.9), margin=1.0)
        with pytest.raises(ArgumentError, match="must not differ from second by the same amount on every topic"):
            equivalence_test([0.5, 0.75], [0.25, 0.5], margin=0.1)
        with pytest.raises(ArgumentError, match="second must hold 3 scores, one for each topic of first"):
            equivalence_test([0.1, 0.2, 0.4], [0.2, 0.2], margin=0.1)

    def test_systems_that_agree_are_equivalent_with_a_warning_to_the_caller(self):
        with pytest.warns(DegenerateWarning, match="equivalent at any margin") as caught:
            found = equivalence_test([0.1, 0.2, 0.4], [0.1, 0.2, 0.4], margin=0.1)
        assert [warning.filename for warning in caught] == [__file__]
        assert (found.equivalent, found.pvalue, found.n_topics) == (True, SMALLEST_PVALUE, 3)
        assert (found.interval.low, found.interval.high) == (0.0, 0.0)
        with pytest.warns(DegenerateWarning, match="agree on every topic") as caught:
            plain = ttest_rel([0.1, 0.2, 0.4], [0.1, 0.2, 0.4])
        assert [warning.filename for warning in caught] == [__file__]
        assert (plain.interval, plain.standardized_difference, plain.why_no_interval) == (
            None, None, "the systems agree on every topic"
        )  # fmt: skip


class TestMeans:
    SCORES = np.array([0.1, 0.4, 0.35, 0.8, 0.05, 0.6])

    def test_students_interval_by_its_formula(self):
        found = mean_interval(self.SCORES, confidence_level=0.8)
        half = stats.t.ppf(0.9, 5) * stats.sem(self.SCORES)
        assert (found.interval.low, found.interval.high) == pytest.approx(
            (self.SCORES.mean() - half, self.SCORES.mean() + half)
        )
        assert (found.method, found.n_topics, found.n_resamples, found.why_no_interval) == ("t", 6, None, None)
        assert (found.bias_correction, found.acceleration, found.interval.confidence_level) == (None, None, 0.8)
        assert mean_interval(self.SCORES, 3, confidence_level=0.8) == found

    def test_bca_corrects_for_the_skewness_of_the_scores(self, monkeypatch):
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 6 * 50)
        steps = []
        found = mean_interval(self.SCORES, 5, method="bca", n_resamples=99, progress=lambda *step: steps.append(step))
        assert steps == [(50, 99), (99, 99)]
        gaps = self.SCORES - self.SCORES.mean()
        assert found.acceleration == pytest.approx((gaps**3).sum() / (6 * (gaps**2).sum() ** 1.5))
        rng = np.random.default_rng(5)
        draws = [rng.multinomial(6, np.full(6, 1 / 6), size=size) @ self.SCORES / 6 for size in (50, 49)]
        means, centre = np.concatenate(draws), self.SCORES.mean()
        share = (np.mean(means < centre - 1e-12) + 1 - np.mean(means > centre + 1e-12)) / 2
        assert found.bias_correction == pytest.approx(stats.norm.ppf(share))
        assert (found.n_resamples, found.method) == (99, "bca")
        assert found.interval.low < centre < found.interval.high

    def test_equal_scores_warn_the_caller(self):
        for options in ({}, {"method": "bca", "rng": 1, "n_resamples": 99}):
            with pytest.warns(DegenerateWarning, match="all scores are equal") as caught:
                found = mean_interval([0.3, 0.3, 0.3], **options)
            assert [warning.filename for warning in caught] == [__file__]
            assert (found.interval, found.standard_error, found.estimate) == (None, 0.0, pytest.approx(0.3))
            assert found.why_no_interval == "all scores are equal, so that their mean has no standard error"


class TestCombinedEffects:
    EFFECTS, ERRORS = np.array([0.3, -0.1, 0.5, 0.2]), np.array([0.1, 0.15, 0.2, 0.05])

    def test_the_fixed_model_by_its_formulas(self):
        found = meta_analysis(self.EFFECTS, self.ERRORS, model="fixed", confidence_level=0.9)
        weights = 1 / self.ERRORS**2
        mean = weights @ self.EFFECTS / weights.sum()
        error = 1 / np.sqrt(weights.sum())
        assert (found.estimate, found.standard_error) == pytest.approx((mean, error))
        assert found.statistic == pytest.approx(mean / error)
        assert found.pvalue == pytest.approx(2 * stats.norm.sf(mean / error))
        half = stats.norm.ppf(0.95) * error
        assert (found.interval.low, found.interval.high) == pytest.approx((mean - half, mean + half))
        q = weights @ (self.EFFECTS - mean) ** 2
        assert (found.q, found.q_pvalue) == pytest.approx((q, stats.chi2.sf(q, 3)))
        assert found.weights == pytest.approx(tuple(weights / weights.sum()))
        assert (found.tau_squared, found.truncated, found.estimator, found.inference) == (0.0, False, None, "normal")
        dl = max(0, (q - 3) / (weights.sum() - (weights**2).sum() / weights.sum()))
        typical = 3 * weights.sum() / (weights.sum() ** 2 - (weights**2).sum())
        assert found.i_squared == pytest.approx(dl / (dl + typical))
        assert between_variance(self.EFFECTS, self.ERRORS, estimator="DL") == pytest.approx(dl)
        assert found.why_no_prediction == "in the fixed model every test has the same effect"

    @pytest.mark.parametrize("estimator", ["REML", "PM", "DL"])
    def test_the_random_model_by_its_formulas(self, estimator):
        found = meta_analysis(self.EFFECTS, self.ERRORS, estimator=estimator, confidence_level=0.9)
        tau = between_variance(self.EFFECTS, self.ERRORS, estimator=estimator)
        weights = 1 / (self.ERRORS**2 + tau)
        mean = weights @ self.EFFECTS / weights.sum()
        scatter = weights @ (self.EFFECTS - mean) ** 2 / 3
        error = np.sqrt(max(1, scatter) / weights.sum())
        assert (found.tau_squared, found.estimate, found.standard_error) == pytest.approx((tau, mean, error))
        assert found.pvalue == pytest.approx(2 * stats.t.sf(mean / error, 3))
        half = stats.t.ppf(0.95, 3) * error
        assert (found.interval.low, found.interval.high) == pytest.approx((mean - half, mean + half))
        reach = stats.t.ppf(0.95, 2) * np.sqrt(tau + error**2)
        assert found.prediction_interval.high == pytest.approx(mean + reach)
        assert found.prediction_interval.low == pytest.approx(mean - reach)
        low, high = found.tau_squared_interval.low, found.tau_squared_interval.high
        assert _generalized_q(high, self.EFFECTS, self.ERRORS**2) == pytest.approx(stats.chi2.ppf(0.05, 3))
        assert low == 0.0 or _generalized_q(low, self.EFFECTS, self.ERRORS**2) == pytest.approx(stats.chi2.ppf(0.95, 3))
        assert (found.truncated, found.model, found.estimator, found.n_effects) == (False, "random", estimator, 4)
        normal = meta_analysis(self.EFFECTS, self.ERRORS, estimator=estimator, inference="normal")
        assert normal.standard_error == pytest.approx(1 / np.sqrt(weights.sum()))

    def test_the_slope_is_that_of_the_restricted_likelihood(self):
        variances, step = self.ERRORS**2, 1e-6
        for tau in (0.01, 0.05, 0.3):
            ends = _restricted_likelihoods(np.array([tau - step, tau + step]), self.EFFECTS, variances)
            slope = _restricted_slope(tau, self.EFFECTS, variances)
            assert slope == pytest.approx((ends[1] - ends[0]) / (2 * step), rel=1e-5)
        tau = between_variance(self.EFFECTS, self.ERRORS)
        assert _restricted_slope(tau, self.EFFECTS, variances) == pytest.approx(0, abs=1e-9)

    def test_q_that_starts_below_its_target_leaves_0(self):
        variances = self.ERRORS**2
        start = _generalized_q(0.0, self.EFFECTS, variances)
        assert _solve_q(start, self.EFFECTS, variances) == 0.0
        assert _solve_q(0.0, self.EFFECTS, variances) == 0.0
        found = _solve_q(start * 0.5, self.EFFECTS, variances)
        assert _generalized_q(found, self.EFFECTS, variances) == pytest.approx(start * 0.5)

    def test_two_and_three_effects(self):
        two = meta_analysis([0.1, 0.3], [0.1, 0.1])
        assert (two.prediction_interval, two.why_no_prediction) == (None, "needs at least three effects")
        assert meta_analysis([0.1, 0.3, 0.2], [0.1, 0.1, 0.1]).prediction_interval is not None
        assert meta_analysis([0.1, 0.25, 0.2], [0.1, 0.1, 0.1]).truncated
        with pytest.raises(ArgumentError, match=r"must be 1e-40 or more, but number 2 is not; got 0\.0$"):
            meta_analysis([0.1, 0.3], [0.1, 0.0])
        with pytest.raises(ArgumentError, match="standard_errors must hold 2 values, one for each effect"):
            between_variance([0.1, 0.3], [0.1, 0.1, 0.1])
        with pytest.raises(ArgumentError, match="inference must be 'normal' for the fixed model"):
            meta_analysis([0.1, 0.3], [0.1, 0.1], model="fixed", inference="hartung-knapp")
        with pytest.raises(ArgumentError, match="estimator must be one of 'REML', 'PM', 'DL'"):
            between_variance([0.1, 0.3], [0.1, 0.1], estimator="ML")
