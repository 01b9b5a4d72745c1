"""James-Stein shrinkage of the best contender, from published means."""

import numpy as np
import pytest

from analysis.best import winner_from_means
from analysis.errors import DegenerateWarning
from tests.analysis.matrices import shipped_matrix
from tests.analysis.resampled_topics import resampled_topics
from tests.published_means import published_means

MEANS = [0.303, 0.296, 0.281, 0.245, 0.239]
GIVEN = {"n_topics": 50, "residual_variance": 0.012}


def test_by_hand():
    winner = winner_from_means(MEANS, **GIVEN)
    between = 50 * np.var(MEANS, ddof=1)
    shrinkage = 1 - 2 / 4 * 0.012 / between
    assert winner.shrinkage == pytest.approx(shrinkage)
    assert winner.target == pytest.approx(np.mean(MEANS))
    assert winner.estimate == pytest.approx(np.mean(MEANS) + shrinkage * (0.303 - np.mean(MEANS)))
    assert (winner.method, winner.raw, winner.index, winner.why_raw) == ("james-stein", 0.303, 0, None)
    assert winner.interval is None
    assert "borrowed variances" in winner.why_no_interval


@pytest.mark.parametrize("df", [1, 4.5, 10])
def test_an_uncertain_variance_shrinks_less(df):
    """Efron and Morris, and James and Stein before them: the estimated variance times df / (df + 2)."""
    winner, known = winner_from_means(MEANS, degrees_of_freedom=df, **GIVEN), winner_from_means(MEANS, **GIVEN)
    assert 1 - winner.shrinkage == pytest.approx(df / (df + 2) * (1 - known.shrinkage))
    as_good_as_known = winner_from_means(MEANS, degrees_of_freedom=1e12, **GIVEN)
    assert as_good_as_known.estimate == pytest.approx(known.estimate)


def test_robust04_from_109_papers():
    winner = winner_from_means(
        published_means("trec-2004-robust", role="proposed"), n_topics=249, residual_variance=0.01454
    )
    assert (winner.estimate, winner.shrinkage) == pytest.approx((0.36312, 0.9363), abs=4e-5)


@pytest.mark.parametrize(
    ("name", "variance", "shrinkage", "estimate"),
    [("trec-7-adhoc__AP", 0.01204001, 0.963653, 0.364027), ("trec-2004-robust__AP", 0.01454209, 0.971952, 0.427408)],
)
def test_matrices_of_trec(name, variance, shrinkage, estimate):
    matrix = shipped_matrix(name)
    winner = winner_from_means(matrix.means, n_topics=matrix.n_topics, residual_variance=variance)
    assert (winner.shrinkage, winner.estimate) == pytest.approx((shrinkage, estimate), abs=6e-7)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_fewer_than_4_contenders_are_not_shrunk(k):
    winner = winner_from_means(MEANS[:k], **GIVEN)
    assert (winner.method, winner.estimate, winner.shrinkage, winner.target) == ("raw", 0.303, 1.0, None)
    assert winner.why_raw == f"shrinkage needs at least 4 contenders, and there are {k}"


def test_much_noise_shrinks_all_the_way_and_no_further():
    winner = winner_from_means(MEANS, n_topics=50, residual_variance=5.0)
    assert (winner.shrinkage, winner.estimate) == (0.0, pytest.approx(np.mean(MEANS)))


def test_equal_contenders_warn_the_caller():
    with pytest.warns(DegenerateWarning, match="all contenders have the same score") as caught:
        winner = winner_from_means([0.1] * 5, **GIVEN)
    assert (winner.estimate, winner.shrinkage, winner.n_tied) == (0.1, 0.0, 5)
    assert caught[0].filename == __file__


def test_lower_is_better_mirrors_the_winner():
    winner = winner_from_means([-mean for mean in MEANS], higher_is_better=False, **GIVEN)
    plain = winner_from_means(MEANS, **GIVEN)
    assert (winner.index, winner.shrinkage) == (0, pytest.approx(plain.shrinkage))
    assert winner.estimate == pytest.approx(-plain.estimate)


def test_shift_and_scale_carry_over():
    plain = winner_from_means(MEANS, **GIVEN)
    moved = winner_from_means([10 * mean - 7 for mean in MEANS], n_topics=50, residual_variance=1.2)
    assert moved.estimate == pytest.approx(10 * plain.estimate - 7)


def test_ties_name_the_first_and_count_the_others():
    winner = winner_from_means([0.2, 0.3, 0.1, 0.3, 0.25], **GIVEN)
    assert (winner.index, winner.n_tied) == (1, 2)


@pytest.mark.parametrize("equal", [True, False])
def test_it_is_closer_to_the_truth_than_the_raw_score_on_trec_7(equal):
    """Statistics, table 1: root mean square error .0289 against .0314 of the raw maximum; .0197, .0435 if all equal."""
    errors = []
    for means, variance, truth in resampled_topics("trec-7-adhoc__AP", equal, 300):
        winner = winner_from_means(means, n_topics=50, residual_variance=variance)
        errors.append((winner.estimate - truth[winner.index], winner.raw - truth[winner.index]))
    shrunken, raw = np.sqrt(np.mean(np.square(errors), axis=0))
    assert shrunken == pytest.approx(0.0197 if equal else 0.0289, abs=0.004)
    assert raw == pytest.approx(0.0435 if equal else 0.0314, abs=0.004)
    assert shrunken < raw
