"""Confidence intervals for ranks."""

import numpy as np
import pytest
import scipy.stats

from analysis.best import confidence_set_for_best
from analysis.errors import DegenerateWarning
from analysis.ranks import rank_intervals
from tests.analysis.matrices import shipped_matrix
from tests.analysis.simulated import awkward_matrices, labelled, mirrored, noisy_matrix, orthogonal_matrix

DL19 = "trec-dl-2019-passage__nDCG-at-10"


def slow_better(matrix, pairs, n_resamples, seed):
    """Step down over the given ordered pairs (i, j), "j is not better than i", without any shortcut."""
    n_systems, n_topics = matrix.scores.shape
    covariance = np.cov(matrix.scores) / n_topics
    draws = np.random.default_rng(seed).multivariate_normal(np.zeros(n_systems), covariance, n_resamples)
    error = {(i, j): np.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]) for i, j in pairs}
    left, rejected = set(pairs), set()
    while left:
        null = np.max([(draws[:, j] - draws[:, i]) / error[i, j] for i, j in left], axis=0)
        critical = scipy.stats.t.isf(scipy.stats.norm.sf(np.quantile(null, 0.95)), n_topics - 1)
        new = {(i, j) for i, j in left if (matrix.means[j] - matrix.means[i]) / error[i, j] > critical}
        if not new:
            break
        left, rejected = left - new, rejected | new
    return rejected


CLUSTERS = [0.10, 0.11, 0.12, 0.24, 0.25, 0.26, 0.50, 0.50, 0.70]


def ends(intervals):
    return [(entry.low, entry.high) for entry in intervals.entries]


