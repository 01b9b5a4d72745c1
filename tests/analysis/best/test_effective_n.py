"""How many independent systems the systems of a matrix are worth."""

import numpy as np
import pytest
import scipy.stats

from analysis.best import effective_n_of_scores, maximum_distribution
from analysis.errors import DegenerateWarning
from analysis.reliability import near_copies
from tests.analysis.matrices import distinct_matrix, shipped_matrix
from tests.analysis.simulated import awkward_matrices, labelled, mirrored, noisy_matrix, orthogonal_matrix, shuffled


def with_copies(matrix, n_copies, rows=slice(None)):
    return labelled(np.vstack([matrix.scores, *[matrix.scores[rows]] * n_copies]))


@pytest.mark.parametrize("functional", ["quantile", "mean"])
@pytest.mark.parametrize("k", [2, 8, 25])
def test_uncorrelated_systems_are_as_many_as_they_are(k, functional):
    number = effective_n_of_scores(orthogonal_matrix(np.zeros(k)), rng=1, functional=functional, n_resamples=40_000)
    assert number.estimate == pytest.approx(k, rel=0.03)
    assert (number.n, number.correlation, number.functional) == (k, None, functional)


def slow_estimate(matrix, families, probability, n_resamples, seed):
    """Follow the definition by draws from the matrix of correlations, which nothing else forms."""
    names = sorted(set(families))
    profiles = [matrix.scores[[family == name for family in families]].mean(axis=0) for name in names]
    errors = matrix.scores - np.mean(profiles, axis=0)
    errors = errors[np.ptp(errors, axis=1) > 1e-12]
    roots, vectors = np.linalg.eigh(np.atleast_2d(np.corrcoef(errors)))
    rng = np.random.default_rng(seed)
    drawn = vectors * np.sqrt(np.maximum(roots, 0)) @ rng.standard_normal((len(errors), n_resamples))
    common = rng.standard_normal(n_resamples) / np.sqrt(len(names) - 1)
    quantile = np.quantile((drawn.max(axis=0) + common) * np.sqrt(1 - 1 / len(names)), probability)
    return min(matrix.n_systems, max(1, np.log(probability) / scipy.stats.norm.logcdf(quantile)))


@pytest.mark.parametrize("name", awkward_matrices())
def test_families_of_any_sizes_agree_with_the_definition(name):
    matrix = awkward_matrices()[name]
    families = [f"f{min(row, 2)}" for row in range(matrix.n_systems)]
    for labels in (families, matrix.systems):
        for probability in (0.5, 0.8):
            options = {"families": labels, "probability": probability, "n_resamples": 50_000}
            slow = slow_estimate(matrix, labels, probability, 50_000, seed=2)
            assert effective_n_of_scores(matrix, 1, **options).estimate == pytest.approx(slow, rel=0.03)


@pytest.mark.parametrize("n_copies", [1, 4])
def test_copies_of_all_of_them_add_nothing(n_copies):
    matrix = orthogonal_matrix(np.zeros(12))
    alone = effective_n_of_scores(matrix, rng=1).estimate
    copied = with_copies(matrix, n_copies)
    number = effective_n_of_scores(copied, rng=1, families=list(matrix.systems) * (n_copies + 1))
    assert (number.estimate, number.n) == (pytest.approx(alone, rel=0.001), 12 * (n_copies + 1))
    assert effective_n_of_scores(copied, rng=1).estimate == pytest.approx(alone, rel=0.08)


def test_copies_of_one_add_nothing_if_their_family_is_told():
    """Else they set what counts as the difficulty of a topic."""
    matrix = orthogonal_matrix(np.zeros(12))
    copied = with_copies(matrix, 50, [3])
    families = [*matrix.systems, *["s3"] * 50]
    alone = effective_n_of_scores(matrix, rng=1).estimate
    assert effective_n_of_scores(copied, rng=1, families=families).estimate == pytest.approx(alone, rel=0.03)
    assert effective_n_of_scores(copied, rng=1).estimate < 0.8 * alone


