"""Trends of published scores: the Robust04 survey, second routes, invariances, clusters."""

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.quantile_regression import QuantReg

from analysis.trends import clustered_trend, frontier_trend, trend_over_time
from tests.analysis.published_papers import robust04_papers

RNG = np.random.default_rng(17)
YEARS = np.sort(RNG.integers(2000, 2015, 60)).astype(float)
SCORES = 0.25 + 0.002 * (YEARS - 2000) + RNG.normal(0, 0.03, 60)
LABS = [f"lab {number % 20}" for number in range(60)]


def test_two_results_beyond_a_frontier_are_enough():
    """Two of twenty lie beyond 0.9, though 1 - 0.9 is a little less than 0.1 to a computer."""
    assert frontier_trend(YEARS[:20], SCORES[:20]).n_results == 20


class TestRobust04Papers:
    """109 papers, 2005 to 2019: no trend in the best scores, none in the baselines, a frontier that falls."""

    def test_best_proposed_scores_have_no_trend(self):
        years, _, improved, _ = robust04_papers()
        trend = trend_over_time(years, improved)
        assert trend.n_results == 109
        assert trend.tau == pytest.approx(0.0268, abs=1e-4)
        assert trend.pvalue == pytest.approx(0.691, abs=5e-4)
        assert trend.slope == pytest.approx(0.00030, abs=5e-6)
        assert (trend.interval.low, trend.interval.high) == pytest.approx((-0.0012, 0.0019), abs=5e-5)

    def test_baselines_have_no_trend(self):
        years, baselines, _, _ = robust04_papers()
        trend = trend_over_time(years, baselines)
        assert trend.tau == pytest.approx(-0.0087, abs=5e-5)
        assert trend.pvalue == pytest.approx(0.897, abs=5e-4)

    def test_the_frontier_falls(self):
        years, _, improved, _ = robust04_papers()
        frontier = frontier_trend(years, improved)
        assert frontier.slope == pytest.approx(-0.00436, abs=1e-5)
        assert frontier.standard_error == pytest.approx(0.00148, abs=5e-6)

    def test_by_first_author_the_fall_is_within_chance(self):
        years, _, improved, authors = robust04_papers()
        trend = clustered_trend(years, improved, authors, 1, n_resamples=99)
        assert trend.frontier_slope == pytest.approx(-0.00436, abs=1e-5)
        assert trend.frontier_interval.low < trend.frontier_slope < 0 < trend.frontier_interval.high


