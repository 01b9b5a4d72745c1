"""The confidence set for the best run."""

import warnings
from functools import cache, partial

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.best import WhyNoSet, confidence_set_for_best, gupta_constant
from analysis.errors import DegenerateWarning
from analysis.reliability import family_weighted_variance, two_way_anova
from tests.analysis.matrices import distinct_matrix, shipped_matrix
from tests.analysis.simulated import labelled, mirrored, noisy_matrix, orthogonal_matrix, shuffled
from tests.thoroughness import every

DL19 = "trec-dl-2019-passage__nDCG-at-10"

#: Members (numbers of runs) or their number, of a study on matrices of TREC and CLEF; seed 2015, 10,000 draws.
REFERENCE = {
    "trec-7-adhoc__AP": (9, 10, 15, 16, 47, 86, 91, 103),
    "trec-8-adhoc__AP": (51, 83, 95),
    "trec-2003-robust__AP": (1, 4, 33, 34),
}


#: With the critical values of normal differences, which are what these values and definitions are of.
as_published = partial(confidence_set_for_best, skewness_allowance=0.0)


@cache
def published_set(name):
    """Return that of a matrix without the same run twice."""
    return as_published(distinct_matrix(name), rng=2015)


def slow_margins(matrix, draws, level=0.95, first_share=0.1):
    """Write the two steps out, pair by pair, for given standard normal draws by topic: T and its limit, by run."""
    n_systems, n_topics = matrix.scores.shape
    error = np.array([(matrix.scores - values).std(axis=1, ddof=1) for values in matrix.scores]) / np.sqrt(n_topics)
    error = np.sqrt(np.maximum(error**2, 0.1 * np.median(error[np.triu_indices(n_systems, 1)] ** 2)))
    xi = draws @ (matrix.scores - matrix.means[:, None]).T / np.sqrt(n_topics * (n_topics - 1))

    def limit(largest, probability):
        return scipy.stats.t.isf(scipy.stats.norm.sf(np.quantile(largest, probability)), n_topics - 1)

    margins = {}
    for i, system in enumerate(matrix.systems):
        others = [j for j in range(n_systems) if j != i]
        behind = (matrix.means[others] - matrix.means[i]) / error[i, others]
        drawn = ((xi[:, others] - xi[:, [i]]) / error[i, others]).T
        first = limit(drawn.max(axis=0), 1 - (1 - level) * first_share)
        shifts = np.minimum(0, behind + first)
        margins[system] = behind.max(), limit((drawn + shifts[:, None]).max(axis=0), level + (1 - level) * first_share)
    return margins


def numbers(systems):
    return tuple(sorted(int(name.removeprefix("run")) for name in systems))


def plus_clones(matrix, row, n_clones, noise=0.0):
    """Return the matrix with copies of a run below it, called c0, c1, …."""
    extra = matrix.scores[row] + np.random.default_rng(5).normal(0, noise, (n_clones, matrix.n_topics))
    cloned = labelled(np.vstack([matrix.scores, extra]))
    return type(matrix)([*matrix.systems, *(f"c{n}" for n in range(n_clones))], matrix.topics, cloned.scores)


class TestReferenceValues:
    @pytest.mark.parametrize("name", REFERENCE)
    def test_members(self, name):
        assert numbers(published_set(name).members) == REFERENCE[name]

    @pytest.mark.parametrize(
        ("name", "sizes"), [("trec-2004-robust__AP", (9, 10)), ("trec-5-adhoc__P-at-10", (11, 12))]
    )
    def test_sizes_over_twelve_seeds(self, name, sizes):
        matrix = distinct_matrix(name)
        seeds = every(6, range(12), __file__)
        assert {as_published(matrix, rng=seed).n_members for seed in seeds} <= set(sizes)

    def test_members_need_not_be_the_first_ranks(self):
        """Robust 2004: ranks 1 to 4, 6, 11 to 14 and 16. What stands between is explained by its own margin."""
        best_set = published_set("trec-2004-robust__AP")
        by_mean = sorted(best_set.entries, key=lambda entry: entry.behind)
        assert [rank for rank, entry in enumerate(by_mean, start=1) if entry.is_member] == [
            *range(1, 5), 6, *range(11, 15), 16
        ]  # fmt: skip
        for entry in by_mean[:16]:
            assert entry.is_member == (entry.behind_rival <= entry.margin)
        assert by_mean[4].behind < by_mean[15].behind
        assert by_mean[4].margin < by_mean[15].margin

    def test_the_one_member_of_tar_2019(self):
        best_set = confidence_set_for_best(distinct_matrix("clef-tar-2019-abs__AP"), rng=2015)
        assert best_set.members == ("abs-hh-ratio-ilps@uva",)
        assert best_set.caution is None


