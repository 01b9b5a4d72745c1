"""Parts of the mixed model by hand: mean squares and what they are pooled to, t tests, equations, intervals."""

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from analysis.errors import ArgumentError, DegenerateWarning
from analysis.instances import (
    InstanceComponents,
    _anova,
    _bootstrap,
    _equations,
    _mixed_models,
    _posterior,
    bootstrap_comparison,
    compare_algorithms,
    compare_instances,
    design_power,
    fit_reml,
    instances_and_topics_needed,
    posterior_difference,
)
from analysis.instances._absent_cells_posterior import RatioGrid, _average_counts, _range, _rule, ratio_grid
from analysis.instances._anova import InstanceStratum, Strata, algorithm_strata, components_of
from analysis.instances._design import _expected_variance
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import simulated_table, table_with_mean_squares


def strata(*parts: InstanceStratum, square: float = 0.5, covariance: float = 0.1, effect: bool = True) -> Strata:
    """Ten topics, so nine degrees of freedom of the differences."""
    return Strata(0.2, 10, square, 9, parts, covariance, effect)


def part(instance: float, residual: float, *, weight: float = 0.5) -> InstanceStratum:
    return InstanceStratum(weight, instance, 6, residual, 54)


class TestWhatAVarianceIsMadeOf:
    def test_instances_that_vary_more_than_the_residual_add_what_they_vary_more(self):
        found = strata(part(0.9, 0.4))
        assert found.terms == [(0.5, 9), (0.45, 6), (-0.2, 54)]
        assert found.variance == pytest.approx(0.75 / 10)
        assert found.df == pytest.approx(0.75**2 / (0.5**2 / 9 + 0.45**2 / 6 + 0.2**2 / 54))

    def test_instances_that_vary_less_or_as_much_add_nothing(self):
        for found in (strata(part(0.3, 0.4)), strata(part(0.4, 0.4))):
            assert found.terms == [(0.5, 9)]
            assert (found.variance, found.df) == (0.05, pytest.approx(9))

    def test_a_residual_that_instances_join_is_weighed_by_degrees_of_freedom(self):
        pooled = (0.3 * 6 + 0.5 * 54) / 60
        assert strata(part(0.3, 0.5), square=0.4).terms == [(0.4, 9)]
        assert components_of(strata(part(0.3, 0.5))).residual == pytest.approx(pooled)

    def test_an_interaction_that_is_less_than_the_residual_joins_it(self):
        """.5 × .8 = .4 of the difference's square is the residual's: .3 is less."""
        found = strata(part(2.0, 0.8), square=0.3)
        assert found.terms == [(1.0, 6)]
        made = components_of(found)
        residual = (0.8 * 54 + 0.6 * 9) / 63
        assert made.residual == pytest.approx(residual)
        assert made.instance == pytest.approx((2.0 - residual) / 10)
        assert (made.algorithm_topic, made.truncated) == (0.0, ("algorithm_topic",))

    def test_an_interaction_that_is_just_the_residual_stays(self):
        found = strata(part(2.0, 0.8), square=0.4)
        assert found.terms == [(0.4, 9), (1.0, 6), (-0.4, 54)]
        assert components_of(found).truncated == ()

    def test_instances_join_a_residual_that_the_interaction_joined_only_where_they_vary_less_than_it_then_does(self):
        between = strata(part(0.78, 0.8), square=0.3)
        residual = (0.8 * 54 + 0.6 * 9) / 63
        assert 0.6 < residual < 0.78
        assert between.terms == [(0.39, 6)]
        less = strata(part(0.7, 0.8), square=0.3)
        joint = (0.7 * 6 + residual * 63) / 69
        assert less.terms == [(pytest.approx(joint / 2), 69)]
        assert components_of(less).truncated == ("algorithm_topic", "instance")
        assert components_of(less).instance == 0

    def test_separate_residuals_are_not_joined_by_the_interaction(self):
        found = strata(part(2.0, 0.8), part(0.1, 0.6, weight=0.25), square=0.3)
        joint = (0.1 * 6 + 0.6 * 54) / 60
        assert found.terms == [(1.0, 6), (pytest.approx(0.25 * joint), 60)]
        made = components_of(found)
        assert made.residual == pytest.approx((0.8 + joint) / 2)
        assert made.instance == pytest.approx((2.0 - 0.8) / 2 / 10)
        assert made.truncated == ("algorithm_topic", "instance")

    def test_mere_repeats_are_judged_by_the_differences_alone(self):
        one = InstanceStratum(0.5, 0.7, 60, 0.7, 60)
        found = strata(one, effect=False)
        assert found.terms == [(0.5, 9)]
        made = components_of(found)
        assert (made.instance, made.residual, made.truncated) == (None, 0.7, ())
        assert made.algorithm_topic == pytest.approx((0.5 - 0.35) / 2)
        assert components_of(strata(one, square=0.3, effect=False)).truncated == ("algorithm_topic",)

    def test_without_anything_random_the_interaction_cannot_be_told(self):
        made = components_of(strata(covariance=-0.1))
        assert made == InstanceComponents(None, 0.0, None, 0.25, ("topic",))
        assert components_of(strata(covariance=0.0)).truncated == ()

    def test_a_topic_component_is_the_covariance(self):
        assert components_of(strata(part(2.0, 0.8))).topic == 0.1
        assert components_of(strata(part(0.3, 0.4), covariance=-0.1)).truncated == ("topic", "instance")

    def test_degrees_of_freedom_are_those_of_the_difference_where_nothing_varies(self):
        assert strata(part(0.0, 0.0), square=0.0).df == 9.0

    def test_degrees_of_freedom_are_never_below_1(self):
        cancelling = Strata(0.2, 2, 0.42, 1, (InstanceStratum(1.0, 0.405, 2, 0.4, 2),), 0.1, True)
        exact = 0.425**2 / (0.42**2 + 0.405**2 / 2 + 0.4**2 / 2)
        assert exact < 1
        assert cancelling.df == 1.0


