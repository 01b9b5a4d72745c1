"""The confidence set for the best run, and the verified leader."""

import warnings

import numpy as np
import pytest
import scipy.stats

from analysis.best_result import gupta_constant
from analysis.best_run_sets import confidence_set_for_best, verified_leader
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.scores import ScoreMatrix
from tests.analysis.matrices import shared_matrix, shipped_matrix
from tests.analysis.simulated import labelled, mirrored, noisy_matrix, orthogonal_matrix, shuffled

DL19 = "trec-dl-2019-passage__nDCG-at-10"


def slow_set(matrix, n_resamples, seed):
    """The definition, written out: draws from the full covariance matrix, pair by pair, without a pre-screen."""
    n_systems, n_topics = matrix.scores.shape
    covariance = np.cov(matrix.scores) / n_topics
    draws = np.random.default_rng(seed).multivariate_normal(np.zeros(n_systems), covariance, n_resamples)
    found = {}
    for i in range(n_systems):
        observed, null = -np.inf, np.full(n_resamples, -np.inf)
        for j in set(range(n_systems)) - {i}:
            error = np.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
            observed = max(observed, (matrix.means[j] - matrix.means[i]) / error)
            null = np.maximum(null, (draws[:, j] - draws[:, i]) / error)
        null = scipy.stats.t.isf(scipy.stats.norm.sf(null), n_topics - 1)
        found[matrix.systems[i]] = (observed, np.quantile(null, 0.95), (null >= observed).mean())
    return found