class TestSkewness:
    @pytest.mark.parametrize(("n_topics", "wider"), [(29, 1.0), (30, 1.0 + 0.4 / 30**0.5), (100, 1.04)])
    def test_margins_are_wider_than_normal_differences_ask_from_30_topics_on(self, n_topics, wider):
        matrix = noisy_matrix([0.2, 0.22, 0.25], n_topics=n_topics)
        best_set, published = (rule(matrix, n_resamples=999, rng=1) for rule in (confidence_set_for_best, as_published))
        for entry, other in zip(best_set.entries, published.entries, strict=True):
            assert entry.margin == pytest.approx(wider * other.margin)

    def test_a_run_just_beyond_the_normal_margin_may_be_the_best(self):
        members = confidence_set_for_best(distinct_matrix("trec-2003-robust__AP"), rng=2015).members
        assert set(members) > set(published_set("trec-2003-robust__AP").members)
        assert len(members) == 5


class TestDefinition:
    @pytest.mark.parametrize("name", [DL19, "clef-tar-2019-abs__AP"])
    def test_it_agrees_with_the_definition_written_out(self, name):
        self.assert_agrees(shipped_matrix(name), 20_000, rel=0.002)

    @pytest.mark.parametrize("spread", [0.0, pytest.param(0.03, marks=pytest.mark.slow)])
    def test_many_runs_agree_with_it_too(self, spread):
        """Beyond a hundred rivals most differences are left out; the margins are the same."""
        matrix = noisy_matrix(np.random.default_rng(3).normal(0.3, spread, 160))
        self.assert_agrees(plus_clones(matrix, 7, 12, noise=0.01), 1_000, rel=0.02)

    def assert_agrees(self, matrix, n_resamples, rel):
        slow = slow_margins(matrix, np.random.default_rng(5).standard_normal((n_resamples, matrix.n_topics)))
        for entry in as_published(matrix, n_resamples=n_resamples, rng=5).entries:
            statistic, limit = slow[entry.system]
            assert entry.is_member == (statistic <= max(0, limit))
            if limit > 0:
                assert entry.behind_rival / entry.margin == pytest.approx(statistic / limit, rel=rel)

    @pytest.mark.parametrize("k", [3, 5, 20])
    def test_uncorrelated_runs_have_guptas_constant(self, k):
        """With equal variances and no correlation the margin is known; the first step costs a tenth of the 5 %."""
        best_set = as_published(orthogonal_matrix(np.zeros(k)), n_resamples=40_000, rng=1)
        exact = scipy.stats.t.isf(scipy.stats.norm.sf(gupta_constant(k, 0.955)), 49) * np.sqrt(2)
        assert [entry.margin for entry in best_set.entries] == pytest.approx([exact] * k, abs=0.08)

    def test_the_rival_is_the_one_that_excludes_most_clearly(self):
        rng = np.random.default_rng(1)
        leader, noise = rng.normal(0.5, 0.1, 50), rng.normal(0, 1, 50)
        noise -= noise.mean()
        like, unlike = leader - 0.03 + 0.03 * noise, leader - 0.05 + 0.3 * noise
        low, middle, first = confidence_set_for_best(labelled([unlike, like, leader]), rng=1).entries
        assert (middle.rival, middle.is_member) == ("s2", False)
        assert (low.rival, low.is_member) == ("s2", True)
        assert low.behind > middle.behind
        assert (first.rival, first.behind, first.is_member) == ("s0", 0.0, True)
        assert first.behind_rival == pytest.approx(-0.05), "less clearly ahead of it than of the second"

    def test_a_leader_by_a_constant_on_every_topic_is_told_from_the_next(self):
        base = noisy_matrix([0.2, 0.25, 0.22], seed=4).scores
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            best_set = confidence_set_for_best(labelled(np.vstack([base, base.max(axis=0) + 0.1])), rng=1)
            again = confidence_set_for_best(labelled(np.vstack([base, base[1] + 0.1])), rng=1)
        assert (best_set.members, again.members) == (("s3",), ("s3",))

    def test_near_copies_have_a_margin_that_means_something(self):
        """By the error of their own difference, a copy that is worse by a hair on every topic would be excluded."""
        base = noisy_matrix([0.2, 0.3, 0.4, 0.45], seed=4).scores
        hair = 0.001 + np.random.default_rng(1).normal(0, 0.0002, 50)
        copied = labelled(np.vstack([base, base[3] - hair]))
        assert scipy.stats.ttest_rel(copied.scores[3], copied.scores[4]).pvalue < 1e-20
        assert set(confidence_set_for_best(copied, rng=1).members) >= {"s3", "s4"}

    def test_duplicates_stay_or_go_together(self):
        matrix = noisy_matrix([0.2, 0.5, 0.21, 0.3], seed=4)
        doubled = labelled(np.vstack([matrix.scores, matrix.scores[1] + 1e-16]))
        best_set = confidence_set_for_best(doubled, rng=1)
        assert best_set.members == ("s1", "s4")
        assert [entry.behind_rival for entry in best_set.entries if entry.is_member] == [0, 0]

    @pytest.mark.parametrize("n_same", [2, 4])
    def test_without_a_typical_difference_there_is_no_set(self, n_same):
        base = noisy_matrix([0.2, 0.25], seed=4).scores
        rows = [base[0] + 0.01 * place for place in range(n_same)] + ([base[1]] if n_same == 4 else [])
        with pytest.warns(DegenerateWarning, match="nothing can be told apart"):
            best_set = confidence_set_for_best(labelled(rows), rng=1)
        assert (best_set.why_no_set, best_set.members, best_set.n_members, best_set.entries) == (
            WhyNoSet.NO_VARIATION, (), 0, ()
        )  # fmt: skip


