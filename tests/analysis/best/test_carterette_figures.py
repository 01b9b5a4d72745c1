"""The three figures of Carterette (2015), doi:10.1145/2766462.2767812, number by number."""

import numpy as np
import pytest
from scipy.stats import norm

from analysis.best import analyse_summary, maximum_distribution

MEAN, SD = 0.20, 0.027  # of the normal distribution in figures 1 and 2


def test_figure_1_the_maximum_of_100():
    largest = maximum_distribution(100, mean=MEAN, sd=SD)
    assert largest.mean() == pytest.approx(0.2677, abs=5e-5)  # "0.267"
    assert largest.mean() / MEAN - 1 == pytest.approx(0.34, abs=0.005)  # "a 34 % improvement"
    assert norm.sf(0.267, MEAN, SD) == pytest.approx(0.0065, abs=5e-5)  # "only 0.6 % … is greater than 0.267"
    # "A full 99 % … is greater than the upper bound of the 95 % confidence interval": of the one-sided one.
    assert largest.sf(MEAN + SD * norm.ppf(0.95)) == pytest.approx(0.9941, abs=5e-5)
    assert largest.sf(MEAN + SD * norm.ppf(0.975)) == pytest.approx(0.9205, abs=5e-5)


def test_figure_1_as_a_histogram_of_100_000_maxima():
    rng = np.random.default_rng(20150809)
    drawn = np.concatenate([rng.normal(MEAN, SD, (1000, 100)).max(axis=1) for _ in range(100)])
    edges = np.linspace(0.22, 0.34, 25)
    expected = np.diff(maximum_distribution(100, mean=MEAN, sd=SD).cdf(edges))
    shares = np.histogram(drawn, edges)[0] / drawn.size
    assert np.abs(shares - expected).max() < 5 * np.sqrt(expected.max() / drawn.size)


def test_figure_2_growth_with_the_square_root_of_the_logarithm():
    sizes = 10.0 ** np.arange(0, 10)
    means = np.array([maximum_distribution(n, mean=MEAN, sd=SD).mean() for n in sizes])
    np.testing.assert_allclose(means[:4], [0.20, 0.24155, 0.26771, 0.28752], atol=5e-6)
    assert np.all(np.diff(means, n=2) < 0)  # against the logarithm of N, ever flatter
    bound = MEAN + SD * np.sqrt(2 * np.log(sizes))
    assert np.all(means <= bound)
    assert np.all(np.diff((means[1:] - MEAN) / (bound[1:] - MEAN)) > 0)


class TestFigure3:
    """The normal distribution around the adjusted mean, its extremes, and the two intervals drawn into it."""

    FOUND = analyse_summary(mean=0.2, sd=0.08, best=0.303, n_results=103, n_topics=50)
    CENTRE, ERROR = FOUND.adjusted_mean, FOUND.standard_error

    def test_the_blue_lines_lie_between_the_red_ones(self):
        low, high = norm.interval(0.95, self.CENTRE, self.ERROR)
        assert (low, high) == pytest.approx((0.2482, 0.2928), abs=5e-4)
        assert self.FOUND.lower < low < high < self.FOUND.upper

    def test_the_60_percent_interval_holds_all_103_with_probability_64_percent(self):
        """Both ends hold together more often than 1 - .2 - .2, because the extremes are nearly independent."""
        assert self.FOUND.band_probability == pytest.approx(0.6396900096, abs=5e-11)

    def test_the_range_is_an_improvement_of_27_percent(self):
        assert self.FOUND.upper / self.FOUND.lower - 1 == pytest.approx(0.27, abs=0.005)
