"""Conditional, hybrid and projection inference on the winner."""

import mpmath
import numpy as np
import pytest
import scipy.stats

from analysis.best._selective_inference import (
    selective_quantile,
    truncated_cdf,
    truncation,
    winner_conditional,
    winner_hybrid,
    winner_projection,
)
from analysis.errors import DegenerateWarning
from tests.analysis.matrices import shipped_matrix
from tests.analysis.simulated import labelled, mirrored, noisy_matrix, orthogonal_matrix, shuffled

#: The example of the package multiple-inference: five independent estimates with variance 1.
MEANS, COVARIANCES = [0, 1, 2, 3, 4], [0, 0, 0, 0, 1]


def selective_quantiles(means, covariances_with_winner, probabilities, radius=None):
    """Return those of the largest mean, as of scores with these covariances."""
    y, covariances = np.asarray(means, dtype=float), np.asarray(covariances_with_winner, dtype=float)
    row = int(y.argmax())
    ends, sd = truncation(y, covariances, row), float(np.sqrt(covariances[row]))
    return np.array([selective_quantile(float(y[row]), sd, *ends, level, radius) for level in probabilities])


class TestTruncatedCdf:
    @pytest.mark.parametrize(
        ("x", "mean", "low", "high"),
        [
            (0.5, 0.0, -1.0, 2.0),
            (0.5, 0.0, -np.inf, 1.0),
            (3.0, 1.0, 2.0, np.inf),
            (30.01, 0.0, 30.0, 31.0),
            (-30.01, 0.0, -31.0, -30.0),
            (-60.2, 0.0, -70.0, -60.0),
            (0.1, 0.0, -50.0, 50.0),
            (5.0, 0.0, -1.0, 5.0001),
        ],
    )
    def test_it_agrees_with_50_digits(self, x, mean, low, high):
        with mpmath.workdps(50):
            a, z, b = (mpmath.ncdf(mpmath.mpf(value) - mean) for value in (low, x, high))
            if low > mean:  # 50 digits are too few for differences of numbers next to 1 this far out
                a, z, b = (-mpmath.ncdf(mean - mpmath.mpf(value)) for value in (low, x, high))
            expected = float((z - a) / (b - a))
        assert truncated_cdf(x, mean, 1.0, low, high) == pytest.approx(expected, rel=1e-9)

    def test_outside_the_ends_it_is_0_or_1(self):
        assert truncated_cdf(-2.0, 0.0, 1.0, -1.0, 1.0) == 0
        assert truncated_cdf(2.0, 0.0, 1.0, -1.0, 1.0) == 1


class TestSelectiveQuantiles:
    def test_reference_values_of_the_hybrid_method(self):
        quantiles = selective_quantiles(MEANS, COVARIANCES, [0.025, 0.5, 0.975], radius=3.289962875)
        assert quantiles == pytest.approx([0.884575, 3.687402, 5.932895], abs=6e-7)
        tail = (0.05 - 0.005) / (1 - 0.005) / 2
        interval = selective_quantiles(MEANS, COVARIANCES, [tail, 1 - tail], radius=3.289962875)
        assert interval == pytest.approx([0.8654, 5.9769], abs=6e-5)

    def test_they_solve_their_equation(self):
        for p in (0.025, 0.3, 0.5, 0.975):
            (mean,) = selective_quantiles(MEANS, COVARIANCES, [p])
            assert truncated_cdf(4.0, mean, 1.0, 3.0, np.inf) == pytest.approx(1 - p)

    def test_a_covariance_above_the_variance_bounds_from_above(self):
        """y = (1, 0.5) with covariance 2 against variance 1: the winner stays it while y_w <= 1.5."""
        (mean,) = selective_quantiles([1.0, 0.5], [1.0, 2.0], [0.5])
        assert truncated_cdf(1.0, mean, 1.0, -np.inf, 1.5) == pytest.approx(0.5)
        assert mean > 1.0

    def test_a_covariance_equal_to_the_variance_bounds_nothing(self):
        quantiles = selective_quantiles([1.0, 0.9], [1.0, 1.0], [0.025, 0.5, 0.975])
        assert quantiles == pytest.approx([1 - 1.959964, 1.0, 1 + 1.959964], abs=1e-6)

    def test_a_large_lead_leaves_the_ordinary_interval(self):
        quantiles = selective_quantiles([0.0, 30.0], [0.0, 1.0], [0.025, 0.5, 0.975])
        assert quantiles == pytest.approx([30 - 1.959964, 30.0, 30 + 1.959964], abs=1e-6)

    def test_without_a_bound_it_is_infinite_not_a_guess(self):
        quantiles = selective_quantiles([3.99, 4.0], [0.0, 1.0], [0.025, 0.5, 0.975])
        assert quantiles[0] == -np.inf
        assert quantiles[2] > 0

    def test_the_hybrid_stays_within_its_radius(self):
        for gap in (1e-9, 1e-3, 0.1, 1.0):
            quantiles = selective_quantiles([4.0 - gap, 4.0], [0.0, 1.0], [0.025, 0.5, 0.975], radius=3.0)
            assert np.isfinite(quantiles).all()
            assert (np.abs(quantiles - 4.0) <= 3.0).all()
            assert (np.diff(quantiles) >= 0).all()

    @pytest.mark.parametrize(("covariance", "end"), [(0.0, 1.0), (2.0, 7.0)])
    def test_the_hybrid_without_a_lead_ends_at_its_radius(self, covariance, end):
        for gap in (1e-12, 1e-14):
            quantiles = selective_quantiles([4.0 - gap, 4.0], [covariance, 1.0], [0.025, 0.5, 0.975], radius=3.0)
            assert quantiles == pytest.approx([end] * 3, abs=1e-9)

    @pytest.mark.parametrize("radius", [None, 3.4])
    def test_the_median_estimate_is_too_large_half_of_the_time(self, radius):
        """The theorem itself: exact for normal means with known covariance, given the selection."""
        rng = np.random.default_rng(1)
        truth = np.array([0.0, 0.5, 0.5, 1.0])
        covariance = 0.6 * np.ones((4, 4)) + np.diag([0.4, 0.4, 2.4, 0.4])
        above = []
        for draw in rng.multivariate_normal(truth, covariance, 3000):
            winner = int(draw.argmax())
            (median,) = selective_quantiles(draw, covariance[winner], [0.5], radius=radius)
            above.append(median > truth[winner])
        assert np.mean(above) == pytest.approx(0.5, abs=0.03)