class TestFewTopics:
    def test_below_ten_there_is_no_set(self):
        none, some = (
            confidence_set_for_best(noisy_matrix([0.2, 0.3, 0.25], n_topics=n_topics), rng=1) for n_topics in (9, 10)
        )
        assert (none.why_no_set, none.members, none.caution) == (WhyNoSet.TOO_FEW_TOPICS, (), None)
        assert none.to_dict()["why_no_set"] == "too-few-topics"
        assert some.why_no_set is None
        assert some.n_members >= 1

    def test_below_25_there_is_a_caution(self):
        few, enough = (
            confidence_set_for_best(noisy_matrix([0.2, 0.3, 0.25], n_topics=n_topics), rng=1) for n_topics in (24, 25)
        )
        assert few.caution.startswith("24 topics are few")
        assert enough.caution is None

    @pytest.mark.parametrize("n_topics", [12, 29])
    def test_below_30_a_run_stays_if_either_rule_keeps_it(self, n_topics):
        matrix = noisy_matrix(np.linspace(0.2, 0.45, 20), n_topics=n_topics, seed=3)
        best_set = confidence_set_for_best(matrix, rng=1)
        constant = gupta_constant(20, 0.95, n_topics - 1)
        radius = constant * np.sqrt(2 * two_way_anova(matrix).residual_variance / n_topics)
        slow = slow_margins(matrix, np.random.default_rng(1).standard_normal((10_000, n_topics)))
        for entry in best_set.entries:
            statistic, limit = slow[entry.system]
            assert entry.is_member == (statistic <= max(0, limit) or entry.behind <= radius)
            if entry.rule == "pooled":
                assert entry.margin == pytest.approx(radius)
                assert entry.behind == pytest.approx(matrix.means.max() - entry.mean)
                assert max(0, entry.behind_rival) == entry.behind
        assert {entry.rule for entry in best_set.entries} == {"max-t", "pooled"}

    def test_from_30_on_the_pooled_rule_has_no_say(self):
        best_set = confidence_set_for_best(noisy_matrix(np.linspace(0.2, 0.45, 20), n_topics=30, seed=3), rng=1)
        assert {entry.rule for entry in best_set.entries} == {"max-t"}

    def test_families_weigh_its_variance(self):
        matrix = plus_clones(noisy_matrix(np.linspace(0.2, 0.45, 12), n_topics=20, seed=3), 0, 30, noise=0.001)
        families = [*matrix.systems[:12], *["s0"] * 30]
        entries = confidence_set_for_best(matrix, families=families, rng=1).entries
        margins = [entry.margin for entry in entries if entry.rule == "pooled"]
        variance = family_weighted_variance(matrix, families)
        assert margins
        assert margins == pytest.approx([gupta_constant(42, 0.95, 19) * np.sqrt(2 * variance / 20)] * len(margins))

    def test_one_family_weighs_as_its_systems_do(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.45, 12), n_topics=20, seed=3)
        assert confidence_set_for_best(matrix, 1, families=["a"] * 12) == confidence_set_for_best(matrix, 1)