class TestSecondRoutes:
    def test_tau_and_slope_by_counting_pairs(self):
        result = trend_over_time(YEARS, SCORES)
        agree, slopes = 0, []
        for i in range(60):
            for j in range(i):
                agree += np.sign(YEARS[i] - YEARS[j]) * np.sign(SCORES[i] - SCORES[j])
                if YEARS[i] != YEARS[j]:
                    slopes.append((SCORES[i] - SCORES[j]) / (YEARS[i] - YEARS[j]))
        pairs = 60 * 59 / 2
        tied = sum(count * (count - 1) / 2 for count in np.unique(YEARS, return_counts=True)[1])
        assert result.tau == pytest.approx(agree / np.sqrt(pairs * (pairs - tied)))
        assert result.slope == pytest.approx(np.median(slopes))

    def test_the_interval_of_the_slope_is_that_of_sen(self):
        """Of N slopes in order, those of number (N - C) / 2 and (N + C) / 2 + 1, C = z sd of Kendall's S."""
        trend = trend_over_time(YEARS, SCORES, confidence_level=0.9)
        slopes = sorted(
            (SCORES[i] - SCORES[j]) / (YEARS[i] - YEARS[j]) for i in range(60) for j in range(i) if YEARS[i] != YEARS[j]
        )
        counts = np.unique(YEARS, return_counts=True)[1]
        variance = (60 * 59 * 125 - sum(count * (count - 1) * (2 * count + 5) for count in counts)) / 18
        reach = stats.norm.ppf(0.95) * np.sqrt(variance)
        ends = slopes[round((len(slopes) - reach) / 2) - 1], slopes[round((len(slopes) + reach) / 2)]
        assert (trend.interval.low, trend.interval.high) == pytest.approx(ends)
        assert trend.interval.confidence_level == 0.9
        assert trend.intercept == pytest.approx(np.median(SCORES) - trend.slope * np.median(YEARS))
        assert trend.n_results == 60

    @pytest.mark.parametrize(
        ("times", "values"),
        [
            ([1, 1, 1, 2, 2, 3], [1, 2, 2, 2, 5, 5]),
            ([1, 1, 1, 1, 1, 2], [3, 3, 3, 3, 3, 4]),
            (range(6), [2, 1, 3, 4, 6, 5]),
        ],
    )
    def test_ties_in_time_and_in_score_leave_the_interval_of_all_orders(self, times, values):
        pairs = list(combinations(range(6), 2))

        def excess(scores):
            return sum(np.sign(times[j] - times[i]) * np.sign(scores[j] - scores[i]) for i, j in pairs)

        reach = stats.norm.ppf(0.75) * np.std([excess(scores) for scores in permutations(values)])
        slopes = sorted((values[j] - values[i]) / (times[j] - times[i]) for i, j in pairs if times[i] != times[j])
        low, high = round((len(slopes) - reach) / 2) - 1, round((len(slopes) + reach) / 2)
        interval = trend_over_time(times, values, confidence_level=0.5).interval
        assert (interval.low, interval.high) == (slopes[max(0, low)], slopes[min(high, len(slopes) - 1)])

    def test_the_intervals_of_clusters_are_quantiles_of_resamples(self):
        trend = clustered_trend(YEARS, SCORES, LABS, 3, quantile=None, n_resamples=99, confidence_level=0.8)
        rng, drawn = np.random.default_rng(3), []
        for _ in range(99):
            labs = [f"lab {number}" for number in rng.integers(0, 20, 20)]
            rows = [row for lab in labs for row in range(60) if LABS[row] == lab]
            years, scores = YEARS[rows], SCORES[rows]
            gaps, steps = years[:, None] - years, scores[:, None] - scores
            drawn.append(np.median(steps[gaps > 0] / gaps[gaps > 0]))
        interval, ends = trend.slope_interval, np.quantile(drawn, [0.1, 0.9])
        assert (interval.low, interval.high, interval.confidence_level) == pytest.approx((*ends, 0.8))
        assert (trend.n_results, trend.n_resamples) == (60, 99)
        assert trend.quantile is None

    def test_p_by_permutation(self):
        rng = np.random.default_rng(2)
        observed = abs(stats.kendalltau(YEARS, SCORES).statistic)
        null = [abs(stats.kendalltau(YEARS, rng.permutation(SCORES)).statistic) for _ in range(1000)]
        assert trend_over_time(YEARS, SCORES).pvalue == pytest.approx(np.mean(null >= observed), abs=0.02)

    @pytest.mark.parametrize("quantile", [0.1, 0.5, 0.9])
    @pytest.mark.parametrize("n_results", [61, 303, 2003])
    def test_the_frontier_is_that_of_statsmodels(self, n_results, quantile):
        rng = np.random.default_rng(n_results)
        years = rng.integers(2000, 2020, n_results).astype(float)
        scores = 0.2 + 0.002 * (years - 2000) + rng.normal(0, 0.03, n_results)
        ours = frontier_trend(years, scores, quantile=quantile)
        # Its iterations stop short of the minimum, by a thousandth of the slope or so.
        design = np.column_stack([np.ones(n_results), years - years.mean()])
        theirs = QuantReg(scores, design).fit(q=quantile, max_iter=5000, p_tol=1e-9)
        low, high = theirs.conf_int(alpha=0.05)[1]
        assert ours.slope == pytest.approx(theirs.params[1], abs=0.02 * theirs.bse[1])
        assert ours.standard_error == pytest.approx(theirs.bse[1], rel=0.002)
        assert (ours.interval.low, ours.interval.high) == pytest.approx((low, high), abs=0.03 * theirs.bse[1])
        assert ours.pvalue == pytest.approx(theirs.pvalues[1], rel=0.1)
        assert (ours.quantile, ours.n_results, ours.why_no_interval) == (quantile, n_results, None)
        student, half = stats.t(n_results - 2), (ours.interval.high - ours.interval.low) / 2
        assert half == pytest.approx(student.ppf(0.975) * ours.standard_error)
        assert ours.pvalue == pytest.approx(2 * student.sf(abs(ours.slope) / ours.standard_error))
        loss = [
            float((rest * (quantile - (rest < 0))).sum())
            for rest in (scores - ours.intercept - ours.slope * years, scores - design @ theirs.params)
        ]
        assert loss[0] <= loss[1]

    @pytest.mark.slow
    def test_the_fast_quantile_slope_of_resamples_is_that_of_statsmodels(self):
        result = clustered_trend(YEARS, SCORES, [str(number) for number in range(60)], 3, n_resamples=200)
        rng = np.random.default_rng(5)
        slow = []
        for _ in range(200):
            rows = rng.integers(0, 60, 60)
            design = np.column_stack([np.ones(60), YEARS[rows] - 2007])
            slow.append(QuantReg(SCORES[rows], design).fit(q=0.9, max_iter=5000).params[1])
        low, high = np.quantile(slow, [0.025, 0.975])
        width = high - low
        assert result.frontier_interval.low == pytest.approx(low, abs=0.3 * width)
        assert result.frontier_interval.high == pytest.approx(high, abs=0.3 * width)


