"""Non-deterministic algorithms compared in closed form: special cases, REML, published reductions, degenerate data."""

import numpy as np
import pytest
from scipy import stats

from analysis.errors import ArgumentError, DegenerateWarning
from analysis.instances import compare_algorithms, compare_instances, fit_reml
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import only_cells, simulated_table, table_with_mean_squares
from tests.analysis.matrices import shipped_matrix


def scores_of(seed: int, n_instances: int = 4, n_topics: int = 25, **sds: float) -> InstanceScores:
    return InstanceScores.from_array(simulated_table(np.random.default_rng(seed), n_instances, n_topics, **sds))


SCORES = scores_of(1)
#: Mean squares behind the reference numbers for 2 algorithms, 6 instances and 40 topics.
REFERENCE = InstanceScores.from_array(
    table_with_mean_squares(0.0042658, 0.013833, 0.0013818, 0.0073745, n_instances=6, n_topics=40)
)


class TestRefusedArguments:
    def test_absent_cells_exclude_what_has_no_fit(self):
        gappy = InstanceScores(list("AAAABBB"), list("1122112"), list("1212122"), np.arange(7) / 10)
        with pytest.raises(ArgumentError, match="must have no absent cells for variances='separate'"):
            compare_algorithms(gappy, "A", "B", variances="separate")
        with pytest.raises(ArgumentError, match=r"must have no absent cells; complete_topics\(\)"):
            compare_instances(gappy, "A", "B")


