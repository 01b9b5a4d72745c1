"""Tiers: the set of runs that may be the best, and below it runs that can be told from the leaders above."""

import numpy as np
import pytest
import scipy.stats

from analysis.best import confidence_set_for_best
from analysis.ranks import tie_tiers
from tests.analysis.matrices import distinct_matrix, shipped_matrix
from tests.analysis.resampled_topics import with_other_topics, world
from tests.analysis.simulated import labelled, mirrored, noisy_matrix, orthogonal_matrix

MATRICES = {
    "dl19": lambda: shipped_matrix("trec-dl-2019-passage__nDCG-at-10"),
    "made": lambda: noisy_matrix(np.linspace(0.1, 0.6, 25), seed=8),
}


@pytest.fixture(params=MATRICES)
def matrix(request):
    return MATRICES[request.param]()


def slow_tiers(matrix, members, n_resamples, seed):
    """Write out the lower tiers for draws through the topics; a draw for the set comes before them."""
    n_systems, n_topics = matrix.scores.shape
    error = np.array([[np.std(a - b, ddof=1) for b in matrix.scores] for a in matrix.scores]) / np.sqrt(n_topics)
    error = np.sqrt(np.maximum(error**2, 0.1 * np.median(error[np.triu_indices(n_systems, 1)] ** 2)))
    rng = np.random.default_rng(seed)
    rng.standard_normal((n_resamples, n_topics))
    weights = rng.standard_normal((n_resamples, n_topics))
    xi = weights @ (matrix.scores - matrix.means[:, None]).T / np.sqrt(n_topics * (n_topics - 1))
    largest = np.max([np.abs(xi[:, i] - xi[:, j]) / error[i, j] for i in range(n_systems) for j in range(i)], axis=0)
    critical = scipy.stats.t.isf(scipy.stats.norm.sf(np.quantile(largest, 0.95)), n_topics - 1)
    waiting = [row for row in np.argsort(-matrix.means) if matrix.systems[row] not in members]
    tiers = [set(members)]
    while waiting:
        leader = waiting[0]
        last = max(
            place
            for place, row in enumerate(waiting)
            if matrix.means[leader] - matrix.means[row] <= (critical * error[leader, row] if row != leader else 0)
        )
        tiers.append({matrix.systems[row] for row in waiting[: last + 1]})
        waiting = waiting[last + 1 :]
    return tiers, critical


def by_tier(tiers):
    return [{entry.system for entry in tiers.entries if entry.tier == tier} for tier in range(1, tiers.n_tiers + 1)]


def test_the_first_tier_is_the_set(matrix):
    tiers = tie_tiers(matrix, rng=4)
    assert tiers.best_set == confidence_set_for_best(matrix, rng=4)
    assert by_tier(tiers)[0] == set(tiers.best_set.members)


def test_the_lower_tiers_agree_with_the_definition_written_out(matrix):
    answer = tie_tiers(matrix, rng=4)
    tiers, critical = slow_tiers(matrix, answer.best_set.members, 10_000, seed=4)
    assert answer.critical_value == pytest.approx(critical, rel=1e-3)
    assert by_tier(answer) == tiers


def test_the_critical_value_is_that_of_the_studentized_range():
    """Without correlation it is q / sqrt(2), mapped to t, and tiers flip at it."""
    exact = scipy.stats.studentized_range.ppf(0.95, 8, 1e6) / np.sqrt(2)
    gap = scipy.stats.t.isf(scipy.stats.norm.sf(exact), 49) * np.sqrt(2)  # in standard errors of a mean
    for factor, n_tiers in ((0.98, 2), (1.02, 3)):
        means = [10 * gap, *[gap] * 6, gap - factor * gap]
        tiers = tie_tiers(orthogonal_matrix(means), n_resamples=40_000, rng=1)
        assert tiers.critical_value * np.sqrt(2) == pytest.approx(gap, rel=0.015)
        assert tiers.n_tiers == n_tiers


def test_a_tier_reaches_down_to_the_last_that_cannot_be_told_from_its_leader():
    """The second of a tier is so much like its leader that their small distance shows; the third is not."""
    rng = np.random.default_rng(1)
    leader, noise = rng.normal(0.5, 0.1, 50), rng.normal(0, 1, 50)
    noise -= noise.mean()
    best = leader + 0.9 + 0.2 * rng.normal(size=50)
    like, unlike = leader - 0.06 + 0.03 * noise, leader - 0.07 + 0.3 * noise
    tiers = tie_tiers(labelled([best, leader, like, unlike]), rng=1)
    assert [entry.tier for entry in tiers.entries] == [1, 2, 2, 2]
    assert tie_tiers(labelled([best, leader, like, unlike - 0.5]), rng=1).n_tiers > 2