@pytest.mark.parametrize("name", ["trec-7-adhoc__AP", "trec-2004-robust__AP"])
def test_near_copies_of_the_best_run_do_not_move_it(name):
    matrix = distinct_matrix(name)
    families = near_copies(matrix).families
    row = int(matrix.means.argmax())
    copies = matrix.scores[row] + np.random.default_rng(1).normal(0, 0.002, (50, matrix.n_topics))
    copied = labelled(np.vstack([matrix.scores, copies]))
    before = effective_n_of_scores(matrix, rng=1, families=families).estimate
    after = effective_n_of_scores(copied, rng=1, families=[*families, *[families[row]] * 50]).estimate
    assert after == pytest.approx(before, rel=0.04)
    assert before < len(set(families))


def test_one_family_weighs_as_its_systems_do_and_the_probability_is_told():
    matrix = noisy_matrix(np.linspace(0.2, 0.4, 6))
    number = effective_n_of_scores(matrix, rng=1, probability=0.5, n_resamples=99)
    assert effective_n_of_scores(matrix, rng=1, probability=0.5, n_resamples=99, families=["a"] * 6) == number
    assert (number.probability, number.n, number.functional) == (0.5, 6, "quantile")


def test_the_difficulty_of_topics_makes_nothing_alike():
    matrix = noisy_matrix(np.linspace(0.2, 0.4, 20))
    harder = labelled(matrix.scores + np.random.default_rng(1).normal(0, 5, matrix.n_topics))
    assert effective_n_of_scores(harder, rng=1).estimate == pytest.approx(
        effective_n_of_scores(matrix, rng=1).estimate, rel=1e-6
    )


def test_it_is_the_number_whose_maximum_has_the_same_quantile():
    """By another route: draws from the correlation matrix, with what taking the mean off has taken from it."""
    matrix = shipped_matrix("trec-dl-2019-passage__nDCG-at-10")
    correlation = (np.corrcoef(matrix.scores - matrix.scores.mean(axis=0)) + 1 / 10) * 10 / 11
    assert np.diag(correlation) == pytest.approx(1)
    draws = np.random.default_rng(3).multivariate_normal(np.zeros(11), correlation, 200_000, method="svd")
    for probability in (0.5, 0.8, 0.95):
        number = effective_n_of_scores(matrix, rng=1, probability=probability, n_resamples=200_000)
        quantile = np.quantile(draws.max(axis=1), probability)
        assert maximum_distribution(number.estimate).ppf(probability) == pytest.approx(quantile, abs=0.01)
    by_mean = effective_n_of_scores(matrix, rng=1, functional="mean", n_resamples=200_000)
    assert maximum_distribution(by_mean.estimate).mean() == pytest.approx(draws.max(axis=1).mean(), abs=0.01)
    assert by_mean.probability is None


def test_order_direction_and_scale_do_not_matter():
    matrix = shipped_matrix("clef-tar-2019-abs__AP")
    estimate = effective_n_of_scores(matrix, rng=1, n_resamples=100_000).estimate
    for other in (shuffled(matrix), mirrored(matrix), labelled(7 * matrix.scores + 3)):
        assert effective_n_of_scores(other, rng=1, n_resamples=100_000).estimate == pytest.approx(estimate, rel=0.03)


def test_one_system_under_many_names_is_one():
    with pytest.warns(DegenerateWarning, match="they are worth one"):
        assert effective_n_of_scores(labelled([[0.1, 0.4, 0.2]] * 5), rng=1).estimate == 1
    base = np.random.default_rng(1).random(20)
    with pytest.warns(DegenerateWarning, match="they are worth one"):
        assert effective_n_of_scores(labelled([base, base + 0.1, base - 0.2]), rng=1).estimate == 1
