"""Numbers of instances and topics: power by simulation, limits."""

import numpy as np
import pytest
from scipy import stats

from analysis.comparisons import equivalence_of_difference
from analysis.instances import InstanceComponents, compare_algorithms, design_power, instances_and_topics_needed
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import simulated_table

PILOT = InstanceComponents(0.0001, 0.02, 0.0025, 0.0025, ())


@pytest.mark.parametrize("n_topics", [20, 50, 200])
def test_without_instance_and_interaction_variance_among_many_instances_the_power_is_that_of_a_t_test(n_topics):
    components = InstanceComponents(0.0, 0.02, 0.0025, 1e-12, ())
    error = np.sqrt(2 * 0.0025 / n_topics)
    critical = stats.t.ppf(0.975, n_topics - 1)
    expected = stats.nct.sf(critical, n_topics - 1, 0.02 / error) + stats.nct.cdf(-critical, n_topics - 1, 0.02 / error)
    power = design_power(components, 0.02, n_instances=2, n_topics=n_topics)
    assert power == pytest.approx(expected, abs=1e-6)


def test_a_power_is_a_number_however_far_the_difference_is_from_chance():
    """SciPy's noncentral t has NaN here and there: of 10 instances on 1000 topics at a difference of .05, for one."""
    for size in (0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 3.0, 100.0):
        powers = [
            design_power(PILOT, size, n_instances=n_instances, n_topics=n_topics)
            for n_instances, n_topics in ((2, 10), (3, 50), (5, 50), (10, 200), (10, 1000))
        ]
        assert all(0 <= power <= 1 for power in powers)
        assert powers == pytest.approx(sorted(powers))
    plan = instances_and_topics_needed(PILOT, 0.05, power=0.999999999, n_instances=(10,))
    assert plan.designs[0].n_topics == 306
    assert instances_and_topics_needed(PILOT, 0.7, n_instances=(10,)).designs[0].n_topics == 3


@pytest.mark.parametrize("n_random", [1, 2])
def test_degrees_of_freedom_are_satterthwaite_s_over_three_mean_squares(n_random):
    """The variance of the difference is a sum of three mean squares, each with degrees of freedom of its own."""
    n, topics = 2, 10
    difference = 2 * PILOT.algorithm_topic + n_random / n * PILOT.residual
    parts = [
        (difference / topics, topics - 1),
        (n_random / n * (PILOT.residual / topics + PILOT.instance), n_random * (n - 1)),
        (-n_random / n * PILOT.residual / topics, n_random * (n - 1) * (topics - 1)),
    ]
    variance = sum(value for value, _ in parts)
    df = max(1.0, variance**2 / sum(value**2 / of_value for value, of_value in parts))
    critical, ratio = stats.t.ppf(0.975, df), 0.05 / variance**0.5
    power = design_power(PILOT, 0.05, n_instances=n, n_topics=topics, deterministic_rival=n_random == 1)
    assert power == pytest.approx(stats.nct.sf(critical, df, ratio) + stats.nct.cdf(-critical, df, ratio), rel=1e-6)


def test_equivalence_is_shown_where_the_difference_stays_within_what_the_interval_leaves_over():
    """Averaged over the estimated error: the t interval of level .9 must lie within the size, the truth being 0."""
    components, df = InstanceComponents(0.0, 0.02, 0.0025, 1e-12, ()), 19
    error = np.sqrt(2 * 0.0025 / 20)
    nodes = np.sqrt(stats.chi2.ppf((np.arange(4000) + 0.5) / 4000, df) / df)
    shown = 2 * stats.norm.cdf(0.05 / error - stats.t.ppf(0.95, df) * nodes) - 1
    power = design_power(components, 0.05, n_instances=2, n_topics=20, goal="equivalence")
    assert power == pytest.approx(np.maximum(0, shown).mean(), abs=1e-3)
    assert design_power(components, 0.001, n_instances=2, n_topics=20, goal="equivalence") == 0


def test_the_fewest_topics_reach_the_power_and_one_less_does_not():
    for design in instances_and_topics_needed(PILOT, 0.03).designs:
        if design.n_topics is None:
            continue
        reached = design_power(PILOT, 0.03, n_instances=design.n_instances, n_topics=design.n_topics)
        before = design_power(PILOT, 0.03, n_instances=design.n_instances, n_topics=design.n_topics - 1)
        assert before < 0.8 <= reached
        assert design.power == pytest.approx(reached)


def test_too_few_instances_are_not_saved_by_topics():
    plan = instances_and_topics_needed(PILOT, 0.01, n_instances=(2, 5, 50))
    hopeless, _, enough = plan.designs
    assert hopeless.n_topics is None
    assert "2 instances reach a power of at most" in hopeless.why_no_topics
    assert enough.n_topics is not None


def test_more_instances_and_a_deterministic_rival_need_fewer_topics():
    plan = instances_and_topics_needed(PILOT, 0.03)
    topics = [design.n_topics for design in plan.designs if design.n_topics]
    assert topics == sorted(topics, reverse=True)
    rival = instances_and_topics_needed(PILOT, 0.03, deterministic_rival=True)
    assert rival.designs[-3].n_topics < plan.designs[-3].n_topics


@pytest.mark.slow
@pytest.mark.parametrize(("n_instances", "size"), [(3, 0.05), (5, 0.04)])
def test_the_power_is_that_of_simulated_experiments(n_instances, size):
    rng = np.random.default_rng(15)
    shown = {"difference": 0, "equivalence": 0}
    for _ in range(800):
        table = simulated_table(rng, n_instances, 50, topic=0)
        equal = compare_algorithms(InstanceScores.from_array(table), "A", "B")
        shown["equivalence"] += equivalence_of_difference(equal, margin=size).equivalent
        table[0] += size
        shown["difference"] += compare_algorithms(InstanceScores.from_array(table), "A", "B").pvalue <= 0.05
    for goal, count in shown.items():
        expected = design_power(PILOT, size, n_instances=n_instances, n_topics=50, goal=goal)
        assert count / 800 == pytest.approx(expected, abs=0.045)
