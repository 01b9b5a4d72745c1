"""What sets and intervals of the best are drawn with: differences of many runs, contrasts, ranks, removal by steps."""

import numpy as np
import pytest
from scipy import stats

from analysis._resampling import bootstrap_mean_draws, gaussian_mean_draws
from analysis.best._contrasts import (
    contrasts,
    exceedance_rank,
    leaders,
    t_from_normal,
    too_few_topics,
    upper_quantile,
)
from analysis.best._drawn_differences import DrawnDifferences, upper_value
from analysis.best._model_confidence_set import _count_as_extreme, _elimination
from analysis.errors import ArgumentError, DegenerateWarning
from tests.analysis.simulated import labelled, noisy_matrix


def errors_of(n_systems: int, n_resamples: int = 60, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n_systems, n_resamples)).astype(np.float32)


def plain_largest(errors, row, weights, offsets, rank) -> np.ndarray:
    others = [j for j in range(len(errors)) if j != row and offsets[j] > -np.inf]
    values = (errors[others] - errors[row]) * weights[others, None].astype(np.float32) + offsets[others, None]
    return np.sort(values.max(axis=0))[::-1][:rank]


class TestLargestDifferences:
    @pytest.mark.parametrize("n_systems", [2, 5, 97, 98, 140])
    @pytest.mark.parametrize("spread", [0.0, 1.5])
    def test_they_are_those_of_all_rivals(self, n_systems, spread):
        errors, rng = errors_of(n_systems), np.random.default_rng(n_systems)
        drawn = DrawnDifferences(errors)
        for row, rank in ((0, 1), (n_systems - 1, 7), (n_systems // 2, 60)):
            weights = np.exp(spread * rng.standard_normal(n_systems))
            weights[row] = 0.0
            none = np.zeros(n_systems)
            found, draws = drawn.largest(row, weights, rank)
            assert found == pytest.approx(plain_largest(errors, row, weights, none, rank), rel=1e-5)
            assert len(set(draws.tolist())) == rank
            offsets = np.where(rng.random(n_systems) < 0.2, -np.inf, -rng.random(n_systems))
            offsets[(row + 1) % n_systems] = -0.5
            kept = offsets.copy()
            found, draws = drawn.largest(row, weights, rank, offsets)
            assert found == pytest.approx(plain_largest(errors, row, weights, offsets, rank), rel=1e-5, abs=1e-6)
            assert (offsets == kept).all()
            others = [j for j in range(n_systems) if j != row]
            each = (errors[others] - errors[row]) * weights[others, None] + offsets[others, None]
            assert each.max(axis=0)[draws] == pytest.approx(found, rel=1e-5, abs=1e-6)

    def test_a_rival_that_weighs_more_counts_though_most_are_ahead_of_it(self):
        """The first 40 are held back by their offsets, the next 60 are ahead by a hair, the last 39 weigh twice."""
        errors = errors_of(140) / 100
        errors[0] = -3.0
        errors[41:101] += 0.1
        weights = np.repeat([0.0, 5.0, 1.0, 2.0], [1, 40, 60, 39])
        offsets = np.where(weights == 5.0, -100.0, 0.0)
        found, _ = DrawnDifferences(errors).largest(0, weights, 9, offsets)
        assert found == pytest.approx(plain_largest(errors, 0, weights, offsets, 9), rel=1e-5)
        assert found.min() > 6.0

    def test_without_rivals_nothing_is_ahead(self):
        drawn = DrawnDifferences(errors_of(3, 8))
        found, draws = drawn.largest(1, np.ones(3), 2, np.full(3, -np.inf))
        assert found.tolist() == [-np.inf, -np.inf]
        assert len(draws) == 2

    @pytest.mark.parametrize("n_systems", [97, 98])
    def test_the_best_of_each_draw_are_listed_beyond_96_rivals(self, n_systems, monkeypatch):
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 13 * n_systems)
        errors = errors_of(n_systems)
        drawn = DrawnDifferences(errors)
        n_listed = 48 if n_systems == 98 else 0
        assert drawn._listed.shape == (60, n_listed)
        ordered = np.sort(errors, axis=0)[::-1]
        if n_listed:
            assert np.sort(drawn._listed_errors, axis=1)[:, ::-1] == pytest.approx(ordered[:48].T)
            assert drawn._next == pytest.approx(ordered[48])
            assert drawn._best == pytest.approx(ordered[0])
        found, _ = drawn.largest(0, np.ones(n_systems), 5)
        assert found == pytest.approx(plain_largest(errors, 0, np.ones(n_systems), np.zeros(n_systems), 5), rel=1e-5)
        mirrored, _ = drawn.mirrored().largest(0, np.ones(n_systems), 5)
        assert mirrored == pytest.approx(np.sort(errors[0] - errors[1:].min(axis=0))[::-1][:5], rel=1e-5)

    def test_draws_are_those_of_scores_less_topics_whatever_part_they_are_drawn_in(self, monkeypatch):
        scores = noisy_matrix([0.1, 0.2, 0.3], n_topics=9).scores
        whole = DrawnDifferences.draw(scores, 50, 4)
        expected = gaussian_mean_draws(scores - scores.mean(axis=0), 50, np.random.default_rng(4))
        assert whole.errors * whole.unit == pytest.approx(expected.T, rel=1e-5)
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 9 * 7)
        assert DrawnDifferences.draw(scores, 50, 4).errors == pytest.approx(whole.errors, rel=1e-4, abs=1e-6)

    def test_the_maximum_of_several_is_taken_draw_by_draw(self):
        first = np.array([5.0, 3.0], dtype=np.float32), np.array([2, 0])
        second = np.array([4.0, 2.0], dtype=np.float32), np.array([0, 1])
        assert [upper_value([first, second], rank, 4) for rank in (1, 2, 3, 4)] == [5.0, 4.0, 2.0, -np.inf]


