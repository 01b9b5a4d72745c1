"""Equivalence and non-inferiority for a declared margin: duality with intervals, reference values."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

from analysis.comparisons import equivalence_of_difference, interval_against_margin, noninferiority_of_difference
from analysis.instances import compare_algorithms
from analysis.results import Interval
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import simulated_table
from tests.analysis.matrices import shipped_matrix

DIFFERENCE = SimpleNamespace(estimate=0.004, standard_error=0.005, df=41.5)


def deterministic_pair(first: np.ndarray, second: np.ndarray):
    scores = InstanceScores.from_array(np.stack([first, second])[:, None], deterministic=["A", "B"])
    return compare_algorithms(scores, "A", "B")


def test_reference_values_of_two_runs_of_trec_8():
    matrix = shipped_matrix("trec-8-adhoc__AP").select(["run126", "run125"])
    test = equivalence_of_difference(deterministic_pair(*matrix.scores), margin=0.05)
    assert test.pvalue == pytest.approx(0.5762583, abs=5e-8)
    assert test.interval.low == pytest.approx(0.0269256, abs=5e-8)
    assert test.interval.high == pytest.approx(0.0790904, abs=5e-8)
    assert not test.equivalent


def test_two_deterministic_systems_agree_with_statsmodels():
    first, second = simulated_table(np.random.default_rng(2), 1, 40, interaction=0.01, residual=0.01)[:, 0]
    test = equivalence_of_difference(deterministic_pair(first, second), margin=0.01)
    expected = ttost_paired(first, second, -0.01, 0.01)
    assert test.pvalue == pytest.approx(expected[0], rel=1e-9)
    assert sorted([test.pvalue_above_lower, test.pvalue_below_upper]) == pytest.approx(
        sorted([expected[1][1], expected[2][1]]), rel=1e-9
    )


@pytest.mark.parametrize("margin", [0.003, 0.008, 0.0124, 0.0125, 0.02])
def test_equivalent_means_the_90_percent_interval_is_inside_the_margin(margin):
    test = equivalence_of_difference(DIFFERENCE, margin=margin)
    half = stats.t.ppf(0.95, 41.5) * 0.005
    assert test.equivalent == (0.004 + half < margin and 0.004 - half > -margin)
    assert test.equivalent == (test.pvalue < 0.05)
    assert test.interval.confidence_level == 0.9


@pytest.mark.parametrize("higher", [True, False])
def test_noninferiority_by_its_formula(higher):
    judged = noninferiority_of_difference(DIFFERENCE, margin=0.008, confidence_level=0.9, higher_is_better=higher)
    gain = 0.004 if higher else -0.004
    bound = gain - stats.t.ppf(0.9, 41.5) * 0.005
    assert judged.pvalue == pytest.approx(stats.t.sf((gain + 0.008) / 0.005, 41.5))
    assert judged.bound == pytest.approx(bound if higher else -bound)
    assert (judged.noninferior, judged.confidence_level, judged.estimate, judged.margin) == (higher, 0.9, 0.004, 0.008)
    assert higher == (bound > -0.008)
    at_its_bound = noninferiority_of_difference(
        DIFFERENCE, margin=-bound, confidence_level=0.9, higher_is_better=higher
    )
    assert (at_its_bound.noninferior, at_its_bound.pvalue) == (False, pytest.approx(0.1))


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
def test_what_an_interval_says_about_a_margin(low, high, conclusion):
    judged = interval_against_margin(Interval(low, high, 0.9), margin=1.0)
    assert (judged.conclusion, judged.margin, judged.interval) == (conclusion, 1.0, Interval(low, high, 0.9))


def test_equivalence_of_non_deterministic_algorithms_counts_their_instances():
    table = simulated_table(np.random.default_rng(3), 3, 100, instance=0.02, interaction=0.02, residual=0.02)
    scores = InstanceScores.from_array(table - table.mean(axis=(1, 2), keepdims=True) + 0.4)
    with_instances = equivalence_of_difference(compare_algorithms(scores, "A", "B"), margin=0.01)
    without = equivalence_of_difference(compare_algorithms(scores, "A", "B", model="repeats"), margin=0.01)
    assert without.equivalent
    assert not with_instances.equivalent


@pytest.mark.slow
@pytest.mark.parametrize("n_instances", [3, 5])
def test_claims_about_algorithms_err_in_five_percent_at_the_margin(n_instances):
    """The difference is the margin: 2,000 simulations leave a standard error of .005 at .05."""
    rng = np.random.default_rng(71)
    claims = {"equivalent": 0, "not worse": 0}
    for _ in range(2000):
        table = simulated_table(rng, n_instances, 50, topic=0)
        table[0] -= 0.05
        difference = compare_algorithms(InstanceScores.from_array(table), "A", "B")
        claims["equivalent"] += equivalence_of_difference(difference, margin=0.05).equivalent
        claims["not worse"] += noninferiority_of_difference(difference, margin=0.05).noninferior
    for claim, count in claims.items():
        assert 0.03 <= count / 2000 <= 0.07, claim