class TestRankIntervals:
    @pytest.mark.parametrize("name", ["clusters", "other clusters", *awkward_matrices()])
    def test_simultaneous_intervals_agree_with_the_definition(self, name):
        """Of few or tied systems too."""
        clusters = {"clusters": noisy_matrix(CLUSTERS, seed=1), "other clusters": noisy_matrix(CLUSTERS, seed=2)}
        matrix = (clusters | awkward_matrices())[name]
        rows = range(matrix.n_systems)
        pairs = [(i, j) for i in rows for j in rows if np.ptp(matrix.scores[i] - matrix.scores[j]) > 0]
        better = slow_better(matrix, pairs, 20_000, seed=3)
        expected = [
            (1 + sum(i == row for i, _ in better), len(rows) - sum(j == row for _, j in better)) for row in rows
        ]
        assert ends(rank_intervals(matrix, simultaneous=True, n_resamples=20_000, rng=4)) == expected

    @pytest.mark.parametrize("seed", [1, 2])
    def test_marginal_intervals_agree_with_the_definition(self, seed):
        matrix = noisy_matrix(CLUSTERS, seed=seed)
        ranks = rank_intervals(matrix, simultaneous=False, n_resamples=20_000, rng=4)
        for row, interval in enumerate(ends(ranks)):
            pairs = [pair for other in set(range(9)) - {row} for pair in ((row, other), (other, row))]
            better = slow_better(matrix, pairs, 20_000, seed=3)
            assert interval == (1 + sum(i == row for i, _ in better), 9 - sum(j == row for _, j in better))

    def test_the_critical_value_is_that_of_the_studentized_range(self):
        """Without correlation the first simultaneous critical value is q / sqrt(2), mapped to t."""
        exact = scipy.stats.studentized_range.ppf(0.95, 6, 1e6) / np.sqrt(2)
        gap = scipy.stats.t.isf(scipy.stats.norm.sf(exact), 49) * np.sqrt(2)  # in standard errors of a mean
        for factor, expected in ((0.98, [(1, 6)] * 6), (1.02, [(2, 6)] + [(1, 6)] * 4 + [(1, 5)])):
            matrix = orthogonal_matrix([0, *[0.5 * gap] * 4, factor * gap])
            assert ends(rank_intervals(matrix, simultaneous=True, n_resamples=40_000, rng=1)) == expected

    def test_a_gap_may_be_told_by_itself_and_not_among_all(self):
        exact = scipy.stats.studentized_range.ppf(0.95, 6, 1e6) / np.sqrt(2)
        gap = 0.95 * scipy.stats.t.isf(scipy.stats.norm.sf(exact), 49) * np.sqrt(2)
        matrix = orthogonal_matrix([0, *[gap / 2] * 4, gap])
        every, each = (
            rank_intervals(matrix, simultaneous=choice, n_resamples=2_000, rng=1) for choice in (True, False)
        )
        assert ends(every) == [(1, 6)] * 6
        assert (ends(each)[0], ends(each)[5]) == ((2, 6), (1, 5))
        assert (every.simultaneous, each.simultaneous, each.why_no_badge) == (True, False, None)
        assert (each.confidence_level, each.n_resamples, each.n_systems, each.n_topics) == (0.95, 2_000, 6, 50)
        assert [entry.system for entry in each.entries] == list(matrix.systems)
        assert [entry.mean for entry in each.entries] == pytest.approx(matrix.means)

    def test_a_marginal_interval_of_two_systems_is_a_two_sided_paired_t_test(self):
        for seed in range(12):
            matrix = noisy_matrix([0.30, 0.34], seed=seed)
            pvalue = scipy.stats.ttest_rel(*matrix.scores).pvalue
            if abs(pvalue - 0.05) > 0.01:  # nearer than the resamples can tell
                expected = [(2, 2), (1, 1)] if pvalue < 0.05 else [(1, 2), (1, 2)]
                assert ends(rank_intervals(matrix, simultaneous=False, rng=1)) == expected

    @pytest.mark.parametrize("simultaneous", [True, False])
    def test_the_observed_rank_lies_inside(self, simultaneous):
        ranks = rank_intervals(shipped_matrix(DL19), simultaneous=simultaneous, rng=1)
        assert all(1 <= entry.low <= entry.rank <= entry.high <= ranks.n_systems for entry in ranks.entries)
        assert sorted(entry.rank for entry in ranks.entries) == list(range(1, 12))

    def test_simultaneous_intervals_contain_the_marginal_ones(self):
        matrix = shipped_matrix("trec-7-adhoc__AP")
        every, each = (
            rank_intervals(matrix, simultaneous=choice, n_resamples=2_000, rng=1) for choice in (True, False)
        )
        pairs = list(zip(ends(every), ends(each), strict=True))
        assert sum(wide[0] <= narrow[0] and wide[1] >= narrow[1] for wide, narrow in pairs) >= 0.98 * len(pairs)

    def test_what_may_reach_rank_1_is_more_than_the_set_for_the_best(self):
        """One-sided at one rank against two-sided at all: the interval is the weaker statement."""
        matrix = shipped_matrix("trec-7-adhoc__AP")
        ranks = rank_intervals(matrix, simultaneous=False, n_resamples=500, rng=1)
        reaching = {entry.system for entry in ranks.entries if entry.low == 1}
        assert set(confidence_set_for_best(matrix, rng=1).members) <= reaching

    def test_runs_with_the_same_mean_share_a_rank(self):
        ranks = rank_intervals(
            labelled([[0.1, 0.3, 0.2], [0.3, 0.1, 0.2], [0.9, 0.8, 0.7]]), simultaneous=True, n_resamples=99, rng=1
        )
        assert [entry.rank for entry in ranks.entries] == [2, 2, 1]

    @pytest.mark.parametrize("simultaneous", [True, False])
    def test_duplicates_are_never_told_apart(self, simultaneous):
        matrix = noisy_matrix([0.1, 0.9])
        doubled = labelled(np.vstack([matrix.scores, matrix.scores[1]]))
        assert ends(rank_intervals(doubled, simultaneous=simultaneous, rng=1)) == [(3, 3), (1, 2), (1, 2)]
        with pytest.warns(DegenerateWarning):
            equal = rank_intervals(labelled([[0.1, 0.2]] * 3), simultaneous=simultaneous, n_resamples=99, rng=1)
        assert ends(equal) == [(1, 3)] * 3

    @pytest.mark.parametrize("simultaneous", [True, False])
    def test_direction_and_scale(self, simultaneous):
        matrix = noisy_matrix([0.1, 0.12, 0.3, 0.31, 0.5])
        ranks = rank_intervals(matrix, simultaneous=simultaneous, rng=1)
        assert ends(rank_intervals(labelled(7 * matrix.scores), simultaneous=simultaneous, rng=1)) == ends(ranks)
        low = rank_intervals(mirrored(matrix), simultaneous=simultaneous, higher_is_better=False, rng=1)
        assert ends(low) == ends(ranks)

    @pytest.mark.parametrize("simultaneous", [True, pytest.param(False, marks=pytest.mark.slow)])
    def test_many_runs_agree_with_the_definition_too(self, simultaneous):
        """Beyond a hundred rivals most differences are left out; decisions are the same."""
        matrix = noisy_matrix(np.random.default_rng(3).normal(0.3, 0.12, 130), n_topics=30)
        intervals = ends(rank_intervals(matrix, simultaneous=simultaneous, n_resamples=1_000, rng=4))
        covariance = np.cov(matrix.scores)
        variance = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
        error = np.sqrt(np.maximum(variance, 0.1 * np.median(variance[np.triu_indices(130, 1)])) / 30)
        np.fill_diagonal(error, np.inf)
        statistics = (matrix.means - matrix.means[:, None]) / error
        weights = np.random.default_rng(4).standard_normal((1_000, 30))
        xi = weights @ (matrix.scores - matrix.means[:, None]).T / np.sqrt(30 * 29)
        drawn = [(xi - xi[:, [row]]) / error[row] for row in range(130)]

        def step_down(pairs):
            """Return those rejected among ordered pairs, given as a mask."""
            rejected = np.zeros_like(pairs)
            while True:
                left = pairs & ~rejected
                rows = np.flatnonzero(left.any(axis=1))
                largest = np.max([np.where(left[row], drawn[row], -np.inf).max(axis=1) for row in rows], axis=0)
                critical = scipy.stats.t.isf(scipy.stats.norm.sf(np.quantile(largest, 0.95)), 29)
                new = left & (statistics > critical)
                if not new.any():
                    return rejected
                rejected |= new

        everything = ~np.eye(130, dtype=bool)
        rows = range(130) if simultaneous else range(0, 130, 10)
        for row in rows:
            if not simultaneous:
                own = np.zeros_like(everything)
                own[row] = own[:, row] = True
                better = step_down(own & everything)
            elif row == 0:
                better = step_down(everything)
            expected = 1 + better[row].sum(), 130 - better[:, row].sum()
            assert np.abs(np.subtract(intervals[row], expected)).max() <= 1  # a borderline pair

    def test_a_lead_by_a_constant_on_every_topic_is_told(self):
        base = noisy_matrix([0.2, 0.25, 0.22], seed=4).scores
        ranks = rank_intervals(labelled(np.vstack([base, base[1] + 0.3])), simultaneous=True, rng=1)
        assert ends(ranks)[3] == (1, 1)

    def test_everything_separated_ends_at_once(self):
        ranks = rank_intervals(noisy_matrix([0.0, 10.0, 20.0]), simultaneous=True, rng=1)
        assert ends(ranks) == [(3, 3), (2, 2), (1, 1)]

    def test_few_topics(self):
        matrix = noisy_matrix([0.2, 0.3], n_topics=20)
        ranks = rank_intervals(matrix, simultaneous=True, n_resamples=200, rng=1)
        assert "20 topics" in ranks.why_no_badge

    @pytest.mark.slow
    def test_the_simultaneous_intervals_hold_at_once_in_95_percent(self):
        rng = np.random.default_rng(5)
        means = np.array([0.2, 0.2, 0.25, 0.3, 0.31, 0.32])
        covered = 0
        for _ in range(300):
            matrix = noisy_matrix(means, 40, seed=int(rng.integers(2**32)))
            ranks = rank_intervals(matrix, simultaneous=True, n_resamples=399, rng=rng)
            # With ties a run has a range of true ranks; the interval covers if it meets all of them.
            best = 1 + (means > means[:, None]).sum(axis=1)
            worst = 6 - (means < means[:, None]).sum(axis=1)
            covered += all(e.low <= b and w <= e.high for e, b, w in zip(ranks.entries, best, worst, strict=True))
        assert covered / 300 >= 0.925  # 0.95 less two standard errors
