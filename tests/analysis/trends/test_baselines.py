"""Baselines and improved scores among original runs and against what was known; the Robust04 survey."""

import numpy as np
import pytest

from analysis.trends import baselines_against_known_best, standing_of_papers
from tests.analysis.published_papers import robust04_papers, robust04_runs


class TestRobust04Papers:
    def test_gains_over_papers_own_baselines(self):
        _, baselines, improved, _ = robust04_papers()
        standing = standing_of_papers(baselines, improved, robust04_runs(), threshold=0.290)
        assert standing.median_gain == pytest.approx(0.0079, abs=5e-5)
        assert standing.fraction_gaining == pytest.approx(0.84, abs=5e-3)
        assert standing.fraction_baselines_reaching == pytest.approx(0.275, abs=5e-4)

    def test_most_papers_are_near_the_median_of_the_original_runs(self):
        _, baselines, improved, _ = robust04_papers()
        standing = standing_of_papers(baselines, improved, robust04_runs())
        assert standing.n_reference == 110
        assert 40 < standing.median_baseline_percentile < 50 < standing.median_improved_percentile < 60
        assert standing.fraction_improved_above_best == pytest.approx(2 / 109)

    def test_the_best_does_not_become_the_baseline(self):
        years, baselines, improved, _ = robust04_papers()
        known = baselines_against_known_best(years, baselines, improved, known_before=robust04_runs())
        assert (known.n_baselines, known.n_reaching) == (109, 1)
        assert known.times[0].best_before == 0.3586
        assert [row.time for row in known.times] == sorted(row.time for row in known.times)


def test_percentiles_by_hand():
    standing = standing_of_papers([0.2, 0.3], [0.3, 0.25], [0.1, 0.2, 0.3, 0.4])
    assert (standing.median_baseline_percentile, standing.median_improved_percentile) == (50.0, 56.25)
    assert standing.fraction_gaining == 0.5
    assert standing_of_papers([0.2, 0.3], [0.3, 0.3], [0.1, 0.4]).fraction_gaining == 0.5
    assert standing.threshold is None
    assert standing.fraction_baselines_reaching is None


def test_the_whole_standing_by_hand():
    """A score as good as the median or the best run is neither below nor above it, and one at the threshold reaches."""
    standing = standing_of_papers([0.2, 0.25, 0.1], [0.45, 0.25, 0.4], [0.1, 0.2, 0.3, 0.4], threshold=0.2).to_dict()
    assert (standing["n_papers"], standing["n_reference"], standing["threshold"]) == (3, 4, 0.2)
    assert (standing["median_baseline_percentile"], standing["median_improved_percentile"]) == (37.5, 87.5)
    assert standing["fraction_improved_above_best"] == pytest.approx(1 / 3)
    assert (standing["median_gain"], standing["fraction_gaining"]) == pytest.approx((0.25, 2 / 3))
    assert standing["fraction_baselines_reaching"] == pytest.approx(2 / 3)


def test_the_direction_of_the_measure_turns_everything():
    before, after, runs = np.array([0.2, 0.3]), np.array([0.3, 0.25]), np.array([0.1, 0.2, 0.3, 0.4])
    high = standing_of_papers(before, after, runs, threshold=0.25).to_dict()
    low = standing_of_papers(-before, -after, -runs, threshold=-0.25, higher_is_better=False).to_dict()
    assert {**low, "threshold": 0.25} == high
    known = baselines_against_known_best([1, 2], -before, -after, higher_is_better=False)
    assert known.times[0].best_before == -0.3
    assert known.n_reaching == 1


def test_results_count_as_known_only_after_the_lag():
    times, baselines, improved = [2001, 2002, 2003], [0.2, 0.2, 0.2], [0.3, 0.4, 0.5]
    best = {
        lag: [row.best_before for row in baselines_against_known_best(times, baselines, improved, lag=lag).times]
        for lag in (0, 1, 2)
    }
    assert best == {0: [0.3, 0.4], 1: [0.3, 0.4], 2: [0.3]}


def test_an_earlier_baseline_that_was_better_counts_as_known():
    known = baselines_against_known_best([1, 2], [0.5, 0.4], [0.45, 0.6])
    assert (known.times[0].best_before, known.n_reaching) == (0.5, 0)
    assert known.times[0].median_shortfall == pytest.approx(0.1)


def test_the_whole_history_by_hand():
    """The two baselines of year 2 stand against the 0.5 of year 1, one of them at it; then against 0.6."""
    known = baselines_against_known_best([1, 2, 2, 3], [0.1, 0.5, 0.2, 0.7], [0.5, 0.6, 0.3, 0.8])
    assert [(row.time, row.best_before, row.n_baselines, row.n_reaching) for row in known.times] == [
        (2.0, 0.5, 2, 1), (3.0, 0.6, 1, 1)
    ]  # fmt: skip
    assert [row.median_shortfall for row in known.times] == pytest.approx([0.15, -0.1])
    assert (known.n_baselines, known.n_reaching) == (3, 2)
    assert baselines_against_known_best([1, 2], [0.1, 0.2], [0.3, 0.4], known_before=[0.2]).times[0].time == 1
