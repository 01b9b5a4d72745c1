"""Tiers from published means."""

import numpy as np
import pytest
from scipy.stats import studentized_range

from analysis.errors import ArgumentError
from analysis.rankings import tie_tiers_from_means

MEANS = [0.30, 0.21, 0.31, 0.22, 0.10]


def test_a_tier_holds_what_its_leader_cannot_be_told_from():
    found = tie_tiers_from_means(MEANS, n_topics=50, residual_variance=0.0144)
    assert found.tiers == (1, 2, 1, 2, 3)
    assert found.n_tiers == 3


@pytest.mark.parametrize(("k", "level"), [(2, 0.95), (10, 0.95), (103, 0.95), (30, 0.9)])
def test_the_radius_is_tukeys_with_a_known_variance(k, level):
    means = np.linspace(0, 1, k)
    found = tie_tiers_from_means(means, n_topics=25, residual_variance=0.04, confidence_level=level)
    assert found.critical_value == pytest.approx(studentized_range.ppf(level, k, np.inf), rel=1e-6)
    assert found.radius == pytest.approx(found.critical_value * 0.2 / 5)


@pytest.mark.parametrize(("k", "quantile"), [(2, 2.7718), (10, 4.4741), (103, 6.1027), (1000, 7.3696)])
def test_the_quantiles_of_the_page(k, quantile):
    found = tie_tiers_from_means(np.linspace(0, 1, k), n_topics=1, residual_variance=1.0)
    assert found.critical_value == pytest.approx(quantile, abs=5e-5)


@pytest.mark.parametrize(
    ("truth", "lowest", "highest"), [(np.full(20, 0.2), 0.04, 0.06), (np.linspace(0.2, 0.3, 20), 0, 0.01)]
)
def test_wrong_drops_are_as_rare_as_promised(truth, lowest, highest):
    """A drop is wrong if the tier's leader is truly no better than a result below it."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(4000):
        means = truth + rng.normal(0, 0.1 / np.sqrt(50), truth.size)
        tiers = np.array(tie_tiers_from_means(means, n_topics=50, residual_variance=0.01).tiers)
        leaders = [np.flatnonzero(tiers == tier)[means[tiers == tier].argmax()] for tier in range(1, tiers.max())]
        wrong += any((truth[tiers > tier] >= truth[leader]).any() for tier, leader in enumerate(leaders, 1))
    assert lowest <= wrong / 4000 <= highest


def test_the_order_of_the_results_does_not_matter():
    order = np.random.default_rng(5).permutation(len(MEANS))
    shuffled = tie_tiers_from_means(np.array(MEANS)[order], n_topics=50, residual_variance=0.0144)
    straight = tie_tiers_from_means(MEANS, n_topics=50, residual_variance=0.0144)
    assert shuffled.tiers == tuple(np.array(straight.tiers)[order])


def test_where_lower_is_better_the_lowest_lead():
    mirrored = tie_tiers_from_means(-np.array(MEANS), n_topics=50, residual_variance=0.0144, higher_is_better=False)
    assert mirrored.tiers == tie_tiers_from_means(MEANS, n_topics=50, residual_variance=0.0144).tiers


def test_equal_means_share_one_tier():
    assert tie_tiers_from_means([0.2] * 7, n_topics=50, residual_variance=0.01).tiers == (1,) * 7


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"means": [0.2]}, "means"),
        ({"means": [0.2, float("nan")]}, "means"),
        ({"n_topics": 0}, "n_topics"),
        ({"residual_variance": 0.0}, "residual_variance"),
        ({"confidence_level": 1.0}, "confidence_level"),
        ({"higher_is_better": 1}, "higher_is_better"),
    ],
)
def test_it_names_what_it_refuses(change, argument):
    arguments = {"means": MEANS, "n_topics": 50, "residual_variance": 0.01} | change
    with pytest.raises(ArgumentError, match=argument):
        tie_tiers_from_means(**arguments)
