"""Projections of error rates, and error rates against assessor effort."""

import json

import numpy as np
import pytest
import scipy.stats

from analysis.reliability import compare_effort, equal_effort_topics, pool_sizes, project_error_rate, swap_rates
from analysis.scores import ScoreMatrix
from tests.analysis.documents import dl_2019

SIZES = [5, 10, 15, 20, 25]
RATES = [0.38, 0.31, 0.28, 0.24, 0.22]


class TestProjection:
    @pytest.mark.parametrize(("trend", "transform"), [("exponential", np.array), ("power", np.log)])
    def test_fit_is_scipys_regression_of_the_log_rates(self, trend, transform):
        ours = project_error_rate(SIZES, RATES, 50, trend=trend)
        line = scipy.stats.linregress(transform(SIZES), np.log(RATES))
        assert ours.slope == pytest.approx(line.slope)
        assert ours.level == pytest.approx(np.exp(line.intercept))
        assert ours.rate == pytest.approx(np.exp(line.intercept + line.slope * transform(50)))

    def test_interval_is_the_textbook_prediction_interval(self):
        ours = project_error_rate(SIZES, RATES, 50)
        x, y = np.array(SIZES), np.log(RATES)
        design = np.column_stack([np.ones(5), x])
        fit, residual, *_ = np.linalg.lstsq(design, y)
        new = np.array([1, 50])
        error = np.sqrt(residual[0] / 3 * (1 + new @ np.linalg.inv(design.T @ design) @ new))
        half = scipy.stats.t.ppf(0.975, 3) * error
        assert ours.interval.low == pytest.approx(np.exp(new @ fit - half))
        assert ours.interval.high == pytest.approx(np.exp(new @ fit + half))

    def test_an_exact_trend_is_followed_exactly(self):
        exponential = project_error_rate(SIZES, 0.5 * 0.9 ** np.array(SIZES), 50)
        assert exponential.rate == pytest.approx(0.5 * 0.9**50)
        assert exponential.interval.high == pytest.approx(exponential.rate)
        power = project_error_rate(SIZES, 0.8 * np.array(SIZES) ** -0.5, 80, trend="power")
        assert power.rate == pytest.approx(0.8 / np.sqrt(80))

    def test_two_points_have_no_interval(self):
        result = project_error_rate([5, 10], [0.2, 0.2], 40)
        assert (result.interval, result.rate) == (None, pytest.approx(0.2))
        assert json.dumps(result.to_dict())

    def test_a_rate_never_exceeds_1(self):
        result = project_error_rate([5, 10, 20], [0.4, 0.5, 0.9], 100)
        assert (result.rate, result.interval.high) == (1.0, 1.0)

    def test_nor_does_an_end_of_its_interval(self):
        """An exact trend is above 1 on a single topic: its interval was from 1.296 to 1."""
        result = project_error_rate([10, 20, 30], [0.9, 0.6, 0.4], 1)
        assert (result.rate, result.interval.low, result.interval.high) == (1.0, 1.0, 1.0)


def measures(seed=0, n_systems=12, n_topics=40, noise=(0.08, 0.12)):
    rng = np.random.default_rng(seed)
    true = rng.normal(0.3, 0.05, (n_systems, 1))
    labels = [f"s{row}" for row in range(n_systems)], [str(topic) for topic in range(n_topics)]
    return [ScoreMatrix(*labels, true + rng.normal(0, sd, (n_systems, n_topics))) for sd in noise]


class TestEffort:
    def test_published_topics_for_the_price_of_fifty(self):
        assert [equal_effort_topics(50, share) for share in (0.14, 0.11)] == [357, 454]

    def test_a_measure_against_itself_costs_the_ratio_of_the_efforts(self):
        first, _ = measures()
        result = compare_effort(first, first, first_effort=100, second_effort=25, rng=1)
        assert [point.error_rate for point in result.first_points] == [p.error_rate for p in result.second_points]
        assert [point.effort for point in result.second_points] == [125, 250, 375, 500]
        assert result.equal_error
        assert all(point.effort_ratio == pytest.approx(4) for point in result.equal_error)
        assert json.dumps(result.to_dict())

    def test_both_measures_see_the_same_topic_sets_and_systems(self):
        first, second = measures()
        result = compare_effort(first, second, first_effort=1, second_effort=1, sizes=[10], rng=3)
        assert result.n_systems == 9
        scaled = ScoreMatrix(first.systems, first.topics, 7 * first.scores)
        again = compare_effort(first, scaled, first_effort=1, second_effort=1, sizes=[10], rng=3)
        assert [point.error_rate for point in again.first_points] == [point.error_rate for point in again.second_points]

    def test_rates_that_do_not_overlap_have_no_equal_error(self):
        sharp, blunt = measures(noise=(0.005, 0.6))
        assert compare_effort(sharp, blunt, first_effort=1, second_effort=1, rng=1).equal_error == ()

    def test_classes_are_passed_on(self):
        first, second = measures()
        result = compare_effort(first, second, first_effort=1, second_effort=1, pvalues=(0, 0.05), rng=1)
        rates = swap_rates(first.scores, rng=1)
        assert result.first_points[1].error_rate == rates.error_rate(10, pvalues=(0, 0.05)).estimate


class TestPools:
    def test_by_hand(self):
        runs = [{"1": ["a", "b", "c"], "2": ["x"]}, {"1": ["b", "d", "a"]}]
        pools = pool_sizes(runs, [3, 1])
        assert (pools.depths, pools.means, pools.n_topics) == ((1, 3), (1.5, 2.5), 2)
        assert pools.shares == (0.6, 1.0)

    def test_shallow_pools_of_real_runs_cost_a_fraction(self):
        # TREC-2 to TREC-10: 11 to 14 percent. Eleven related runs overlap more at the top.
        pools = pool_sizes([dl_2019.run_of(name).rankings for name in dl_2019.facts()["runs"]], [10, 100])
        assert pools.n_topics == 43
        assert 0.08 < pools.shares[0] < 0.2