class TestInvariances:
    def test_the_order_of_the_results_does_not_matter(self):
        order = np.random.default_rng(1).permutation(60)
        before, after = trend_over_time(YEARS, SCORES), trend_over_time(YEARS[order], SCORES[order])
        assert after.slope == pytest.approx(before.slope)
        assert after.tau == pytest.approx(before.tau)
        assert frontier_trend(YEARS[order], SCORES[order]).slope == pytest.approx(frontier_trend(YEARS, SCORES).slope)

    def test_shifting_time_and_scaling_scores_do_what_they_should(self):
        before, after = frontier_trend(YEARS, SCORES), frontier_trend(YEARS - 1990, 10 * SCORES + 1)
        assert after.slope == pytest.approx(10 * before.slope, rel=1e-4)
        assert after.pvalue == pytest.approx(before.pvalue, rel=1e-2)
        moved = trend_over_time(YEARS + 30, SCORES)
        assert moved.pvalue == pytest.approx(trend_over_time(YEARS, SCORES).pvalue)

    def test_the_unit_of_time_and_of_the_scores_does_not_matter(self):
        before, after = frontier_trend(YEARS, SCORES), frontier_trend(YEARS * 31_557_600, SCORES * 1e-6)
        assert after.slope * 31_557_600e6 == pytest.approx(before.slope, rel=1e-9)
        assert after.pvalue == pytest.approx(before.pvalue, rel=1e-9)

    def test_a_falling_measure_mirrors_a_rising_one(self):
        assert trend_over_time(YEARS, -SCORES).tau == pytest.approx(-trend_over_time(YEARS, SCORES).tau)


class TestClusters:
    def test_copies_of_each_result_do_not_narrow_the_interval(self):
        labels = [str(number) for number in range(60)]
        once = clustered_trend(YEARS, SCORES, labels, 1, quantile=None, n_resamples=199)
        copied = clustered_trend(
            np.repeat(YEARS, 2), np.repeat(SCORES, 2), np.repeat(labels, 2).tolist(), 1, quantile=None, n_resamples=199
        )
        naive = trend_over_time(np.repeat(YEARS, 2), np.repeat(SCORES, 2)).interval
        width = once.slope_interval.high - once.slope_interval.low
        assert copied.slope_interval.high - copied.slope_interval.low == pytest.approx(width, rel=0.05)
        assert naive.high - naive.low < 0.8 * width

    def test_a_draw_of_equal_times_or_of_equal_values_is_drawn_again(self):
        """One of ten clusters has another time and one another value: most draws lack one of them."""
        times, values = np.full(10, 2000.0), np.full(10, 0.3)
        times[0], values[-1] = 2010, 0.5
        trend = clustered_trend(
            times, values, [f"lab {place}" for place in range(10)], 1, quantile=None, n_resamples=99
        )
        assert (trend.slope_interval.low, trend.slope_interval.high) == (0, 0)

    def test_without_a_quantile_there_is_no_frontier(self):
        trend = clustered_trend(YEARS, SCORES, LABS, 4, quantile=None, n_resamples=99)
        assert trend.frontier_slope is trend.frontier_interval is None


@pytest.mark.parametrize(("n_results", "quantile", "has_error"), [(41, 0.9, False), (42, 0.9, True), (41, 0.1, False)])
def test_few_results_have_no_error_at_a_quantile_near_the_end_and_the_reason_says_so(n_results, quantile, has_error):
    """Statsmodels gives NaN: the bandwidth would reach beyond the quantile of 1."""
    rng = np.random.default_rng(n_results)
    times, values = rng.uniform(2000, 2020, n_results), rng.normal(0.3, 0.05, n_results)
    frontier = frontier_trend(times, values, quantile=quantile)
    assert (frontier.standard_error is not None) == (frontier.interval is not None) == has_error
    assert frontier.why_no_interval == (
        None if has_error else "41 results are too few for the error of a quantile so near the end"
    )


def test_a_frontier_that_nearly_all_scores_lie_on_has_no_error():
    years = np.repeat(np.arange(2000.0, 2010), 10)
    frontier = frontier_trend(years, 0.01 * (years - 2000) + np.tile([0.3] * 9 + [0.2], 10))
    assert frontier.slope == pytest.approx(0.01)
    assert frontier.intercept == pytest.approx(0.3 - 0.01 * 2000)
    assert (frontier.standard_error, frontier.pvalue, frontier.interval) == (None, None, None)
    assert frontier.why_no_interval == "the scores lie so regularly around the line that its error is unknown"


def test_p_is_never_0():
    times = np.arange(4000.0)
    assert trend_over_time(times[:2000], times[:2000]).pvalue > 0
