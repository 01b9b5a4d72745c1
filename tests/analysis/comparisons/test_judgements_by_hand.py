"""Equivalence, intervals of means and combined effects in detail: by their formulas, on both sides of each limit."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from analysis.comparisons import interval_against_margin, mean_interval, noninferiority_of_difference
from analysis.errors import DegenerateWarning
from analysis.results import Interval


@dataclass
class Difference:
    estimate: float = 0.02
    standard_error: float = 0.01
    df: float = 12.0


class TestMargins:
    @pytest.mark.parametrize("higher", [True, False])
    def test_noninferiority_by_its_formula(self, higher):
        judged = noninferiority_of_difference(Difference(), margin=0.03, confidence_level=0.9, higher_is_better=higher)
        gain = 0.02 if higher else -0.02
        bound = gain - stats.t.ppf(0.9, 12) * 0.01
        assert judged.pvalue == pytest.approx(stats.t.sf((gain + 0.03) / 0.01, 12))
        assert judged.bound == pytest.approx(bound if higher else -bound)
        assert (judged.noninferior, judged.confidence_level, judged.estimate, judged.margin) == (
            bound > -0.03, 0.9, 0.02, 0.03
        )  # fmt: skip
        at_the_limit = noninferiority_of_difference(
            Difference(), margin=-bound if bound < 0 else 1e-9, confidence_level=0.9, higher_is_better=higher
        )
        assert at_the_limit.noninferior == (bound > 0)

    @pytest.mark.parametrize(
        ("low", "high", "conclusion"),
        [
            (-0.9, 0.9, "equivalent"),
            (-1.0, 0.9, "second not lower beyond the margin"),
            (-0.9, 1.0, "first not lower beyond the margin"),
            (-1.0, 1.0, "inconclusive"),
            (1.0, 2.0, "first higher beyond the margin"),
            (0.99, 2.0, "first not lower beyond the margin"),
            (-2.0, -1.0, "second higher beyond the margin"),
            (-2.0, -0.99, "second not lower beyond the margin"),
            (-2.0, 2.0, "inconclusive"),
            (1.0, 1.0, "first higher beyond the margin"),
        ],
    )
    def test_ends_at_the_margin(self, low, high, conclusion):
        judged = interval_against_margin(Interval(low, high, 0.9), margin=1.0)
        assert (judged.conclusion, judged.margin, judged.interval) == (conclusion, 1.0, Interval(low, high, 0.9))


class TestMeans:
    SCORES = np.array([0.1, 0.4, 0.35, 0.8, 0.05, 0.6])

    def test_students_interval_by_its_formula(self):
        mean = mean_interval(self.SCORES, confidence_level=0.8)
        half = stats.t.ppf(0.9, 5) * stats.sem(self.SCORES)
        assert (mean.interval.low, mean.interval.high) == pytest.approx(
            (self.SCORES.mean() - half, self.SCORES.mean() + half)
        )
        assert (mean.method, mean.n_topics, mean.n_resamples, mean.why_no_interval) == ("t", 6, None, None)
        assert (mean.bias_correction, mean.acceleration, mean.interval.confidence_level) == (None, None, 0.8)
        assert mean_interval(self.SCORES, 3, confidence_level=0.8) == mean

    def test_bca_corrects_for_the_skewness_of_the_scores(self, monkeypatch):
        monkeypatch.setattr("analysis._resampling.MAX_CELLS", 6 * 50)
        steps = []
        mean = mean_interval(self.SCORES, 5, method="bca", n_resamples=99, progress=lambda *step: steps.append(step))
        assert steps == [(50, 99), (99, 99)]
        gaps = self.SCORES - self.SCORES.mean()
        assert mean.acceleration == pytest.approx((gaps**3).sum() / (6 * (gaps**2).sum() ** 1.5))
        rng = np.random.default_rng(5)
        draws = [rng.multinomial(6, np.full(6, 1 / 6), size=size) @ self.SCORES / 6 for size in (50, 49)]
        means, centre = np.concatenate(draws), self.SCORES.mean()
        share = (np.mean(means < centre - 1e-12) + 1 - np.mean(means > centre + 1e-12)) / 2
        assert mean.bias_correction == pytest.approx(stats.norm.ppf(share))
        assert (mean.n_resamples, mean.method) == (99, "bca")
        assert mean.interval.low < centre < mean.interval.high

    def test_equal_scores_warn_the_caller(self):
        for options in ({}, {"method": "bca", "rng": 1, "n_resamples": 99}):
            with pytest.warns(DegenerateWarning, match="all scores are equal") as caught:
                mean = mean_interval([0.3, 0.3, 0.3], **options)
            assert [warning.filename for warning in caught] == [__file__]
            assert (mean.interval, mean.standard_error, mean.estimate) == (None, 0.0, pytest.approx(0.3))
            assert mean.why_no_interval == "all scores are equal, so that their mean has no standard error"
