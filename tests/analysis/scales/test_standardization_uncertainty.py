"""How standardization moves with the reference systems: theory, a slow route, calibration."""

import numpy as np
import pytest
import scipy.stats

from analysis.errors import DegenerateWarning
from analysis.scales import factor_uncertainty, reference_factors, standardize, standardized_mean_uncertainty
from analysis.scores import ScoreMatrix
from tests.analysis.matrices import shipped_matrix


def normal_matrix(n_systems: int, n_topics: int, seed: int) -> ScoreMatrix:
    scores = np.random.default_rng(seed).normal(0.3, 0.1, (n_systems, n_topics))
    return ScoreMatrix([f"r{i}" for i in range(n_systems)], [str(topic) for topic in range(n_topics)], scores)


REFERENCE = normal_matrix(30, 12, seed=5)


def test_factor_errors_agree_with_theory_for_normal_scores():
    reference = normal_matrix(200, 30, seed=2)
    errors = factor_uncertainty(reference, 3, n_resamples=4000)
    sds = reference.scores.std(axis=0, ddof=1)
    assert errors.mean_standard_errors == pytest.approx(sds / np.sqrt(200), rel=0.06)
    # The sd of a normal sample has standard error sd / sqrt(2 (k - 1)); skew and kurtosis move single topics.
    assert np.mean(errors.sd_standard_errors / sds) == pytest.approx(1 / np.sqrt(2 * 199), rel=0.06)


@pytest.mark.parametrize("resample_topics", [False, True])
def test_the_same_draws_of_systems_and_topics_one_by_one_give_the_same(resample_topics):
    matrix, rng = REFERENCE.select(["r0", "r7"]), np.random.default_rng(6)
    counts = rng.multinomial(30, np.full(30, 1 / 30), size=40)
    topics = rng.multinomial(12, np.full(12, 1 / 12), size=40) if resample_topics else np.ones((40, 12), dtype=int)
    means, sds, standings = [], [], []
    for known, times in zip((np.repeat(REFERENCE.scores, count, axis=0) for count in counts), topics, strict=True):
        means.append(known.mean(axis=0))
        sds.append(known.std(axis=0, ddof=1) * np.sqrt(30 / 29))
        z = (matrix.scores - means[-1]) / sds[-1]
        standings.append(np.repeat(scipy.stats.norm.cdf(z), times, axis=1).mean(axis=1))
    spread = standardized_mean_uncertainty(
        matrix, REFERENCE, 6, transform="normal", resample_topics=resample_topics, n_resamples=40, confidence_level=0.8
    )
    errors = np.std(standings, axis=0, ddof=1)
    assert spread.standard_errors == pytest.approx(errors)
    half = scipy.stats.t.ppf(0.9, 29) * errors
    assert [interval.low for interval in spread.intervals] == pytest.approx(spread.estimates - half)
    assert [interval.high for interval in spread.intervals] == pytest.approx(spread.estimates + half)
    assert {interval.confidence_level for interval in spread.intervals} == {0.8}
    assert (spread.systems, spread.transform) == (("r0", "r7"), "normal")
    assert (spread.n_reference, spread.n_resamples) == (30, 40)
    factors = factor_uncertainty(REFERENCE, 6, n_resamples=40)
    assert factors.mean_standard_errors == pytest.approx(np.std(means, axis=0, ddof=1))
    assert factors.sd_standard_errors == pytest.approx(np.std(sds, axis=0, ddof=1))
    assert (factors.topics, factors.n_systems, factors.n_resamples) == (REFERENCE.topics, 30, 40)


@pytest.mark.parametrize("transform", ["z", "normal", "linear"])
def test_estimates_are_those_of_standardize_whatever_the_order_of_topics(transform):
    turned = ScoreMatrix(REFERENCE.systems, REFERENCE.topics[::-1], REFERENCE.scores[:, ::-1])
    expected = standardize(REFERENCE, reference_factors(REFERENCE), transform=transform).means
    straight = standardized_mean_uncertainty(REFERENCE, REFERENCE, 4, transform=transform, n_resamples=50)
    result = standardized_mean_uncertainty(turned, REFERENCE, 4, transform=transform, n_resamples=50)
    assert result.estimates == pytest.approx(expected)
    assert result.standard_errors == pytest.approx(straight.standard_errors)


def test_a_topic_without_spread_has_no_error():
    scores = REFERENCE.scores.copy()
    scores[:, 0] = 0.1
    flat = ScoreMatrix(REFERENCE.systems, REFERENCE.topics, scores)
    errors = factor_uncertainty(flat, 1, n_resamples=100)
    assert errors.sd_standard_errors[0] == 0
    assert errors.mean_standard_errors[0] == pytest.approx(0, abs=1e-15)
    assert np.isfinite(standardized_mean_uncertainty(flat, flat, 1, n_resamples=100).standard_errors).all()


def test_reference_systems_that_agree_everywhere_warn():
    alike = ScoreMatrix(REFERENCE.systems, REFERENCE.topics, np.tile(REFERENCE.scores[0], (30, 1)))
    with pytest.warns(DegenerateWarning):
        assert factor_uncertainty(alike, 1, n_resamples=5).sd_standard_errors.tolist() == [0] * 12


def test_errors_are_in_the_unit_of_the_scores_however_small_it_is():
    small = ScoreMatrix(REFERENCE.systems, REFERENCE.topics, REFERENCE.scores / 10_000)
    errors, expected = (factor_uncertainty(pool, 1, n_resamples=100) for pool in (small, REFERENCE))
    assert errors.sd_standard_errors == pytest.approx(expected.sd_standard_errors / 10_000)
    assert errors.mean_standard_errors == pytest.approx(expected.mean_standard_errors / 10_000)


def test_topics_may_have_units_of_their_own():
    """What a million times smaller scores vary is no rounding because those of other topics vary more."""
    units = np.where(np.arange(REFERENCE.n_topics) % 2, 1e-7, 1.0)
    scaled = ScoreMatrix(REFERENCE.systems, REFERENCE.topics, REFERENCE.scores * units)
    spread, expected = (standardized_mean_uncertainty(pool, pool, 1, n_resamples=50) for pool in (scaled, REFERENCE))
    assert spread.standard_errors == pytest.approx(expected.standard_errors, rel=1e-9)


def test_the_interval_covers_the_value_under_the_whole_pool():
    """150 reference sets of 21 TREC-7 runs; nominal .95, for the normal transform less for the last run."""
    pool = shipped_matrix("trec-7-adhoc__AP")
    systems = pool.select(["run16", pool.systems[pool.means.argmin()]])
    targets = standardize(systems, reference_factors(pool), transform="normal").means
    rng = np.random.default_rng(20)
    covered = []
    for _ in range(150):
        drawn = pool.scores[rng.integers(0, pool.n_systems, 21)]
        reference = ScoreMatrix([str(row) for row in range(21)], pool.topics, drawn)
        spread = standardized_mean_uncertainty(systems, reference, rng, transform="normal", n_resamples=300)
        ends = [(interval.low, interval.high) for interval in spread.intervals]
        covered.append([low <= target <= high for (low, high), target in zip(ends, targets, strict=True)])
    best, last = np.mean(covered, axis=0)
    assert 0.90 <= best <= 0.985
    assert 0.80 <= last <= 0.96