class TestConfidenceSetForBest:
    def test_it_agrees_with_the_definition_written_out(self):
        matrix = shipped_matrix(DL19)
        slow = slow_set(matrix, 20_000, seed=5)
        fast = confidence_set_for_best(matrix, n_resamples=20_000, rng=6)
        for entry in fast.entries:
            statistic, critical, pvalue = slow[entry.system]
            assert entry.statistic == pytest.approx(statistic)
            assert entry.is_member == (statistic <= critical)
            if entry.basis == "resampling":
                assert entry.critical_value == pytest.approx(critical, abs=0.06)
                assert entry.pvalue == pytest.approx(pvalue, abs=0.015)
            else:
                assert entry.critical_value >= critical - 0.06
                assert entry.pvalue >= pvalue

    @pytest.mark.parametrize("k", [2, 5, 20])
    def test_uncorrelated_runs_have_guptas_constant(self, k):
        """With equal variances and no correlation the critical value is known exactly."""
        found = confidence_set_for_best(orthogonal_matrix(np.zeros(k)), n_resamples=40_000, rng=1)
        exact = scipy.stats.t.isf(scipy.stats.norm.sf(gupta_constant(k)), 49)
        assert [entry.critical_value for entry in found.entries] == pytest.approx([exact] * k, abs=0.05)

    def test_reference_members_of_trec_7(self):
        found = confidence_set_for_best(shared_matrix("trec-7-adhoc__AP"), rng=1)
        assert sorted(found.members, key=lambda name: int(name[3:])) == [
            f"run{number}" for number in (9, 10, 15, 16, 47, 86, 91, 103)
        ]
        pvalues = {entry.system: entry.pvalue for entry in found.entries}
        assert [pvalues["run14"], pvalues["run17"]] == pytest.approx([0.02, 0.02], abs=0.008)
        for borderline in ("run49", "run69", "run84"):
            assert 0.03 < pvalues[borderline] < 0.055

    @pytest.mark.parametrize("seed", [2, 3, 4])
    def test_the_trec_7_set_varies_by_one_run_between_seeds(self, seed):
        assert 7 <= confidence_set_for_best(shared_matrix("trec-7-adhoc__AP"), rng=seed).n_members <= 9

    def test_reference_size_of_robust_2004(self):
        found = confidence_set_for_best(shared_matrix("trec-2004-robust.99topics__AP"), rng=1)
        assert 11 <= found.n_members <= 13

    def test_two_runs_are_a_one_sided_paired_t_test(self):
        matrix = noisy_matrix([0.30, 0.33], seed=2)
        found = confidence_set_for_best(matrix, n_resamples=40_000, rng=1)
        test = scipy.stats.ttest_rel(matrix.scores[1], matrix.scores[0], alternative="greater")
        assert found.entries[0].statistic == pytest.approx(test.statistic)
        assert found.entries[0].pvalue == pytest.approx(test.pvalue, abs=0.01)
        assert found.entries[1].statistic == pytest.approx(-test.statistic)

    def test_membership_and_p_value_say_the_same(self):
        for seed in range(20):
            found = confidence_set_for_best(noisy_matrix(np.linspace(0.2, 0.3, 12), seed=seed), n_resamples=199, rng=1)
            for entry in found.entries:
                assert entry.is_member == (entry.statistic <= entry.critical_value)
                if entry.basis == "resampling":
                    assert entry.is_member == (entry.pvalue > 0.05 + 1e-12)
                else:
                    assert not entry.is_member

    def test_p_values_are_never_0_and_screened_ones_are_bounds(self):
        found = confidence_set_for_best(noisy_matrix([0.1, 0.5, 0.9]), n_resamples=999, rng=1)
        assert {entry.pvalue for entry in found.entries if not entry.is_member} == {1 / 1000}
        assert found.members == ("s2",)

    def test_the_two_step_set_is_smaller_where_gaps_are_large(self):
        matrix = shared_matrix("trec-8-adhoc__AP")
        one, two = (confidence_set_for_best(matrix, two_step=two_step, rng=1) for two_step in (False, True))
        assert set(two.members) <= set(one.members)
        single = {entry.system: entry for entry in one.entries}
        kept = [entry for entry in two.entries if entry.is_member]
        assert all(entry.critical_value < single[entry.system].critical_value for entry in kept)
        assert [entry.pvalue for entry in kept] == [single[entry.system].pvalue for entry in kept]

    def test_the_two_step_critical_value_is_conservative_in_a_flat_field(self):
        matrix = orthogonal_matrix(np.zeros(10))
        one, two = (
            confidence_set_for_best(matrix, n_resamples=20_000, two_step=two_step, rng=1) for two_step in (False, True)
        )
        assert two.entries[0].critical_value == pytest.approx(one.entries[0].critical_value, abs=0.1)
        assert two.entries[0].critical_value > one.entries[0].critical_value

    def test_the_same_seed_gives_the_same_answer(self):
        matrix = shipped_matrix(DL19)
        once, again = (confidence_set_for_best(matrix, n_resamples=500, rng=9) for _ in range(2))
        assert once == again
        assert confidence_set_for_best(matrix, n_resamples=500, rng=np.random.default_rng(9)) == once

    def test_order_and_affine_maps_do_not_matter(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.3, 8))
        found = confidence_set_for_best(matrix, rng=1)
        for other in (shuffled(matrix), labelled(10 * matrix.scores + 3)):
            again = confidence_set_for_best(other, rng=1)
            assert set(again.members) == set(found.members)
            by_system = {entry.system: entry for entry in again.entries}
            for entry in found.entries:
                assert by_system[entry.system].statistic == pytest.approx(entry.statistic)
                assert by_system[entry.system].pvalue == pytest.approx(entry.pvalue, abs=0.03)

    def test_lower_is_better(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.3, 8))
        high, low = (
            confidence_set_for_best(matrix, rng=1),
            confidence_set_for_best(mirrored(matrix), higher_is_better=False, rng=1),
        )
        assert low.members == high.members
        assert [entry.mean for entry in low.entries] == pytest.approx([1 - entry.mean for entry in high.entries])

    def test_contenders_compete_among_themselves(self):
        matrix = noisy_matrix([0.2, 0.25, 0.9], seed=4)
        found = confidence_set_for_best(matrix, contenders=["s1", "s0"], rng=1)
        assert [entry.system for entry in found.entries] == ["s1", "s0"]
        assert found == confidence_set_for_best(matrix.select(["s1", "s0"]), rng=1)

    def test_duplicates_are_tied_and_never_exclude_each_other(self):
        matrix = noisy_matrix([0.2, 0.5, 0.21], seed=4)
        doubled = labelled(np.vstack([matrix.scores, matrix.scores[1] + 1e-16]))
        found = confidence_set_for_best(doubled, rng=1)
        assert set(found.members) == {"s1", "s3"}
        assert [entry.pvalue for entry in found.entries if entry.is_member] == [1, 1]
        assert [entry.statistic for entry in found.entries if entry.is_member] == [0, 0]

    def test_only_duplicates_are_all_members(self):
        with pytest.warns(DegenerateWarning, match="nothing can be told apart"):
            found = confidence_set_for_best(labelled([[0.1, 0.2, 0.4]] * 3), n_resamples=99, rng=1)
        assert found.n_members == 3

    def test_a_constant_lead_counts_as_a_tie_and_warns(self):
        base = noisy_matrix([0.2, 0.25], seed=4).scores
        with pytest.warns(DegenerateWarning, match="same amount on every topic"):
            found = confidence_set_for_best(labelled(np.vstack([base, base[1] + 0.1])), n_resamples=99, rng=1)
        assert {"s1", "s2"} <= set(found.members)

    def test_more_systems_than_topics(self):
        found = confidence_set_for_best(noisy_matrix(np.linspace(0.1, 0.4, 60), n_topics=30), n_resamples=999, rng=1)
        assert "s59" in found.members
        assert found.n_members < 60

    def test_few_topics_earn_no_badge(self):
        few, enough = (
            confidence_set_for_best(noisy_matrix([0.2, 0.3], n_topics=n_topics), n_resamples=99, rng=1)
            for n_topics in (24, 25)
        )
        assert "24 topics are too few" in few.why_no_badge
        assert few.entries
        assert enough.why_no_badge is None

    def test_two_topics_are_enough_to_compute(self):
        found = confidence_set_for_best(labelled([[0.1, 0.3], [0.2, 0.25], [0.1, 0.9]]), n_resamples=99, rng=1)
        assert found.n_members >= 1

    def test_progress_reaches_the_end(self):
        seen = []
        matrix = noisy_matrix([0.2, 0.3])
        confidence_set_for_best(matrix, n_resamples=300, rng=1, progress=lambda *now: seen.append(now))
        assert seen == [(128, 300), (256, 300), (300, 300)]

    def test_members_stand_in_the_order_of_their_means(self):
        """The statistics order runs differently: a run can trail one that is much like it more clearly."""
        matrix = shipped_matrix(DL19)
        means = dict(zip(matrix.systems, matrix.means, strict=True))
        members = confidence_set_for_best(matrix, rng=1).members
        assert list(members) == sorted(members, key=means.get, reverse=True)
        low = confidence_set_for_best(mirrored(matrix), higher_is_better=False, rng=1)
        assert low.members == members

    def test_the_result_is_json_ready(self):
        stored = confidence_set_for_best(noisy_matrix([0.2, 0.3]), n_resamples=99, rng=1).to_dict()
        assert stored["members"][0] == "s1"
        assert set(stored["entries"][0]) >= {"system", "mean", "is_member", "statistic", "critical_value", "pvalue"}

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"confidence_level": 1.0}, "confidence_level must lie strictly between 0 and 1"),
            ({"n_resamples": 0}, "n_resamples must be a whole number"),
            ({"n_resamples": 18}, "n_resamples must be 20 or more at this level"),
            ({"contenders": ["nobody", "s1"]}, "contenders must be among"),
            ({"contenders": ["s1"]}, "contenders must be at least two different systems"),
            ({"rng": None}, "rng must be a numpy Generator"),
        ],
    )
    def test_it_refuses(self, change, message):
        arguments = {"rng": 1} | change
        with pytest.raises(ArgumentError, match=message):
            confidence_set_for_best(noisy_matrix([0.2, 0.3, 0.4]), **arguments)


