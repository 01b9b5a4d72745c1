"""Gupta's set of the results that may be the best, from published means."""

import json

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import multivariate_t, norm, t

from analysis.best_result import best_set_from_means, gupta_constant
from analysis.errors import ArgumentError, DegenerateWarning
from tests.analysis.matrices import shared_matrix
from tests.analysis.resampled_topics import resampled_topics
from tests.published_means import published_means

MEANS = [0.303, 0.296, 0.281, 0.245, 0.239]
GIVEN = {"n_topics": 50, "residual_variance": 0.012}

# statistics 4.2
CONSTANTS = [
    (2, 1.644854),
    (3, 1.916332),
    (5, 2.160333),
    (10, 2.417018),
    (20, 2.630926),
    (50, 2.876988),
    (100, 3.044787),
    (103, 3.051666),
    (109, 3.064784),
    (200, 3.200999),
    (500, 3.393444),
    (1000, 3.530280),
]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_topics": 1}, "n_topics must be a whole number, 2 or more"),
        ({"residual_variance": -1}, "residual_variance must be 0 or more"),
        ({"residual_variance": None}, "residual_variance must be a finite number"),
        ({"confidence_level": 95}, "confidence_level must lie strictly between 0 and 1"),
        ({"degrees_of_freedom": 0}, "degrees_of_freedom must be above 0"),
        ({"contenders": [True] * 4}, "contenders must be 5 booleans"),
    ],
)
def test_arguments_are_refused_with_their_name(options, message):
    with pytest.raises(ArgumentError, match=message):
        best_set_from_means(MEANS, **(GIVEN | options))


@pytest.mark.parametrize("means", [[], [0.1, float("inf")], [[0.1]]])
def test_means_are_refused(means):
    with pytest.raises(ArgumentError, match="means must"):
        best_set_from_means(means, **GIVEN)


@pytest.mark.parametrize("k", [0, 2.0, -1, True])
def test_a_number_of_competitors_that_is_none_is_refused(k):
    with pytest.raises(ArgumentError, match="k must be a whole number, 1 or more"):
        gupta_constant(k)


@pytest.mark.parametrize(("k", "d"), CONSTANTS)
def test_tabulated_constants(k, d):
    assert gupta_constant(k) == pytest.approx(d, abs=6e-7)


@pytest.mark.parametrize(("k", "confidence_level"), [(2, 0.9), (7, 0.99), (103, 0.5), (5000, 0.95)])
def test_constant_solves_its_equation(k, confidence_level):
    d = gupta_constant(k, confidence_level)
    coverage, _ = quad(lambda z: norm.pdf(z) * norm.cdf(z + np.sqrt(2) * d) ** (k - 1), -9, 9, epsabs=1e-12)
    assert coverage == pytest.approx(confidence_level, abs=1e-10)


@pytest.mark.parametrize("df", [1, 2.5, 10, 49, 5049])
def test_two_competitors_with_degrees_of_freedom_are_students_t(df):
    assert gupta_constant(2, 0.95, df) == pytest.approx(t.ppf(0.95, df), rel=1e-10)


# Dunnett (1955), doi:10.1080/01621459.1955.10501294, table 1a: one-sided 95 % points, k - 1 treatments
@pytest.mark.parametrize(
    ("k", "df", "d"), [(3, 10, 2.15), (4, 10, 2.34), (10, 10, 2.81), (6, 20, 2.39), (10, 60, 2.48)]
)
def test_constants_are_dunnetts_one_sided_points(k, df, d):
    found = gupta_constant(k, 0.95, df)
    correlation = np.full((k - 1, k - 1), 0.5) + 0.5 * np.eye(k - 1)
    coverage = multivariate_t(shape=correlation, df=df, seed=1).cdf(np.full(k - 1, found))
    assert coverage == pytest.approx(0.95, abs=2e-4)
    assert found == pytest.approx(d, abs=0.0051)


def test_constants_fall_with_degrees_of_freedom_to_the_known_variance():
    found = [gupta_constant(50, 0.95, df) for df in (1, 3, 30, 300, 1e6)]
    assert found == sorted(found, reverse=True)
    assert found[-1] == pytest.approx(gupta_constant(50), abs=1e-5)


def test_the_top_itself_always_stays():
    assert gupta_constant(1) == gupta_constant(1, 0.5, 3) == 0.0
    assert gupta_constant(2, 0.3) == gupta_constant(2, 0.3, 5) == 0.0


def test_by_hand():
    found = best_set_from_means(MEANS, **GIVEN)
    radius = 2.160333 * np.sqrt(2 * 0.012 / 50)
    assert (found.n_contenders, found.critical_value) == (5, pytest.approx(2.160333, abs=1e-6))
    assert (found.radius, found.threshold) == pytest.approx((radius, 0.303 - radius), abs=1e-6)
    assert found.members == (0, 1, 2)
    assert (found.n_members, found.best_index, found.method) == (3, 0, "gupta-means")


