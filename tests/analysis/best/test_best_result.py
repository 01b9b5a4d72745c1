"""Carterette's extreme-value analysis of the best published result."""

import numpy as np
import pytest
from scipy.stats import norm

from analysis.best import analyse_best, analyse_summary, maximum_distribution, minimum_distribution
from analysis.errors import DegenerateWarning
from tests.analysis.resampled_topics import resampled_topics
from tests.published_means import published_means

MEANS = [0.303, 0.296, 0.281, 0.245, 0.239, 0.202, 0.175]
PAPER = {"mean": 0.2, "sd": 0.08, "best": 0.303, "n_results": 103, "n_topics": 50}


def test_trec_7_from_the_rounded_numbers_of_the_paper():
    """Section 3.1 of Carterette 2015 finds .2375, .1625, .2705 and .2378 by simulation."""
    analysis = analyse_summary(**PAPER)
    assert analysis.standard_error == pytest.approx(0.08 / np.sqrt(50))
    assert (analysis.chance_upper, analysis.chance_lower) == pytest.approx((0.2372, 0.1628), abs=5e-5)
    assert analysis.adjusted_mean == pytest.approx(0.2705, abs=0.0003)
    assert analysis.lower == pytest.approx(0.2380, abs=0.0005)
    assert analysis.upper == 0.303
    assert analysis.inflation == pytest.approx(0.11, abs=0.005)
    assert analysis.band_probability == pytest.approx(0.6397, abs=5e-5)


def test_trec_7_from_the_published_runs():
    means = published_means("trec-7-adhoc")
    analysis = analyse_best(means, n_topics=50)
    assert (analysis.n_results, analysis.best) == (103, 0.3702)
    assert (analysis.mean, analysis.sd) == pytest.approx((0.1992, 0.0806), abs=5e-5)
    assert analysis.standard_error == pytest.approx(0.011397, abs=1e-6)
    assert (analysis.chance_upper, analysis.chance_lower) == pytest.approx((0.2367, 0.1617), abs=5e-5)
    assert (analysis.n_above_chance, analysis.n_within_chance, analysis.n_below_chance) == (35, 36, 32)
    assert ((means > 0.2375).sum(), (means < 0.1625).sum()) == (35, 34)  # the paper's counts, at its own bounds


def test_trec_7_from_the_contender_of_the_paper():
    analysis = analyse_summary(**(PAPER | {"mean": 0.19919, "sd": 0.08059}))
    assert (analysis.adjusted_mean, analysis.lower) == pytest.approx((0.27048, 0.23796), abs=1e-5)


def test_robust04_from_109_papers():
    analysis = analyse_best(published_means("trec-2004-robust", role="proposed"), n_topics=249)
    assert analysis.n_results == 109
    assert (analysis.mean, analysis.sd, analysis.best) == pytest.approx((0.2827, 0.0300, 0.3686), abs=5e-5)
    assert analysis.standard_error == pytest.approx(0.00190, abs=5e-6)
    assert (analysis.adjusted_mean, analysis.lower) == pytest.approx((0.36314, 0.35769), abs=5e-6)
    assert analysis.n_plausible == 2


@pytest.mark.parametrize("scale", ["residual", "borrowed"])
def test_residual_scales_use_the_variance_given(scale):
    analysis = analyse_best(MEANS, n_topics=50, scale=scale, residual_variance=0.0128)
    assert analysis.standard_error == pytest.approx(0.016)
    assert analysis.scale == scale
    assert analysis.adjusted_mean == pytest.approx(0.303 - 0.016 * norm.ppf(0.8 ** (1 / 7)))


def test_a_summary_by_hand():
    analysis = analyse_summary(mean=0.3, sd=0.05, best=0.4, n_results=10, n_topics=25, n_multiplier=3, tail=0.5)
    error = 0.05 / 5
    step = norm.ppf(0.5 ** (1 / 30)) * error
    chance = norm.ppf(0.95 ** (1 / 30)) * error
    assert (analysis.standard_error, analysis.n_effective_results) == (pytest.approx(error), 30)
    assert (analysis.adjusted_mean, analysis.lower, analysis.upper) == pytest.approx((0.4 - step, 0.4 - 2 * step, 0.4))
    assert (analysis.chance_lower, analysis.chance_upper) == pytest.approx((0.3 - chance, 0.3 + chance))
    assert analysis.inflation == pytest.approx(step / 0.4)
    assert analysis.band_probability == pytest.approx((2 * 0.5 ** (1 / 30) - 1) ** 30)