class TestWinnerConditional:
    def test_reference_values_of_uncorrelated_means(self):
        winner = winner_conditional(orthogonal_matrix(MEANS), small_sample=False)
        ours = (winner.interval.low, winner.estimate, winner.interval.high)
        assert ours == pytest.approx((0.06742731, 3.68627552, 5.93267239), abs=6e-9)

    def test_reference_values_of_trec_7(self):
        winner = winner_conditional(shipped_matrix("trec-7-adhoc__AP"), small_sample=False)
        assert winner.system == "run16"
        assert winner.details["truncation_low"] == pytest.approx(0.341556, abs=6e-7)
        assert winner.details["truncation_high"] is None
        ours = (winner.interval.low, winner.estimate, winner.interval.high)
        assert ours == pytest.approx((0.272037, 0.363227, 0.421875), abs=6e-7)

    def test_it_agrees_with_the_quantiles_from_the_full_covariance_matrix(self):
        matrix = noisy_matrix([0.3, 0.31, 0.32, 0.25])
        winner = winner_conditional(matrix, small_sample=False)
        row = matrix.systems.index(winner.system)
        expected = selective_quantiles(matrix.means, np.cov(matrix.scores)[row] / 50, [0.025, 0.5, 0.975])
        assert (winner.interval.low, winner.estimate, winner.interval.high) == pytest.approx(tuple(expected))

    def test_rivals_bound_the_winner_from_below_and_from_above(self):
        """A rival apart moves half as much for each step of the difference; one three times as loose twice as much."""
        own, apart = 0.01 * np.array([1, -1, 1, -1] * 5), 0.01 * np.array([1, 1, -1, -1] * 5)
        matrix = labelled(np.array([0.30 + own, 0.25 + apart, 0.20 + 3 * own]))
        details = winner_conditional(matrix).details
        assert (details["truncation_low"], details["truncation_high"]) == pytest.approx((0.25, 0.35))
        low = winner_conditional(mirrored(matrix), higher_is_better=False).details
        assert (low["truncation_low"], low["truncation_high"]) == pytest.approx((0.65, 0.75))

    def test_an_infinite_end_becomes_none_with_its_reason(self):
        winner = winner_conditional(orthogonal_matrix([0.0, 0.99, 1.0]))
        assert winner.interval.low == -np.inf
        stored = winner.to_dict()
        assert stored["interval"]["low"] is None
        assert stored["interval"]["high"] == winner.interval.high
        assert "no bound on this side" in stored["why_unbounded"]

    def test_a_tie_at_the_top_has_no_answer(self):
        for winner in (
            winner_conditional(orthogonal_matrix([0, 1, 1])),
            winner_hybrid(orthogonal_matrix([0, 1, 1]), rng=1),
        ):
            assert winner.estimate is winner.interval is None
            assert "shares its mean" in winner.why_no_interval

    def test_tied_runs_of_trec_7_under_precision(self):
        winner = winner_hybrid(shipped_matrix("trec-7-adhoc__P-at-10"), rng=1)
        assert (winner.system, winner.tied, winner.interval) == ("run15", ("run16",), None)

    def test_a_duplicate_of_the_winner_changes_nothing(self):
        matrix = noisy_matrix([0.3, 0.31, 0.25])
        doubled = labelled(np.vstack([matrix.scores, matrix.scores[matrix.means.argmax()]]))
        winner, again = winner_conditional(matrix), winner_conditional(doubled)
        assert again.tied
        assert (again.estimate, again.interval.low) == pytest.approx((winner.estimate, winner.interval.low))

    def test_the_small_sample_factor_widens(self):
        matrix = noisy_matrix([0.3, 0.31, 0.25], n_topics=12)
        wide, narrow = (winner_conditional(matrix, small_sample=choice).interval for choice in (True, False))
        assert wide.high - wide.low > narrow.high - narrow.low


