"""The arithmetic behind extremes and winners: logarithms, quadrature, selective quantiles, effective numbers."""

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import log_ndtr

from analysis.best import (
    analyse_summary,
    effective_n,
    gumbel_approximation,
    maximum_distribution,
    minimum_distribution,
    range_probability,
    scores_maximum_cdf,
)
from analysis.best._corrected_best import _family_bests, _luck
from analysis.best._effective_n import _n_of_mean, _n_of_quantile, _unit_errors
from analysis.best._expected_maximum import _subset_weights
from analysis.best._extremes import (
    EquicorrelatedMaximum,
    IidMaximum,
    adaptive_integral,
    check_numbers,
    log_integral,
    log_interval,
    normal_reach,
    standard_maximum,
    support,
)
from analysis.best._selective_inference import _simultaneous_radius
from analysis.best._selective_quantiles import selective_quantile, truncated_cdf, truncation
from analysis.best._set_from_means import _root_mean_square_nodes
from analysis.errors import ArgumentError
from tests.analysis.simulated import labelled, noisy_matrix


class TestLogarithms:
    @pytest.mark.parametrize("n", [1.0, 2.5, 103.0, 1e9])
    def test_the_largest_of_n_has_the_powers_of_the_normal(self, n):
        z = np.linspace(-3, 9, 49)
        log_cdf = n * log_ndtr(z)
        found = IidMaximum(n)
        assert found.log_cdf(z) == pytest.approx(log_cdf, rel=1e-12)
        assert found.log_pdf(z) == pytest.approx(np.log(n) + stats.norm.logpdf(z) + (n - 1) * log_ndtr(z), rel=1e-12)
        assert found.log_sf(z) == pytest.approx(np.log(-np.expm1(n * np.log1p(-stats.norm.sf(z)))), rel=1e-9)
        far = np.array([12.0, 30.0, 38.0])
        assert found.log_sf(far) == pytest.approx(np.log(n) + stats.norm.logsf(far), rel=1e-12)
        with np.errstate(divide="ignore"):
            upper = np.log(-np.expm1(log_cdf[20:40]))
        assert found.quantile(log_cdf[20:40], upper) == pytest.approx(z[20:40], rel=1e-6)

    def test_the_tail_is_even_where_its_form_changes(self):
        for n in (1.0, 50.0):
            near, beyond = IidMaximum(n).log_sf(np.array([8 - 1e-9, 8 + 1e-9]))
            assert near == pytest.approx(np.log(n) + stats.norm.logsf(8.0), abs=1e-6)
            assert beyond == pytest.approx(np.log(n) + stats.norm.logsf(8.0), abs=1e-6)
        tails = np.exp(np.array([-19.99, -20.01]))
        found = IidMaximum(3.0).quantile(np.log1p(-tails), np.log(tails))
        assert found == pytest.approx(stats.norm.isf(tails / 3), rel=1e-7)

    def test_no_warning_however_far_out(self):
        for n in (1.0, 1e300):
            distribution = IidMaximum(n)
            z = np.array([-1e30, -1e3, 0.0, 40.0, 1e30])
            assert (np.diff(distribution.log_cdf(z)) >= 0).all()
            assert (np.diff(distribution.log_sf(z)) <= 0).all()
            assert distribution.log_pdf(z)[0] < -1e50

    def test_an_interval_has_the_difference_of_its_ends(self):
        low = np.array([-1.0, 0.5, -3.0, 7.0, -9.0, 0.0])
        high = np.array([2.0, 0.6, -2.5, 7.5, -8.0, 1.0])
        expected = np.log(stats.norm.cdf(high) - stats.norm.cdf(low))
        upside = stats.norm.sf(low) - stats.norm.sf(high)
        assert log_interval(low, high) == pytest.approx(np.where(low > 5, np.log(upside), expected), rel=1e-9)
        assert log_interval(np.array([30.0]), np.array([31.0])) == pytest.approx(stats.norm.logsf(30), rel=1e-9)

    def test_what_is_no_number_is_refused_by_its_name(self):
        for values, message in (
            ([[1.0], [1.0, 2.0]], "y must hold numbers only, in rows of equal length"),
            (["a"], "y must hold numbers only; got"),
            ([True], "y must hold numbers only; got"),
            ([1.0, np.nan], "y must hold numbers only; got"),
        ):
            with pytest.raises(ArgumentError, match=message):
                check_numbers(values, "y")
        assert check_numbers([1, np.inf], "y").tolist() == [1.0, np.inf]
        assert check_numbers(np.uint8(3), "y").shape == ()