def test_the_defining_probabilities_hold():
    """At the adjusted mean the best stays below its score, and the worst above the lower end, in 80 % each."""
    analysis = analyse_best(MEANS, n_topics=50, n_multiplier=3)
    largest, smallest = (
        distribution(21, mean=analysis.adjusted_mean, sd=analysis.standard_error)
        for distribution in (maximum_distribution, minimum_distribution)
    )
    assert largest.cdf(analysis.best) == pytest.approx(0.8, rel=1e-10)
    assert smallest.sf(analysis.lower) == pytest.approx(0.8, rel=1e-10)
    equal = {"mean": analysis.mean, "sd": analysis.standard_error}
    assert maximum_distribution(21, **equal).cdf(analysis.chance_upper) == pytest.approx(0.95)
    assert minimum_distribution(21, **equal).cdf(analysis.chance_lower) == pytest.approx(0.05)


def test_simulation_as_in_the_paper_agrees():
    """The linear search of section 3.1, replaced by one simulation at the adjusted mean."""
    analysis = analyse_summary(**PAPER)
    draws = np.random.default_rng(1).normal(analysis.adjusted_mean, analysis.standard_error, (20_000, 103))
    highest, lowest = draws.max(axis=1), draws.min(axis=1)
    assert np.mean(highest < 0.303) == pytest.approx(0.8, abs=0.013)
    assert np.mean(lowest > analysis.lower) == pytest.approx(0.8, abs=0.013)
    inside = np.mean((highest < 0.303) & (lowest > analysis.lower))
    assert inside == pytest.approx(analysis.band_probability, abs=0.015)


def test_contenders_limit_who_may_be_best_and_nothing_else():
    contenders = [False, True, False, True, True, True, True]
    analysis, everybody = (analyse_best(MEANS, n_topics=50, contenders=mask) for mask in (contenders, None))
    assert (analysis.best, analysis.best_index) == (0.296, 1)
    assert 2 not in analysis.plausible
    unchanged = ("n_results", "mean", "sd", "standard_error", "chance_upper", "n_above_chance", "band_probability")
    assert all(getattr(analysis, name) == getattr(everybody, name) for name in unchanged)


def test_multiplied_attempts_lower_the_adjusted_mean_slowly():
    analysis = analyse_best(published_means("trec-2004-robust", role="proposed"), n_topics=249)
    assert [row.n_multiplier for row in analysis.sensitivity] == [1, 2, 3, 5, 10, 100]
    adjusted = [row.adjusted_mean for row in analysis.sensitivity]
    assert adjusted == sorted(adjusted, reverse=True)
    z = (analysis.best - np.array(adjusted)) / analysis.standard_error
    np.testing.assert_allclose(z[[0, 1, 3, 4, 5]], [2.871, 3.083, 3.346, 3.534, 4.102], atol=5e-4)
    first = analysis.sensitivity[0]
    assert (first.adjusted_mean, first.lower, first.n_plausible) == (analysis.adjusted_mean, analysis.lower, 2)


def test_the_multiplier_is_the_row_of_the_sensitivity():
    plain, tenfold = (analyse_best(MEANS, n_topics=50, n_multiplier=m) for m in (1, 10))
    row = plain.sensitivity[4]
    assert (row.n_multiplier, row.adjusted_mean, row.lower) == (10, tenfold.adjusted_mean, tenfold.lower)
    assert row.n_plausible == tenfold.n_plausible
    assert (tenfold.n_results, tenfold.n_multiplier, tenfold.n_effective_results) == (7, 10, 70)
    assert tenfold.sensitivity == plain.sensitivity


