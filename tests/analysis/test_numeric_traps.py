"""The nineteen numeric traps, one by one: what goes wrong the obvious way, and that it does not here."""

import warnings

import mpmath
import numpy as np
import pytest
import scipy.stats
from scipy.special import log_ndtr, ndtri
from statsmodels.stats.libqsturng import qsturng

from analysis.best import (
    analyse_best,
    confidence_set_for_best,
    corrected_best,
    maximum_distribution,
    minimum_distribution,
    model_confidence_set,
)
from analysis.best._contrasts import contrasts
from analysis.best._drawn_differences import DrawnDifferences
from analysis.best._selective_inference import (
    selective_quantile,
    truncated_cdf,
    truncation,
    winner_conditional,
    winner_hybrid,
)
from analysis.comparisons import meta_analysis, randomization_test, ttest_rel, wilcoxon_test
from analysis.comparisons._studentized_range import studentized_range_ppf
from analysis.documents import RankedList, average_precision_interval, logit_map_interval
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.instances import compare_algorithms
from analysis.ranks import rank_intervals, tie_tiers
from analysis.reliability import two_way_anova
from analysis.scales import reference_factors, standardize
from analysis.scores import InstanceScores, MeasureKind, ScoreMatrix
from tests.analysis.instance_tables import table_with_mean_squares
from tests.analysis.simulated import labelled, noisy_matrix
from tests.published_means import published_means


class TestTrap1PowersOfProbabilities:
    """p**(1/N) next to 1 has no digits left; 1 - cdf**N has none in the upper tail."""

    def test_quantiles_of_huge_n(self):
        quantiles = [maximum_distribution(n).ppf(0.8) for n in (10**8, 10**12, 10**16)]
        np.testing.assert_allclose(quantiles, [5.86605452081486, 7.240726645930735, 8.400050386414758], rtol=1e-14)
        assert np.isinf(ndtri(0.8 ** (1 / 1e17)))  # the trap
        z = maximum_distribution(1e300).ppf(0.8)
        assert 1e300 * scipy.stats.norm.sf(z) == pytest.approx(-np.log(0.8), rel=1e-10)  # the limit for large n

    def test_upper_tails_keep_their_digits(self):
        largest = maximum_distribution(1000)
        assert largest.sf(12.0) == pytest.approx(1000 * scipy.stats.norm.sf(12.0), rel=1e-12)
        assert 1.0 - scipy.stats.norm.cdf(12.0) ** 1000 == 0.0  # the trap
        assert largest.isf(1e-200) == pytest.approx(-ndtri(1e-203), rel=1e-12)

    def test_quantiles_where_a_single_tail_is_below_the_smallest_double(self):
        """Of 1e40 variables, each stays above the lower 1e-280 point of the smallest but for a share of 1e-320."""
        assert log_ndtr(minimum_distribution(1e40).ppf(1e-280)) == pytest.approx(-320 * np.log(10), rel=1e-13)


@pytest.mark.parametrize("n", [10**3, 10**6, 10**9])
def test_trap_2_moments_come_from_the_logarithm_of_the_density(n):
    """cdf**N underflows where its logarithm is finite; the mean by parts in 40 digits needs neither."""
    assert scipy.stats.norm.cdf(-1.0) ** n == 0.0  # the trap
    centre = mpmath.mpf(float(ndtri(0.5 ** (1 / n))))
    with mpmath.workdps(40):
        below = mpmath.quad(lambda x: mpmath.ncdf(x) ** n, [0, centre - 2, centre - 1, centre])
        above = mpmath.quad(lambda x: 1 - mpmath.ncdf(x) ** n, [centre, centre + 1, centre + 3, centre + 8])
    assert maximum_distribution(n).mean() == pytest.approx(float(centre - below + above), rel=1e-12)


def test_trap_3_fixed_gauss_hermite_is_wrong_where_the_correlation_is_high():
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    fixed = weights @ scipy.stats.norm.cdf((1.0 - np.sqrt(0.9) * nodes) / np.sqrt(0.1)) ** 103 / weights.sum()
    exact = maximum_distribution(103, correlation=0.9).cdf(1.0)
    w = np.linspace(-10, 10, 20_001)
    inner = scipy.stats.norm.cdf((1.0 - np.sqrt(0.9) * w) / np.sqrt(0.1)) ** 103
    slow = np.sum(scipy.stats.norm.pdf(w) * inner) * (w[1] - w[0])
    assert abs(fixed - slow) > 1e-4
    assert exact == pytest.approx(slow, abs=1e-12)