class TestWinnerHybrid:
    def test_it_is_the_hybrid_quantiles_at_the_adjusted_level(self):
        matrix = noisy_matrix([0.3, 0.31, 0.32, 0.25])
        winner = winner_hybrid(matrix, small_sample=False, rng=1)
        row, tail = matrix.systems.index(winner.system), (0.05 - 0.005) / (1 - 0.005) / 2
        covariances = np.cov(matrix.scores)[row] / 50
        radius = winner.details["radius"]
        expected = selective_quantiles(matrix.means, covariances, [tail, 0.5, 1 - tail], radius=radius)
        assert (winner.interval.low, winner.estimate, winner.interval.high) == pytest.approx(tuple(expected))

    def test_the_radius_is_exact_for_uncorrelated_means(self):
        """The value behind the reference: the 0.995 quantile of the largest of five |z|."""
        winner = winner_hybrid(orthogonal_matrix(MEANS), n_resamples=200_000, rng=1)
        assert winner.details["radius"] == pytest.approx(3.289962875, abs=0.03)

    def test_direction_order_and_seed(self):
        matrix = noisy_matrix([0.3, 0.31, 0.32, 0.25])
        winner, low = winner_hybrid(matrix, rng=1), winner_hybrid(mirrored(matrix), higher_is_better=False, rng=1)
        assert winner_hybrid(matrix, rng=1) == winner
        assert low.estimate == pytest.approx(1 - winner.estimate)
        assert low.interval.low == pytest.approx(1 - winner.interval.high)
        assert low.interval.high == pytest.approx(1 - winner.interval.low)
        assert low.details["truncation_high"] == pytest.approx(1 - winner.details["truncation_low"])
        again = winner_hybrid(shuffled(matrix), rng=1)
        assert (again.system, again.estimate) == (winner.system, pytest.approx(winner.estimate, abs=0.002))

    def test_more_systems_than_topics(self):
        winner = winner_hybrid(noisy_matrix(np.linspace(0.1, 0.4, 80), n_topics=30), n_resamples=2_000, rng=1)
        assert winner.interval.low < winner.estimate < winner.interval.high


class TestWinnerProjection:
    def test_its_radius_is_exact_for_uncorrelated_means(self):
        matrix = orthogonal_matrix([0.0, 1.0, 2.0], standard_error=0.01)
        winner = winner_projection(matrix, n_resamples=100_000, small_sample=False, rng=1)
        exact = scipy.stats.norm.ppf((1 + 0.95 ** (1 / 3)) / 2)
        assert winner.details["radius"] == pytest.approx(exact, abs=0.02)
        assert winner.estimate == pytest.approx(2.0)
        assert winner.interval.high == pytest.approx(2 + 0.01 * winner.details["radius"])

    def test_it_is_wider_than_the_hybrid(self):
        matrix = shipped_matrix("trec-7-adhoc__AP")
        wide, narrow = winner_projection(matrix, rng=1).interval, winner_hybrid(matrix, rng=1).interval
        assert wide.high - wide.low > narrow.high - narrow.low

    def test_a_run_with_equal_scores_has_no_interval_and_spoils_nothing(self):
        scores = np.vstack([noisy_matrix([0.2, 0.3]).scores, np.full(50, 0.9)])
        for method in (winner_projection, winner_hybrid):
            with pytest.warns(DegenerateWarning, match="all scores of the winner, s2, are equal"):
                winner = method(labelled(scores), rng=1)
            assert winner.interval is None
            assert "no standard error" in winner.why_no_interval
        with pytest.warns(DegenerateWarning, match="are equal"):
            none_varies = winner_projection(labelled([[0.2] * 3, [0.3] * 3]), rng=1)
        assert (none_varies.details, none_varies.estimate) == ({"radius": 0.0}, pytest.approx(0.3))
        scores[2] = 0.0
        assert winner_projection(labelled(scores), rng=1).interval is not None