def test_robust04_from_109_papers():
    found = best_set_from_means(
        published_means("trec-2004-robust", role="proposed"), n_topics=249, residual_variance=0.01454
    )
    assert (found.radius, found.threshold) == pytest.approx((0.03312, 0.33548), abs=5e-6)
    assert found.n_members == 6


@pytest.mark.parametrize(
    ("name", "variance", "radius", "n_members"),
    [("trec-7-adhoc__AP", 0.01204001, 0.066970, 6), ("trec-2004-robust.99topics__AP", 0.01454209, 0.052567, 18)],
)
def test_matrices_of_trec(name, variance, radius, n_members):
    matrix = shared_matrix(name)
    found = best_set_from_means(matrix.means, n_topics=matrix.n_topics, residual_variance=variance)
    assert found.radius == pytest.approx(radius, abs=5e-7)
    assert found.n_members == n_members


def test_the_number_of_contenders_sets_the_constant():
    """Who does not compete can't be mistaken for the best contender."""
    contenders = [True, False, True, True, False]
    found = best_set_from_means(MEANS, contenders=contenders, **GIVEN)
    alone = best_set_from_means([0.303, 0.281, 0.245], **GIVEN)
    assert (found.n_contenders, found.threshold) == (3, alone.threshold)
    assert found.members == (0, 2)


def test_a_single_contender_is_the_set():
    found = best_set_from_means(MEANS, contenders=[False] * 4 + [True], **GIVEN)
    assert (found.members, found.radius, found.threshold) == ((4,), 0.0, 0.239)
    assert best_set_from_means([0.3], **GIVEN).members == (0,)


def test_lower_is_better_mirrors_the_set():
    found = best_set_from_means([1 - mean for mean in MEANS], higher_is_better=False, **GIVEN)
    plain = best_set_from_means(MEANS, **GIVEN)
    assert (found.members, found.best_index) == (plain.members, 0)
    assert found.threshold == pytest.approx(1 - plain.threshold)


def test_shift_scale_and_order_carry_over():
    plain = best_set_from_means(MEANS, **GIVEN)
    moved = best_set_from_means([10 * m - 7 for m in MEANS], n_topics=50, residual_variance=1.2)
    assert moved.members == plain.members
    assert moved.radius == pytest.approx(10 * plain.radius)
    backwards = best_set_from_means(MEANS[::-1], **GIVEN)
    assert backwards.members == tuple(sorted(4 - index for index in plain.members))


def test_ties_are_all_members():
    found = best_set_from_means([0.3, 0.1, 0.3], n_topics=50, residual_variance=1e-9)
    assert (found.members, found.best_index) == ((0, 2), 0)
    assert best_set_from_means([0.2] * 4, **GIVEN).members == (0, 1, 2, 3)


def test_no_variance_leaves_the_tied_best():
    with pytest.warns(DegenerateWarning, match="is 0") as caught:
        found = best_set_from_means([0.1, 0.3, 0.3], n_topics=50, residual_variance=0.0)
    assert found.members == (1, 2)
    assert caught[0].filename == __file__


def test_more_confidence_and_fewer_degrees_of_freedom_keep_more():
    means = np.linspace(0.2, 0.3, 40)
    sizes = [
        best_set_from_means(means, confidence_level=level, degrees_of_freedom=df, **GIVEN).n_members
        for level, df in ((0.8, None), (0.95, None), (0.95, 10), (0.999, 10))
    ]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == 4


def test_results_can_be_stored():
    stored = json.loads(json.dumps(best_set_from_means(MEANS, **GIVEN).to_dict()))
    assert stored["members"] == [0, 1, 2]
    assert stored["degrees_of_freedom"] is None


def test_coverage_is_exact_where_all_are_equal_and_normal():
    rng = np.random.default_rng(1)
    means = rng.normal(0.3, 0.02, (3000, 12)) + rng.normal(0, 0.05, (3000, 1))  # the topics' share moves all alike
    held = [0 in best_set_from_means(row, n_topics=50, residual_variance=0.02).members for row in means]
    assert np.mean(held) == pytest.approx(0.95, abs=4.5 * np.sqrt(0.95 * 0.05 / 3000))


@pytest.mark.parametrize(("equal", "coverage"), [(True, 0.923), (False, 0.996)])
def test_simulated_coverage_on_trec_7(equal, coverage):
    covered = []
    for means, variance, truth in resampled_topics("trec-7-adhoc__AP", equal, 300):
        members = best_set_from_means(means, n_topics=50, residual_variance=variance).members
        covered.append(np.isin(np.flatnonzero(truth == truth.max()), members).mean())
    assert np.mean(covered) == pytest.approx(coverage, abs=0.025)