class TestQuadrature:
    def test_a_range_shrinks_to_what_matters(self):
        (low,), (high,) = support(lambda t: -0.5 * (t - 3) ** 2, np.array([-1000.0]), np.array([900.0]))
        # The drop of 45 is at a distance of 9.49.
        reach = np.sqrt(90)
        assert 3 - 1.8 * reach < low <= 3 - reach
        assert 3 + reach <= high < 3 + 1.8 * reach
        (low,), (high,) = support(lambda t: -t, np.array([0.0]), np.array([1e6]))
        assert low == 0.0
        assert 45 <= high < 95
        (low,), (high,) = support(lambda t: t, np.array([-1e6]), np.array([0.0]))
        assert high == 0.0
        assert -95 < low <= -45
        assert support(lambda t: 0 * t, np.array([1.0]), np.array([2.0])) == (1.0, 2.0)

    def test_integrals_are_exact(self):
        low, high = np.array([-60.0, -80.0]), np.array([70.0, 90.0])
        centres, sds = np.array([[1.0], [4.0]]), np.array([[2.0], [0.5]])
        found = log_integral(lambda t: 7.0 - 0.5 * ((t - centres) / sds) ** 2, low, high)
        assert found == pytest.approx(7 + np.log(np.sqrt(2 * np.pi) * sds[:, 0]), rel=1e-11)
        assert adaptive_integral(lambda t: -0.5 * t**2 - 3, 40.0) == pytest.approx(np.sqrt(2 * np.pi) / np.e**3)
        assert normal_reach(lambda t: -0.5 * t**2 - 5.0) == pytest.approx(np.sqrt(2 * (45 + 5)) + 1)

    @pytest.mark.parametrize("n", [1.0, 3.0, 40.0])
    def test_moments_are_those_of_the_density(self, n):
        def moment(power):
            return integrate.quad(lambda z: z**power * np.exp(IidMaximum(n).log_pdf(z)), -12, 12, epsabs=1e-13)[0]

        mean, sd = IidMaximum(n).moments()
        assert (mean, sd) == pytest.approx((moment(1), np.sqrt(moment(2) - moment(1) ** 2)), abs=1e-9)
        found = EquicorrelatedMaximum(n, 0.3).moments()
        assert found == pytest.approx((np.sqrt(0.7) * mean, np.sqrt(0.3 + 0.7 * sd**2)))

    def test_correlated_maxima_are_convolutions_in_any_shape(self, monkeypatch):
        z = np.array([[-0.5, 1.0], [2.0, 3.5]])
        monkeypatch.setattr("analysis.best._extremes.MAX_CELLS", 3 * 4096)
        for correlation in (0.8,):
            distribution = EquicorrelatedMaximum(5.0, correlation)
            own, shared = np.sqrt(1 - correlation), np.sqrt(correlation)

            def conditional(w, at, own=own, shared=shared):
                return stats.norm.pdf(w) * stats.norm.cdf((at - shared * w) / own) ** 5

            expected = [integrate.quad(conditional, -9, 9, args=(at,), epsabs=1e-12)[0] for at in z.ravel()]
            assert np.exp(distribution.log_cdf(z)) == pytest.approx(np.reshape(expected, (2, 2)), rel=1e-8)
            assert np.exp(distribution.log_sf(z)) == pytest.approx(1 - np.reshape(expected, (2, 2)), rel=1e-7)
            flat = z.ravel()
            found = distribution.quantile(distribution.log_cdf(flat), distribution.log_sf(flat))
            assert found == pytest.approx(flat, abs=1e-8)
        assert EquicorrelatedMaximum(5.0, 0.5).log_cdf(np.zeros(0)).size == 0
        first, first_weight, second, second_weight = EquicorrelatedMaximum(5.0, 0.2)._parts()
        assert (first.n, second.n) == (1.0, 5.0)
        assert (first_weight, second_weight) == pytest.approx((np.sqrt(0.2), np.sqrt(0.8)))
        assert EquicorrelatedMaximum(5.0, 0.8)._parts()[0].n == 5.0

    def test_without_correlation_or_with_full_there_is_nothing_to_integrate(self):
        assert standard_maximum(5.0, 0.0) == IidMaximum(5.0)
        assert standard_maximum(5.0, 1e-41) == IidMaximum(5.0)
        assert standard_maximum(5.0, 1.0) == IidMaximum(1.0)
        assert standard_maximum(5.0, 1e-39) == EquicorrelatedMaximum(5.0, 1e-39)

    @pytest.mark.parametrize("df", [1.0, 10.0, 400.0])
    def test_nodes_of_a_root_mean_square_have_its_moments(self, df):
        nodes, weights = _root_mean_square_nodes(df)
        assert weights.sum() == pytest.approx(1)
        assert weights @ nodes**2 == pytest.approx(1, rel=1e-9)
        assert weights @ nodes == pytest.approx(stats.chi.mean(df) / np.sqrt(df), rel=1e-9)