class TestSpecialCases:
    def test_one_instance_each_is_the_paired_t_test(self):
        table = simulated_table(np.random.default_rng(4), 1, 30)
        result = compare_algorithms(InstanceScores.from_array(table, deterministic=["A", "B"]), "A", "B")
        expected = stats.ttest_rel(table[0, 0], table[1, 0])
        assert result.statistic == pytest.approx(expected.statistic, rel=1e-12)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
        assert result.df == pytest.approx(29)
        assert result.components.residual == pytest.approx(np.var(table[0, 0] - table[1, 0], ddof=1) / 2)
        opposed = InstanceScores.from_array(np.stack([table[0], 1 - table[0]]), deterministic=["A", "B"])
        assert compare_algorithms(opposed, "A", "B").components.truncated == ("topic",)

    def test_instances_as_repeats_are_the_paired_t_test_on_topic_means(self):
        means = SCORES.scores.reshape(2, 4, 25).mean(axis=1)
        result = compare_algorithms(SCORES, "A", "B", model="repeats")
        expected = stats.ttest_rel(*means)
        assert result.statistic == pytest.approx(expected.statistic, rel=1e-12)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
        assert result.interval.low == pytest.approx(expected.confidence_interval().low, rel=1e-10)

    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_the_closed_form_equals_reml(self, seed):
        scores = scores_of(seed, instance=0.03)
        result, fit = compare_algorithms(scores, "A", "B"), fit_reml(scores)
        assert fit.standard_error == pytest.approx(result.standard_error, rel=1e-5)
        assert fit.df == pytest.approx(result.df, rel=1e-3)
        for name in ("instance", "algorithm_topic", "topic", "residual"):
            assert getattr(fit.components, name) == pytest.approx(getattr(result.components, name), rel=1e-3)

    @pytest.mark.parametrize(
        ("instance", "interaction", "truncated"),
        [
            (0.001, 0.02, ("instance",)),
            (0.005, 0.001, ("algorithm_topic",)),
            (0.0018, 0.0012, ("algorithm_topic", "instance")),
            (0.00195, 0.0012, ("algorithm_topic",)),
        ],
    )
    def test_a_negative_component_is_0_as_in_reml(self, instance, interaction, truncated):
        table = table_with_mean_squares(instance, interaction, 0.002, 0.01, n_instances=3, n_topics=15)
        scores = InstanceScores.from_array(table)
        result, fit = compare_algorithms(scores, "A", "B"), fit_reml(scores)
        assert set(truncated) <= set(result.components.truncated)
        assert set(fit.components.truncated) == set(result.components.truncated)
        assert result.standard_error == pytest.approx(fit.standard_error, rel=1e-5)
        assert result.df == pytest.approx(fit.df, rel=1e-2)

    def test_unequally_many_instances_equal_reml(self):
        rng = np.random.default_rng(9)
        first, second = (simulated_table(rng, size, 20, instance=0.03, n_algorithms=1)[0] for size in (3, 7))
        shared = np.vstack([first, second])
        owner = ["A"] * 3 + ["B"] * 7
        scores = InstanceScores(
            np.repeat(owner, 20).tolist(),
            np.repeat([str(row) for row in range(10)], 20).tolist(),
            [str(topic) for topic in range(20)] * 10,
            shared.ravel(),
        )
        result, fit = compare_algorithms(scores, "A", "B"), fit_reml(scores)
        assert result.method == "anova"
        assert result.estimate == pytest.approx(first.mean() - second.mean())
        assert result.standard_error == pytest.approx(fit.standard_error, rel=2e-2)
        assert result.n_instances == (3, 7)

    def test_separate_variances_have_satterthwaites_degrees_of_freedom_over_the_mean_squares_of_each(self):
        rng = np.random.default_rng(9)
        tables = [simulated_table(rng, size, 20, instance=sd, n_algorithms=1)[0] for size, sd in ((3, 0.03), (7, 0.06))]
        padded = np.stack([np.pad(table, ((0, 7 - len(table)), (0, 0))) for table in tables])
        scores = only_cells(padded, np.arange(7)[:, None] < np.array([3, 7])[:, None, None] + np.zeros((1, 20)))
        terms = [((tables[0].mean(axis=0) - tables[1].mean(axis=0)).var(ddof=1), 19)]
        residuals = []
        for table in tables:
            r, means = len(table), table.mean(axis=1, keepdims=True)
            residual = ((table - means - table.mean(axis=0) + table.mean()) ** 2).sum() / ((r - 1) * 19)
            terms += [(20 * means.var(ddof=1) / r, r - 1), (-residual / r, (r - 1) * 19)]
            residuals.append(residual)
        total = sum(term for term, _ in terms)
        result = compare_algorithms(scores, "A", "B", variances="separate")
        assert result.standard_error**2 == pytest.approx(total / 20)
        assert result.df == pytest.approx(total**2 / sum(term**2 / df for term, df in terms))
        assert result.components.residual == pytest.approx(np.mean(residuals))

    def test_against_a_deterministic_algorithm_only_one_side_has_instances(self):
        """Var = S_D² / T + s²_instance / r, with s²_instance = (MS_S - MS_E) / T of the random algorithm."""
        table = simulated_table(np.random.default_rng(12), 5, 30, instance=0.03)
        scores = InstanceScores.from_array(np.stack([table[0], np.tile(table[1, 0], (5, 1))]), deterministic=["B"])
        differences = table[0].mean(axis=0) - table[1, 0]
        instance_square = 30 * table[0].mean(axis=1).var(ddof=1)
        rest = table[0] - table[0].mean(axis=1, keepdims=True) - table[0].mean(axis=0) + table[0].mean()
        instance = (instance_square - (rest**2).sum() / (4 * 29)) / 30
        result = compare_algorithms(scores, "A", "B")
        assert result.standard_error**2 == pytest.approx(differences.var(ddof=1) / 30 + instance / 5)
        assert result.components.instance == pytest.approx(instance)

    def test_separate_variances_change_the_degrees_of_freedom_alone_when_designs_are_equal(self):
        equal = compare_algorithms(REFERENCE, "A", "B")
        separate = compare_algorithms(REFERENCE, "A", "B", variances="separate")
        assert separate.standard_error == pytest.approx(equal.standard_error)
        assert separate.df < equal.df
        # Instances of the second alone vary less than its residual.
        table = simulated_table(np.random.default_rng(3), 5, 30, instance=0.05)
        table[1] -= table[1].mean(axis=1, keepdims=True) - table[1].mean()
        joined = compare_algorithms(InstanceScores.from_array(table), "A", "B", variances="separate")
        assert joined.components.truncated == ("instance",)