def test_lower_is_better_mirrors_everything():
    up = analyse_best(MEANS, n_topics=50)
    down = analyse_best([1 - mean for mean in MEANS], n_topics=50, higher_is_better=False)
    assert down.best == pytest.approx(1 - up.best)
    assert down.adjusted_mean == pytest.approx(1 - up.adjusted_mean)
    assert (down.lower, down.upper) == pytest.approx((1 - up.upper, 1 - up.lower))
    assert down.lower == down.best
    assert down.inflation == pytest.approx((down.adjusted_mean - down.best) / down.best)
    assert (down.plausible, down.best_index) == (up.plausible, up.best_index)
    assert (down.n_above_chance, down.n_below_chance) == (up.n_below_chance, up.n_above_chance)
    rows = zip(down.sensitivity, up.sensitivity, strict=True)
    assert all(d.upper == pytest.approx(1 - u.lower) and d.n_plausible == u.n_plausible for d, u in rows)


def test_negative_scores_have_no_shares():
    up, shifted = (analyse_best([mean - shift for mean in MEANS], n_topics=50) for shift in (0, 1))
    assert shifted.adjusted_mean == pytest.approx(up.adjusted_mean - 1)
    assert shifted.plausible == up.plausible
    assert shifted.inflation is None
    assert shifted.why_no_inflation == "a best score of 0 or less has no shares"
    assert up.why_no_inflation is None


def test_scale_carries_over():
    plain = analyse_best(MEANS, n_topics=50)
    hundredfold = analyse_best([100 * mean for mean in MEANS], n_topics=50)
    assert hundredfold.adjusted_mean == pytest.approx(100 * plain.adjusted_mean)
    assert hundredfold.inflation == pytest.approx(plain.inflation)


def test_ties_name_the_first_and_count_the_others():
    analysis = analyse_best([0.2, 0.3, 0.1, 0.3, 0.3], n_topics=50, contenders=[True, True, True, True, False])
    assert (analysis.best_index, analysis.n_tied) == (1, 2)
    assert {1, 3} <= set(analysis.plausible)


@pytest.mark.parametrize("value", [0.1, 0.0, -0.3])
def test_equal_means_leave_nothing_to_chance(value):
    with pytest.warns(DegenerateWarning, match="standard error is 0"):
        analysis = analyse_best([value] * 3, n_topics=50, contenders=[True, False, True])
    assert analysis.sd == 0
    assert analysis.adjusted_mean == analysis.lower == analysis.upper == value
    assert analysis.chance_lower == analysis.chance_upper == value
    assert analysis.plausible == (0, 2)
    assert (analysis.n_above_chance, analysis.n_within_chance, analysis.n_below_chance) == (0, 3, 0)


def test_no_residual_variance_warns_the_caller():
    with pytest.warns(DegenerateWarning) as caught:
        analyse_best(MEANS, n_topics=50, scale="residual", residual_variance=0.0)
    assert caught[0].filename == __file__
    with pytest.warns(DegenerateWarning) as caught:
        analyse_summary(**(PAPER | {"sd": 0}))
    assert caught[0].filename == __file__


def test_one_result_on_a_residual_scale():
    analysis = analyse_best([0.3], n_topics=50, scale="borrowed", residual_variance=0.0128)
    assert analysis.sd is None
    assert analysis.adjusted_mean == pytest.approx(0.3 - 0.016 * norm.ppf(0.8))
    assert analysis.band_probability == pytest.approx(0.6)
    assert (analysis.plausible, analysis.n_within_chance) == ((0,), 1)


@pytest.mark.parametrize(
    ("scale", "equal", "coverage"),
    [("published", True, 0.062), ("residual", True, 0.990), ("published", False, 0.995), ("residual", False, 1.000)],
)
def test_simulated_coverage_of_the_plausible_set_on_trec_7(scale, equal, coverage):
    """Share of trials in which the truly best run is plausible; where all are equal, each counts as the best."""
    covered = []
    for means, residual_variance, truth in resampled_topics("trec-7-adhoc__AP", equal, 300):
        variance = None if scale == "published" else residual_variance
        plausible = analyse_best(means, n_topics=50, scale=scale, residual_variance=variance).plausible
        covered.append(np.isin(np.flatnonzero(truth == truth.max()), plausible).mean())
    assert np.mean(covered) == pytest.approx(coverage, abs=0.02)
