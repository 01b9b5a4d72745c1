"""Sets, winners and reports of the best in detail: exact fields, both sides of each limit."""

import numpy as np
import pytest

from analysis.best import (
    WhyNoSet,
    analyse_best,
    best_set_from_errors,
    best_set_from_means,
    confidence_set_for_best,
    probability_of_best,
    winner_from_means,
)
from analysis.errors import ArgumentError
from tests.analysis.simulated import labelled, noisy_matrix

MATRIX = noisy_matrix([0.20, 0.25, 0.27, 0.30, 0.31], n_topics=40, seed=2)


def of_topics(n_topics: int):
    return noisy_matrix([0.20, 0.25, 0.27, 0.30, 0.31], n_topics=n_topics, seed=2)


class TestArguments:
    def test_too_few_draws_are_refused_even_where_there_is_no_set(self):
        with pytest.raises(ArgumentError, match="n_resamples must be 199 or more at this level; got 198"):
            confidence_set_for_best(of_topics(9), rng=1, n_resamples=198)
        assert confidence_set_for_best(of_topics(9), rng=1, n_resamples=200).why_no_set == WhyNoSet.TOO_FEW_TOPICS


class TestConfidenceSet:
    def test_ten_topics_are_enough_and_25_need_no_caution(self):
        for n_topics, has_caution in ((10, True), (24, True), (25, False)):
            best_set = confidence_set_for_best(of_topics(n_topics), rng=1, n_resamples=200)
            assert best_set.why_no_set is None
            assert (best_set.caution is not None) == has_caution
        nine = confidence_set_for_best(of_topics(9), rng=1, n_resamples=200)
        assert (nine.entries, nine.members, nine.n_members, nine.caution) == ((), (), 0, None)
        assert (nine.n_systems, nine.n_topics, nine.n_resamples, nine.confidence_level) == (5, 9, 200, 0.95)

    def test_the_best_of_those_that_compete_is_never_behind(self):
        best_set = confidence_set_for_best(MATRIX, rng=1, n_resamples=400, contenders=["s3", "s0", "s1"])
        assert [entry.system for entry in best_set.entries] == ["s0", "s1", "s3"]
        best = max(best_set.entries, key=lambda entry: entry.mean)
        assert (best.behind, best.is_member) == (0.0, True)
        assert best.behind_rival < 0
        means = dict(zip(MATRIX.systems, MATRIX.means, strict=True))
        for entry in best_set.entries:
            assert entry.mean == means[entry.system]
            assert entry.behind == pytest.approx(best.mean - entry.mean)
            assert entry.behind_rival == pytest.approx(means[entry.rival] - entry.mean)
            assert entry.is_member == (entry.behind_rival <= entry.margin)
        behind = [next(entry.behind for entry in best_set.entries if entry.system == name) for name in best_set.members]
        assert behind == sorted(behind)

    def test_members_with_equal_means_stand_by_name(self):
        base = MATRIX.scores[4]
        best_set = confidence_set_for_best(labelled([base, base, MATRIX.scores[0], base]), rng=1, n_resamples=200)
        assert [name for name in best_set.members if name != "s2"] == ["s0", "s1", "s3"]


class TestFromMeans:
    MEANS = (0.30, 0.42, 0.42, 0.10, 0.35)

    def test_a_set_by_its_critical_value(self):
        best_set = best_set_from_errors(self.MEANS, error_variance=0.001, degrees_of_freedom=20, confidence_level=0.9)
        dunnett = best_set.critical_value
        assert best_set.margin == pytest.approx(dunnett * np.sqrt(0.002))
        assert best_set.threshold == pytest.approx(0.42 - best_set.margin)
        assert best_set.members == tuple(row for row, mean in enumerate(self.MEANS) if mean >= best_set.threshold)
        assert (best_set.best_index, best_set.n_results, best_set.n_contenders) == (1, 5, 5)
        assert best_set.n_members == len(best_set.members)
        assert (best_set.error_variance, best_set.degrees_of_freedom, best_set.confidence_level) == (0.001, 20.0, 0.9)

    def test_the_largest_variance_there_can_be_is_taken_and_a_larger_refused(self):
        options = {"n_topics": 25, "degrees_of_freedom": 20}
        largest = 0.25 * 25 / 24
        assert best_set_from_means(self.MEANS, residual_variance=largest, **options).why_no_set is None
        with pytest.raises(ArgumentError, match=r"residual_variance must be 0\.2604 or less, the most that"):
            best_set_from_means(self.MEANS, residual_variance=largest * 1.0001, **options)
        few = best_set_from_means(self.MEANS, n_topics=24, residual_variance=0.01, degrees_of_freedom=20)
        assert (few.why_no_set, few.members, few.n_members) == (WhyNoSet.TOO_FEW_TOPICS, (), 0)
        assert (few.critical_value, few.margin, few.threshold) == (None, None, None)

    def test_shrinkage_of_published_means_by_hand(self):
        winner = winner_from_means(self.MEANS, n_topics=20, residual_variance=0.02, degrees_of_freedom=8)
        sd = np.std(self.MEANS, ddof=1)
        shrinkage = 1 - 2 / 4 * (8 / 10 * 0.02 / 20) / sd**2
        assert winner.shrinkage == pytest.approx(shrinkage)
        assert winner.estimate == pytest.approx(np.mean(self.MEANS) + shrinkage * (0.42 - np.mean(self.MEANS)))
        assert (winner.index, winner.n_tied, winner.n_contenders, winner.why_raw) == (1, 2, 5, None)

    def test_chances_are_counted_strictly_outside_the_band(self):
        analysis = analyse_best(self.MEANS, n_topics=10, n_multiplier=2, tail=0.7, chance_level=0.6)
        values = np.array(self.MEANS)
        assert analysis.n_above_chance == (values > analysis.chance_upper).sum()
        assert analysis.n_below_chance == (values < analysis.chance_lower).sum()
        assert analysis.n_above_chance + analysis.n_within_chance + analysis.n_below_chance == 5
        assert [point.n_multiplier for point in analysis.sensitivity] == [1, 2, 3, 5, 10, 100]
        assert analysis.sensitivity[1].adjusted_mean != analysis.sensitivity[0].adjusted_mean
        assert (analysis.sensitivity[0].lower, analysis.n_multiplier) != (analysis.lower, 1)
        assert analysis.plausible == tuple(np.flatnonzero(values >= analysis.lower).tolist())


def test_ties_within_rounding_share_a_win():
    scores = np.array([[0.1, 0.7, 0.2], [0.2, 0.1, 0.7], [0.0, 0.0, 0.0]])
    chances = probability_of_best(labelled(scores), 3, n_resamples=300)
    assert sum(entry.probability for entry in chances.entries) == pytest.approx(1)
    rng = np.random.default_rng(3)
    counts = rng.multinomial(3, np.full(3, 1 / 3), size=300)
    draws = counts @ np.rint(scores * 10).astype(int).T
    first = draws == draws.max(axis=1, keepdims=True)
    expected = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    assert [entry.probability for entry in chances.entries] == pytest.approx(expected.tolist())
    assert [entry.mean for entry in chances.entries] == pytest.approx([1 / 3, 1 / 3, 0])
    assert (chances.n_resamples, chances.n_systems, chances.n_topics) == (300, 3, 3)