class TestMeanSquares:
    TABLE = np.array(
        [
            [[0.5, 0.3, 0.7], [0.4, 0.4, 0.6]],
            [[0.4, 0.2, 0.6], [0.2, 0.3, 0.7]],
        ]
    )

    def test_of_two_algorithms_two_instances_and_three_topics(self):
        """Means of instances .5, .4667; .4, .4. Of topics .45, .35, .65; .3, .25, .65."""
        found = algorithm_strata(InstanceScores.from_array(self.TABLE), "A", "B")
        (one,) = found.instance_strata
        assert found.estimate == pytest.approx(29 / 60 - 0.4)
        assert found.difference_square == pytest.approx(np.var([0.15, 0.1, 0.0], ddof=1))
        assert (found.n_topics, found.difference_df, one.instance_df, one.residual_df) == (3, 2, 2, 4)
        assert one.weight == pytest.approx(1.0)
        assert one.instance == pytest.approx(3 * 2 * (1 / 60) ** 2 / 2)
        # Half the squares of the differences of the two instances around their mean: .1, -.1, .1; .2, -.1, -.1.
        half = [(gap - gap.mean()) ** 2 for gap in (np.array([0.1, -0.1, 0.1]), np.array([0.2, -0.1, -0.1]))]
        assert one.residual == pytest.approx(np.sum(half) / 2 / 4)
        assert found.topic_covariance == pytest.approx(np.cov([0.45, 0.35, 0.65], [0.3, 0.25, 0.65])[0, 1])

    def test_separate_strata_are_one_for_each_algorithm(self):
        found = algorithm_strata(InstanceScores.from_array(self.TABLE), "A", "B", separate=True)
        first, second = found.instance_strata
        assert (first.weight, second.weight) == (0.5, 0.5)
        assert (first.instance_df, first.residual_df) == (1, 2)
        assert first.instance == pytest.approx(3 * 2 * (1 / 60) ** 2)
        assert second.instance == 0.0
        assert second.residual == pytest.approx((0.2**2 + 0.1**2 + 0.1**2) / 2 / 2)

    def test_repeats_have_one_mean_square_of_all_that_varies_within_topics(self):
        found = algorithm_strata(InstanceScores.from_array(self.TABLE), "A", "B", instance_effect=False)
        (one,) = found.instance_strata
        within = self.TABLE.var(axis=1, ddof=1).mean()
        assert (one.instance, one.residual) == (pytest.approx(within), pytest.approx(within))
        assert (one.instance_df, one.residual_df) == (6, 6)

    def test_a_deterministic_algorithm_has_no_stratum(self):
        table = self.TABLE.copy()
        table[1, 1] = table[1, 0]
        found = algorithm_strata(InstanceScores.from_array(table, deterministic=["B"]), "A", "B")
        (one,) = found.instance_strata
        assert (one.weight, one.instance_df) == (0.5, 1)

    def test_a_third_algorithm_lends_its_variance_without_weight(self):
        third = [[[0.1, 0.2, 0.4], [0.1, 0.3, 0.3]]]
        scores = InstanceScores.from_array(np.concatenate([self.TABLE, third]))
        found = algorithm_strata(scores, "A", "B")
        (one,) = found.instance_strata
        assert (one.weight, one.instance_df, one.residual_df, found.difference_df) == (1.0, 3, 6, 4)
        means = scores.scores.reshape(3, 2, 3).mean(axis=1)
        rest = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
        assert found.difference_square == pytest.approx(1.0 * 2 * (rest**2).sum() / 4)
        covariances = np.cov(means)[np.triu_indices(3, 1)]
        assert found.topic_covariance == pytest.approx(covariances.mean())

    @pytest.mark.parametrize("third", ["fewer", "deterministic", "absent"])
    def test_pooling_is_refused_where_designs_differ(self, third):
        rows = [
            (name, str(instance), str(topic), value / 100)
            for name in "ABC"
            for instance in range({"fewer": 3}.get(third, 2) if name == "C" else 2)
            for topic, value in enumerate(
                (10, 20, 40 + 3 * instance if third != "deterministic" or name != "C" else 40)
            )
        ]
        if third == "absent":
            rows.pop()
        scores = InstanceScores(*zip(*rows, strict=True), deterministic=["C"] if third == "deterministic" else [])
        with pytest.raises(ArgumentError, match="pool_algorithms needs equally many instances of every algorithm"):
            compare_algorithms(scores, "A", "B", pool_algorithms=True)

    def test_what_is_but_rounding_is_0(self):
        base = np.array([0.1, 0.2, 0.7])
        table = np.array([[base, base + 1e-15], [base + 3e-16, base]])
        found = algorithm_strata(InstanceScores.from_array(table), "A", "B")
        assert (found.estimate, found.difference_square) == (0.0, 0.0)
        assert (found.instance_strata[0].instance, found.instance_strata[0].residual) == (0.0, 0.0)

    def test_rounding_is_a_billionth_of_a_thousandth_of_the_largest_score(self):
        tables = {"A": np.array([[0.1, -3.0]]), "B": np.array([[2.0, 1.0]])}
        assert _anova._rounding(tables) == pytest.approx(9e-24)


