"""The model fitted to scores with absent cells: lme4 and lmerTest, statsmodels, the bootstrap, and what is refused."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from statsmodels.regression.mixed_linear_model import MixedLM

from analysis.errors import ArgumentError
from analysis.instances import bootstrap_comparison, compare_algorithms, fit_reml
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import REFERENCE, gappy_scores, only_cells, reference_scores, simulated_table

LME4 = json.loads((REFERENCE / "mixed_models.json").read_text())


@pytest.mark.parametrize("case", ["balanced", "absent", "boundary", "deterministic"])
def test_the_fit_is_that_of_lme4(case):
    fit, expected = fit_reml(reference_scores(case)), LME4[case]
    assert fit.difference == pytest.approx(expected["difference"], abs=2e-6)
    assert fit.standard_error == pytest.approx(expected["standard_error"], rel=1e-4)
    assert fit.deviance == pytest.approx(expected["deviance"], abs=1e-5)
    assert fit.df == pytest.approx(expected["df"], rel=2e-3)
    for name in ("instance", "topic", "algorithm_topic", "residual"):
        assert getattr(fit.components, name) == pytest.approx(expected[name], rel=2e-3, abs=1e-9)


def test_a_variance_that_lme4_finds_to_be_0_is_named():
    for case in ("boundary", "absent"):
        none = tuple(name for name in ("instance", "topic", "algorithm_topic") if LME4[case][name] < 1e-9)
        assert fit_reml(reference_scores(case)).components.truncated == none
    assert fit_reml(reference_scores("boundary")).components.truncated


def test_the_fit_without_instance_effect_is_that_of_lme4():
    fit, expected = fit_reml(reference_scores("absent"), instance_effect=False), LME4["repeats"]
    assert fit.components.instance is None
    assert fit.standard_error == pytest.approx(expected["standard_error"], rel=1e-4)
    assert fit.df == pytest.approx(expected["df"], rel=2e-3)


def test_a_comparison_with_absent_cells_is_that_of_lmertest():
    result = compare_algorithms(reference_scores("absent"), "A", "B")
    assert result.method == "reml"
    assert result.n_absent > 0
    assert result.pvalue == pytest.approx(LME4["absent"]["pvalue"], abs=1e-4)


def test_the_fit_is_that_of_statsmodels():
    scores = gappy_scores(8, instance=0.04)
    rows, columns = np.nonzero(scores.present)
    frame = pd.DataFrame(
        {
            "score": scores.scores[rows, columns],
            "first": [1.0 if scores.instances[row][0] == "A" else 0.0 for row in rows],
            "instance": rows,
            "topic": columns,
            "cell": [f"{scores.instances[row][0]}{column}" for row, column in zip(rows, columns, strict=True)],
            "all": 1,
        }
    )
    parts = {name: f"0 + C({name})" for name in ("instance", "topic", "cell")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # statsmodels warns about its own optimizer; the numbers are compared below.
        model = MixedLM.from_formula("score ~ first", groups="all", vc_formula=parts, re_formula="0", data=frame)
        fit_of_statsmodels = model.fit(reml=True)
    fit = fit_reml(scores)
    assert fit.difference == pytest.approx(fit_of_statsmodels.params["first"], abs=1e-5)
    # Its optimizer stops earlier, so that its likelihood is a little lower.
    assert fit_of_statsmodels.llf <= -fit.deviance / 2 + 1e-6
    assert fit.standard_error == pytest.approx(fit_of_statsmodels.bse["first"], rel=5e-3)
    assert fit.components.residual == pytest.approx(fit_of_statsmodels.scale, rel=1e-2)


def one_cell_absent() -> InstanceScores:
    table = simulated_table(np.random.default_rng(1), 4, 9, instance=0.03)
    return only_cells(table, np.arange(table.size).reshape(table.shape) > 0)


def no_two_instances_have_the_same_topics() -> InstanceScores:
    table = simulated_table(np.random.default_rng(2), 5, 12, instance=0.03)
    return only_cells(table, np.random.default_rng(3).random(table.shape) > 0.25)


def more_instances_than_topics() -> InstanceScores:
    table = simulated_table(np.random.default_rng(4), 30, 5, instance=0.03)
    return only_cells(table, np.random.default_rng(5).random(table.shape) > 0.3)


def each_algorithm_lacks_topics() -> InstanceScores:
    table = simulated_table(np.random.default_rng(6), 4, 12, instance=0.03)
    is_present = np.ones(table.shape, dtype=bool)
    is_present[0, :, 9:] = is_present[1, 2:, :3] = False
    return only_cells(table, is_present)


def many_topics_against_a_deterministic_rival() -> InstanceScores:
    table = simulated_table(np.random.default_rng(7), 3, 40, instance=0.03)
    is_present = np.random.default_rng(8).random(table.shape) > 0.2
    is_present[1, 1:] = False
    return only_cells(table, is_present, deterministic=["B"])


def deviance_of_all_scores(scores: InstanceScores, variances: dict[str, float]) -> float:
    """Return -2 log restricted likelihood from the covariance matrix of all scores."""
    rows, columns = np.nonzero(scores.present)
    owner = np.array([scores.algorithms.index(name) for name, _ in scores.instances])[rows]
    same_topic, same_owner = columns[:, None] == columns, owner[:, None] == owner
    is_varying = ~np.isin(owner, [scores.algorithms.index(name) for name in scores.deterministic])
    covariance = variances["residual"] * np.eye(rows.size) + variances["topic"] * same_topic
    covariance += variances["algorithm_topic"] * (same_topic & same_owner)
    covariance += variances["instance"] * ((rows[:, None] == rows) & is_varying)
    design = np.column_stack([owner == 0, owner == 1]).astype(float)
    solved = np.linalg.solve(covariance, design)
    y = scores.scores[rows, columns]
    rest = y - design @ np.linalg.solve(design.T @ solved, solved.T @ y)
    determinants = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(design.T @ solved)[1]
    return determinants + rest @ np.linalg.solve(covariance, rest) + (rows.size - 2) * np.log(2 * np.pi)


@pytest.mark.parametrize(
    "case",
    [
        one_cell_absent,
        no_two_instances_have_the_same_topics,
        more_instances_than_topics,
        each_algorithm_lacks_topics,
        many_topics_against_a_deterministic_rival,
    ],
)
def test_whatever_is_absent_the_likelihood_is_that_of_all_scores_at_its_highest(case):
    scores = case()
    fit = fit_reml(scores)
    components = {name: getattr(fit.components, name) for name in ("instance", "topic", "algorithm_topic", "residual")}
    assert min(components.values()) > 0
    assert fit.deviance == pytest.approx(deviance_of_all_scores(scores, components), abs=1e-7)
    for name in components:
        for factor in (0.98, 1.02):
            assert deviance_of_all_scores(scores, components | {name: factor * components[name]}) > fit.deviance


def test_one_absent_cell_moves_the_answer_little():
    table = simulated_table(np.random.default_rng(1), 10, 30, instance=0.03)
    complete = compare_algorithms(InstanceScores.from_array(table), "A", "B")
    lacking = compare_algorithms(only_cells(table, np.arange(table.size).reshape(table.shape) > 0), "A", "B")
    assert lacking.n_absent == 1
    assert lacking.estimate == pytest.approx(complete.estimate, abs=0.02 * complete.standard_error)
    assert lacking.standard_error == pytest.approx(complete.standard_error, rel=0.01)
    assert lacking.df == pytest.approx(complete.df, rel=0.01)


def test_the_order_of_the_scores_does_not_matter():
    scores = gappy_scores(3)
    rows, columns = np.nonzero(scores.present)
    order = np.random.default_rng(1).permutation(rows.size)
    again = InstanceScores(
        [scores.instances[row][0] for row in rows[order]],
        [scores.instances[row][1] for row in rows[order]],
        [scores.topics[column] for column in columns[order]],
        scores.scores[rows, columns][order],
    )
    before, after = (compare_algorithms(data, "A", "B") for data in (scores, again))
    assert after.estimate == pytest.approx(before.estimate, abs=1e-7)
    assert after.df == pytest.approx(before.df, rel=1e-3)


def test_scale_does_not_matter():
    scores = gappy_scores(3)
    before, after = fit_reml(scores), fit_reml(scores.with_scores(100 * scores.scores + 5))
    assert after.standard_error == pytest.approx(100 * before.standard_error, rel=1e-5)
    assert after.df == pytest.approx(before.df, rel=1e-3)


def test_other_than_two_algorithms_are_refused():
    table = simulated_table(np.random.default_rng(1), 2, 5, n_algorithms=3)
    with pytest.raises(ArgumentError, match="scores must hold exactly two algorithms"):
        fit_reml(InstanceScores.from_array(table))


def test_two_deterministic_algorithms_are_refused():
    both = InstanceScores(list("AAABB"), list("11111"), list("12312"), np.arange(5) / 10, deterministic=["A", "B"])
    with pytest.raises(ArgumentError, match="must hold an algorithm that varies"):
        fit_reml(both)
    with pytest.raises(ArgumentError, match="must hold an algorithm that varies"):
        bootstrap_comparison(both, "A", "B", 1)


def test_scores_that_do_not_vary_are_refused():
    flat = InstanceScores(list("AAAABBB"), list("1122112"), list("1212122"), [0.5] * 7)
    with pytest.raises(ArgumentError, match="must vary"):
        fit_reml(flat)


class TestBootstrap:
    SCORES = InstanceScores.from_array(simulated_table(np.random.default_rng(6), 3, 20, instance=0.03))

    def test_it_agrees_with_the_t_distribution_on_complete_data(self):
        expected = compare_algorithms(self.SCORES, "A", "B").pvalue
        result = bootstrap_comparison(self.SCORES, "A", "B", 1, n_resamples=999)
        assert result.pvalue == pytest.approx(expected, abs=0.06)

    @pytest.mark.slow
    def test_it_refits_where_cells_are_absent(self):
        scores = gappy_scores(5)
        expected = compare_algorithms(scores, "A", "B").pvalue
        result = bootstrap_comparison(scores, "A", "B", 1, n_resamples=99)
        assert result.pvalue == pytest.approx(expected, abs=0.12)

    def test_it_takes_a_deterministic_algorithm(self):
        table = np.stack([self.SCORES.scores[:3], np.tile(self.SCORES.scores[3] + 0.02, (3, 1))])
        scores = InstanceScores.from_array(table, deterministic=["B"])
        expected = compare_algorithms(scores, "A", "B").pvalue
        assert bootstrap_comparison(scores, "A", "B", 1, n_resamples=499).pvalue == pytest.approx(expected, abs=0.08)

    def test_p_is_never_0_and_the_same_seed_gives_the_same_answer(self):
        table = self.SCORES.scores.reshape(2, 3, 20) + np.array([0.0, 5.0])[:, None, None]
        scores = InstanceScores.from_array(table)
        first, again = (bootstrap_comparison(scores, "A", "B", 4, n_resamples=19) for _ in range(2))
        assert first.pvalue == 1 / 20
        assert first == again


@pytest.mark.slow
def test_the_error_of_the_first_kind_is_as_nominal_with_absent_cells():
    """A fifth of the cells absent; 300 fits leave a standard error of .013 at .05."""
    rejected = sum(
        compare_algorithms(gappy_scores(seed, 3, 20, instance=0.03), "A", "B").pvalue <= 0.05 for seed in range(300)
    )
    assert rejected / 300 <= 0.09


@pytest.mark.slow
def test_the_bootstrap_errs_in_five_percent_of_equal_algorithms():
    """1,000 data sets leave a standard error of .007 at .05."""
    rng, rejected = np.random.default_rng(5), 0
    for _ in range(1000):
        scores = InstanceScores.from_array(simulated_table(rng, 3, 25, topic=0))
        rejected += bootstrap_comparison(scores, "A", "B", rng, n_resamples=99).pvalue <= 0.05
    assert 0.03 <= rejected / 1000 <= 0.07
