"""Near-copies among systems, and the residual variance that they can't move."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.errors import DegenerateWarning
from analysis.reliability import family_weighted_variance, near_copies, two_way_anova, variance_cap
from analysis.scores import ScoreMatrix
from tests.analysis.matrices import distinct_matrix, shipped_matrix
from tests.analysis.simulated import awkward_matrices, labelled, noisy_matrix

#: Residual variance, families by the variance of differences alone, of a study on matrices of TREC and CLEF.
REFERENCE = {
    "trec-7-adhoc__AP": (0.012272, 103, 85),
    "trec-8-adhoc__AP": (0.013294, 127, 106),
    "trec-2004-robust__AP": (0.015473, 109, 74),
    "trec-2003-robust__AP": (0.009160, 78, 55),
    "trec-5-adhoc__P-at-10": (0.043662, 61, 54),
    "clef-tar-2019-abs__AP": (0.013105, 30, 7),
}
#: The same by the mean square of differences: residual variance, families.
BY_MEAN_SQUARE = {
    "trec-7-adhoc__AP": (0.012229, 87),
    "trec-8-adhoc__AP": (0.013392, 107),
    "trec-2004-robust__AP": (0.015395, 76),
    "trec-2003-robust__AP": (0.009204, 58),
    "trec-5-adhoc__P-at-10": (0.043703, 55),
    "clef-tar-2019-abs__AP": (0.013105, 7),
}


def united(matrix: ScoreMatrix, are_alike) -> list[str]:
    """Return the labels of the families that pairs make, one pair after the other."""
    family = dict(zip(matrix.systems, matrix.systems, strict=True))
    for (name, first), (other, second) in combinations(zip(matrix.systems, matrix.scores, strict=True), 2):
        if are_alike(first - second):
            old, new = family[other], family[name]
            family = {system: new if label == old else label for system, label in family.items()}
    return list(family.values())


def median_variance(matrix: ScoreMatrix) -> float:
    return float(np.median([np.var(first - second, ddof=1) for first, second in combinations(matrix.scores, 2)]))


def slow_variance(matrix: ScoreMatrix, families) -> float:
    """Follow the definition, pair by pair."""
    by_pair: dict[frozenset[str], list[float]] = {}
    rows = list(zip(families, matrix.scores, strict=True))
    for (label, first), (other, second) in combinations(rows, 2):
        if label != other:
            by_pair.setdefault(frozenset((label, other)), []).append(np.var(first - second, ddof=1) / 2)
    return float(np.mean([np.mean(variances) for variances in by_pair.values()]))


def with_clones(matrix: ScoreMatrix, row: int, n_clones: int, noise: float = 0.0, seed: int = 1) -> ScoreMatrix:
    """Return the matrix with so many copies of a system below it."""
    extra = matrix.scores[row] + np.random.default_rng(seed).normal(0, noise, (n_clones, matrix.n_topics))
    return labelled(np.vstack([matrix.scores, extra]))


class TestNearCopies:
    def test_the_difference_counts_with_its_mean(self):
        base = noisy_matrix([0.2, 0.3, 0.4, 0.5], seed=4).scores
        ahead, alike = base[3] + 0.3, base[3] + np.random.default_rng(1).normal(0, 0.005, 50)
        copies = near_copies(labelled(np.vstack([base, ahead, alike])))
        assert copies.groups == (("s3", "s5"),)
        assert copies.families == ("s0", "s1", "s2", "s3", "s4", "s3")
        assert copies.n_families == 5

    @pytest.mark.parametrize("name", ["trec-dl-2019-passage__nDCG-at-10", "clef-tar-2019-abs__AP"])
    def test_it_agrees_with_the_definition_pair_by_pair(self, name):
        matrix = shipped_matrix(name)
        copies = near_copies(matrix)
        assert copies.threshold == pytest.approx(0.1 * median_variance(matrix))
        slow = united(matrix, lambda difference: np.mean(difference**2) <= copies.threshold)
        assert copies.families == tuple(slow)
        assert copies.n_families == len(set(slow))

    @pytest.mark.parametrize("name", BY_MEAN_SQUARE)
    def test_families_and_their_variance_are_those_of_a_separate_computation(self, name):
        matrix = distinct_matrix(name)
        copies = near_copies(matrix)
        assert (round(family_weighted_variance(matrix, copies.families), 6), copies.n_families) == BY_MEAN_SQUARE[name]

    def test_copies_of_copies_are_one_group_and_unite_given_families(self):
        base = noisy_matrix([0.2, 0.3, 0.4, 0.5], seed=4)
        step = 0.025 * np.sign(np.random.default_rng(1).normal(size=50))
        matrix = labelled(np.vstack([base.scores, base.scores[3] + step, base.scores[3] + 2 * step]))
        alike = near_copies(matrix)
        assert alike.groups == (("s3", "s4", "s5"),)
        assert np.mean((2 * step) ** 2) > alike.threshold
        given_too = near_copies(matrix, ["A", "B", "C", "D", "B", "C"])
        assert given_too.families == ("A", "B", "B", "B", "B", "B")
        assert given_too.groups == alike.groups

    def test_without_a_typical_difference_identical_systems_alone_are_copies(self):
        """Differences are constant: none has a variance."""
        base = np.random.default_rng(1).random(20)
        with pytest.warns(DegenerateWarning, match="identical ones alone count as copies"):
            copies = near_copies(labelled([base, base + 0.1, base, base - 0.2]))
        assert copies.threshold == 0
        assert copies.groups == (("s0", "s2"),)


class TestFamilyWeightedVariance:
    @pytest.mark.parametrize("name", REFERENCE)
    def test_reference_values(self, name):
        variance, n_systems, n_families = REFERENCE[name]
        matrix = distinct_matrix(name)
        limit = 0.1 * median_variance(matrix)
        families = united(matrix, lambda difference: np.var(difference, ddof=1) <= limit)
        assert (matrix.n_systems, len(set(families))) == (n_systems, n_families)
        assert round(family_weighted_variance(matrix, families), 6) == variance

    @pytest.mark.parametrize("name", awkward_matrices())
    def test_families_of_any_sizes_agree_too(self, name):
        matrix, rng = awkward_matrices()[name], np.random.default_rng(7)
        for _ in range(5):
            families = [*rng.choice(["a", "a", "a", "b", "c"], matrix.n_systems - 1), "d"]
            slow = slow_variance(matrix, families)
            assert family_weighted_variance(matrix, families) == pytest.approx(slow, rel=1e-12)

    def test_alone_each_system_is_its_own_family_and_it_is_the_residual_mean_square(self):
        matrix = shipped_matrix("clef-tar-2019-abs__AP")
        assert family_weighted_variance(matrix) == pytest.approx(two_way_anova(matrix).residual_variance, rel=1e-12)

    @settings(max_examples=40, deadline=None)
    @given(row=st.integers(0, 11), n_clones=st.integers(1, 50))
    def test_labelled_clones_do_not_move_it(self, row, n_clones):
        matrix = noisy_matrix(np.linspace(0.2, 0.5, 12))
        cloned = with_clones(matrix, row, n_clones)
        families = [*matrix.systems, *[matrix.systems[row]] * n_clones]
        assert family_weighted_variance(cloned, families) == pytest.approx(family_weighted_variance(matrix), rel=1e-10)

    @pytest.mark.parametrize("row", [0, 51, 102])
    def test_near_clones_hardly_move_it_where_they_move_the_plain_one(self, row):
        """Fifty near-copies of the worst, the middle and the best run of TREC-7, labelled or found by their scores.

        Found, they move it a little more: the typical difference, by which copies are judged, has moved too.
        """
        matrix = distinct_matrix("trec-7-adhoc__AP")
        matrix = matrix.select([matrix.systems[place] for place in np.argsort(matrix.means)])
        families = near_copies(matrix).families
        cloned = with_clones(matrix, row, 50, noise=0.002)
        before = family_weighted_variance(matrix, families)
        labelled_after = family_weighted_variance(cloned, [*families, *[families[row]] * 50])
        assert labelled_after == pytest.approx(before, rel=0.003)
        assert family_weighted_variance(cloned, near_copies(cloned).families) == pytest.approx(before, rel=0.02)
        plain = [two_way_anova(scores).residual_variance for scores in (matrix, cloned)]
        assert abs(plain[1] / plain[0] - 1) > 0.025

    def test_constant_differences_have_none(self):
        base = np.random.default_rng(1).random(20)
        with pytest.warns(DegenerateWarning, match="the residual variance is 0"):
            assert family_weighted_variance(labelled([base, base + 0.1, base - 0.2])) == 0


class TestVarianceCap:
    @settings(max_examples=60, deadline=None)
    @given(arrays(float, (3, 8), elements=st.floats(0, 1)))
    def test_no_scores_within_the_range_vary_more(self, scores):
        assert scores.var(axis=1, ddof=1).mean() <= variance_cap(scores.mean(axis=1), n_topics=8) + 1e-12

    def test_scores_of_0_and_1_reach_it(self):
        scores = np.array([[0, 0, 1, 1, 1], [0, 1, 0, 0, 0]], dtype=float)
        cap = variance_cap(scores.mean(axis=1), n_topics=5)
        assert cap == pytest.approx(scores.var(axis=1, ddof=1).mean())

    def test_another_scale_scales_it(self):
        assert variance_cap([10.0, 30.0], n_topics=50, value_range=(0, 100)) == pytest.approx(
            1e4 * variance_cap([0.1, 0.3], n_topics=50)
        )
        assert variance_cap([-1.0, 3.0], n_topics=50, value_range=(-1, 3)) == 0

    def test_a_measure_without_bounds_has_none(self):
        assert variance_cap([-4.0, 30.0], n_topics=50, value_range=None) is None