class TestVerifiedLeader:
    def test_it_is_the_paired_t_test_of_the_closest_rival(self):
        matrix = shipped_matrix(DL19)
        verdict = verified_leader(matrix)
        leader = matrix.select([verdict.leader]).scores[0]
        tests = {
            system: scipy.stats.ttest_rel(leader, scores)
            for system, scores in zip(matrix.systems, matrix.scores, strict=True)
            if system != verdict.leader
        }
        closest = min(tests, key=lambda system: tests[system].statistic)
        assert verdict.rival == closest
        assert (verdict.statistic, verdict.pvalue) == pytest.approx(tuple(tests[closest]), rel=1e-9)
        assert verdict.is_verified == (tests[closest].pvalue <= 0.05)

    def test_the_runner_up_need_not_be_the_closest_rival(self):
        rng = np.random.default_rng(1)
        leader, noise = rng.normal(0.5, 0.1, 50), rng.normal(0, 1, 50)
        noise -= noise.mean()
        second, third = leader - 0.01 + 0.001 * noise, leader - 0.02 + 0.3 * noise
        verdict = verified_leader(labelled([third, second, leader]))
        assert (verdict.leader, verdict.rival, verdict.is_verified) == ("s2", "s0", False)

    def test_tied_leaders_are_not_verified_and_the_first_by_name_is_reported(self):
        scores = [[0.1, 0.5, 0.3], [0.5, 0.1, 0.3], [0.0, 0.1, 0.0]]
        verdict = verified_leader(ScoreMatrix(["b", "a", "c"], ["1", "2", "3"], scores))
        assert (verdict.leader, verdict.tied, verdict.rival) == ("a", ("b",), "b")
        assert (verdict.statistic, verdict.pvalue, verdict.is_verified) == (0, 1, False)

    def test_tied_leaders_of_trec_7_under_precision(self):
        verdict = verified_leader(shared_matrix("trec-7-adhoc__P-at-10"))
        assert (verdict.leader, verdict.tied) == ("run15", ("run16",))

    def test_a_duplicate_of_the_leader_prevents_the_badge(self):
        matrix = noisy_matrix([0.2, 0.9])
        doubled = labelled(np.vstack([matrix.scores, matrix.scores[1]]))
        assert verified_leader(matrix).is_verified
        assert not verified_leader(doubled).is_verified

    def test_direction_order_and_json(self):
        matrix = noisy_matrix([0.2, 0.5, 0.3])
        verdict = verified_leader(matrix)
        other = verified_leader(mirrored(shuffled(matrix)), higher_is_better=False)
        assert (other.leader, other.rival) == (verdict.leader, verdict.rival)
        assert other.statistic == pytest.approx(verdict.statistic)
        assert verdict.to_dict()["is_verified"] is True

    def test_an_enormous_lead_has_a_p_value_above_0(self):
        matrix = noisy_matrix([0.0, 1e9], n_topics=300)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            verdict = verified_leader(matrix)
        assert verdict.is_verified
        assert verdict.pvalue > 0

    def test_few_topics_earn_no_badge(self):
        verdict = verified_leader(noisy_matrix([0.2, 0.9], n_topics=10))
        assert verdict.is_verified
        assert "10 topics" in verdict.why_no_badge

    def test_one_system_is_refused(self):
        with pytest.raises(ArgumentError, match="at least 2 systems"):
            verified_leader(labelled([[0.1, 0.2]]))
