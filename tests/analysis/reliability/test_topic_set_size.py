"""Topics needed, differences resolvable, precision of means."""

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.power import TTestPower

from analysis.comparisons import tukey_hsd
from analysis.reliability import precision_of_means, smallest_resolvable_difference, topics_needed, two_way_anova
from tests.analysis.matrices import shipped_matrix


class TestTopicsNeeded:
    @pytest.mark.parametrize("effect", [0.12, 0.3, 0.8, 2.0])
    @pytest.mark.parametrize("side", ["two-sided", "one-sided"])
    def test_power_is_that_of_statsmodels(self, effect, side):
        ours = topics_needed(effect, difference_variance=1.0, alternative=side)
        theirs = TTestPower()
        alternative = "larger" if side == "one-sided" else side
        assert ours.power == pytest.approx(theirs.power(effect, ours.n_topics, 0.05, alternative=alternative), abs=1e-9)
        assert theirs.power(effect, ours.n_topics - 1, 0.05, alternative=alternative) < 0.8 <= ours.power

    def test_power_where_scipys_noncentral_t_gives_nan(self):
        assert np.isnan(TTestPower().power(0.5, 500, 0.05))
        assert topics_needed(0.5, difference_variance=1.0, power=1 - 1e-12).power >= 1 - 1e-12

    def test_the_residual_counts_twice(self):
        assert topics_needed(0.03, residual_variance=0.01) == topics_needed(0.03, difference_variance=0.02)

    def test_sign_and_scale_do_not_matter(self):
        needed, other = topics_needed(0.03, residual_variance=0.01), topics_needed(-3.0, residual_variance=100.0)
        assert needed.n_topics == other.n_topics

    def test_more_comparisons_need_more_topics(self):
        needed = [topics_needed(0.05, residual_variance=0.0144, n_comparisons=n).n_topics for n in (1, 10, 5000)]
        assert needed[0] < needed[1] < needed[2]
        assert topics_needed(0.05, residual_variance=0.0144, n_comparisons=10).confidence_level == pytest.approx(0.995)

    @pytest.mark.parametrize("alternative", ["two-sided", "one-sided"])
    @pytest.mark.parametrize("level", [0.95, 0.99, 0.9999])
    def test_power_of_two_and_three_topics_at_high_levels(self, level, alternative):
        options = {"difference_variance": 1.0, "confidence_level": level, "alternative": alternative}
        for n_topics in (2, 3):
            tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
            critical, df = scipy.stats.t.isf(tail, n_topics - 1), n_topics - 1
            for shift in critical * np.array([0.3, 1.0, 1.7]):
                # The estimated sd at 20,000 probabilities: SciPy's noncentral t gives NaN this far out.
                sds = (np.arange(20_000) + 0.5) / 20_000
                sds = np.sqrt(scipy.stats.chi2.ppf(sds, df) / df)
                expected = scipy.stats.norm.sf(critical * sds - shift).mean()
                if alternative == "two-sided":
                    expected += scipy.stats.norm.cdf(-critical * sds - shift).mean()
                needed = topics_needed(shift / np.sqrt(n_topics), power=expected - 1e-4, **options)
                assert (needed.n_topics, needed.power) == (n_topics, pytest.approx(expected, abs=1e-4))

    def test_a_huge_difference_needs_two_topics_at_least(self):
        assert topics_needed(1.0, difference_variance=1e-8).n_topics == 2


class TestResolvableDifference:
    def test_trec7_reference_values(self):
        matrix = shipped_matrix("trec-7-adhoc__AP")
        residual = two_way_anova(matrix).residual_mean_square
        result = smallest_resolvable_difference(residual, matrix.n_topics, matrix.n_systems)
        assert residual == pytest.approx(0.01204001, abs=5e-9)
        assert result.significant_in_family == pytest.approx(0.094772, abs=5e-7)

    def test_it_is_tukeys_critical_difference(self):
        matrix = shipped_matrix("trec-dl-2019-passage__nDCG-at-10")
        residual = two_way_anova(matrix).residual_mean_square
        result = smallest_resolvable_difference(residual, matrix.n_topics, matrix.n_systems)
        assert result.significant_in_family == pytest.approx(tukey_hsd(matrix).critical_difference, rel=1e-9)

    def test_two_systems_are_a_family_of_one(self):
        result = smallest_resolvable_difference(0.01, 50, 2)
        assert result.significant_in_family == pytest.approx(result.significant, rel=1e-8)

    def test_two_systems_on_two_topics_at_a_high_level(self):
        """One degree of freedom: |T| > c is |Z + d| > c |Z'| of two normals, hence nearly |Z'| < d / c."""
        result = smallest_resolvable_difference(0.01, 2, 2, confidence_level=0.99, power=0.95)
        critical = scipy.stats.t.ppf(0.995, 1)
        assert result.significant == pytest.approx(0.1 * critical)
        assert result.detectable == pytest.approx(0.1 * critical * scipy.stats.norm.ppf(0.975), rel=1e-3)

    def test_low_power_needs_no_difference_at_all(self):
        assert smallest_resolvable_difference(0.01, 50, 2, power=0.04).detectable == 0

    def test_robust04_has_a_range_that_repeated_estimates_of_its_variance_give(self):
        least = smallest_resolvable_difference(0.015395, 249, 2, variance_degrees_of_freedom=18)
        assert least.detectable == pytest.approx(0.0313, abs=5e-5)
        # The true variance, had the estimate been drawn: s2 df / chi2, here by 400,000 sums of squared normals.
        rng = np.random.default_rng(5)
        true = 0.015395 * 18 / np.square(rng.standard_normal((400_000, 18))).sum(axis=1)
        drawn = np.quantile(2.8125 * np.sqrt(2 * true / 249), [0.05, 0.95])
        assert least.detectable_range == pytest.approx(drawn.tolist(), rel=0.01)
        assert smallest_resolvable_difference(0.015395, 249, 2).detectable_range is None


class TestPrecisionOfMeans:
    @pytest.mark.parametrize("replacement", [True, False])
    def test_second_route_by_drawing_topic_sets(self, replacement):
        rng = np.random.default_rng(2)
        scores = rng.beta(1, 3, (3, 40))
        drawn = [scores[:, rng.choice(40, 10, replace=replacement)].mean(axis=1) for _ in range(8000)]
        expected = np.std(drawn, axis=0).mean() * np.sqrt(40 / 39 if replacement else 1)
        assert precision_of_means(scores, [10], replacement=replacement)[0].sd == pytest.approx(expected, rel=0.03)

    def test_trec_ad_hoc_is_of_the_papers_size(self):
        # There ten variants of one system on some 400 topics, here the runs of TREC-7: .074 and .033.
        precision = precision_of_means(shipped_matrix("trec-7-adhoc__AP").scores, [5, 25])
        assert [row.sd for row in precision] == pytest.approx([0.056, 0.025], rel=0.35)