class TestContrasts:
    MATRIX = labelled([[0.1, 0.4, 0.2, 0.5], [0.3, 0.3, 0.6, 0.2], [0.2, 0.5, 0.1, 0.9]])

    def test_they_are_paired_t_statistics(self):
        found = contrasts(self.MATRIX, higher_is_better=True)
        scores = self.MATRIX.scores
        for i in range(3):
            for j in range(3):
                if i != j:
                    expected = stats.ttest_rel(scores[j], scores[i])
                    assert found.statistics[i, j] == pytest.approx(expected.statistic)
                    assert 1 / found.inverse_errors[i, j] == pytest.approx(stats.sem(scores[j] - scores[i]))
                    assert found.gaps[i, j] == pytest.approx(scores[j].mean() - scores[i].mean())
        assert not found.inverse_errors.diagonal().any()
        assert (found.df, found.has_variation) == (3, True)
        turned = contrasts(self.MATRIX, higher_is_better=False)
        assert turned.statistics == pytest.approx(-found.statistics)
        assert turned.means == pytest.approx(-found.means)

    def test_a_floor_is_a_tenth_of_the_typical_variance(self):
        base = np.array([0.1, 0.4, 0.2, 0.5, 0.3])
        matrix = labelled([base, base + np.array([0.001, -0.001, 0, 0, 0.001]), base[::-1] ** 2, 1 - base])
        plain = contrasts(matrix, higher_is_better=True)
        floored = contrasts(matrix, higher_is_better=True, floored=True)
        pairs = np.triu_indices(4, 1)
        squared = 1 / plain.inverse_errors[pairs] ** 2
        assert 1 / floored.inverse_errors[pairs] ** 2 == pytest.approx(np.maximum(squared, 0.1 * np.median(squared)))
        assert (squared < 0.1 * np.median(squared)).sum() == 1
        assert not floored.inverse_errors.diagonal().any()

    def test_equal_means_are_a_tie_and_constant_differences_are_told(self):
        swapped = labelled([[0.1, 0.7, 0.2], [0.7, 0.2, 0.1]])
        assert contrasts(swapped, higher_is_better=True).gaps.tolist() == [[0, 0], [0, 0]]
        base = np.array([0.25, 0.5, 0.125])
        with pytest.warns(DegenerateWarning, match="nothing can be told apart") as none:
            assert not contrasts(labelled([base, base + 0.125]), higher_is_better=True).has_variation
        with pytest.warns(DegenerateWarning, match="by the same amount on every topic: .* no standard error") as some:
            found = contrasts(labelled([base, base + 0.125, base**2]), higher_is_better=True)
        assert (len(none), len(some)) == (1, 1)
        assert found.statistics[0, 1] == 0
        assert found.gaps[0, 1] == 0.125
        contrasts(labelled([base, base, base**2]), higher_is_better=True)

    def test_ranks_and_quantiles(self):
        assert [exceedance_rank(0.95, n) for n in (19, 39, 99, 999, 10_000)] == [1, 2, 5, 50, 500]
        with pytest.raises(ArgumentError, match="n_resamples must be 19 or more at this level; got 18"):
            exceedance_rank(0.95, 18)
        values = np.array([[3.0, 9.0, 1.0], [4.0, 2.0, 8.0]])
        assert [upper_quantile(values, rank).tolist() for rank in (1, 2, 3)] == [[9, 8], [3, 4], [1, 2]]
        found = t_from_normal(np.array([-1.5, 0.0, 2.0]), 7)
        assert found == pytest.approx(stats.t.isf(stats.norm.sf([-1.5, 0.0, 2.0]), 7), abs=1e-12)

    def test_leaders_share_the_largest_mean_but_for_rounding(self):
        assert leaders(["c", "b", "a"], np.array([0.5, 0.5 - 1e-14, 0.4])) == ["b", "c"]
        assert leaders(["c", "b", "a"], np.array([0.5, 0.5 - 1e-11, 0.4])) == ["c"]
        assert leaders(["c", "b"], np.array([-0.5, -0.5 - 1e-14])) == ["b", "c"]

    def test_25_topics_are_enough(self):
        assert too_few_topics(25) is None
        assert too_few_topics(24).startswith("24 topics are too few: below 25 the stated confidence has not been")


