"""The arithmetic behind extremes and winners: logarithms, quadrature, selective quantiles, effective numbers."""

import numpy as np
import pytest
from scipy import integrate, stats

from analysis.best import (
    analyse_summary,
    gumbel_approximation,
    maximum_distribution,
    minimum_distribution,
    range_probability,
    scores_maximum_cdf,
)
from tests.analysis.simulated import noisy_matrix


class TestDistributions:
    def test_units_carry_over_to_every_answer(self):
        top, low = (extreme(7, mean=50.0, sd=4.0) for extreme in (maximum_distribution, minimum_distribution))
        plain = maximum_distribution(7)
        assert (top.mean(), low.mean()) == pytest.approx((50 + 4 * plain.mean(), 50 - 4 * plain.mean()))
        assert top.sd() == low.sd() == pytest.approx(4 * plain.sd())
        assert (top.median(), low.median()) == pytest.approx((50 + 4 * plain.ppf(0.5), 50 - 4 * plain.ppf(0.5)))
        assert top.cdf(53) == pytest.approx(stats.norm.cdf(0.75) ** 7)
        assert low.sf(47) == pytest.approx(stats.norm.cdf(0.75) ** 7)
        assert low.cdf(47) == pytest.approx(1 - stats.norm.cdf(0.75) ** 7)
        density = 7 / 4 * stats.norm.pdf(0.75) * stats.norm.cdf(0.75) ** 6
        assert (top.pdf(53), low.pdf(47)) == pytest.approx((density, density))
        assert (top.isf(0.1), low.ppf(0.1)) == pytest.approx((top.ppf(0.9), low.isf(0.9)))
        assert isinstance(top.cdf(53), float)
        assert top.cdf([53]).shape == (1,)
        assert (top.ppf(0.0), top.ppf(1.0), low.isf(0.0)) == (-np.inf, np.inf, np.inf)
        assert (top.extreme, low.extreme, top.correlation) == ("maximum", "minimum", 0.0)

    def test_a_joint_range_is_a_power_or_an_integral(self):
        inside = stats.norm.cdf(1.5) - stats.norm.cdf(-1.0)
        assert range_probability(-1, 1.5, 6) == pytest.approx(inside**6)
        assert range_probability(40, 50, 6, mean=44, sd=4) == pytest.approx(inside**6)
        assert range_probability(-1, 1.5, 6, correlation=1.0) == pytest.approx(inside)

        def conditional(w):
            ends = ((1.5 - np.sqrt(0.3) * w) / np.sqrt(0.7), (-1 - np.sqrt(0.3) * w) / np.sqrt(0.7))
            return stats.norm.pdf(w) * (stats.norm.cdf(ends[0]) - stats.norm.cdf(ends[1])) ** 6

        expected = integrate.quad(conditional, -10, 10, epsabs=1e-13)[0]
        assert range_probability(-1, 1.5, 6, correlation=0.3) == pytest.approx(expected, rel=1e-9)

    def test_gumbels_constants_and_errors_by_hand(self):
        for constants in ("von-mises", "quantile-matched"):
            fit = gumbel_approximation(50, mean=10.0, sd=2.0, constants=constants)
            b = stats.norm.isf(1 / 50)
            a = 1 / (50 * stats.norm.pdf(b)) if constants == "von-mises" else stats.norm.isf(1 / (50 * np.e)) - b
            assert (fit.n, fit.constants) == (50.0, constants)
            assert (fit.location, fit.scale) == pytest.approx((10 + 2 * b, 2 * a))
            exact = maximum_distribution(50, mean=10.0, sd=2.0)
            gumbel = stats.gumbel_r(fit.location, fit.scale)
            assert fit.mean_error == pytest.approx(gumbel.mean() - exact.mean(), rel=1e-6)
            assert [p for p, _ in fit.quantile_errors] == [0.8, 0.95, 0.99]
            for p, error in fit.quantile_errors:
                assert error == pytest.approx(gumbel.ppf(p) - exact.ppf(p), rel=1e-6)
            grid = np.linspace(fit.location - 8 * fit.scale, fit.location + 20 * fit.scale, 3001)
            largest = np.abs(gumbel.cdf(grid) - exact.cdf(grid)).max()
            assert fit.largest_cdf_error == pytest.approx(largest, rel=1e-3)
        assert gumbel_approximation(2).n == 2


def test_an_analysis_of_a_summary_by_hand():
    analysis = analyse_summary(mean=0.3, sd=0.05, best=0.4, n_results=10, n_topics=25, n_multiplier=3, tail=0.5)
    error = 0.05 / 5
    step = stats.norm.ppf(0.5 ** (1 / 30)) * error
    chance = stats.norm.ppf(0.95 ** (1 / 30)) * error
    assert (analysis.standard_error, analysis.n_effective_results) == (pytest.approx(error), 30)
    assert (analysis.adjusted_mean, analysis.lower, analysis.upper) == pytest.approx((0.4 - step, 0.4 - 2 * step, 0.4))
    assert (analysis.chance_lower, analysis.chance_upper) == pytest.approx((0.3 - chance, 0.3 + chance))
    assert analysis.inflation == pytest.approx(step / 0.4)
    assert analysis.band_probability == pytest.approx((2 * 0.5 ** (1 / 30) - 1) ** 30)
    assert (analysis.scale, analysis.tail, analysis.chance_level) == ("published", 0.5, 0.95)
    assert analysis.why_no_inflation is None
    single = analyse_summary(
        mean=0.3, sd=None, best=0.3, n_results=1, n_topics=25, scale="residual", residual_variance=0.04, tail=0.5
    )
    assert single.band_probability == 0.0
    assert single.standard_error == pytest.approx(0.04)


def test_the_share_of_draws_below_is_counted_as_drawn(monkeypatch):
    scores = noisy_matrix([0.2, 0.3, 0.25], n_topics=8).scores
    monkeypatch.setattr("analysis._resampling.MAX_CELLS", 3 * 40)
    chance = scores_maximum_cdf(0.3, scores, 6, n_resamples=100)
    rng = np.random.default_rng(6)
    centred = scores - scores.mean(axis=1, keepdims=True)
    draws = np.vstack([rng.standard_normal((size, 8)) for size in (40, 40, 20)]) @ centred.T / np.sqrt(56)
    below = (draws.max(axis=1) + scores.mean() <= 0.3).sum()
    centre = (below + 2) / 104
    assert 0 < below < 100
    assert (chance.estimate, chance.n_resamples) == (below / 100, 100)
    assert chance.standard_error == pytest.approx(np.sqrt(centre * (1 - centre) / 104))