class TestTTest:
    @pytest.mark.parametrize(
        ("side", "expected"),
        [
            ("two-sided", 2 * stats.t.sf(2, 7)),
            ("less", stats.t.cdf(2, 7)),
            ("greater", stats.t.sf(2, 7)),
        ],
    )
    def test_sides(self, side, expected):
        assert _mixed_models._t_test(0.4, 0.2, 7, side) == (pytest.approx(2.0), pytest.approx(expected))

    def test_a_p_value_is_at_most_1_and_above_0(self):
        assert _mixed_models._t_test(0.0, 0.2, 7, "two-sided") == (0.0, 1.0)
        assert 0 < _mixed_models._t_test(1e9, 1e-9, 500, "greater")[1] < 1e-300

    def test_nothing_that_varies(self):
        with pytest.warns(DegenerateWarning, match="agree everywhere: the p-value is 1"):
            assert _mixed_models._t_test(0.0, 0.0, 7, "less") == (0.0, 1.0)
        with pytest.raises(ArgumentError, match="must not differ by the same amount everywhere"):
            _mixed_models._t_test(0.1, 0.0, 7, "less")

    def test_the_warning_names_the_place_of_the_call(self):
        base = [[0.1, 0.2, 0.7], [0.1, 0.2, 0.7]]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compare_algorithms(InstanceScores.from_array([base, base]), "A", "B")
        assert [Path(one.filename).name for one in caught] == [Path(__file__).name]


class TestComparisons:
    SCORES = InstanceScores.from_array(simulated_table(np.random.default_rng(3), 3, 12, n_algorithms=3))
    GAPPY = InstanceScores(list("AAAABBB"), list("1122112"), list("1212122"), np.arange(7) / 10)

    def test_absent_cells_leave_nothing_to_pool(self):
        with pytest.raises(ArgumentError, match="must have no absent cells"):
            compare_algorithms(self.GAPPY, "A", "B", pool_algorithms=True)

    def test_whether_to_pool_is_true_or_false(self):
        with pytest.raises(ArgumentError, match="pool_algorithms must be"):
            compare_algorithms(self.SCORES, "A", "B", pool_algorithms=1)

    def test_only_the_pair_is_looked_at_unless_pooled(self):
        pair = InstanceScores.from_array(self.SCORES.scores.reshape(3, 3, 12)[:2])
        assert compare_algorithms(self.SCORES, "A", "B") == compare_algorithms(pair, "A", "B")
        pooled = compare_algorithms(self.SCORES, "A", "B", pool_algorithms=True)
        assert pooled.estimate == pytest.approx(compare_algorithms(pair, "A", "B").estimate)
        assert pooled.standard_error != compare_algorithms(pair, "A", "B").standard_error

    def test_an_absent_cell_of_a_third_algorithm_is_of_no_concern(self):
        names, instances = zip(*self.SCORES.instances, strict=True)
        rows = [
            (name, instance, topic, float(self.SCORES.scores[row, column]))
            for row, (name, instance) in enumerate(zip(names, instances, strict=True))
            for column, topic in enumerate(self.SCORES.topics)
        ]
        scores = InstanceScores(*zip(*rows[:-1], strict=True))
        found = compare_algorithms(scores, "A", "B", variances="separate")
        assert (found.method, found.n_absent) == ("anova", 0)

    def test_a_fit_says_of_absent_cells(self):
        table = simulated_table(np.random.default_rng(5), 3, 12)
        rows = [
            ("AB"[algorithm], str(instance), str(topic), value)
            for (algorithm, instance, topic), value in np.ndenumerate(table)
        ]
        scores = InstanceScores(*zip(*rows[:-2], strict=True))
        for model in ("instances", "repeats"):
            found, fit = (
                compare_algorithms(scores, "A", "B", model=model),
                fit_reml(scores, instance_effect=model == "instances"),
            )
            assert (found.method, found.n_absent, found.n_instances) == ("reml", 2, (3, 3))
            assert (found.estimate, found.standard_error, found.df) == (fit.difference, fit.standard_error, fit.df)
            assert found.components == fit.components
        by_topics = compare_algorithms(scores, "A", "B", degrees_of_freedom="topics")
        assert by_topics.df == 11.0

    def test_single_instances_at_the_very_level_count(self):
        table = simulated_table(np.random.default_rng(8), 2, 12)
        scores = InstanceScores.from_array(table)
        level = float(compare_instances(scores, "A", "B").pvalues.min())
        found = compare_instances(scores, "A", "B", significance_level=level)
        assert found.fraction_first_better + found.fraction_second_better == 0.25

    def test_single_instances_that_differ_by_rounding_are_equal(self):
        base = np.array([0.1, 0.2, 0.7])
        nearly, turned = base + np.array([3e-17, 6e-17, 2e-16]), base + np.array([0.1, 0.2, -0.3])
        assert (base - nearly).mean() != 0
        assert (base - turned).mean() != 0
        table = np.array([[base, base + np.array([0.1, 0.0, 0.2])], [nearly, turned]])
        found = compare_instances(InstanceScores.from_array(table), "A", "B")
        assert found.differences[0].tolist() == [0.0, 0.0]
        assert found.pvalues[0].tolist() == [1.0, 1.0]