def test_a_near_copy_that_is_behind_by_a_hair_on_every_topic_shares_the_tier():
    rng = np.random.default_rng(1)
    leader = rng.normal(0.5, 0.1, 50)
    copy, best, last = leader - 0.001 + rng.normal(0, 1e-4, 50), *(rng.normal(mean, 0.1, 50) for mean in (2.0, 0.1))
    matrix = labelled([best, leader, copy, last])
    tiers = tie_tiers(matrix, n_resamples=500, rng=1)
    assert [(entry.tier, entry.leader) for entry in tiers.entries] == [(1, "s0"), (2, "s1"), (2, "s1"), (3, "s3")]
    assert (tiers.confidence_level, tiers.n_resamples, tiers.n_systems, tiers.n_topics) == (0.95, 500, 4, 50)
    assert [entry.mean for entry in tiers.entries] == pytest.approx(matrix.means)


def test_members_of_the_first_tier_may_stand_below_the_second():
    tiers = tie_tiers(distinct_matrix("trec-2004-robust__AP"), rng=2015)
    ranked = sorted(tiers.entries, key=lambda entry: -entry.mean)
    assert [rank for rank, entry in enumerate(ranked, start=1) if entry.tier == 1] == [
        *range(1, 5), 6, *range(11, 17), 18
    ]  # fmt: skip
    assert ranked[4].leader == ranked[4].system
    lower = [entry.tier for entry in ranked if entry.tier > 1]
    assert lower == sorted(lower), "lower tiers follow the means"


def test_leaders_are_the_best_of_their_tier_and_tiers_are_numbered_from_1(matrix):
    tiers = tie_tiers(matrix, rng=4)
    assert {entry.tier for entry in tiers.entries} == set(range(1, tiers.n_tiers + 1))
    for members in by_tier(tiers):
        entries = [entry for entry in tiers.entries if entry.system in members]
        assert {entry.leader for entry in entries} == {max(entries, key=lambda entry: entry.mean).system}


def test_clear_gaps_give_a_tier_each_and_few_topics_a_caution():
    tiers = tie_tiers(noisy_matrix([0.0, 20.0, 10.0], n_topics=10), rng=1)
    assert [entry.tier for entry in tiers.entries] == [3, 1, 2]
    assert tiers.n_tiers == 3
    assert tiers.best_set.caution.startswith("10 topics are few")


def test_direction(matrix):
    tiers = tie_tiers(matrix, rng=1)
    low = tie_tiers(mirrored(matrix), higher_is_better=False, rng=1)
    assert [entry.tier for entry in low.entries] == [entry.tier for entry in tiers.entries]


def test_the_first_tier_takes_the_level_the_families_and_the_contenders_that_are_asked_for(matrix):
    asked = {"confidence_level": 0.6, "families": ["one" for _ in matrix.systems], "n_resamples": 300}
    tiers = tie_tiers(matrix, rng=3, **asked)
    assert tiers.best_set == confidence_set_for_best(matrix, rng=3, **asked)
    assert tiers.best_set != confidence_set_for_best(matrix, rng=3)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["as is", "shrunk"])
def test_the_set_and_all_separations_hold_together(kind):
    """Wrong: the best run is not in tier 1, or a run of a lower tier is truly no worse than a leader above it."""
    redrawn, _ = world(shipped_matrix("trec-7-adhoc__AP"), kind)
    truth, rng = dict(zip(redrawn.systems, redrawn.means, strict=True)), np.random.default_rng(5)
    best = max(truth, key=truth.get)
    n_wrong = 0
    for _ in range(300):
        entries = tie_tiers(with_other_topics(redrawn, rng), rng, n_resamples=400).entries
        lowest = {entry.tier: truth[entry.leader] for entry in entries if entry.tier > 1}
        is_best_lost = any(entry.tier > 1 for entry in entries if entry.system == best)
        n_wrong += is_best_lost or any(
            truth[entry.system] >= lowest[tier] for entry in entries for tier in range(2, entry.tier)
        )
    print(f"\n{kind}: {n_wrong} of 300 wrong")
    assert n_wrong <= 15