def test_trap_4_plain_differences_of_truncated_normals_are_0_over_0():
    low, x, high = scipy.stats.norm.cdf([30.0, 30.01, 31.0])
    assert high - low == x - low == 0  # the trap
    tail = np.exp(scipy.stats.norm.logsf(30.01) - scipy.stats.norm.logsf(30.0))
    assert truncated_cdf(30.01, 0.0, 1.0, 30.0, 31.0) == pytest.approx(1 - tail, rel=1e-9)


def test_trap_5_signs_of_the_conditional_method():
    """A rival whose covariance with the winner exceeds its variance bounds from above; an equal one not at all."""
    bounds = [truncation(np.array([3.0, 4.0]), np.array([covariance, 1.0]), 1) for covariance in (0.0, 1.0, 2.0)]
    low, median, high = (selective_quantile(4.0, 1.0, *ends, 0.5, None) for ends in bounds)
    assert low < 4.0 < high  # bounded from below: the truth is lower; bounded from above: higher
    assert median == pytest.approx(4.0, abs=1e-9)


class TestTrap6Duplicates:
    def test_a_variance_that_rounding_makes_negative_counts_as_0(self):
        row = np.random.default_rng(1).normal(0.4, 0.1, 50)
        scores = np.array([row, row * (1 + 1e-16) + 1e-17, row[::-1]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateWarning)
            compared = contrasts(labelled(scores), higher_is_better=True)
        assert compared.inverse_errors[0, 1] == compared.statistics[0, 1] == 0.0
        assert np.isfinite(compared.statistics).all()

    def test_they_stay_or_go_together_and_nothing_loops(self):
        """arch 8.0.0 raises IndexError on duplicates, or never returns."""
        matrix = noisy_matrix([0.5, 0.3, 0.3])
        doubled = labelled(np.vstack([matrix.scores, matrix.scores]))
        for best_set in (confidence_set_for_best(doubled, 1, n_resamples=500), model_confidence_set(doubled, 1)):
            assert set(best_set.members) == {"s0", "s3"}


def test_trap_7_ties_at_the_top():
    matrix = labelled(np.tile([[0.2, 0.6, 0.4], [0.6, 0.2, 0.4], [0.1, 0.1, 0.1]], 4))
    again = ScoreMatrix(["b", "a", "c"], matrix.topics, matrix.scores)
    best_set = confidence_set_for_best(again, 1, n_resamples=500)
    assert {"a", "b"} <= set(best_set.members)
    assert best_set.members[0] == "a"  # the first by name, whatever the order
    winner = corrected_best(again, kind=MeasureKind.MANY_VALUED)
    assert (winner.system, winner.tied) == ("a", ("b",))


class TestTrap8ConventionsOfTests:
    def test_scipys_default_for_wilcoxon_is_without_continuity_correction(self):
        first, second = np.random.default_rng(3).normal([[0.5], [0.45]], 0.2, (2, 80))  # too many to list all signs
        ours = wilcoxon_test(first, second, tie_tolerance=0.0).pvalue
        corrected, default = (
            scipy.stats.wilcoxon(first, second, correction=correction, method="approx").pvalue
            for correction in (True, False)
        )
        assert ours == pytest.approx(corrected, rel=1e-12)
        assert ours != pytest.approx(default, rel=1e-3)

    def test_a_constant_difference_is_refused_and_not_p_0(self):
        first = np.array([0.3, 0.5, 0.2, 0.9, 0.4, 0.4, 0.8, 0.1])
        with pytest.raises(ArgumentError, match="must not differ from second by the same amount"):
            ttest_rel(first, first - 0.1)


class TestTrap9MonteCarloPValues:
    def test_they_are_never_0_and_ties_by_rounding_count(self):
        first, second = np.random.default_rng(1).normal([[0.7], [0.4]], 0.1, (2, 30))
        assert randomization_test(first, second, 1, n_resamples=99).pvalue == 1 / 100
        assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1  # the trap: the same numbers in another order
        assert randomization_test([0.1, 0.2, 0.3], [0.0, 0.0, 0.0], 1).pvalue == 2 / 8

    def test_all_sign_patterns_are_enumerated_where_they_are_few(self):
        first, second = [0.3, 0.1, 0.5, 0.9], [0.1, 0.2, 0.2, 0.2]
        assert randomization_test(first, second, 1).pvalue == randomization_test(first, second, 2).pvalue


def test_trap_10_logits_of_0_and_1():
    """L-MAP hangs on the distance that AP is kept from 0 and 1, so it is an argument and stands in the result."""
    lists = [RankedList([1, 2], 4, 100), RankedList([], 3, 100)]
    rough, fine = (logit_map_interval(lists, 1, n_resamples=50, epsilon=epsilon) for epsilon in (1e-2, 1e-6))
    assert (rough.epsilon, fine.epsilon) == (1e-2, 1e-6)
    assert rough.score > 4 * fine.score
    with pytest.raises(ArgumentError, match="AP is undefined without relevant documents"):
        RankedList([], 0, 100)


class TestTrap11Standardization:
    def test_a_topic_without_spread_has_z_0(self):
        matrix = labelled([[0.1, 0.4, 0.1 + 0.2], [0.3, 0.4, 0.3], [0.2, 0.4, 0.3]])
        factors = reference_factors(matrix)
        assert factors.constant_topics == ("t1",)
        assert standardize(matrix, factors).matrix.scores[:, 1].tolist() == [0, 0, 0]
        assert standardize(matrix, factors, transform="normal").matrix.scores[:, 1].tolist() == [0.5, 0.5, 0.5]

    def test_the_sd_divides_by_one_less(self):
        means = published_means("trec-7-adhoc")
        assert (means.std(ddof=0), means.std(ddof=1)) == pytest.approx((0.0802, 0.0806), abs=5e-5)
        factors = reference_factors(labelled([[0.1, 0.2], [0.3, 0.6]]))
        assert factors.sds.tolist() == pytest.approx([0.2 / np.sqrt(2), 0.4 / np.sqrt(2)])


def test_trap_12_bca_where_nothing_varies():
    """AP 1 in every resample: SciPy gives NaN on constant data; here there is a reason instead of an interval."""
    ap = average_precision_interval(RankedList([1, 2, 3], 3, 10), 1, method="bca", small_sample_correction=False)
    assert ap.interval is None
    assert "same AP" in ap.why_no_interval


def test_trap_13_the_studentized_range_is_exact_and_kept():
    exact = scipy.stats.studentized_range.ppf(0.95, 10, 20)
    assert studentized_range_ppf(0.95, 10, 20) == pytest.approx(exact, rel=1e-9)
    assert qsturng(0.95, 103, 5049) != pytest.approx(6.107301515, rel=1e-6)  # the trap
    assert studentized_range_ppf(0.95, 103, 5049) == pytest.approx(6.107301515, rel=1e-9)
    hits = studentized_range_ppf.cache_info().hits
    studentized_range_ppf(0.95, 103, 5049)
    assert studentized_range_ppf.cache_info().hits == hits + 1


def test_trap_14_means_over_different_topics_are_never_compared():
    scores = {"a": {"1": 0.5, "2": 0.1, "3": 0.3}, "b": {"1": 0.4, "2": 0.2}}
    with pytest.raises(ArgumentError, match="must cover the same topics for every system, but 'b' lacks '3'"):
        ScoreMatrix.from_topic_scores(scores)
    common = ScoreMatrix.from_topic_scores(scores, missing="intersect")
    assert (common.dropped_topics, common.means.tolist()) == (("3",), pytest.approx([0.3, 0.3]))
    zero = ScoreMatrix.from_topic_scores(scores, missing="zero")
    assert (zero.missing, zero.means[1]) == ("zero", pytest.approx(0.2))


def test_trap_15_more_systems_than_topics():
    """The covariance matrix is singular: nothing may invert it or take its root."""
    matrix = noisy_matrix(np.linspace(0.2, 0.4, 80), n_topics=30)
    assert np.linalg.matrix_rank(np.cov(matrix.scores)) < 80
    assert confidence_set_for_best(matrix, 1, n_resamples=500).n_members >= 1
    assert model_confidence_set(matrix, 1, n_resamples=200).n_members >= 1
    assert len(rank_intervals(matrix, 1, simultaneous=True, n_resamples=200).entries) == 80
    assert winner_hybrid(matrix, 1, n_resamples=500).interval is not None


@pytest.mark.parametrize("unit", [2.0**-200, 2.0**200])
def test_trap_16_single_precision_ends_where_scores_do_not(unit):
    matrix = noisy_matrix(np.linspace(0.2, 0.4, 12), n_topics=40)
    other = ScoreMatrix(matrix.systems, matrix.topics, matrix.scores * unit)

    def answers_of(of: ScoreMatrix) -> list[object]:
        ranks = rank_intervals(of, 1, simultaneous=True, n_resamples=200).entries
        return [
            confidence_set_for_best(of, 1, n_resamples=200).members,
            [(entry.pvalue, entry.step) for entry in model_confidence_set(of, 1, n_resamples=200).entries],
            [(entry.rank, entry.low, entry.high) for entry in ranks],
            [(entry.system, entry.tier) for entry in tie_tiers(of, 1, n_resamples=200).entries],
        ]

    assert answers_of(other) == answers_of(matrix)


def test_trap_16_single_precision_for_draws_alone():
    """The largest of drawn statistics is right to 1e-5 in single precision; a mean of a million topics is not."""
    matrix = noisy_matrix(np.linspace(0.2, 0.4, 12), n_topics=40)
    compared = contrasts(matrix, higher_is_better=True)
    single, _ = DrawnDifferences.draw(matrix.scores, 256, 7).largest(0, compared.inverse_errors[0], 256)
    centred = matrix.scores - matrix.means[:, None]
    draws = np.random.default_rng(7).standard_normal((256, 40)) @ centred.T / np.sqrt(40 * 39)
    exact = ((draws[:, 1:] - draws[:, :1]) * compared.inverse_errors[0, 1:]).max(axis=1)
    np.testing.assert_allclose(single, np.sort(exact)[::-1], atol=1e-5)
    many = np.full((1, 1_000_000), 0.1, dtype=np.float32)
    many[0, ::2] = 0.3
    exact_mean = many.astype(float).mean()
    assert abs(float(np.add.reduce(many[0].cumsum(dtype=np.float32)[-1:])) / 1e6 - exact_mean) > 1e-5  # the trap
    matrix = ScoreMatrix(["a"], list(map(str, range(1_000_000))), many)
    assert matrix.means[0] == pytest.approx(exact_mean, abs=1e-15)


def test_trap_17_negative_variances_are_0_and_named():
    table = table_with_mean_squares(0.001, 0.01, 0.02, 0.0, n_instances=3, n_topics=20)
    comparison = compare_algorithms(InstanceScores.from_array(table), "A", "B")
    assert {"instance", "algorithm_topic"} == set(comparison.components.truncated)
    assert comparison.standard_error > 0
    parts = two_way_anova(labelled([[0.1, 0.5], [0.5, 0.1]]))
    assert (parts.system_variance, parts.topic_variance) == (0.0, 0.0)
    assert set(parts.truncated) == {"system", "topic"}
    assert meta_analysis([0.1, 0.1, 0.1], [1.0, 1.0, 1.0]).tau_squared == 0.0


def test_trap_18_a_run_without_variation_has_no_standard_error():
    """That coarse measures get no interval at all, test_winners.py sees."""
    scores = np.vstack([np.ones(40), noisy_matrix([0.5, 0.4], 40).scores])
    with pytest.warns(DegenerateWarning, match="all scores of the winner"):
        winner = winner_conditional(labelled(scores))
    assert winner.interval is None
    assert "no standard error" in winner.why_no_interval


def test_trap_19_rounded_means_tie_at_the_top():
    """Two decimals make ties; all of a tie are plausible, or none. Four decimals change nothing that matters."""
    exact = published_means("trec-7-adhoc")
    means = np.round(exact, 2)
    analysis = analyse_best(means, n_topics=50)
    reached = means[list(analysis.plausible)].min()
    assert analysis.n_plausible == int((means >= reached).sum())
    assert analysis.n_tied == int((means == means.max()).sum()) > 1
    rounded = analyse_best(np.round(exact, 4), n_topics=50)
    assert rounded.lower == pytest.approx(analyse_best(exact, n_topics=50).lower, abs=2e-4)
