"""Small cases worked out by hand: effort, projections, topics needed, precision, families, variance components."""

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.libqsturng import qsturng

from analysis.errors import DegenerateWarning
from analysis.reliability import (
    equal_effort_topics,
    pool_sizes,
    precision_of_means,
    smallest_resolvable_difference,
    two_way_anova,
)
from tests.analysis.simulated import labelled

# --- effort


def test_whole_topics_are_paid_for():
    assert [equal_effort_topics(n, share) for n, share in ((50, 0.5), (10, 0.3), (1, 3), (7, 0.07))] == [
        100, 33, 0, 100,
    ]  # fmt: skip


def test_shares_of_pools_are_of_the_deepest():
    runs = [{"1": list("abcd"), "2": list("xy")}, {"1": list("ebcf")}]
    pools = pool_sizes(runs, [1, 4, 2, 2])
    assert (pools.depths, pools.means) == ((1, 2, 4), (1.5, 2.5, 4.0))
    assert (pools.shares, pools.n_topics) == ((0.375, 0.625, 1.0), 2)
    assert pool_sizes([{"1": ["a", "a"]}], [2]).means == (1.0,)


# --- topics needed


def test_resolvable_differences_are_those_of_scipys_distributions():
    gap = smallest_resolvable_difference(0.02, 30, 4, confidence_level=0.9, power=0.7, variance_degrees_of_freedom=9)
    df, error = 29 * 3, np.sqrt(2 * 0.02 / 30)
    critical = scipy.stats.t.isf(0.05, df)
    assert gap.significant == pytest.approx(critical * error)
    family = gap.significant_in_family / error
    assert family == pytest.approx(float(qsturng(0.9, 4, df)) / np.sqrt(2), rel=1e-3)
    shift = gap.detectable / error
    reached = scipy.stats.nct.sf(critical, df, shift) + scipy.stats.nct.cdf(-critical, df, shift)
    assert reached == pytest.approx(0.7, abs=1e-7)
    low, high = (gap.detectable * np.sqrt(9 / scipy.stats.chi2.isf(tail, 9)) for tail in (0.05, 0.95))
    assert gap.detectable_range == (pytest.approx(low), pytest.approx(high))
    assert (gap.n_topics, gap.n_systems, gap.residual_variance) == (30, 4, 0.02)
    assert (gap.confidence_level, gap.power) == (0.9, 0.7)
    plain = smallest_resolvable_difference(0.02, 2, 2)
    assert (plain.confidence_level, plain.power, plain.detectable_range) == (0.95, 0.8, None)


# --- precision of means


def test_precisions_by_hand():
    scores = 0.3 + np.array([[-0.3, 0.3]]) / np.sqrt(2)
    precisions = precision_of_means(scores, [4, 9, 100])
    assert [row.sd for row in precisions] == pytest.approx([0.15, 0.1, 0.03])
    assert [row.n_topics for row in precisions] == [4, 9, 100]
    subsets = precision_of_means([[0.1, 0.2, 0.3, 0.4], [0.1, 0.3, 0.1, 0.3]], [1, 2, 4], replacement=False)
    sd = (np.std([0.1, 0.2, 0.3, 0.4], ddof=1) + np.std([0.1, 0.3, 0.1, 0.3], ddof=1)) / 2
    assert [row.sd for row in subsets] == pytest.approx([sd * np.sqrt(0.75), sd * np.sqrt(0.5 / 2), 0.0])
    with pytest.warns(DegenerateWarning, match="no mean has a standard error"):
        assert precision_of_means([[0.5, 0.5]], [3])[0].sd == 0


# --- variance components


def test_components_and_their_errors_by_hand():
    """Two systems on three topics: mean squares of 6, 4.5 and 1.5."""
    parts = two_way_anova(labelled([[1.0, 2.0, 6.0], [2.0, 5.0, 8.0]]))
    level, systems, topics = 4.0, np.array([3.0, 5.0]), np.array([1.5, 3.5, 7.0])
    residuals = np.array([[1.0, 2, 6], [2, 5, 8]]) - systems[:, None] - topics + level
    mss = 3 * ((systems - level) ** 2).sum()
    mst, mse = 2 * ((topics - level) ** 2).sum() / 2, (residuals**2).sum() / 2
    assert (parts.system_mean_square, parts.topic_mean_square) == (pytest.approx(mss), pytest.approx(mst))
    assert parts.residual_mean_square == parts.residual_variance == pytest.approx(mse)
    system, topic = (mss - mse) / 3, (mst - mse) / 2
    assert (parts.system_variance, parts.topic_variance) == (pytest.approx(system), pytest.approx(topic))
    # 2 MS² / (f + 2), with 1, 2 and 2 degrees of freedom.
    errors = 2 * mss**2 / 3, 2 * mst**2 / 4, 2 * mse**2 / 4
    assert parts.system_variance_error == pytest.approx(np.sqrt(errors[0] + errors[2]) / 3)
    assert parts.topic_variance_error == pytest.approx(np.sqrt(errors[1] + errors[2]) / 2)
    assert parts.residual_variance_error == pytest.approx(np.sqrt(errors[2]))
    assert parts.intraclass_correlation == pytest.approx(topic / (topic + mse))
    assert parts.difference_standard_error == pytest.approx(np.sqrt(2 * mse / 3))
    assert parts.residual_standard_error == pytest.approx(np.sqrt(mse / 3))
    assert parts.mean_standard_error == pytest.approx(np.sqrt((topic + mse) / 3))
    assert parts.generalizability == pytest.approx(system / (system + mse / 3))
    assert parts.dependability == pytest.approx(system / (system + (topic + mse) / 3))
    assert (parts.truncated, parts.n_systems, parts.n_topics) == ((), 2, 3)
    assert parts.residual_degrees_of_freedom == 2


def test_both_components_may_be_negative():
    parts = two_way_anova(labelled([[0.0, 1.0], [1.0, 0.0]]))
    assert parts.truncated == ("system", "topic")
    assert (parts.system_variance, parts.topic_variance) == (0, 0)
    assert (parts.intraclass_correlation, parts.generalizability, parts.dependability) == (0, 0, 0)
    with pytest.warns(DegenerateWarning):
        none = two_way_anova(labelled([[0.0, 0.0], [0.0, 0.0]]))
    assert none.truncated == ()