class TestReferenceValues:
    def test_satterthwaite_reference_of_six_instances_and_forty_topics(self):
        result = compare_algorithms(REFERENCE, "A", "B")
        assert result.standard_error == pytest.approx(0.011803, abs=5e-7)
        assert result.df == pytest.approx(41.53, abs=0.02)
        assert result.interval.low == pytest.approx(-0.01645, abs=5e-6)
        assert result.interval.high == pytest.approx(0.03120, abs=5e-6)
        assert result.components.instance == pytest.approx(7.21e-5, abs=5e-8)
        assert result.components.algorithm_topic == pytest.approx(0.0020752, abs=5e-8)

    def test_the_printed_degrees_of_freedom_are_those_of_topics(self):
        result = compare_algorithms(REFERENCE, "A", "B", degrees_of_freedom="topics")
        assert result.df == 39
        assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(result.statistic), 39))

    def test_five_executions_of_a_reranker_against_a_deterministic_one(self):
        """Single executions say p = .04 to .41; over all of them p = .143."""
        first = read_topic_scores("trec-dl-2019-passage__nDCG-at-10__gpt-3-5")
        others = read_topic_scores("trec-dl-2019-passage__nDCG-at-10")
        topics = sorted(next(iter(first.values())))
        rows = [("GPT-3.5", name, topic, first[name][topic]) for name in first for topic in topics]
        rows += [("Vicuna", "1", topic, others["rank_llm BM25_RM3+RankVicuna7B"][topic]) for topic in topics]
        scores = InstanceScores(*zip(*rows, strict=True), deterministic=["Vicuna"])
        single = compare_instances(scores, "GPT-3.5", "Vicuna").pvalues.ravel()
        assert sorted(single.round(2).tolist()) == [0.04, 0.11, 0.15, 0.22, 0.41]
        result = compare_algorithms(scores, "GPT-3.5", "Vicuna")
        assert (round(result.estimate, 4), round(result.pvalue, 3)) == (0.0246, 0.143)


def read_topic_scores(name: str) -> dict[str, dict[str, float]]:
    matrix = shipped_matrix(name)
    rows = zip(matrix.systems, matrix.scores.tolist(), strict=True)
    return {system: dict(zip(matrix.topics, scores, strict=True)) for system, scores in rows}


class TestInvariances:
    def test_the_order_of_instances_and_topics_does_not_matter(self):
        table = SCORES.scores.reshape(2, 4, 25)
        turned = InstanceScores.from_array(table[:, ::-1, ::-1])
        before, after = compare_algorithms(SCORES, "A", "B"), compare_algorithms(turned, "A", "B")
        assert after.statistic == pytest.approx(before.statistic, rel=1e-10)
        assert after.df == pytest.approx(before.df, rel=1e-8)

    def test_swapping_the_algorithms_turns_the_sign(self):
        before, after = compare_algorithms(SCORES, "A", "B"), compare_algorithms(SCORES, "B", "A")
        assert after.estimate == pytest.approx(-before.estimate)
        assert after.pvalue == pytest.approx(before.pvalue)
        assert after.interval.low == pytest.approx(-before.interval.high)

    def test_shift_and_scale_do_not_matter(self):
        scaled = InstanceScores.from_array(3 * SCORES.scores.reshape(2, 4, 25) + 7)
        before, after = compare_algorithms(SCORES, "A", "B"), compare_algorithms(scaled, "A", "B")
        assert after.statistic == pytest.approx(before.statistic, rel=1e-9)
        assert after.standard_error == pytest.approx(3 * before.standard_error, rel=1e-9)

    def test_one_sided_p_values_add_up_to_1(self):
        less, greater = (compare_algorithms(SCORES, "A", "B", alternative=side).pvalue for side in ("less", "greater"))
        assert less + greater == pytest.approx(1)


class TestDegenerate:
    def test_algorithms_that_agree_everywhere_have_p_1_and_warn(self):
        table = np.tile(simulated_table(np.random.default_rng(3), 2, 10)[:1], (2, 1, 1))
        table[:, 1] = table[:, 0]
        with pytest.warns(DegenerateWarning, match="agree everywhere") as caught:
            result = compare_algorithms(InstanceScores.from_array(table), "A", "B")
        assert (result.pvalue, result.estimate) == (1.0, 0.0)
        assert [warning.filename for warning in caught] == [__file__]

    def test_a_constant_difference_is_refused(self):
        table = np.tile(simulated_table(np.random.default_rng(3), 2, 10)[:1, :1], (2, 2, 1))
        table[0] += 0.1
        with pytest.raises(ArgumentError, match="must not differ by the same amount everywhere"):
            compare_algorithms(InstanceScores.from_array(table), "A", "B")

    @pytest.mark.parametrize("squares", [(0.02, 0.0021, 0.002, 0.01), (1.0, 0.001, 0.9, 0.0)])
    def test_degrees_of_freedom_are_at_least_1(self, squares):
        table = table_with_mean_squares(*squares, n_instances=2, n_topics=2)
        assert compare_algorithms(InstanceScores.from_array(table), "A", "B").df >= 1

    def test_p_is_never_0(self):
        table = table_with_mean_squares(1e-9, 1e-9, 1e-9, 0.9, n_instances=40, n_topics=400)
        assert compare_algorithms(InstanceScores.from_array(table), "A", "B").pvalue > 0

    def test_instances_that_agree_on_every_topic_have_p_1(self):
        table = np.tile(simulated_table(np.random.default_rng(3), 2, 10)[:1], (2, 1, 1))
        tests = compare_instances(InstanceScores.from_array(table), "A", "B")
        assert np.diag(tests.pvalues).tolist() == [1.0, 1.0]
        assert tests.fraction_first_better == tests.fraction_second_better


