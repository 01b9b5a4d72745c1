"""Families of comparisons: cases by hand, degenerate scores, invariances."""

import numpy as np
import pytest

from analysis.comparisons import compare, compare_family, randomized_tukey_hsd, step_down_max_t, ttest_rel, tukey_hsd
from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix

TESTS = ["t", "wilcoxon", "sign", "randomization", "bootstrap-shift"]


def random_matrix(n_systems=6, n_topics=25, seed=0, gap=0.05):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0.4, 0.15, n_topics) + rng.normal(0, 0.08, (n_systems, n_topics))
    scores += gap * np.arange(n_systems)[:, np.newaxis]
    return ScoreMatrix(
        [f"s{row}" for row in range(n_systems)], [str(topic) for topic in range(n_topics)], scores.round(4)
    )


def max_t(matrix, **options):
    return step_down_max_t(matrix, **{"rng": 1, "n_resamples": 2000} | options)


def shuffled(matrix, **options):
    return randomized_tukey_hsd(matrix, **{"rng": 1, "n_resamples": 2000} | options)


class TestRefusedArguments:
    @pytest.mark.parametrize("test", ["t", "bootstrap-shift"])
    def test_a_constant_difference_names_the_pair(self, test):
        scores = random_matrix().scores
        matrix = ScoreMatrix(["a", "b", "c"], random_matrix().topics, [scores[0], scores[1], scores[0] + 0.25])
        with pytest.raises(ArgumentError, match=r"by the same amount on every topic.*\('a', 'c'\)"):
            compare_family(matrix, test=test, rng=1)


class TestByHand:
    def test_max_t_of_two_pairs_and_four_topics(self):
        # b - a is (1, 1, 1, 1), c - a is (1, 0, 0, 0). Over the 16 sign patterns the first statistic is 1 in size
        # twice; the second always has size 1/2, and a maximum of at least 1/2 occurs always.
        matrix = ScoreMatrix(["a", "b", "c"], list("1234"), [[0, 0, 0, 0], [1, 1, 1, 1], [1, 0, 0, 0]])
        family = step_down_max_t(matrix, baseline="a", rng=1)
        assert family.statistics.tolist() == [1.0, 0.5]
        assert family.pvalues.tolist() == family.adjusted_pvalues.tolist() == [2 / 16, 1.0]
        assert family.n_resamples == 16

    def test_two_systems_under_tukey_are_a_t_test(self):
        matrix = random_matrix(2)
        t = ttest_rel(*matrix.scores)
        pair = tukey_hsd(matrix).pair("s0", "s1")
        assert pair.adjusted_pvalue == pair.pvalue == pytest.approx(t.pvalue, rel=1e-8)
        assert (pair.interval.low, pair.interval.high) == pytest.approx((t.interval.low, t.interval.high))

    def test_the_randomized_critical_difference_separates_significant_from_not(self):
        family = shuffled(random_matrix(8, 30))
        large = np.abs(family.estimates) > family.critical_difference + 1e-12
        assert 0 < large.sum() < large.size
        assert (large == family.significant).all()

    def test_too_few_shuffles_leave_no_critical_difference(self):
        family = shuffled(random_matrix(), n_resamples=10)
        assert family.critical_difference is None
        assert family.n_significant == 0


class TestAgreesWithSingleTests:
    @pytest.mark.parametrize("test", TESTS)
    def test_every_pair(self, test):
        matrix = random_matrix(4, 12)  # few enough topics for exact randomization
        family = compare_family(matrix, test=test, correction="none", rng=7, n_resamples=5000)
        for first, second in ((0, 1), (0, 3), (2, 3)):
            options = {"rng": 7, "n_resamples": 5000} if test in TESTS[3:] else {}
            single = compare(matrix, f"s{first}", f"s{second}", test=test, **options)
            pair = family.pair(f"s{first}", f"s{second}")
            # Bootstrap: another draw of the same seed, or the same one, as chunks fall.
            assert pair.pvalue == pytest.approx(single.pvalue, rel=1e-9 if test != "bootstrap-shift" else 0.5, abs=2e-3)
            assert pair.estimate == pytest.approx(single.mean_difference)

    @pytest.mark.parametrize("test", TESTS)
    def test_one_sided_against_a_baseline(self, test):
        matrix = random_matrix(3, 12)
        options = {"rng": 7, "n_resamples": 5000} if test in TESTS[3:] else {}
        family = compare_family(matrix, test=test, correction="none", baseline="s0", alternative="greater", **options)
        single = compare(matrix, "s2", "s0", test=test, alternative="greater", **options)
        assert family.pair("s2", "s0").pvalue == pytest.approx(single.pvalue, rel=0.2, abs=2e-3)
        assert family.baseline == "s0"


class TestDegenerateScores:
    @pytest.mark.parametrize("test", TESTS)
    def test_duplicate_systems_have_p_1(self, test):
        base = random_matrix(3)
        matrix = ScoreMatrix(["a", "b", "c"], base.topics, base.scores[[0, 1, 0]])
        assert compare_family(matrix, test=test, rng=1, n_resamples=500).pair("a", "c").pvalue == 1

    @pytest.mark.parametrize("procedure", [max_t, shuffled, tukey_hsd])
    def test_duplicate_systems_are_never_told_apart(self, procedure):
        base = random_matrix(3)
        matrix = ScoreMatrix(["a", "b", "c"], base.topics, base.scores[[0, 1, 0]])
        assert procedure(matrix).pair("a", "c").adjusted_pvalue == 1


class TestInvariances:
    def test_a_baseline_has_a_smaller_family_and_finds_no_less(self):
        matrix = random_matrix(gap=0.02)
        planned, every = compare_family(matrix, baseline="s0"), compare_family(matrix)
        assert (planned.n_comparisons, every.n_comparisons) == (5, 15)
        for system in matrix.systems[1:]:
            assert planned.pair(system, "s0").adjusted_pvalue <= every.pair(system, "s0").adjusted_pvalue

    @pytest.mark.parametrize("test", TESTS[:3])
    def test_a_pair_seen_from_the_other_side(self, test):
        family = compare_family(random_matrix(), test=test)
        pair, other = family.pair("s0", "s1"), family.pair("s1", "s0")
        assert (other.estimate, other.pvalue) == (-pair.estimate, pair.pvalue)
        assert other.statistic == (-pair.statistic if test == "t" else None)

    def test_significantly_below_lists_the_beaten(self):
        family = compare_family(random_matrix(4, gap=1.0))
        assert family.significantly_below("s2") == ("s0", "s1")
        assert family.significantly_below("s0") == ()
        beside = compare_family(random_matrix(4, gap=1.0), baseline="s1")
        assert (beside.significantly_below("s1"), beside.significantly_below("s3")) == (("s0",), ("s1",))

    def test_memory_bounded_chunks_give_the_same_answer(self, monkeypatch):
        matrix = random_matrix(12)
        whole = [compare_family(matrix, test=test).to_dict() for test in ("t", "wilcoxon", "sign")]
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 2000)
        assert [compare_family(matrix, test=test).to_dict() for test in ("t", "wilcoxon", "sign")] == whole