class TestPlans:
    PILOT = InstanceComponents(0.0, 0.02, 0.0025, 0.0025, ())

    def test_the_power_of_the_last_number_of_topics_may_be_enough(self):
        needed = instances_and_topics_needed(self.PILOT, 0.03, n_instances=(5,)).designs[0].n_topics
        just = instances_and_topics_needed(self.PILOT, 0.03, n_instances=(5,), max_topics=needed).designs[0]
        assert (just.n_topics, just.why_no_topics) == (needed, None)
        assert instances_and_topics_needed(self.PILOT, 0.03, n_instances=(5,), max_topics=needed - 1).cheapest is None

    def test_a_power_that_is_just_reached_is_enough(self):
        power = design_power(self.PILOT, 0.03, n_instances=5, n_topics=20)
        plan = instances_and_topics_needed(self.PILOT, 0.03, n_instances=(5,), power=power)
        assert plan.designs[0].n_topics == 20
        assert plan.designs[0].power == power

    def test_two_topics_may_do(self):
        plan = instances_and_topics_needed(InstanceComponents(0.0, 0.1, 1e-8, 1e-8, ()), 0.5, n_instances=(2, 3))
        assert [design.n_topics for design in plan.designs] == [2, 2]
        assert plan.cheapest.n_instances == 2

    def test_of_two_cheapest_designs_the_first_is_named(self):
        plan = instances_and_topics_needed(InstanceComponents(0.0, 0.1, 1e-8, 1e-8, ()), 0.5, n_instances=(3, 3))
        assert plan.cheapest is plan.designs[0]

    def test_the_variance_of_a_design_is_made_of_three_mean_squares(self):
        components = InstanceComponents(0.01, 0.5, 0.02, 0.03, ())
        variance, df = _expected_variance(components, 4, np.array([5, 10]), False)
        # 2 × .01 / 4 of the instances; 2 × .02 and 2 × .03 / 4 over the topics.
        assert variance == pytest.approx([0.005 + 0.055 / 5, 0.005 + 0.055 / 10])
        spread = 0.055**2 / 4 + (0.5 * 0.08) ** 2 / 6 + (0.5 * 0.03) ** 2 / 24
        assert df[0] == pytest.approx((0.055 + 0.5 * 0.05) ** 2 / spread)
        rival, rival_df = _expected_variance(components, 4, np.array([5]), True)
        assert rival == pytest.approx([0.0025 + (0.04 + 0.0075) / 5])
        spread = 0.0475**2 / 4 + (0.25 * 0.08) ** 2 / 3 + (0.25 * 0.03) ** 2 / 12
        assert rival_df[0] == pytest.approx((0.0475 + 0.25 * 0.05) ** 2 / spread)

    def test_degrees_of_freedom_of_a_design_are_at_least_1(self):
        _, df = _expected_variance(InstanceComponents(0.0, 0.1, 0.0, 1.0, ()), 2, np.array([2]), True)
        assert df.tolist() == [1.0]

    @pytest.mark.parametrize("name", ["instance", "residual"])
    def test_no_component_is_negative(self, name):
        with pytest.raises(ArgumentError, match=f"components.{name} must be 0 or more"):
            design_power(replace(self.PILOT, **{name: -0.01}), 0.1, n_instances=2, n_topics=5)

    def test_the_topics_do_not_matter_and_may_be_0(self):
        options = {"n_instances": 3, "n_topics": 20}
        assert design_power(replace(self.PILOT, topic=0.0), 0.03, **options) == design_power(
            self.PILOT, 0.03, **options
        )

    def test_one_component_above_0_is_enough(self):
        for values in ((0.01, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.01)):
            components = InstanceComponents(values[0], 0.0, values[1], values[2], ())
            assert 0 < design_power(components, 0.03, n_instances=3, n_topics=20) <= 1

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"confidence_level": 0}, "confidence_level must lie strictly between 0 and 1"),
            ({"deterministic_rival": "yes"}, "deterministic_rival must be"),
            ({"components": None}, "components must be of type InstanceComponents"),
            ({"power": 0}, "power must lie strictly between 0 and 1"),
        ],
    )
    def test_a_plan_is_of_arguments_that_there_can_be(self, changed, message):
        with pytest.raises(ArgumentError, match=message):
            instances_and_topics_needed(**({"components": self.PILOT, "size": 0.02} | changed))

    def test_two_topics_and_two_instances_are_the_fewest(self):
        assert 0 < design_power(self.PILOT, 0.02, n_instances=2, n_topics=2) < 1
        assert instances_and_topics_needed(self.PILOT, 0.02, n_instances=(2,), max_topics=2).cheapest is None


