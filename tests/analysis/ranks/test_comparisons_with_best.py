"""Multiple comparisons with the best under one variance."""

import numpy as np
import pytest
import scipy.stats

from analysis.best import best_set_from_means, gupta_constant
from analysis.ranks import comparisons_with_best
from analysis.reliability import two_way_anova
from tests.analysis.matrices import shipped_matrix
from tests.analysis.simulated import labelled, mirrored, noisy_matrix, shuffled


@pytest.mark.parametrize(
    ("name", "radius", "n_members"), [("trec-7-adhoc__AP", 0.066970, 6), ("trec-2004-robust__AP", 0.052567, 18)]
)
def test_reference_radius_and_set(name, radius, n_members):
    found = comparisons_with_best(shipped_matrix(name))
    assert found.radius == pytest.approx(radius, abs=6e-7)
    assert found.n_members == n_members == len(found.members)


def test_it_agrees_with_the_set_from_means():
    matrix = shipped_matrix("clef-tar-2019-abs__AP")
    found = comparisons_with_best(matrix)
    from_means = best_set_from_means(
        matrix.means,
        n_topics=matrix.n_topics,
        residual_variance=two_way_anova(matrix).residual_variance,
        degrees_of_freedom=900,
    )
    assert found.degrees_of_freedom == 900
    assert found.radius == pytest.approx(from_means.margin)
    assert set(found.members) == {matrix.systems[index] for index in from_means.members}


def test_two_systems_are_a_one_sided_paired_t_test():
    """With two systems the residual has n - 1 degrees of freedom and the constant is Student's t."""
    matrix = noisy_matrix([0.2, 0.25], n_topics=10)
    found = comparisons_with_best(matrix)
    difference = matrix.scores[1] - matrix.scores[0]
    expected = scipy.stats.t.ppf(0.95, 9) * difference.std(ddof=1) / np.sqrt(10)
    assert found.radius == pytest.approx(expected)


def test_intervals_follow_from_lead_and_radius():
    matrix = noisy_matrix([0.2, 0.3, 0.5])
    found = comparisons_with_best(matrix)
    for entry, mean in zip(found.entries, matrix.means, strict=True):
        others = [other for other in matrix.means if other != mean]
        assert entry.lead == pytest.approx(mean - max(others))
        assert entry.interval.low == pytest.approx(min(0, entry.lead - found.radius))
        assert entry.interval.high == pytest.approx(max(0, entry.lead + found.radius))
        assert entry.is_member == (entry.interval.high > 0)


def test_few_residual_degrees_of_freedom_widen_the_radius():
    found = comparisons_with_best(noisy_matrix([0.2, 0.3, 0.5], n_topics=5))
    assert found.critical_value == pytest.approx(gupta_constant(3, 0.95, 8))
    assert found.critical_value > gupta_constant(3)
    assert "5 topics" in found.why_no_badge


def test_equal_means_stay_together():
    scores = noisy_matrix([0.5, 0.3]).scores
    found = comparisons_with_best(labelled([scores[0], scores[0][::-1], scores[1] - 5]))
    assert set(found.members) == {"s0", "s1"}
    assert [entry.lead for entry in found.entries[:2]] == pytest.approx([0, 0], abs=1e-15)


def test_direction_order_and_json():
    matrix = noisy_matrix(np.linspace(0.2, 0.4, 9))
    found = comparisons_with_best(matrix)
    other = comparisons_with_best(mirrored(shuffled(matrix)), higher_is_better=False)
    assert other.members == found.members
    assert other.radius == pytest.approx(found.radius)
    assert found.to_dict()["entries"][0]["interval"]["low"] == found.entries[0].interval.low
    assert found.members == tuple(sorted(found.members, key=lambda name: -matrix.means[matrix.systems.index(name)]))
    assert (found.confidence_level, found.entries[0].interval.confidence_level) == (0.95, 0.95)
    assert (found.why_no_badge, found.degrees_of_freedom) == (None, 8 * 49)
    assert found.residual_variance == pytest.approx(two_way_anova(matrix).residual_variance)


def test_the_intervals_hold_at_once_in_at_least_95_percent():
    rng = np.random.default_rng(3)
    means = np.array([0.30, 0.31, 0.32, 0.32, 0.25])
    truth = np.array([mean - np.delete(means, row).max() for row, mean in enumerate(means)])
    covered = 0
    for _ in range(400):
        found = comparisons_with_best(noisy_matrix(means, 30, seed=int(rng.integers(2**32))))
        ends = zip(found.entries, truth, strict=True)
        covered += all(entry.interval.low <= true <= entry.interval.high for entry, true in ends)
    assert covered / 400 >= 0.93  # 0.95 less two standard errors
