"""Distribution of the largest and the smallest of N normals."""

import numpy as np
import pytest
from scipy.stats import norm

from analysis.best import (
    effective_n,
    gumbel_approximation,
    maximum_distribution,
    minimum_distribution,
    range_probability,
)

SEED = 20150809


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (1, 0.0),
        (2, 1 / np.sqrt(np.pi)),
        (3, 3 / (2 * np.sqrt(np.pi))),
        (4, 3 / (2 * np.sqrt(np.pi)) * (1 + 2 / np.pi * np.arcsin(1 / 3))),
        (5, 5 / (4 * np.sqrt(np.pi)) * (1 + 6 / np.pi * np.arcsin(1 / 3))),
    ],
)
def test_expected_maximum_has_its_closed_form(n, expected):
    assert maximum_distribution(n).mean() == pytest.approx(expected, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(
    ("correlation", "mean", "q50", "q80", "q95"),
    [(0.6, 1.59261, 1.58946, 2.28170, 2.94749), (0.9, 0.79631, 0.79601, 1.60272, 2.37305)],
)
def test_tabulated_equicorrelated_maximum_of_103(correlation, mean, q50, q80, q95):
    largest = maximum_distribution(103, correlation=correlation)
    assert largest.mean() == pytest.approx(mean, abs=6e-6)
    np.testing.assert_allclose(largest.ppf([0.5, 0.8, 0.95]), [q50, q80, q95], atol=6e-6)


@pytest.mark.parametrize("n", [1, 2, 5, 103, 10_000, 10**9])
def test_half_correlated_maximum_is_negative_once_in_n_plus_1(n):
    assert maximum_distribution(n, correlation=0.5).cdf(0.0) == pytest.approx(1 / (n + 1), rel=1e-12)


@pytest.mark.parametrize("correlation", [1e-12, 1e-6, 0.02, 0.5, 0.500001, 0.98, 1 - 1e-6, 1 - 1e-12])
def test_sheppards_formulas_at_any_correlation(correlation):
    angle = np.arcsin(correlation)
    two, three = (maximum_distribution(n, correlation=correlation).cdf(0.0) for n in (2, 3))
    assert two == pytest.approx(1 / 4 + angle / (2 * np.pi), rel=1e-12)
    assert three == pytest.approx(1 / 8 + 3 * angle / (4 * np.pi), rel=1e-12)


@pytest.mark.parametrize("correlation", [0.0, 0.35, 0.8])
def test_simulation_agrees(correlation):
    rng = np.random.default_rng(SEED)
    common = np.sqrt(correlation) * rng.standard_normal((40_000, 1))
    draws = (common + np.sqrt(1 - correlation) * rng.standard_normal((40_000, 30))).max(axis=1)
    largest = maximum_distribution(30, correlation=correlation)
    points = largest.ppf([0.1, 0.5, 0.9])
    shares = (draws[:, None] <= points).mean(axis=0)
    np.testing.assert_allclose(shares, [0.1, 0.5, 0.9], atol=4.5 * 0.0025)
    assert largest.mean() == pytest.approx(draws.mean(), abs=4.5 * draws.std() / 200)
    assert largest.sd() == pytest.approx(draws.std(), rel=0.02)


@pytest.mark.parametrize("correlation", [0.0, 1e-6, 0.4, 0.6, 0.999, 1.0])
@pytest.mark.parametrize("n", [1, 2.7, 103, 1e9])
def test_quantiles_invert_the_distribution_functions(n, correlation):
    q = np.array([1e-12, 0.01, 0.5, 0.97, 1 - 1e-9])
    for distribution in (maximum_distribution, minimum_distribution):
        extreme = distribution(n, mean=0.3, sd=0.02, correlation=correlation)
        np.testing.assert_allclose(extreme.cdf(extreme.ppf(q)), q, rtol=1e-9)
        np.testing.assert_allclose(extreme.sf(extreme.isf(q)), q, rtol=1e-9)


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.7])
def test_density_is_the_derivative_of_the_distribution_function(correlation):
    extreme = maximum_distribution(103, mean=0.2, sd=0.01, correlation=correlation)
    x = np.linspace(0.19, 0.25, 13)
    slope = (extreme.cdf(x + 1e-6) - extreme.cdf(x - 1e-6)) / 2e-6
    np.testing.assert_allclose(extreme.pdf(x), slope, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("correlation", [0.0, 0.4])
def test_minimum_mirrors_the_maximum(correlation):
    largest = maximum_distribution(50, mean=0.3, sd=0.02, correlation=correlation)
    smallest = minimum_distribution(50, mean=-0.3, sd=0.02, correlation=correlation)
    x = np.linspace(0.25, 0.4, 7)
    np.testing.assert_array_equal(smallest.sf(-x), largest.cdf(x))
    np.testing.assert_array_equal(smallest.pdf(-x), largest.pdf(x))
    assert (smallest.mean(), smallest.sd(), smallest.median()) == (-largest.mean(), largest.sd(), -largest.median())


def test_location_and_scale_carry_over():
    plain, moved = maximum_distribution(20), maximum_distribution(20, mean=5.0, sd=3.0)
    assert moved.mean() == pytest.approx(5 + 3 * plain.mean(), rel=1e-14)
    assert moved.ppf(0.7) == pytest.approx(5 + 3 * plain.ppf(0.7), rel=1e-14)
    assert moved.pdf(5 + 3 * 1.5) == pytest.approx(plain.pdf(1.5) / 3, rel=1e-13)


def test_shapes_follow_the_argument():
    largest = maximum_distribution(7, correlation=0.2)
    assert isinstance(largest.cdf(0.5), float)
    assert largest.cdf(np.zeros((2, 3))).shape == (2, 3)
    assert largest.ppf([]).shape == (0,)


@pytest.mark.parametrize("n", [7, 1e300])
@pytest.mark.parametrize("correlation", [0.0, 0.5])
def test_ends_of_the_scale(correlation, n):
    largest = maximum_distribution(n, correlation=correlation)
    np.testing.assert_array_equal(largest.cdf([-np.inf, -1e200, 1e200, np.inf]), [0, 0, 1, 1])
    np.testing.assert_array_equal(largest.pdf([-np.inf, np.inf]), [0, 0])
    np.testing.assert_array_equal(largest.ppf([0, 1]), [-np.inf, np.inf])
    np.testing.assert_array_equal(largest.isf([0, 1]), [np.inf, -np.inf])


def test_joint_range_of_the_paper_is_64_and_not_60_percent():
    z = maximum_distribution(103).ppf(0.8)
    assert range_probability(-z, z, 103) == pytest.approx(0.63969001, abs=1e-8)
    assert range_probability(-z, z, 103) == pytest.approx((2 * 0.8 ** (1 / 103) - 1) ** 103, rel=1e-12)


@pytest.mark.parametrize("correlation", [0.2, 0.9, 0.999999])
def test_joint_range_of_correlated_variables(correlation):
    w = np.linspace(-9, 9, 400_001)
    own = np.sqrt(1 - correlation)
    inside = norm.cdf((2 - np.sqrt(correlation) * w) / own) - norm.cdf((-1 - np.sqrt(correlation) * w) / own)
    slow = np.sum(norm.pdf(w) * inside**20) * (w[1] - w[0])
    assert range_probability(-1, 2, 20, correlation=correlation) == pytest.approx(slow, abs=2e-7)


def test_a_joint_range_in_any_unit_and_of_variables_that_are_one():
    inside = norm.cdf(1.5) - norm.cdf(-1.0)
    assert range_probability(40, 50, 6, mean=44, sd=4) == pytest.approx(inside**6)
    assert range_probability(-1, 1.5, 6, correlation=1.0) == pytest.approx(inside)


def test_joint_range_far_out_and_narrow():
    assert range_probability(30, 31, 1) == pytest.approx(norm.sf(30), rel=1e-12)
    assert range_probability(-31, -30, 2) == pytest.approx(norm.sf(30) ** 2, rel=1e-12)
    assert range_probability(0.0, 1e-6, 1) == pytest.approx(1e-6 * norm.pdf(0), rel=1e-9)


@pytest.mark.parametrize(("correlation", "q80", "mean"), [(0.3, 55, 35), (0.6, 19.7, 11.1), (0.9, 4.0, 2.8)])
def test_effective_n_depends_on_what_is_matched(correlation, q80, mean):
    by_quantile, by_mean = (effective_n(103, correlation, functional=f) for f in ("quantile", "mean"))
    assert by_quantile.estimate == pytest.approx(q80, abs=0.6 if q80 > 50 else 0.05)
    assert by_mean.estimate == pytest.approx(mean, abs=0.5 if mean > 30 else 0.05)
    assert (by_quantile.functional, by_quantile.probability) == ("quantile", 0.8)
    assert (by_mean.functional, by_mean.probability) == ("mean", None)


def test_effective_n_matches_what_it_says():
    by_quantile = effective_n(500, 0.4, probability=0.95).estimate
    by_mean = effective_n(500, 0.4, functional="mean").estimate
    correlated = maximum_distribution(500, correlation=0.4)
    assert maximum_distribution(by_quantile).ppf(0.95) == pytest.approx(correlated.ppf(0.95), rel=1e-10)
    assert maximum_distribution(by_mean).mean() == pytest.approx(correlated.mean(), rel=1e-10)


@pytest.mark.parametrize("functional", ["mean", "quantile"])
def test_effective_n_at_its_ends(functional):
    assert effective_n(103, 0.0, functional=functional).estimate == 103
    assert effective_n(103, 1.0, functional=functional).estimate == 1
    assert effective_n(1, 0.5, functional=functional).estimate == 1


def test_the_gumbel_approximation_carries_units():
    plain, moved = gumbel_approximation(50), gumbel_approximation(50, mean=10.0, sd=2.0)
    assert (moved.location, moved.scale) == pytest.approx((10 + 2 * plain.location, 2 * plain.scale))
    errors = [(fit.mean_error, *(error for _, error in fit.quantile_errors)) for fit in (plain, moved)]
    assert errors[1] == pytest.approx([2 * error for error in errors[0]])
    assert moved.largest_cdf_error == pytest.approx(plain.largest_cdf_error)


# table 2.3: N, (mean, 80 %, 95 %, 99 %) errors of the Gumbel with scale 1/(N phi(b)) and quantile-matched, sup of both
GUMBEL = [
    (5, (0.091, 0.203, 0.645, 1.251), (0.030, 0.044, 0.329, 0.762), (0.072, 0.042)),
    (10, (0.072, 0.123, 0.406, 0.814), (0.036, 0.030, 0.222, 0.528), (0.052, 0.026)),
    (30, (0.050, 0.071, 0.240, 0.498), (0.031, 0.020, 0.139, 0.341), (0.036, 0.022)),
    (103, (0.035, 0.045, 0.156, 0.332), (0.023, 0.013, 0.093, 0.235), (0.027, 0.020)),
    (1000, (0.020, 0.025, 0.088, 0.193), (0.014, 0.008, 0.054, 0.141), (0.018, 0.014)),
    (10_000, (0.013, 0.016, 0.058, 0.129), (0.009, 0.005, 0.036, 0.096), (0.014, 0.011)),
]


@pytest.mark.parametrize(("n", "von_mises", "matched", "largest"), GUMBEL)
def test_tabulated_errors_of_the_gumbel_approximation(n, von_mises, matched, largest):
    for constants, errors, cdf_error in zip(
        ("von-mises", "quantile-matched"), (von_mises, matched), largest, strict=True
    ):
        fit = gumbel_approximation(n, constants=constants)
        np.testing.assert_allclose([fit.mean_error, *(error for _, error in fit.quantile_errors)], errors, atol=6e-4)
        assert fit.largest_cdf_error == pytest.approx(cdf_error, abs=6e-4)