class TestClones:
    """Copies need nothing more: the draws carry the correlations."""

    MATRIX = noisy_matrix(np.linspace(0.2, 0.3, 12))
    MEMBERS = frozenset(confidence_set_for_best(MATRIX, rng=1).members)

    @settings(max_examples=15, deadline=None)
    @given(row=st.integers(0, 11), n_clones=st.integers(1, 20))
    def test_clones_drop_no_member_and_stay_with_what_they_copy(self, row, n_clones):
        matrix = self.MATRIX
        before = self.MEMBERS
        after = set(confidence_set_for_best(plus_clones(matrix, row, n_clones), rng=1).members)
        assert before <= after
        clones = {f"c{number}" for number in range(n_clones)}
        assert after & clones == (clones if f"s{row}" in after else set())

    @pytest.mark.parametrize("rank", every(4, [1, 20, 103, 60], __file__))
    def test_only_their_own_rows_change(self, rank):
        """Ten copies of a run of TREC-7: the members are those of before, and the copies of a member."""
        matrix = distinct_matrix("trec-7-adhoc__AP")
        row = int(np.argsort(-matrix.means)[rank - 1])
        before = confidence_set_for_best(matrix, rng=2015)
        after = confidence_set_for_best(plus_clones(matrix, row, 10, noise=1e-4), rng=2015)
        clones = {f"c{number}" for number in range(10)} if matrix.systems[row] in before.members else set()
        assert set(after.members) == set(before.members) | clones


@pytest.mark.slow
class TestCoverage:
    """Eight equal systems drawn anew 400 times: each is in the set as often as it says, neither less nor more."""

    def share_of_sets(self, near_copies: bool) -> np.ndarray:
        rng, held = np.random.default_rng(5), np.zeros(8)
        for _ in range(400):
            scores = rng.normal(0.4, 0.15, 50) + rng.normal(0, 0.08, (8, 50))
            if near_copies:
                # A little better on most topics, much worse on a few: equal, though a sample may miss the few.
                differences = np.where(rng.random(50) < 0.04, -0.024, 0.001)
                scores[1] = scores[0] + differences + rng.normal(0, 1e-5, 50)
            best_set = confidence_set_for_best(labelled(scores), rng=rng, n_resamples=999)
            held[[int(member.removeprefix("s")) for member in best_set.members]] += 1
        return held / 400

    def test_equal_systems_are_in_it_as_often_as_it_says(self):
        assert 0.935 < self.share_of_sets(near_copies=False).mean() < 0.965

    def test_near_copies_are_not_told_apart_by_topics_that_a_sample_misses(self):
        assert self.share_of_sets(near_copies=True).min() > 0.92


class TestContenders:
    def test_those_that_do_not_compete_are_no_rivals_and_still_count(self):
        matrix = noisy_matrix([0.2, 0.25, 0.9, 0.22], seed=4)
        best_set = confidence_set_for_best(matrix, contenders=["s3", "s1", "s0"], rng=1)
        assert [entry.system for entry in best_set.entries] == ["s0", "s1", "s3"]
        assert {entry.rival for entry in best_set.entries} <= {"s0", "s1", "s3"}
        means = dict(zip(matrix.systems, matrix.means, strict=True))
        for entry in best_set.entries:
            assert entry.behind == pytest.approx(means["s1"] - entry.mean)
            assert entry.behind_rival == pytest.approx(means[entry.rival] - entry.mean)
            assert entry.is_member == (entry.behind_rival <= entry.margin)
        assert list(best_set.members) == sorted(best_set.members, key=means.get, reverse=True)
        alone = confidence_set_for_best(matrix.select(["s0", "s1", "s3"]), rng=1)
        assert all(entry.margin >= other.margin for entry, other in zip(best_set.entries, alone.entries, strict=True))
        assert set(alone.members) <= set(best_set.members)


class TestPublicBehaviour:
    def test_order_and_affine_maps_do_not_matter(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.3, 8))
        entries = {entry.system: entry for entry in confidence_set_for_best(matrix, rng=1).entries}
        for other, scale in ((shuffled(matrix), 1), (labelled(10 * matrix.scores + 3), 10)):
            for entry in confidence_set_for_best(other, rng=1).entries:
                assert entry.is_member == entries[entry.system].is_member
                assert entry.behind_rival == pytest.approx(scale * entries[entry.system].behind_rival)
                assert entry.margin == pytest.approx(scale * entries[entry.system].margin, rel=0.05)

    def test_lower_is_better(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.3, 8))
        high = confidence_set_for_best(matrix, rng=1)
        low = confidence_set_for_best(mirrored(matrix), higher_is_better=False, rng=1)
        assert low.members == high.members
        for entry, other in zip(low.entries, high.entries, strict=True):
            assert entry.mean == pytest.approx(1 - other.mean)
            assert (entry.behind, entry.margin) == pytest.approx((other.behind, other.margin), rel=0.05)
