"""The maximum of normals with unequal means, variances and correlations."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from analysis.best import covariance_maximum_cdf, maximum_distribution, one_factor_maximum_cdf, scores_maximum_cdf
from analysis.errors import ArgumentError

SEED = 20150809


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], [1], [0]), "means must hold at least 1 values"),
        (([0, 1], [1], [0, 0]), "loadings must have as many entries as means and sds"),
        (([0], [0], [0]), "sds must all be above 0"),
        (([0], [1], [1.0]), "loadings must lie strictly between -1 and 1"),
        (([0], [1], [float("nan")]), "loadings must hold finite numbers only"),
    ],
)
def test_one_factor_arguments_are_refused(arguments, message):
    with pytest.raises(ArgumentError, match=message):
        one_factor_maximum_cdf(0.0, *arguments)


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.9])
def test_equal_loadings_give_the_equicorrelated_maximum(correlation):
    n, x = 40, np.array([-1.0, 0.5, 2.0, 3.0])
    found = one_factor_maximum_cdf(x, np.full(n, 0.2), np.full(n, 1.5), np.full(n, correlation**0.5))
    exact = maximum_distribution(n, mean=0.2, sd=1.5, correlation=correlation).cdf(x)
    np.testing.assert_allclose(found, exact, rtol=1e-10)


def test_no_loadings_give_a_product():
    means, sds = np.array([0.1, 0.2, 0.25]), np.array([0.01, 0.05, 0.02])
    found = one_factor_maximum_cdf(0.24, means, sds, np.zeros(3))
    assert found == pytest.approx(np.prod(norm.cdf(0.24, means, sds)), rel=1e-12)


def test_loadings_of_both_signs():
    loadings = np.array([0.9, -0.7, 0.2])
    covariance = np.outer(loadings, loadings)
    np.fill_diagonal(covariance, 1.0)
    found = one_factor_maximum_cdf(0.4, np.zeros(3), np.ones(3), loadings)
    assert found == pytest.approx(multivariate_normal.cdf(np.full(3, 0.4), cov=covariance, rng=1), abs=2e-5)


def test_steep_loadings_are_no_problem():
    """Two variables of correlation 1 - 1e-8: P(both <= 0) = 1/4 + asin(rho) / (2 pi)."""
    rho = 1 - 1e-8
    found = one_factor_maximum_cdf(0.0, [0, 0], [1, 1], [rho**0.5, rho**0.5])
    assert found == pytest.approx(0.25 + np.arcsin(rho) / (2 * np.pi), rel=1e-9)


def test_order_of_the_variables_does_not_matter():
    means, sds, loadings = [0.1, 0.3, 0.2], [0.1, 0.2, 0.3], [0.5, -0.2, 0.8]
    found = one_factor_maximum_cdf(0.35, means, sds, loadings)
    assert one_factor_maximum_cdf(0.35, means[::-1], sds[::-1], loadings[::-1]) == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize(
    ("covariance", "message"),
    [
        ([[1.0]], "symmetric 2 x 2 matrix"),
        ([[1.0, 0.5], [0.4, 1.0]], "symmetric 2 x 2 matrix"),
        ([[1.0, 2.0], [2.0, 1.0]], "positive semi-definite"),
        ([[1.0, float("nan")], [0.0, 1.0]], "finite numbers only"),
    ],
)
def test_matrices_that_are_no_covariances_are_refused(covariance, message):
    with pytest.raises(ArgumentError, match=message):
        covariance_maximum_cdf(0.0, [0, 0], covariance, rng=1)


def test_general_covariance_agrees_with_one_factor():
    means, sds, loadings = np.linspace(0, 1, 6), np.linspace(1, 2, 6), np.linspace(-0.5, 0.8, 6)
    covariance = np.outer(sds * loadings, sds * loadings)
    np.fill_diagonal(covariance, sds**2)
    exact = one_factor_maximum_cdf(1.5, means, sds, loadings)
    found = covariance_maximum_cdf(1.5, means, covariance, rng=1)
    assert (found.method, found.n_resamples) == ("genz", None)
    assert found.estimate == pytest.approx(exact, abs=5e-5)


@pytest.mark.parametrize("n", [3, 80])
def test_singular_and_large_matrices_are_simulated(n):
    """All variables are one: the maximum is that variable."""
    found = covariance_maximum_cdf(0.5, np.zeros(n), np.ones((n, n)), rng=1, n_resamples=20_000)
    assert (found.method, found.n_resamples) == ("monte-carlo", 20_000)
    assert found.estimate == pytest.approx(norm.cdf(0.5), abs=4.5 * found.standard_error)


def test_large_equicorrelated_matrix_is_simulated_right():
    covariance = np.full((60, 60), 0.4) + 0.6 * np.eye(60)
    found = covariance_maximum_cdf(1.5, np.zeros(60), covariance, rng=1, n_resamples=40_000)
    exact = maximum_distribution(60, correlation=0.4).cdf(1.5)
    assert found.estimate == pytest.approx(exact, abs=4.5 * found.standard_error)


def test_simulated_0_and_1_do_not_claim_to_be_exact():
    found = covariance_maximum_cdf(-40.0, np.zeros(3), np.ones((3, 3)), rng=1, n_resamples=100)
    assert found.estimate == 0
    assert found.standard_error > 0.01


def test_the_same_seed_gives_the_same_answer():
    first, second = (covariance_maximum_cdf(0.5, [0, 0], np.ones((2, 2)), rng=7, n_resamples=500) for _ in range(2))
    assert first == second


def test_a_missing_seed_is_refused():
    with pytest.raises(ArgumentError, match="rng must be a numpy Generator"):
        covariance_maximum_cdf(0.5, [0, 0], np.ones((2, 2)), rng=None)


def scores(n_systems: int, n_topics: int) -> np.ndarray:
    rng = np.random.default_rng(SEED)
    return 0.3 + 0.1 * rng.standard_normal((n_systems, n_topics))


def test_more_systems_than_topics_are_no_problem():
    matrix = scores(60, 20)
    found = scores_maximum_cdf(0.35, matrix, rng=1, n_resamples=20_000)
    covariance = np.cov(matrix) / 20
    slow = covariance_maximum_cdf(0.35, np.full(60, matrix.mean()), covariance, rng=2, n_resamples=20_000)
    assert found.estimate == pytest.approx(slow.estimate, abs=4.5 * np.hypot(found.standard_error, slow.standard_error))


def test_assumed_means_shift_the_maximum():
    matrix = scores(5, 30)
    low = scores_maximum_cdf(0.4, matrix, rng=1, means=np.full(5, 0.1), n_resamples=2000).estimate
    high = scores_maximum_cdf(0.4, matrix, rng=1, means=np.full(5, 0.5), n_resamples=2000).estimate
    assert (low, high) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": [[0.1]]}, "at least 2 topics"),
        ({"scores": scores(3, 4), "means": [0.1]}, "means must hold 3 values"),
        ({"scores": scores(3, 4), "n_resamples": 0}, "n_resamples must be a whole number"),
    ],
)
def test_scores_arguments_are_refused(arguments, message):
    with pytest.raises(ArgumentError, match=message):
        scores_maximum_cdf(0.3, rng=1, **arguments)
