"""Comparisons of instances in detail: exact ends, ties, and what a seed gives."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammainc

from analysis.errors import ArgumentError, DegenerateWarning
from analysis.instances import (
    InstanceComponents,
    bootstrap_comparison,
    compare_algorithms,
    compare_instances,
    design_power,
    fit_reml,
    instances_and_topics_needed,
    posterior_difference,
)
from analysis.instances._anova import InstanceStratum, Strata, algorithm_strata, components_of
from analysis.instances._mixed_models import _simulated
from analysis.instances._posterior import _residual_draws, _shortest_interval, posterior_normals
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import gappy_scores, simulated_table, table_with_mean_squares

PILOT = InstanceComponents(0.0001, 0.02, 0.0025, 0.0025, ())
SCORES = InstanceScores.from_array(simulated_table(np.random.default_rng(1), 3, 10, instance=0.03))


class TestArguments:
    def test_one_component_above_0_is_enough(self):
        for components in ((1e-4, 0, 0, 0), (0, 0, 1e-4, 0), (0, 0, 0, 1e-4)):
            power = design_power(InstanceComponents(*components, ()), 0.1, n_instances=2, n_topics=2)
            assert 0 < power < 1

    def test_pooling_excludes_absent_cells_unequal_designs_and_deterministic_algorithms(self):
        with pytest.raises(ArgumentError, match="scores must have no absent cells for variances='separate' or pool"):
            compare_algorithms(gappy_scores(5, instance=0.03), "A", "B", pool_algorithms=True)
        table = simulated_table(np.random.default_rng(2), 2, 6, n_algorithms=3)
        cells = [cell for cell in np.ndindex(table.shape) if cell != (2, 0, 3)]
        labels = list(zip(*(("ABC"[a], str(i), str(t)) for a, i, t in cells), strict=True))
        third_lacks_a_cell = InstanceScores(*labels, [table[cell] for cell in cells])
        cells = [cell for cell in np.ndindex(table.shape) if cell[:2] != (2, 0)]
        labels = list(zip(*(("ABC"[a], str(i), str(t)) for a, i, t in cells), strict=True))
        third_has_one_instance = InstanceScores(*labels, [table[cell] for cell in cells], deterministic=["C"])
        cells = list(np.ndindex(3, 3, 6))
        wide = simulated_table(np.random.default_rng(2), 3, 6, n_algorithms=3)
        cells = [cell for cell in cells if cell[:2] != (2, 0)]
        labels = list(zip(*(("ABC"[a], str(i), str(t)) for a, i, t in cells), strict=True))
        third_has_fewer = InstanceScores(*labels, [wide[cell] for cell in cells])
        for scores in (third_lacks_a_cell, third_has_one_instance, third_has_fewer):
            assert compare_algorithms(scores, "A", "B").method == "anova"
            with pytest.raises(ArgumentError, match="pool_algorithms needs equally many instances of every algorithm"):
                compare_algorithms(scores, "A", "B", pool_algorithms=True)


class TestPlans:
    def test_a_power_that_is_just_reached_is_enough(self):
        reached = design_power(PILOT, 0.03, n_instances=10, n_topics=40)
        plan = instances_and_topics_needed(PILOT, 0.03, n_instances=[10], power=reached, max_topics=40)
        assert plan.designs[0].n_topics == 40
        short = instances_and_topics_needed(PILOT, 0.03, n_instances=[10], power=reached, max_topics=39)
        assert short.designs[0].n_topics is None

    def test_two_topics_may_do(self):
        plan = instances_and_topics_needed(PILOT, 50.0, n_instances=[3, 2], max_topics=2)
        assert [(design.n_instances, design.n_topics) for design in plan.designs] == [(3, 2), (2, 2)]
        assert plan.cheapest == plan.designs[1]

    def test_as_planned_before(self):
        plan = instances_and_topics_needed(PILOT, 0.03)
        assert plan.power == 0.8
        assert plan.confidence_level == 0.95
        assert plan.goal == "difference"
        assert [design.n_instances for design in plan.designs] == [2, 3, 5, 10, 20, 50]
        assert (
            instances_and_topics_needed(PILOT, 0.03, n_instances=[2]).designs[0].why_no_topics.endswith("1000 topics")
        )

    @pytest.mark.parametrize("rival", [False, True])
    def test_equivalence_is_an_average_over_64_quantiles_of_the_error(self, rival):
        n, topics, size = 4, 30, 0.06
        n_random = 1 if rival else 2
        h, df = n_random / n, n_random * (n - 1)
        square = 2 * 0.0025 + h * 0.0025
        total = square + h * topics * 0.0001
        spread = square**2 / (topics - 1) + (h * (0.0025 + topics * 0.0001)) ** 2 / df
        spread += (h * 0.0025) ** 2 / (df * (topics - 1))
        free = total**2 / spread
        errors = np.sqrt(stats.chi2.ppf((np.arange(64) + 0.5) / 64, free) / free)
        room = size / np.sqrt(total / topics) - stats.t.ppf(0.95, free) * errors
        power = design_power(PILOT, size, n_instances=n, n_topics=topics, goal="equivalence", deterministic_rival=rival)
        assert power == pytest.approx(np.clip(2 * stats.norm.cdf(room) - 1, 0, None).mean(), rel=1e-9)


class TestStrata:
    PART = InstanceStratum(weight=0.5, instance=0.06, instance_df=6, residual=0.02, residual_df=54)

    def strata(self, *parts: InstanceStratum, square: float = 0.05, covariance: float = 0.01, effect: bool = True):
        return Strata(0.1, 10, square, 9, parts, covariance, effect)

    def test_the_variance_adds_the_difference_and_what_instances_add(self):
        strata = self.strata(self.PART)
        assert strata.terms == [(0.05, 9), (0.03, 6), (-0.01, 54)]
        assert strata.variance == pytest.approx(0.07 / 10)
        assert strata.df == pytest.approx(0.07**2 / (0.05**2 / 9 + 0.03**2 / 6 + 0.01**2 / 54))
        components = components_of(strata)
        assert (components.instance, components.topic) == pytest.approx((0.004, 0.01))
        assert (components.algorithm_topic, components.residual) == pytest.approx((0.02, 0.02))
        assert components.truncated == ()

    def test_instances_that_vary_less_than_the_residual_join_it(self):
        part = InstanceStratum(0.5, 0.01, 6, 0.02, 54)
        strata = self.strata(part)
        assert strata.terms == [(0.05, 9)]
        assert strata.df == pytest.approx(9)
        components = components_of(strata)
        joint = (0.01 * 6 + 0.02 * 54) / 60
        assert (components.instance, components.truncated) == (0.0, ("instance",))
        assert components.residual == pytest.approx(joint)
        assert components.algorithm_topic == pytest.approx((0.05 - 0.5 * joint) / 2)

    def test_an_interaction_that_varies_less_joins_the_residual_and_instances_only_if_they_still_vary_less(self):
        strata = self.strata(self.PART, square=0.005, covariance=-0.01)
        # 0.005 / 0.5 on 9 degrees joins 0.02 on 54.
        joint = (0.02 * 54 + 0.01 * 9) / 63
        assert strata.terms == [(pytest.approx(0.5 * 0.06), 6)]
        components = components_of(strata)
        assert components.residual == pytest.approx(joint)
        assert components.instance == pytest.approx((0.06 - joint) / 10)
        assert (components.topic, components.algorithm_topic) == (0.0, 0.0)
        assert components.truncated == ("topic", "algorithm_topic")
        low = components_of(self.strata(InstanceStratum(0.5, 0.0105, 6, 0.02, 54), square=0.001))
        every = (0.02 * 54 + 0.002 * 9 + 0.0105 * 6) / 69
        assert (low.truncated, low.instance) == (("algorithm_topic", "instance"), 0.0)
        assert low.residual == pytest.approx(every)

    def test_separate_strata_are_averaged(self):
        other = InstanceStratum(0.25, 0.01, 3, 0.01, 27)
        strata = self.strata(self.PART, other)
        assert strata.terms == [(0.05, 9), (0.03, 6), (-0.01, 54)]
        components = components_of(strata)
        assert components.instance == pytest.approx((0.04 + 0.0) / 2 / 10)
        assert components.residual == pytest.approx(0.015)
        assert components.algorithm_topic == pytest.approx((0.05 - 0.01 - 0.0025) / 2)
        assert components.truncated == ("instance",)
        low = self.strata(self.PART, other, square=0.0124)
        assert low.terms == [(0.03, 6), (0.0025, 3)]
        assert components_of(low).truncated == ("algorithm_topic", "instance")
        assert len(self.strata(self.PART, other, square=0.0125).terms) == 3

    def test_instances_as_repeats_have_no_component_and_truncate_nothing_else(self):
        components = components_of(self.strata(self.PART, effect=False))
        assert components.instance is None
        assert components.truncated == ()
        below = components_of(self.strata(self.PART, square=0.005, effect=False))
        assert (below.algorithm_topic, below.truncated) == (0.0, ("algorithm_topic",))

    def test_without_strata_the_difference_is_all(self):
        strata = self.strata(covariance=-1.0)
        assert components_of(strata).to_dict() == {
            "instance": None, "topic": 0.0, "algorithm_topic": None, "residual": 0.025, "truncated": ["topic"]
        }  # fmt: skip
        assert self.strata(square=0.0).df == 9
        assert components_of(self.strata(covariance=0.0)).truncated == ()

    def test_mean_squares_of_a_table_are_counted_over_both_algorithms(self):
        table = table_with_mean_squares(0.004, 0.013, 0.0014, 0.007, n_instances=4, n_topics=15)
        scores = InstanceScores.from_array(table)
        strata = algorithm_strata(scores, "A", "B")
        (part,) = strata.instance_strata
        assert (part.instance, part.residual, part.weight) == pytest.approx((0.004, 0.0014, 0.5))
        assert (part.instance_df, part.residual_df) == (6, 84)
        assert (strata.n_topics, strata.difference_df, strata.instance_effect) == (15, 14, True)
        assert strata.difference_square == pytest.approx(2 * 0.013 / 4)
        assert strata.topic_covariance == pytest.approx(np.cov(*table.mean(axis=1))[0, 1])
        apart = algorithm_strata(scores, "A", "B", separate=True).instance_strata
        assert [(own.weight, own.instance_df, own.residual_df) for own in apart] == [(0.25, 3, 42), (0.25, 3, 42)]
        repeats = algorithm_strata(scores, "A", "B", instance_effect=False).instance_strata[0]
        assert (repeats.instance_df, repeats.residual_df) == (90, 90)
        assert repeats.residual == repeats.instance == pytest.approx((0.004 * 6 + 0.0014 * 84) / 90)


def test_a_small_component_that_is_above_0_is_kept():
    """Below a two-thousandth of the residual, yet seen over 3,000 topics."""
    table = table_with_mean_squares(0.0022, 0.02, 0.001, 0.01, n_instances=10, n_topics=3000)
    components = fit_reml(InstanceScores.from_array(table)).components
    assert components.instance == pytest.approx(0.0012 / 3000, rel=1e-2)
    assert components.truncated == ()


class TestSingleInstances:
    def test_differences_that_cancel_are_0_with_p_1_whatever_the_rounding(self):
        base = np.array([0.5, 0.5, 0.5, 0.5])
        gaps = np.array([0.1, 0.2, -0.3, 0.0])
        tests = compare_instances(InstanceScores.from_array([[base + gaps, base + 2 * gaps], [base, base]]), "A", "B")
        assert (base + gaps - base).mean() != 0
        assert tests.differences.tolist() == [[0.0, 0.0], [0.0, 0.0]]
        assert tests.pvalues.tolist() == [[1.0, 1.0], [1.0, 1.0]]

    def test_a_p_value_at_the_level_counts(self):
        pvalues = compare_instances(SCORES, "A", "B").pvalues
        tests = compare_instances(SCORES, "A", "B", significance_level=float(np.sort(pvalues.ravel())[2]))
        assert round(9 * (tests.fraction_first_better + tests.fraction_second_better)) == 3
        turned = compare_instances(SCORES, "B", "A", significance_level=tests.significance_level)
        assert turned.fraction_second_better == tests.fraction_first_better
        assert turned.differences == pytest.approx(-tests.differences.T)


def test_the_caller_is_warned_where_algorithms_agree():
    table = np.tile(np.linspace(0.1, 0.9, 10), (2, 2, 1))
    with pytest.warns(DegenerateWarning, match="agree everywhere: the p-value is 1") as caught:
        result = compare_algorithms(InstanceScores.from_array(table), "A", "B")
    assert [warning.filename for warning in caught] == [__file__]
    assert (result.statistic, result.pvalue, result.standard_error) == (0.0, 1.0, 0.0)


class TestBootstrap:
    def test_every_step_is_told_and_counted(self):
        steps = []
        result = bootstrap_comparison(SCORES, "A", "B", 4, n_resamples=20, progress=lambda *step: steps.append(step))
        assert steps == [(done, 20) for done in range(1, 21)]
        plain = compare_algorithms(SCORES, "A", "B")
        assert (result.first, result.second, result.n_resamples) == ("A", "B", 20)
        assert (result.estimate, result.statistic) == pytest.approx((plain.estimate, plain.statistic))
        assert result.pvalue * 21 == pytest.approx(round(result.pvalue * 21))

    def test_equal_means_are_as_large_as_any(self):
        table = table_with_mean_squares(0.004, 0.013, 0.0014, 0.0, n_instances=2, n_topics=8)
        assert bootstrap_comparison(InstanceScores.from_array(table), "A", "B", 4, n_resamples=19).pvalue == 1

    def test_simulated_scores_have_the_components_and_no_difference(self):
        table = np.zeros((2, 30, 400))
        table[1] = table[1, :1]
        scores = InstanceScores.from_array(table, deterministic=["B"])
        components = InstanceComponents(0.04, 0.09, 0.01, 0.0025, ())
        simulated = _simulated(scores, components, np.random.default_rng(3)).scores
        random, fixed = simulated[:30], simulated[30]
        assert len(simulated) == 31
        cells = random.mean(axis=0)
        rest = random - cells - random.mean(axis=1, keepdims=True) + random.mean()
        assert rest.var() == pytest.approx(0.0025, rel=0.05)
        assert random.mean(axis=1).std() == pytest.approx(0.2, rel=0.3)
        assert (cells - fixed).var() == pytest.approx(2 * 0.01, rel=0.15)
        assert np.cov(cells, fixed)[0, 1] == pytest.approx(0.09, rel=0.15)
        nothing = _simulated(scores, InstanceComponents(None, 0.0, None, 0.0, ()), np.random.default_rng(3))
        assert not nothing.scores.any()


class TestPosterior:
    def test_the_shortest_interval_of_a_lopsided_mixture(self):
        centres, errors = np.array([0.0] * 3 + [1.0]), np.array([0.5] * 3 + [1.5])
        low, high = _shortest_interval(centres, errors, 0.9)

        def density(at: float) -> float:
            return float(stats.norm.pdf(at, centres, errors).mean())

        inside = stats.norm.cdf(high, centres, errors) - stats.norm.cdf(low, centres, errors)
        assert inside.mean() == pytest.approx(0.9, abs=1e-8)
        # The shortest interval has the same density at both ends.
        assert density(low) == pytest.approx(density(high), rel=1e-3)
        for side in (-1.0, 1.0):  # the peak is further from the mean than its own width
            centres, errors = side * np.array([0.0] * 9 + [3.0]), np.array([0.1] * 9 + [2.0])
            low, high = _shortest_interval(centres, errors, 0.8)
            assert density(low) == pytest.approx(density(high), rel=1e-3)
            assert -0.2 < low < 0 < high < 0.2
        central = _shortest_interval(np.full(3, 2.0), np.full(3, 0.1), 0.5)
        assert central == pytest.approx(stats.norm.interval(0.5, 2.0, 0.1))

    def test_the_residual_is_drawn_from_its_density(self):
        others = ((0.02, 6), (0.05, 9))
        draws = _residual_draws(0.03, 30, others, 20_000, np.random.default_rng(2))
        grid = np.linspace(1e-5, 0.01, 200_001)
        density = grid ** (-16.0) * np.exp(-0.03 / (2 * grid))
        for total, df in others:
            density *= gammainc(df / 2, total / (2 * grid))
        density /= density.sum()
        assert draws.mean() == pytest.approx(density @ grid, rel=0.01)
        for share in (0.05, 0.5, 0.95):
            assert np.quantile(draws, share) == pytest.approx(grid[np.searchsorted(density.cumsum(), share)], rel=0.02)

    def test_many_topics_leave_impossible_residuals_undrawn(self):
        table = simulated_table(np.random.default_rng(5), 2, 90)
        posterior = posterior_difference(InstanceScores.from_array(table), "A", "B", 1, n_draws=1000)
        assert posterior.interval.low + posterior.interval.high == pytest.approx(2 * posterior.estimate, abs=1e-9)
        assert posterior.estimate == pytest.approx(table[0].mean() - table[1].mean())
        assert posterior.n_draws == 1000
        assert posterior.interval.confidence_level == 0.95

    def test_the_variances_are_drawn_about_those_of_the_mean_squares(self):
        table = table_with_mean_squares(0.04, 0.05, 0.002, 0.0, n_instances=20, n_topics=60)
        centres, errors = posterior_normals(InstanceScores.from_array(table), "A", "B", 1, 4000)
        assert (centres == centres[0]).all()
        # The mean of a scaled inverse chi-squared on df degrees is df / (df - 2) times its square.
        expected = 2 / (20 * 60) * (0.04 * 38 / 36 + 0.05 * 59 / 57 - 0.002)
        assert np.mean(errors**2) == pytest.approx(expected, rel=0.01)
        fixed = InstanceScores.from_array(table[:, :1], deterministic=["A", "B"])
        square = np.var(table[0, 0] - table[1, 0], ddof=1)
        errors = posterior_normals(fixed, "A", "B", 1, 4000)[1]
        assert np.mean(errors**2) == pytest.approx(square / 60 * 59 / 57, rel=0.02)

    def test_as_many_scores_as_the_effects_use_up_are_too_few(self):
        with pytest.raises(ArgumentError, match="scores must hold more scores than topics and instances use up"):
            posterior_difference(
                InstanceScores(list("AABB"), list("1212"), ["1", "2", "3", "3"], [0.1, 0.2, 0.4, 0.3]), "A", "B", 1
            )

    def test_absent_cells_leave_about_what_a_fit_says(self):
        scores = gappy_scores(5, n_topics=8, instance=0.03)
        posterior = posterior_difference(scores, "A", "B", 3, n_draws=1000, confidence_level=0.9)
        fit = compare_algorithms(scores, "A", "B", confidence_level=0.9)
        assert posterior.estimate == pytest.approx(fit.estimate, abs=0.2 * fit.standard_error)
        width = fit.interval.high - fit.interval.low
        assert posterior.interval.high - posterior.interval.low == pytest.approx(width, rel=0.5)