class TestDistributions:
    def test_units_carry_over_to_every_answer(self):
        top, low = (one(7, mean=50.0, sd=4.0) for one in (maximum_distribution, minimum_distribution))
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
        with pytest.raises(ArgumentError, match=r"lower must be below upper = 1\.0"):
            range_probability(1.0, 1.0, 6)
        for change, message in (
            ({"lower": np.nan}, "lower must be a finite number"),
            ({"upper": "b"}, "upper must be a finite number"),
            ({"sd": 0.0}, "sd must be above 0"),
            ({"mean": np.inf}, "mean must be a finite number"),
            ({"n": 0.9}, "n must be 1 or more"),
            ({"correlation": -0.1}, "correlation must lie between 0 and 1"),
            ({"correlation": 1.1}, "correlation must lie between 0 and 1"),
        ):
            with pytest.raises(ArgumentError, match=message):
                range_probability(**({"lower": -1.0, "upper": 1.0, "n": 5} | change))

    def test_gumbels_constants_and_errors_by_hand(self):
        for constants in ("von-mises", "quantile-matched"):
            found = gumbel_approximation(50, mean=10.0, sd=2.0, constants=constants)
            b = stats.norm.isf(1 / 50)
            a = 1 / (50 * stats.norm.pdf(b)) if constants == "von-mises" else stats.norm.isf(1 / (50 * np.e)) - b
            assert (found.n, found.constants) == (50.0, constants)
            assert (found.location, found.scale) == pytest.approx((10 + 2 * b, 2 * a))
            exact = maximum_distribution(50, mean=10.0, sd=2.0)
            gumbel = stats.gumbel_r(found.location, found.scale)
            assert found.mean_error == pytest.approx(gumbel.mean() - exact.mean(), rel=1e-6)
            assert [p for p, _ in found.quantile_errors] == [0.8, 0.95, 0.99]
            for p, error in found.quantile_errors:
                assert error == pytest.approx(gumbel.ppf(p) - exact.ppf(p), rel=1e-6)
            grid = np.linspace(found.location - 8 * found.scale, found.location + 20 * found.scale, 3001)
            largest = np.abs(gumbel.cdf(grid) - exact.cdf(grid)).max()
            assert found.largest_cdf_error == pytest.approx(largest, rel=1e-3)
        assert gumbel_approximation(2).n == 2
        for change, message in (
            ({"n": 1.9}, "n must be 2"),
            ({"sd": -1}, "sd must be above 0"),
            ({"mean": "a"}, "mean"),
        ):
            with pytest.raises(ArgumentError, match=message):
                gumbel_approximation(**({"n": 5} | change))