def test_single_instances_are_the_paired_t_tests_of_scipy():
    table = SCORES.scores.reshape(2, 4, 25)
    tests = compare_instances(SCORES, "A", "B")
    expected = [[stats.ttest_rel(first, second).pvalue for second in table[1]] for first in table[0]]
    assert tests.pvalues == pytest.approx(np.array(expected))
    significant = np.array(expected) <= 0.05
    assert tests.fraction_first_better + tests.fraction_second_better == pytest.approx(significant.mean())
    differences = (table[0][:, None] - table[1][None]).mean(axis=2)
    assert tests.differences == pytest.approx(differences)
    assert tests.fraction_first_better == np.mean(significant & (differences > 0))
    assert (tests.first, tests.second) == ("A", "B")


def test_an_instance_that_is_better_by_the_same_everywhere_is_significant_and_one_that_is_equal_is_not():
    base = simulated_table(np.random.default_rng(3), 1, 10)[0, 0]
    tests = compare_instances(InstanceScores.from_array([[base, base + 0.1], [base, base + 0.3]]), "A", "B")
    assert tests.pvalues[0, 0] == 1
    assert (tests.pvalues.ravel()[1:] > 0).all()
    assert (tests.pvalues.ravel()[1:] < 1e-300).all()
    assert (tests.fraction_first_better, tests.fraction_second_better) == (1 / 4, 2 / 4)


@pytest.mark.parametrize(
    ("n_instances", "deterministic"),
    [
        pytest.param(2, False, marks=pytest.mark.slow),
        pytest.param(3, False, marks=pytest.mark.slow),
        pytest.param(5, False, marks=pytest.mark.slow),
        pytest.param(3, True, marks=pytest.mark.slow),
    ],
)
def test_the_error_of_the_first_kind_is_as_nominal(n_instances, deterministic):
    """50 topics, sds .01, .05, .05; 1500 simulations leave a standard error of .006 at .05. Topics cancel out."""
    rng = np.random.default_rng(77)
    rejected = {"instances": 0, "repeats": 0}
    for _ in range(1500):
        table = simulated_table(rng, n_instances, 50, topic=0)
        if deterministic:
            table[1] = simulated_table(rng, 1, 50, instance=0, residual=0, topic=0, n_algorithms=1)[0]
        scores = InstanceScores.from_array(table, deterministic=["B"] if deterministic else [])
        for model in rejected:
            rejected[model] += compare_algorithms(scores, "A", "B", model=model).pvalue <= 0.05
    assert 0.033 <= rejected["instances"] / 1500 <= 0.067
    assert rejected["repeats"] > 1.15 * rejected["instances"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_instances", "satterthwaite", "by_topics", "repeats"),
    [(2, 0.0575, 0.0750, 0.131), (3, 0.0530, 0.0620, 0.103), (5, 0.0503, 0.0517, 0.085), (10, 0.0475, 0.0467, 0.068)],
)
def test_the_errors_of_the_first_kind_are_those_of_the_reference_study(n_instances, satterthwaite, by_topics, repeats):
    """4,000 simulations of the same experiment here and there: 50 topics, sds .01, .05 and .05.

    By instances with Satterthwaite's degrees of freedom, with those of topics as printed in the paper, and with
    instances as mere repeats; a single pair of instances errs in 16 to 17 %.
    """
    rng, n_trials = np.random.default_rng(88), 4000
    rejected = np.zeros(4)
    for _ in range(n_trials):
        scores = InstanceScores.from_array(simulated_table(rng, n_instances, 50, topic=0))
        rejected += [
            compare_algorithms(scores, "A", "B").pvalue <= 0.05,
            compare_algorithms(scores, "A", "B", degrees_of_freedom="topics").pvalue <= 0.05,
            compare_algorithms(scores, "A", "B", model="repeats").pvalue <= 0.05,
            compare_instances(scores, "A", "B").pvalues[0, 0] <= 0.05,
        ]
    error_rates = rejected / n_trials
    # The standard error of a difference between two shares of .05 is .005, of .13 it is .0075.
    assert error_rates[:2] == pytest.approx([satterthwaite, by_topics], abs=0.016)
    assert error_rates[2] == pytest.approx(repeats, abs=0.024)
    assert error_rates[3] == pytest.approx(0.165, abs=0.03)
