"""Comparisons of instances in detail: ties, and what the bootstrap draws."""

import numpy as np
import pytest
from scipy import stats

from analysis.instances import bootstrap_comparison, compare_algorithms, compare_instances, fit_reml
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import only_cells, simulated_table, table_with_mean_squares

SCORES = InstanceScores.from_array(simulated_table(np.random.default_rng(1), 3, 10, instance=0.03))


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

    def test_turned_round_it_says_the_same(self):
        tests, turned = compare_instances(SCORES, "A", "B"), compare_instances(SCORES, "B", "A")
        assert turned.fraction_second_better == tests.fraction_first_better
        assert turned.differences == pytest.approx(-tests.differences.T)


class TestBootstrap:
    def test_every_step_is_counted(self):
        result = bootstrap_comparison(SCORES, "A", "B", 4, n_resamples=20)
        plain = compare_algorithms(SCORES, "A", "B")
        assert (result.estimate, result.statistic) == pytest.approx((plain.estimate, plain.statistic))
        assert result.pvalue * 21 == pytest.approx(round(result.pvalue * 21))

    def test_equal_means_are_as_large_as_any(self):
        table = table_with_mean_squares(0.004, 0.013, 0.0014, 0.0, n_instances=2, n_topics=8)
        assert bootstrap_comparison(InstanceScores.from_array(table), "A", "B", 4, n_resamples=19).pvalue == 1

    @pytest.mark.parametrize(
        ("squares", "n_instances", "n_topics", "deterministic"),
        [
            ((0.03, 0.006, 0.001, 0.035), 2, 300, ()),
            ((0.0015, 0.03, 0.001, 0.17), 10, 3, ()),
            ((0.0009, 0.0009, 0.001, 0.07), 2, 3, ()),
            ((0.03, 0.00015, 0.0001, 0.0), 3, 30, ("B",)),
        ],
        ids=["instances", "algorithm x topic", "residual", "instances of one"],
    )
    def test_what_varies_most_sets_the_few_degrees_of_freedom(self, squares, n_instances, n_topics, deterministic):
        """Scores drawn without it, or with a difference, would make these differences as rare as under a normal."""
        table = table_with_mean_squares(*squares, n_instances=n_instances, n_topics=n_topics)
        is_present = np.ones(table.shape, dtype=bool)
        is_present[1, 1:] = not deterministic
        scores = only_cells(table, is_present, deterministic=deterministic)
        expected = compare_algorithms(scores, "A", "B")
        result = bootstrap_comparison(scores, "A", "B", 1, n_resamples=499)
        assert 2 * stats.norm.sf(abs(expected.statistic)) < 0.002
        assert result.pvalue == pytest.approx(expected.pvalue, abs=0.03)