class TestModelConfidenceSet:
    @pytest.mark.parametrize("seed", range(6))
    def test_the_run_that_trails_most_clearly_is_removed_each_time(self, seed):
        statistics = np.random.default_rng(seed).normal(size=(9, 9)) * 3
        statistics = np.triu(statistics, 1) - np.triu(statistics, 1).T
        kept = statistics.copy()
        order, ranges = _elimination(statistics)
        assert (statistics == kept).all()
        left, expected, limits = list(range(9)), [], []
        while len(left) > 1:
            part = statistics[np.ix_(left, left)]
            limits.append(part.max())
            expected.append(left.pop(int(part.max(axis=1).argmax())))
        assert order.tolist() == [*expected, left[0]]
        assert ranges == pytest.approx(limits)

    @pytest.mark.parametrize("n_resamples", [1, 128, 300])
    def test_resampled_ranges_are_counted_for_each_size_of_set(self, n_resamples):
        matrix = noisy_matrix([0.30, 0.31, 0.29, 0.28], n_topics=15)
        scores, weights = matrix.scores, contrasts(matrix, higher_is_better=True).inverse_errors
        limits, steps = np.array([0.7, 1.2, 1.9]), []
        counts = _count_as_extreme(
            scores, weights, limits, n_resamples, np.random.default_rng(3), lambda *step: steps.append(step)
        )
        rng = np.random.default_rng(3)
        sizes = [min(128, n_resamples - start) for start in range(0, n_resamples, 128)]
        assert steps == [(sum(sizes[: place + 1]), n_resamples) for place in range(len(sizes))]
        draws = np.concatenate([bootstrap_mean_draws(scores, size, rng) for size in sizes]) - scores.mean(axis=1)
        for n, (count, limit) in enumerate(zip(counts, limits, strict=True), start=2):
            gaps = np.abs(draws[:, :n, None] - draws[:, None, :n]) * weights[:n, :n]
            assert count == (gaps.max(axis=(1, 2)) >= limit).sum()