class TestEffectiveNumbers:
    def test_they_solve_their_equations(self):
        assert _n_of_quantile(stats.norm.ppf(0.8 ** (1 / 7)), 0.8) == pytest.approx(7)
        assert _n_of_mean(maximum_distribution(7).mean(), 20.0) == pytest.approx(7)
        assert _n_of_mean(maximum_distribution(20).mean() + 0.1, 20.0) == 20.0
        assert (_n_of_mean(0.0, 20.0), _n_of_mean(-1.0, 20.0)) == (1.0, 1.0)
        for functional, probability in (("quantile", 0.6), ("mean", None)):
            found = effective_n(30, 0.4, functional=functional, probability=0.6)
            assert (found.functional, found.probability, found.n, found.correlation) == (
                functional, probability, 30.0, 0.4
            )  # fmt: skip
        assert [effective_n(9, r).estimate for r in (0.0, 1.0)] == [9.0, 1.0]
        assert effective_n(1, 0.5).estimate == 1.0

    def test_errors_are_scores_less_topic_and_system_with_variance_1(self):
        scores = np.array([[0.1, 0.5, 0.3, 0.2], [0.2, 0.4, 0.4, 0.1], [0.9, 0.1, 0.5, 0.3]])
        found = _unit_errors(labelled(scores), ["x", "x", "y"])
        topics = (scores[:2].mean(axis=0) + scores[2]) / 2
        rest = scores - topics
        rest -= rest.mean(axis=1, keepdims=True)
        assert found == pytest.approx(rest / rest.std(axis=1, ddof=1, keepdims=True))
        flat = labelled([scores[0], scores[0] + 0.1])
        assert len(_unit_errors(flat, ["a", "b"])) == 0

    def test_weights_of_subsets_are_binomial_shares(self):
        assert _subset_weights(4, 2) == pytest.approx([0, 1 / 6, 2 / 6, 3 / 6])
        assert _subset_weights(3, 1) == pytest.approx([1 / 3] * 3)
        assert _subset_weights(3, 3).tolist() == [0, 0, 1]


class TestLuck:
    def test_each_bound_by_hand(self):
        bests = np.array([0.9, 0.7, 0.6, 0.55, 0.5])
        luck, why = _luck(bests, 0.01)
        spacing = (1 * 0.2 + 2 * 0.1 + 3 * 0.05) / 3
        bounds = {
            "spacings": 0.01 * 2 / (3 * spacing),
            "equal-systems": 0.1 * maximum_distribution(5).mean(),
            "median": 0.9 - 0.6,
        }
        assert (why, luck.bound, luck.amount) == (None, "spacings", pytest.approx(bounds["spacings"]))
        assert (luck.n_families, luck.n_spacings, luck.error_variance) == (5, 3, 0.01)
        assert luck.mean_spacing == pytest.approx(spacing)
        assert _luck(bests, 1.0)[0].bound == "median"
        assert _luck(bests, 1.0)[0].amount == pytest.approx(0.3)
        wide = _luck(np.array([0.9, 0.9 - 1e-9, 0.9 - 2e-9, 0.1, 0.0]), 1e-6)[0]
        assert (wide.bound, wide.amount) == ("median", pytest.approx(2e-9))
        equal = _luck(np.array([0.9, 0.9, 0.2, 0.2, 0.2, 0.2, 0.2]), 1e-4)[0]
        assert equal.bound == "spacings"
        few = _luck(np.array([0.9, 0.899, 0.898, 0.1, 0.0, 0.0]), 1e-6)[0]
        assert few.bound == "spacings"
        assert [_luck(np.linspace(1, 0, n), 0.1)[0].n_spacings for n in (4, 7, 9, 41, 42, 60)] == [3, 3, 4, 20, 20, 20]
        assert _luck(np.linspace(1, 0, 3), 0.1) == (None, "too-few-families")
        assert _luck(np.linspace(1, 0, 4), 0.0) == (None, "no-variation")

    def test_a_family_has_its_best_score(self):
        values = np.array([0.1, 0.5, 0.3, 0.4])
        assert _family_bests(values, None).tolist() == [0.5, 0.4, 0.3, 0.1]
        assert _family_bests(values, ["a", "b", "a", "b"]).tolist() == [0.5, 0.3]
        assert _family_bests(-values, ["a", "b", "a", "b"]).tolist() == [-0.1, -0.4]


