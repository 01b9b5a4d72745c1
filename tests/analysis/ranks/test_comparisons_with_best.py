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
    comparisons = comparisons_with_best(shipped_matrix(name))
    assert comparisons.radius == pytest.approx(radius, abs=6e-7)
    assert comparisons.n_members == n_members == len(comparisons.members)


def test_it_agrees_with_the_set_from_means():
    matrix = shipped_matrix("clef-tar-2019-abs__AP")
    comparisons = comparisons_with_best(matrix)
    from_means = best_set_from_means(
        matrix.means,
        n_topics=matrix.n_topics,
        residual_variance=two_way_anova(matrix).residual_variance,
        degrees_of_freedom=900,
    )
    assert comparisons.degrees_of_freedom == 900
    assert comparisons.radius == pytest.approx(from_means.margin)
    assert set(comparisons.members) == {matrix.systems[index] for index in from_means.members}


def test_two_systems_are_a_one_sided_paired_t_test():
    """With two systems the residual has n - 1 degrees of freedom and the constant is Student's t."""
    matrix = noisy_matrix([0.2, 0.25], n_topics=10)
    comparisons = comparisons_with_best(matrix)
    difference = matrix.scores[1] - matrix.scores[0]
    expected = scipy.stats.t.ppf(0.95, 9) * difference.std(ddof=1) / np.sqrt(10)
    assert comparisons.radius == pytest.approx(expected)


def test_intervals_follow_from_lead_and_radius():
    matrix = noisy_matrix([0.2, 0.3, 0.5])
    comparisons = comparisons_with_best(matrix)
    for entry, mean in zip(comparisons.entries, matrix.means, strict=True):
        others = [other for other in matrix.means if other != mean]
        assert entry.lead == pytest.approx(mean - max(others))
        assert entry.interval.low == pytest.approx(min(0, entry.lead - comparisons.radius))
        assert entry.interval.high == pytest.approx(max(0, entry.lead + comparisons.radius))
        assert entry.is_member == (entry.interval.high > 0)


def test_few_residual_degrees_of_freedom_widen_the_radius():
    comparisons = comparisons_with_best(noisy_matrix([0.2, 0.3, 0.5], n_topics=5))
    assert comparisons.critical_value == pytest.approx(gupta_constant(3, 0.95, 8))
    assert comparisons.critical_value > gupta_constant(3)
    assert "5 topics" in comparisons.why_no_badge


def test_equal_means_stay_together():
    scores = noisy_matrix([0.5, 0.3]).scores
    comparisons = comparisons_with_best(labelled([scores[0], scores[0][::-1], scores[1] - 5]))
    assert set(comparisons.members) == {"s0", "s1"}
    assert [entry.lead for entry in comparisons.entries[:2]] == pytest.approx([0, 0], abs=1e-15)


def test_direction_order_and_json():
    matrix = noisy_matrix(np.linspace(0.2, 0.4, 9))
    comparisons = comparisons_with_best(matrix)
    other = comparisons_with_best(mirrored(shuffled(matrix)), higher_is_better=False)
    assert other.members == comparisons.members
    assert other.radius == pytest.approx(comparisons.radius)
    assert comparisons.to_dict()["entries"][0]["interval"]["low"] == comparisons.entries[0].interval.low
    means = dict(zip(matrix.systems, matrix.means, strict=True))
    assert comparisons.members == tuple(sorted(comparisons.members, key=lambda name: -means[name]))
    assert (comparisons.confidence_level, comparisons.entries[0].interval.confidence_level) == (0.95, 0.95)
    assert (comparisons.why_no_badge, comparisons.degrees_of_freedom) == (None, 8 * 49)
    assert comparisons.residual_variance == pytest.approx(two_way_anova(matrix).residual_variance)


def test_the_intervals_hold_at_once_in_at_least_95_percent():
    rng = np.random.default_rng(3)
    means = np.array([0.30, 0.31, 0.32, 0.32, 0.25])
    truth = np.array([mean - np.delete(means, row).max() for row, mean in enumerate(means)])
    covered = 0
    for _ in range(400):
        comparisons = comparisons_with_best(noisy_matrix(means, 30, seed=int(rng.integers(2**32))))
        ends = zip(comparisons.entries, truth, strict=True)
        covered += all(entry.interval.low <= true <= entry.interval.high for entry, true in ends)
    assert covered / 400 >= 0.93  # 0.95 less two standard errors