class TestBootstrap:
    TABLE = simulated_table(np.random.default_rng(11), 3, 10, instance=0.02)

    def test_it_says_what_was_compared(self):
        scores = InstanceScores.from_array(self.TABLE)
        seen = []
        found = bootstrap_comparison(
            scores, "B", "A", 5, n_resamples=19, progress=lambda done, total: seen.append((done, total))
        )
        closed = compare_algorithms(scores, "B", "A")
        assert (found.first, found.second, found.n_resamples) == ("B", "A", 19)
        assert found.estimate == pytest.approx(closed.estimate)
        assert found.statistic == pytest.approx(closed.statistic)
        assert seen == [(done, 19) for done in range(1, 20)]
        assert found.pvalue * 20 == pytest.approx(round(found.pvalue * 20))

    def test_the_p_value_counts_simulated_statistics_that_are_as_large(self):
        scores = InstanceScores.from_array(self.TABLE)
        closed = compare_algorithms(scores, "A", "B")
        generator = np.random.default_rng(5)
        statistics = []
        for _ in range(40):
            simulated = _bootstrap._simulated(scores, closed.components, generator)
            statistics.append(compare_algorithms(simulated, "A", "B").statistic)
        expected = (1 + (np.abs(statistics) >= abs(closed.statistic)).sum()) / 41
        assert bootstrap_comparison(scores, "A", "B", 5, n_resamples=40).pvalue == pytest.approx(expected)

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"n_resamples": 18}, "n_resamples must be a whole number, 19 or more"),
            ({"progress": 3}, "progress must be"),
            ({"rng": None}, "rng must be"),
            ({"second": "A"}, "second must be another algorithm than first"),
        ],
    )
    def test_arguments_are_refused_by_name(self, changed, message):
        scores = InstanceScores.from_array(self.TABLE)
        with pytest.raises(ArgumentError, match=message):
            bootstrap_comparison(**({"scores": scores, "first": "A", "second": "B", "rng": 1} | changed))

    def test_something_must_vary(self):
        base = np.array([[0.1, 0.2, 0.7], [0.1, 0.2, 0.7]])
        with pytest.raises(ArgumentError, match="scores must vary"):
            bootstrap_comparison(InstanceScores.from_array([base, base]), "A", "B", 1)
        table = [[[0.1, 0.2, 0.7]], [[0.2, 0.2, 0.6]]]
        with pytest.raises(ArgumentError, match="must hold an algorithm that varies; a paired test does it"):
            bootstrap_comparison(InstanceScores.from_array(table, deterministic=["A", "B"]), "A", "B", 1)

    def test_simulated_scores_have_the_components_asked_for_and_no_difference(self):
        scores = InstanceScores.from_array(np.random.default_rng(1).normal(size=(2, 40, 400)))
        components = InstanceComponents(0.25, 4.0, 1.0, 0.09, ())
        simulated = _bootstrap._simulated(scores, components, np.random.default_rng(2))
        table = simulated.scores.reshape(2, 40, 400)
        made = components_of(algorithm_strata(simulated, "A", "B"))
        assert made.instance == pytest.approx(0.25, rel=0.4)
        assert made.topic == pytest.approx(4.0, rel=0.2)
        assert made.algorithm_topic == pytest.approx(1.0, rel=0.2)
        assert made.residual == pytest.approx(0.09, rel=0.05)
        # Instances 2 × .25 / 40, topics 2 × 1 / 400.
        assert abs(table[0].mean() - table[1].mean()) < 4 * (0.0125 + 0.005) ** 0.5

    def test_simulated_scores_are_absent_where_scores_were_and_the_deterministic_stays_so(self):
        names = ["A"] * 6 + ["B"] * 3
        instances, topics = list("111222111"), list("123123123")
        scores = InstanceScores(names[1:], instances[1:], topics[1:], np.arange(8) / 10, deterministic=["B"])
        components = InstanceComponents(0.0, 0.0, None, 0.09, ())
        simulated = _bootstrap._simulated(scores, components, np.random.default_rng(2))
        assert (simulated.present == scores.present).all()
        assert simulated.deterministic == ("B",)
        assert (simulated.scores[simulated.rows_of("B")] == 0).all()
        of_first = simulated.scores[simulated.rows_of("A")][scores.present[scores.rows_of("A")]]
        assert (of_first != 0).all()

    def test_the_interaction_is_shared_by_the_instances_of_an_algorithm(self):
        scores = InstanceScores.from_array(np.random.default_rng(1).normal(size=(2, 2, 5)))
        components = InstanceComponents(0.0, 0.0, 1.0, 0.0, ())
        table = _bootstrap._simulated(scores, components, np.random.default_rng(2)).scores
        assert (table[0] == table[1]).all()
        assert (table[2] == table[3]).all()
        assert (table[0] != table[2]).all()
        topics = _bootstrap._simulated(
            scores, InstanceComponents(0.0, 1.0, 0.0, 0.0, ()), np.random.default_rng(2)
        ).scores
        assert (topics == topics[0]).all()
        assert np.unique(topics[0]).size == 5
        alone = _bootstrap._simulated(
            scores, InstanceComponents(1.0, 0.0, 0.0, 0.0, ()), np.random.default_rng(2)
        ).scores
        assert (alone == alone[:, :1]).all()
        assert np.unique(alone[:, 0]).size == 4

    def test_the_fit_of_absent_cells_is_that_by_reml(self):
        rows = [("AB"[a], str(i), str(t), value) for (a, i, t), value in np.ndenumerate(self.TABLE)]
        scores = InstanceScores(*zip(*rows[:-1], strict=True))
        fit = fit_reml(scores)
        assert _bootstrap._fitted(scores) == (fit.difference, fit.standard_error, fit.components)


class TestIntervals:
    def test_of_one_normal_it_is_the_central_one(self):
        low, high = _posterior._shortest_interval(np.full(5, 0.3), np.full(5, 0.1), 0.9)
        assert (low, high) == (pytest.approx(0.3 - 0.1 * stats.norm.ppf(0.95)), pytest.approx(0.3 + 0.1644853627))

    def test_of_normals_around_one_centre_it_is_central_too(self):
        errors = np.array([0.1, 0.3])
        low, high = _posterior._shortest_interval(np.array([1.0, 1.0]), errors, 0.95)
        assert low + high == pytest.approx(2.0)
        inside = np.mean(stats.norm.cdf((high - 1) / errors) - stats.norm.cdf((low - 1) / errors))
        assert inside == pytest.approx(0.95)

    def test_of_a_skewed_mixture_density_is_the_same_at_both_ends(self):
        centres, errors = np.array([0.0, 0.0, 0.0, 0.6]), np.array([0.2, 0.2, 0.2, 0.5])
        low, high = _posterior._shortest_interval(centres, errors, 0.8)
        inside = np.mean(stats.norm.cdf((high - centres) / errors) - stats.norm.cdf((low - centres) / errors))
        assert inside == pytest.approx(0.8)
        ends = [np.mean(stats.norm.pdf(end, centres, errors)) for end in (low, high)]
        assert ends[0] == pytest.approx(ends[1], rel=1e-3)

    @pytest.mark.parametrize("side", [1, -1])
    def test_it_lies_around_the_peak_however_far_that_is_from_the_mean(self, side):
        """The peak is at 0, the mean eight of its standard deviations away."""
        centres, errors = side * np.array([0.0, 0.0, 0.0, 0.64]), np.array([0.02, 0.02, 0.02, 0.5])
        low, high = _posterior._shortest_interval(centres, errors, 0.5)
        assert (low + high) / 2 == pytest.approx(0.0, abs=1e-3)
        assert high - low < 0.06