class TestSelectiveQuantiles:
    def test_the_winner_may_move_as_far_as_its_rivals_leave(self):
        means = np.array([1.0, 0.8, 0.5, 0.9])
        assert truncation(means, np.array([2.0, 1.0, 4.0, 2.0]), 0) == pytest.approx((1 - 0.4, 1 + 0.5))
        assert truncation(means, np.array([2.0, 2.0, 2.0, 2.0]), 0) == (-np.inf, np.inf)
        assert truncation(means, np.array([2.0, 2.0 * (1 - 1e-13), 3.0, 1.0]), 0) == pytest.approx((0.8, 2.0))

    def test_a_truncated_distribution_is_a_share_of_the_normal(self):
        for mean in (-0.4, 0.7, 2.0):
            inside = stats.norm.cdf([0.5, -1.0, 1.5], mean, 0.8)
            expected = (inside[0] - inside[1]) / (inside[2] - inside[1])
            assert truncated_cdf(0.5, mean, 0.8, -1.0, 1.5) == pytest.approx(expected)
        assert (truncated_cdf(1.5, 0.0, 1.0, -1.0, 1.5), truncated_cdf(-1.0, 0.0, 1.0, -1.0, 1.5)) == (1.0, 0.0)

    def test_a_quantile_solves_its_equation_or_ends_at_the_radius(self):
        for probability in (0.1, 0.5, 0.9):
            found = selective_quantile(1.0, 0.2, 0.9, np.inf, probability, None)
            assert truncated_cdf(1.0, found, 0.2, 0.9, np.inf) == pytest.approx(1 - probability)
            confined = selective_quantile(1.0, 0.2, 0.9, np.inf, probability, 2.5)
            low, high = max(0.9, confined - 0.5), confined + 0.5
            assert truncated_cdf(1.0, confined, 0.2, low, high) == pytest.approx(1 - probability)
            assert abs(confined - 1.0) <= 0.5

    def test_the_radius_is_the_quantile_of_the_largest_error(self):
        steps = []
        scores = noisy_matrix([0.2, 0.3, 0.4], n_topics=12).scores
        found = _simultaneous_radius(scores, 0.9, 199, 5, lambda *step: steps.append(step))
        centred = scores - scores.mean(axis=1, keepdims=True)
        draws = np.random.default_rng(5).standard_normal((199, 12)) @ centred.T / np.sqrt(12 * 11)
        largest = np.abs(draws / stats.sem(scores, axis=1)).max(axis=1)
        assert found == pytest.approx(np.sort(largest)[-20])
        assert steps == [(199, 199)]
        constant = np.vstack([scores, np.full(12, 0.5)])
        assert _simultaneous_radius(constant, 0.9, 199, 5, None) == pytest.approx(found)
        assert _simultaneous_radius(np.full((2, 12), 0.5), 0.9, 199, 5, None) == 0.0


def test_an_analysis_of_a_summary_by_hand():
    found = analyse_summary(mean=0.3, sd=0.05, best=0.4, n_results=10, n_topics=25, n_multiplier=3, tail=0.5)
    error = 0.05 / 5
    step = stats.norm.ppf(0.5 ** (1 / 30)) * error
    chance = stats.norm.ppf(0.95 ** (1 / 30)) * error
    assert (found.standard_error, found.n_effective_results) == (pytest.approx(error), 30)
    assert (found.adjusted_mean, found.lower, found.upper) == pytest.approx((0.4 - step, 0.4 - 2 * step, 0.4))
    assert (found.chance_lower, found.chance_upper) == pytest.approx((0.3 - chance, 0.3 + chance))
    assert found.inflation == pytest.approx(step / 0.4)
    assert found.band_probability == pytest.approx((2 * 0.5 ** (1 / 30) - 1) ** 30)
    assert (found.scale, found.tail, found.chance_level, found.why_no_inflation) == ("published", 0.5, 0.95, None)
    single = analyse_summary(
        mean=0.3, sd=None, best=0.3, n_results=1, n_topics=25, scale="residual", residual_variance=0.04, tail=0.5
    )
    assert single.band_probability == 0.0
    assert single.standard_error == pytest.approx(0.04)
    with pytest.raises(ArgumentError, match=r"tail must be at least 0\.5 and below 1"):
        analyse_summary(mean=0.3, sd=0.05, best=0.4, n_results=10, n_topics=25, tail=0.49)


def test_the_share_of_draws_below_is_counted_as_drawn(monkeypatch):
    scores = noisy_matrix([0.2, 0.3, 0.25], n_topics=8).scores
    monkeypatch.setattr("analysis._resampling.MAX_CELLS", 3 * 40)
    found = scores_maximum_cdf(0.3, scores, 6, n_resamples=100)
    rng = np.random.default_rng(6)
    centred = scores - scores.mean(axis=1, keepdims=True)
    draws = np.vstack([rng.standard_normal((size, 8)) for size in (40, 40, 20)]) @ centred.T / np.sqrt(56)
    below = (draws.max(axis=1) + scores.mean() <= 0.3).sum()
    centre = (below + 2) / 104
    assert 0 < below < 100
    assert (found.estimate, found.n_resamples) == (below / 100, 100)
    assert found.standard_error == pytest.approx(np.sqrt(centre * (1 - centre) / 104))
