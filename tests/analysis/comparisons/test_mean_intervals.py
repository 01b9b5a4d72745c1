"""Intervals of a mean over topics: the reference values, R's boot, SciPy, degenerate scores, coverage."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from analysis.comparisons import mean_interval, ttest_rel
from analysis.errors import ArgumentError, DegenerateWarning
from tests.analysis.matrices import shipped_matrix

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "mean_intervals.json").read_text(encoding="utf-8"))
CASES = ("bm25", "difference", "skewed")


def ends(mean):
    return [mean.interval.low, mean.interval.high]


class TestReferenceValues:
    """The best run of TREC-7 under AP."""

    def run16(self):
        return shipped_matrix("trec-7-adhoc__AP").select(["run16"]).scores[0]

    def test_t(self):
        assert ends(mean_interval(self.run16())) == pytest.approx([0.3167354, 0.4237526], abs=6e-8)

    def test_bca(self):
        mean = mean_interval(self.run16(), 1, n_resamples=100_000, method="bca")
        assert mean.acceleration == pytest.approx(0.0048138, abs=6e-8)
        skewness = scipy.stats.skew(self.run16())
        assert mean.acceleration == pytest.approx(skewness / (6 * np.sqrt(50)), rel=1e-12)
        # "About .3183 and .4221" in the reference study; 4,000,000 samples drawn one by one give .31967 and .42297.
        assert ends(mean) == pytest.approx([0.3183, 0.4221], abs=0.002)
        assert ends(mean) == pytest.approx([0.31967, 0.42297], abs=0.0008)


@pytest.mark.parametrize("case", CASES)
class TestAgainstR:
    def test_t(self, case):
        expected = REFERENCE[case]
        assert ends(mean_interval(expected["scores"])) == pytest.approx(expected["t_95"], abs=1e-10)

    def test_bca(self, case):
        """R draws 200,000 samples; limits differ by simulation, a hundredth of the standard error or so."""
        expected = REFERENCE[case]
        for level in (0.95, 0.80):
            mean = mean_interval(expected["scores"], 1, confidence_level=level, n_resamples=50_000, method="bca")
            assert mean.acceleration == pytest.approx(expected["acceleration"], rel=1e-7)
            assert ends(mean) == pytest.approx(expected[f"bca_{100 * level:.0f}"], abs=0.04 * mean.standard_error)


def test_scipy_gives_the_same_limits():
    scores = np.array(REFERENCE["skewed"]["scores"])
    drawn = scipy.stats.bootstrap((scores,), np.mean, n_resamples=50_000, method="BCa", rng=1).confidence_interval
    mean = mean_interval(scores, 2, n_resamples=50_000, method="bca")
    assert ends(mean) == pytest.approx([drawn.low, drawn.high], abs=0.06 * mean.standard_error)


def test_a_difference_has_the_interval_of_the_paired_t_test():
    first, second = np.random.default_rng(1).normal([[0.4], [0.3]], 0.1, (2, 30))
    assert ends(mean_interval(first - second)) == pytest.approx(ends(ttest_rel(first, second)))


class TestDegenerateScores:
    @pytest.mark.parametrize("interval", [mean_interval, lambda scores: mean_interval(scores, 1, method="bca")])
    @pytest.mark.parametrize("scores", [[0.1 + 0.2, 0.3 + 5e-17, 0.1 + 0.2], [0.3 - 0.1, 0.5 - 0.3, 0.9 - 0.7]])
    def test_scores_that_are_equal_but_for_rounding_have_no_interval_and_warn(self, interval, scores):
        """As for the paired t test; the interval was 1e-16 wide."""
        with pytest.warns(DegenerateWarning, match="all scores are equal"):
            answer = interval(scores)
        assert (answer.interval, answer.standard_error) == (None, 0.0)
        assert "no standard error" in answer.why_no_interval

    def test_few_nearly_binary_scores_have_finite_limits_within_their_range(self):
        scores = [0, 0, 0, 0, 0, 0, 0, 1.0]
        mean = mean_interval(scores, 1, method="bca")
        assert 0 <= mean.interval.low < mean.estimate < mean.interval.high <= 1

    def test_differences_that_cancel_but_for_rounding_have_a_mean_of_0(self):
        assert mean_interval([0.3 - 0.1, 0.3 - 0.5]).estimate == 0.0

    @pytest.mark.parametrize("method", ["t", "bca"])
    def test_it_refuses_scores_whose_powers_are_no_numbers(self, method):
        with pytest.raises(ArgumentError, match=r"scores must hold a number of 1e-70 or more \(choose another unit\)"):
            mean_interval([9e-71, 0.0], 1, method=method)
        assert mean_interval([0.0, 1e-71, 1.0, 0.5], 1, method=method).interval is not None


class TestInvariances:
    SCORES = np.random.default_rng(3).beta(1, 3, 40)

    def test_shift_scale_and_mirror_carry_over(self):
        mean = mean_interval(self.SCORES, 1, method="bca")
        moved = mean_interval(100 * self.SCORES + 5, 1, method="bca")
        assert ends(moved) == pytest.approx([100 * end + 5 for end in ends(mean)])
        turned = mean_interval(-self.SCORES, 1, method="bca")
        assert ends(turned) == pytest.approx([-end for end in ends(mean)[::-1]])

    @pytest.mark.parametrize("unit", [2e-70, 1e-13, 1e9, 1e70])
    def test_the_unit_of_the_scores_does_not_matter(self, unit):
        """On few topics many resamples have the mean itself, whatever rounding makes of them."""
        scores = np.array([0.1, 0.2, 0.3, 0.4, 0.7])
        mean, moved = mean_interval(scores, 1, method="bca"), mean_interval(unit * scores, 1, method="bca")
        assert ends(moved) == pytest.approx([unit * end for end in ends(mean)], rel=1e-9)
        assert moved.bias_correction == pytest.approx(mean.bias_correction, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("n_topics", "t", "bca"), [(25, 0.94, 0.925), (50, 0.945, 0.94)])
def test_intervals_hold_the_mean_of_skewed_scores_nearly_as_often_as_they_say(n_topics, t, bca):
    """Scores like AP (beta 1, 3), 3,000 samples each: a standard error of .004."""
    rows = np.random.default_rng(50).beta(1, 3, (3000, n_topics))
    held = np.array(
        [
            [mean.interval.low <= 0.25 <= mean.interval.high]
            for row in rows
            for mean in (mean_interval(row), mean_interval(row, 1, n_resamples=999, method="bca"))
        ]
    ).reshape(-1, 2)
    assert held.mean(axis=0) == pytest.approx([t, bca], abs=0.016)