class TestPosterior:
    def test_two_deterministic_algorithms_leave_scaled_inverse_chi_squared(self):
        draws = _posterior._variance_draws(strata(square=0.5), 40_000, np.random.default_rng(1))
        assert stats.kstest(9 * 0.5 / draws, stats.chi2(9).cdf).pvalue > 0.001

    def test_a_residual_that_nothing_restricts_is_scaled_inverse_chi_squared(self):
        others = ((1e9, 6), (1e9, 9))
        draws = _posterior._residual_draws(0.8, 54, others, 40_000, np.random.default_rng(1))
        assert stats.kstest(0.8 / draws, stats.chi2(54).cdf).pvalue > 0.001

    def test_a_residual_is_below_what_holds_it(self):
        """Weights of draws without restriction are the chances that the two others are above them."""
        others = ((0.05, 6), (0.3, 9))
        draws = _posterior._residual_draws(0.8, 54, others, 40_000, np.random.default_rng(1))
        free = 0.8 / np.random.default_rng(2).chisquare(54, 400_000)
        weights = stats.chi2(6).cdf(0.05 / free) * stats.chi2(9).cdf(0.3 / free)
        assert draws.mean() == pytest.approx(np.average(free, weights=weights), rel=0.01)
        assert draws.mean() < 0.98 * free.mean()

    def test_a_residual_that_is_too_improbable_to_be_told_from_0_is_not_drawn(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            draws = _posterior._residual_draws(0.8, 54, ((5.0, 200), (5.0, 200)), 5000, np.random.default_rng(1))
        assert draws.mean() == pytest.approx(0.8 / 52, rel=0.05)

    def test_variances_of_instances_and_interaction_are_above_that_of_the_residual(self):
        """By rejection: all three free, kept where both are above the residual's."""
        one = InstanceStratum(0.5, 0.03, 6, 0.02, 54)
        found = _posterior._variance_draws(strata(one, square=0.015), 40_000, np.random.default_rng(1))
        rng = np.random.default_rng(2)
        residual = 0.02 * 54 / rng.chisquare(54, 400_000)
        instance, interaction = 0.03 * 6 / rng.chisquare(6, 400_000), 0.03 * 9 / rng.chisquare(9, 400_000)
        kept = (instance > residual) & (interaction > residual)
        expected = 0.5 * (instance + interaction - residual)[kept]
        assert np.quantile(found, [0.1, 0.5, 0.9]) == pytest.approx(np.quantile(expected, [0.1, 0.5, 0.9]), rel=0.02)

    @pytest.mark.parametrize(
        "found",
        [
            strata(part(0.0, 0.4)),
            strata(part(0.4, 0.0)),
            strata(part(0.4, 0.3), square=0.0),
        ],
    )
    def test_a_mean_square_of_0_is_refused(self, found):
        with pytest.raises(ArgumentError, match="an algorithm whose instances all agree is to be named deterministic"):
            _posterior._check_mean_squares(found)

    def test_mean_squares_above_0_are_not(self):
        assert _posterior._check_mean_squares(strata(part(0.4, 0.3))) is None

    def test_a_thousand_draws_are_enough_and_told(self):
        scores = InstanceScores.from_array(simulated_table(np.random.default_rng(3), 3, 12))
        found = posterior_difference(scores, "B", "A", 1, n_draws=1000, confidence_level=0.8)
        assert (found.first, found.second, found.n_draws, found.interval.confidence_level) == ("B", "A", 1000, 0.8)
        assert found.estimate == pytest.approx(compare_algorithms(scores, "B", "A").estimate)
        with pytest.raises(ArgumentError, match="n_draws must be a whole number, 1000 or more"):
            posterior_difference(scores, "A", "B", 1, n_draws=999)

    def test_a_grid_draws_t_variables(self):
        grid = RatioGrid(np.array([0.25, 0.75]), np.array([1.0, 2.0]), np.array([0.1, 0.3]), 7)
        centres, errors = grid.draws(40_000, np.random.default_rng(1))
        assert np.mean(centres == 1.0) == pytest.approx(0.25, abs=0.01)
        assert set(np.unique(centres)) == {1.0, 2.0}
        scales = np.where(centres == 1.0, 0.1, 0.3)
        assert stats.kstest(7 * (scales / errors) ** 2, stats.chi2(7).cdf).pvalue > 0.001

    def test_average_counts_of_topics_and_instances(self):
        """A: three instances with 3, 2 and 3 topics; B: two with 3 and 2. Topics have 3, 3, 2 and 2, 2, 1 of them."""
        cells = [("A", 1, (1, 2, 3)), ("A", 2, (1, 2)), ("A", 3, (1, 2, 3)), ("B", 1, (1, 2, 3)), ("B", 2, (1, 2))]
        rows = [(name, str(one), str(topic)) for name, one, topics in cells for topic in topics]
        scores = InstanceScores(*zip(*rows, strict=True), np.arange(13) / 20)
        n_topics, n_instances = _average_counts(scores)
        assert n_topics == pytest.approx(13 / 5)
        assert n_instances == pytest.approx(2 / (3 / 8 + 3 / 5))

    def test_average_counts_against_a_deterministic_algorithm_are_of_the_other(self):
        cells = [("A", 1, (1, 2, 3)), ("A", 2, (1, 2)), ("B", 1, (1, 2, 3))]
        rows = [(name, str(one), str(topic)) for name, one, topics in cells for topic in topics]
        scores = InstanceScores(*zip(*rows, strict=True), np.arange(8) / 20, deterministic=["B"])
        n_topics, n_instances = _average_counts(scores)
        assert (n_topics, n_instances) == (pytest.approx(2.5), pytest.approx(2 * 5 / 3))

    def test_a_topic_that_an_algorithm_lacks_is_not_counted_for_it(self):
        cells = [("A", 1, (1, 2)), ("A", 2, (1, 2)), ("B", 1, (1, 2, 3)), ("B", 2, (1, 2, 3))]
        rows = [(name, str(one), str(topic)) for name, one, topics in cells for topic in topics]
        _, n_instances = _average_counts(InstanceScores(*zip(*rows, strict=True), np.arange(10) / 20))
        assert n_instances == pytest.approx(2.0)

    def test_scores_that_topics_and_instances_use_up_are_refused(self):
        """Five scores less two algorithms and three topics leave none; a sixth leaves one."""
        rows = [("A", "1", "1"), ("A", "2", "2"), ("B", "1", "2"), ("B", "2", "3"), ("B", "2", "4")]
        with pytest.raises(ArgumentError, match="must hold more scores than topics and instances use up"):
            ratio_grid(InstanceScores(*zip(*rows, strict=True), [0.1, 0.2, 0.4, 0.3, 0.5]))

    def test_a_rule_integrates_polynomials(self):
        nodes, weights = _rule(1.0, 4.0)
        assert (weights.sum(), weights @ nodes**3) == (pytest.approx(3.0), pytest.approx((4**4 - 1) / 4))
        assert nodes.min() > 1.0
        assert nodes.max() < 4.0

    def test_a_range_ends_where_the_density_has_fallen_by_e_to_the_20th_or_at_the_limits(self):
        low, high = _range(lambda log: -((log - 10.0) ** 2), 10.0)
        assert 10 - low >= 20**0.5
        assert high - 10 >= 20**0.5
        assert 10 - low < 1.4 * 20**0.5
        assert low + high == pytest.approx(20.0)
        assert _range(lambda log: -log / 100, 0.0) == (0.0, 20.0)
        assert _range(lambda log: 0.0, 1.0) == (0.0, 20.0)


def dense_parts(
    scores: InstanceScores, ratios: tuple[float, float, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The covariance over the residual variance, the design and the scores, of all scores there are."""
    rows, columns = np.nonzero(scores.present)
    owner = np.array([scores.algorithms.index(name) for name, _ in scores.instances])[rows]
    varying = np.array([name not in scores.deterministic for name, _ in scores.instances])[rows]
    same_topic = columns[:, None] == columns
    covariance = np.eye(rows.size) + ratios[1] * same_topic + ratios[2] * same_topic * (owner[:, None] == owner)
    covariance += ratios[0] * (rows[:, None] == rows) * varying
    return covariance, np.stack([owner == 0, owner == 1], axis=1).astype(float), scores.scores[rows, columns]


def gappy(n_instances: int, n_topics: int, n_absent: int) -> InstanceScores:
    table = simulated_table(np.random.default_rng(4), n_instances, n_topics, instance=0.03)
    rows = [("AB"[a], str(i), str(t), value) for (a, i, t), value in np.ndenumerate(table)]
    out = set(np.random.default_rng(6).choice(len(rows), n_absent, replace=False).tolist())
    return InstanceScores(*zip(*(row for number, row in enumerate(rows) if number not in out), strict=True))


class TestEquations:
    @pytest.mark.parametrize("scores", [gappy(3, 5, 0), gappy(3, 6, 4), gappy(8, 4, 3), gappy(2, 12, 9)])
    @pytest.mark.parametrize("ratios", [(0.3, 2.0, 0.7), (0.0, 2.0, 0.7), (0.3, 0.0, 0.0), (0.0, 0.0, 0.4)])
    def test_solutions_are_those_of_the_covariance_of_all_scores(self, scores, ratios):
        covariance, design, values = dense_parts(scores, ratios)
        inverse = np.linalg.inv(covariance)
        information = design.T @ inverse @ design
        means = np.linalg.solve(information, design.T @ inverse @ values)
        rest = values - design @ means
        equations = _equations.instance_equations(scores, True)
        found = equations.solve(np.array(ratios))
        contrast = np.array([1.0, -1.0])
        assert found.means + equations.centre == pytest.approx(means)
        assert found.quadratic == pytest.approx(rest @ inverse @ rest)
        assert found.contrast_variance == pytest.approx(contrast @ np.linalg.inv(information) @ contrast)
        expected = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(information)[1]
        assert found.log_determinants == pytest.approx(expected)

    @pytest.mark.parametrize("scores", [gappy(3, 6, 4), gappy(8, 4, 3)])
    def test_topics_of_any_level_are_topics_whose_variance_has_no_end(self, scores):
        within = _equations.instance_equations(scores, True).solve_within_topics(0.3, 0.7)
        wide = _equations.instance_equations(scores, True).solve(np.array([0.3, 1e7, 0.7]))
        assert within.means[0] == pytest.approx(wide.means[0] - wide.means[1], rel=1e-4)
        assert within.means[1] == 0
        assert within.contrast_variance == pytest.approx(wide.contrast_variance, rel=1e-4)
        assert within.quadratic == pytest.approx(wide.quadratic, rel=1e-3)

    def test_effects_reach_so_many_scores_on_average(self):
        """Two instances with 3 and 2 topics, two with 3 and 3: 11 scores, on 3 topics, in 6 cells."""
        cells = [("A", 1, (1, 2, 3)), ("A", 2, (1, 2)), ("B", 1, (1, 2, 3)), ("B", 2, (1, 2, 3))]
        rows = [(name, str(one), str(topic)) for name, one, topics in cells for topic in topics]
        scores = InstanceScores(*zip(*rows, strict=True), np.arange(11) / 20)
        equations = _equations.instance_equations(scores, True)
        assert equations.used.tolist() == [0, 1, 2]
        assert equations.scores_of_effects == pytest.approx([11 / 4, 11 / 3, 11 / 6])
        assert equations.n_free == 9
        repeats = _equations.instance_equations(scores, False)
        assert repeats.used.tolist() == [1, 2]
        assert repeats.scores_of_effects == pytest.approx([11 / 3, 11 / 6])

    def test_cells_without_a_score_are_no_cells(self):
        cells = [("A", 1, (1, 2)), ("A", 2, (1, 2)), ("B", 1, (1, 2, 3)), ("B", 2, (1, 2, 3))]
        rows = [(name, str(one), str(topic)) for name, one, topics in cells for topic in topics]
        scores = InstanceScores(*zip(*rows, strict=True), np.arange(10) / 20)
        assert _equations.instance_equations(scores, True).scores_of_effects == pytest.approx([2.5, 10 / 3, 2.0])

    def test_instances_of_a_deterministic_algorithm_have_no_effect(self):
        cells = [("A", 1, (1, 2, 3)), ("A", 2, (1, 2)), ("B", 1, (1, 2, 3))]
        rows = [(name, str(one), str(topic)) for name, one, topics in cells for topic in topics]
        scores = InstanceScores(*zip(*rows, strict=True), np.arange(8) / 20, deterministic=["B"])
        equations = _equations.instance_equations(scores, True)
        assert equations.instances.size.sum() == 2
        assert equations.instances.owner.tolist() == [0, 0]

    def test_copies_of_a_deterministic_score_weigh_like_so_many(self):
        cells = [("A", 1, (1, 2, 3)), ("A", 2, (1, 2)), ("B", 1, (1, 2, 3))]
        rows = [(name, str(one), str(topic)) for name, one, topics in cells for topic in topics]
        scores = InstanceScores(*zip(*rows, strict=True), np.arange(8) / 20, deterministic=["B"])
        equations = _equations.instance_equations(scores, True, copies=50.0)
        assert sorted(equations.topics.counts.tolist()) == [[1.0, 50.0], [2.0, 50.0]]
        assert equations.n_free == 6

    @pytest.mark.parametrize(("topic", "interaction"), [((1.0, 0.6), 0.4), ((1.0, 0.0), 0.4), ((1.0, 0.6), 0.0)])
    def test_topics_are_eliminated_by_their_inverse(self, topic, interaction):
        counts = np.array([[2.0, 3.0], [1.0, 0.0]])
        found = _equations._topic_parts(counts, topic, interaction)
        effects = interaction * np.eye(2) + topic[1]
        for number, count in enumerate(counts):
            n = np.diag(count)
            assert found.outside[number] == pytest.approx(np.linalg.inv(np.eye(2) + effects @ n))
            assert found.kept[number] == pytest.approx(n @ np.linalg.inv(np.eye(2) + effects @ n))
            product = found.factor[number] @ found.factor[number].T
            assert product == pytest.approx(effects @ np.linalg.inv(np.eye(2) + n @ effects))
            assert found.determinant[number] == pytest.approx(np.linalg.det(np.eye(2) + n @ effects))

    @pytest.mark.parametrize("shape", [(2, 5), (5, 2), (3, 3)])
    def test_what_instances_explain_is_the_same_by_either_side(self, shape):
        rng = np.random.default_rng(1)
        alone, shared, known = 2 + rng.random(shape[1]), 0.3 * rng.random(shape), rng.random((shape[1], 3))
        matrix = np.diag(alone) - shared.T @ shared
        explained, log_determinant = _equations._explained(alone, shared, known)
        assert explained == pytest.approx(known.T @ np.linalg.inv(matrix) @ known)
        assert log_determinant == pytest.approx(np.linalg.slogdet(matrix)[1])

    def test_sums_are_of_each_group(self):
        rows, groups = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([1, 0, 1])
        assert _equations._sums(rows, groups).tolist() == [[3.0, 4.0], [6.0, 8.0]]
        assert _equations._sums(np.empty(0), np.empty(0, dtype=np.intp)).size == 0


class TestRestrictedLikelihood:
    def test_a_fit_is_the_normal_density_of_all_scores(self):
        scores = gappy(3, 6, 4)
        fit = fit_reml(scores)
        made = fit.components
        ratios = tuple(value / made.residual for value in (made.instance, made.topic, made.algorithm_topic))
        covariance, design, values = dense_parts(scores, ratios)
        covariance *= made.residual
        inverse = np.linalg.inv(covariance)
        information = design.T @ inverse @ design
        means = np.linalg.solve(information, design.T @ inverse @ values)
        rest = values - design @ means
        n_free = values.size - 2
        deviance = n_free * np.log(2 * np.pi) + np.linalg.slogdet(covariance)[1]
        deviance += np.linalg.slogdet(information)[1] + rest @ inverse @ rest
        assert fit.deviance == pytest.approx(deviance)
        assert fit.difference == pytest.approx(means[0] - means[1])
        assert fit.means == pytest.approx(tuple(means))
        variance = np.array([1, -1]) @ np.linalg.inv(information) @ np.array([1, -1])
        assert fit.standard_error == pytest.approx(variance**0.5)

    def test_a_fit_of_all_cells_has_the_means_of_the_algorithms_and_their_difference(self):
        table = simulated_table(np.random.default_rng(4), 3, 8, instance=0.03)
        fit = fit_reml(InstanceScores.from_array(table))
        assert fit.difference == pytest.approx(table[0].mean() - table[1].mean())
        assert fit.means == pytest.approx((table[0].mean(), table[1].mean()))

    def test_a_small_component_that_is_above_0_is_kept(self):
        """Below a two-thousandth of the residual, yet seen over 3,000 topics."""
        table = table_with_mean_squares(0.0022, 0.02, 0.001, 0.01, n_instances=10, n_topics=3000)
        made = fit_reml(InstanceScores.from_array(table)).components
        assert made.instance == pytest.approx(0.0012 / 3000, rel=1e-2)
        assert made.truncated == ()

    def test_repeats_have_no_component_of_instances(self):
        fit = fit_reml(gappy(3, 6, 4), instance_effect=False)
        assert fit.components.instance is None
        assert "instance" not in fit.components.truncated

    def test_whether_instances_have_an_effect_is_true_or_false(self):
        with pytest.raises(ArgumentError, match="instance_effect must be"):
            fit_reml(gappy(3, 6, 4), instance_effect=1)
        with pytest.raises(ArgumentError, match="scores must be of type InstanceScores"):
            fit_reml(np.ones((2, 3, 4)))

    def test_degrees_of_freedom_are_those_of_mean_squares_where_all_is_balanced(self):
        """Five instances and thirty topics, no component at its boundary."""
        table = table_with_mean_squares(0.05, 0.02, 0.004, 0.01, n_instances=5, n_topics=30)
        scores = InstanceScores.from_array(table)
        h = 2 / 5
        terms = [(5 * h * 0.02 / 5, 29), (h * 0.05, 8), (-h * 0.004, 8 * 29)]
        total = sum(value for value, _ in terms)
        expected = total**2 / sum(value**2 / df for value, df in terms)
        assert compare_algorithms(scores, "A", "B").df == pytest.approx(expected)
        assert fit_reml(scores).df == pytest.approx(expected, rel=1e-3)
