"""The largest of means whose errors go together as scores by topic show."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from analysis.best import maximum_distribution, scores_maximum_cdf
from analysis.errors import DegenerateWarning
from tests.analysis.simulated import orthogonal_matrix

SEED = 20150809


def scores(n_systems: int, n_topics: int) -> np.ndarray:
    return 0.3 + 0.1 * np.random.default_rng(SEED).standard_normal((n_systems, n_topics))


def test_uncorrelated_errors_give_the_exact_maximum():
    matrix = orthogonal_matrix(np.zeros(20), standard_error=0.02)
    chance = scores_maximum_cdf(0.04, matrix.scores, rng=1)
    exact = maximum_distribution(20, sd=0.02).cdf(0.04)
    assert chance.estimate == pytest.approx(exact, abs=4.5 * chance.standard_error)


@pytest.mark.parametrize("correlation", [0.3, 0.9])
def test_equally_correlated_errors_do_so_too(correlation):
    parts = orthogonal_matrix(np.zeros(31)).scores
    chance = scores_maximum_cdf(1.5, correlation**0.5 * parts[0] + (1 - correlation) ** 0.5 * parts[1:], rng=1)
    exact = maximum_distribution(30, correlation=correlation).cdf(1.5)
    assert chance.estimate == pytest.approx(exact, abs=4.5 * chance.standard_error)


def test_unequal_variances_agree_with_genz():
    matrix = scores(6, 40) * np.linspace(0.5, 1.5, 6)[:, None]
    means = matrix.mean(axis=1)
    chance = scores_maximum_cdf(0.4, matrix, rng=1, means=means)
    exact = multivariate_normal.cdf(np.full(6, 0.4), mean=means, cov=np.cov(matrix) / 40, rng=1)
    assert chance.estimate == pytest.approx(exact, abs=4.5 * chance.standard_error + 1e-5)


def test_more_systems_than_topics_are_no_problem():
    matrix = scores(60, 20)
    chance = scores_maximum_cdf(0.35, matrix, rng=1, n_resamples=20_000)
    slow = np.random.default_rng(2).multivariate_normal(np.full(60, matrix.mean()), np.cov(matrix) / 20, 20_000)
    assert chance.estimate == pytest.approx(np.mean(slow.max(axis=1) <= 0.35), abs=6.4 * chance.standard_error)


def test_simulated_0_and_1_do_not_claim_to_be_exact():
    chance = scores_maximum_cdf(-40.0, scores(3, 30), rng=1, n_resamples=100)
    assert (chance.estimate, chance.n_resamples) == (0, 100)
    share = 2 / 104  # Agresti and Coull's, of none in 100.
    assert chance.standard_error == pytest.approx(np.sqrt(share * (1 - share) / 104))


def test_scores_without_variation_warn_and_are_exact():
    with pytest.warns(DegenerateWarning, match="no mean has a standard error"):
        chance = scores_maximum_cdf(0.3, np.full((3, 30), 0.25), rng=1, n_resamples=100)
    assert chance.estimate == 1
