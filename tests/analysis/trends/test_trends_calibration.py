"""Do the intervals of a trend hold as often as they say, with independent results and with results of one source?"""

import numpy as np
import pytest

from analysis.trends import clustered_trend, frontier_trend, trend_over_time

pytestmark = pytest.mark.slow

SLOPE = 0.002


def history(rng, n_results=60, cluster_sd=0.0, n_clusters=20):
    """Return years with ties, scores that rise by SLOPE a year, and the laboratories that they come from."""
    labs = np.arange(n_results) % n_clusters
    # Each laboratory publishes within a few years, with a level of its own.
    years = 2000.0 + np.clip(rng.integers(0, 15, n_clusters)[labs] + rng.integers(-1, 2, n_results), 0, 14)
    levels = rng.normal(0, cluster_sd, n_clusters)[labs] if cluster_sd else 0.0
    values = 0.25 + SLOPE * (years - 2000) + levels + rng.normal(0, 0.03, n_results)
    return years, values, [f"lab {lab}" for lab in labs]


def test_independent_results():
    """1,500 histories leave a standard error of .0056 at .95."""
    rng = np.random.default_rng(61)
    held, false = [], []
    for _ in range(1500):
        years, values, _ = history(rng)
        trend = trend_over_time(years, values)
        held.append(trend.interval.low <= SLOPE <= trend.interval.high)
        false.append(trend_over_time(years, values - SLOPE * (years - 2000)).pvalue <= 0.05)
    assert 0.93 <= np.mean(held) <= 0.97
    assert 0.035 <= np.mean(false) <= 0.065


def test_the_frontier_holds_nearly_as_often_as_it_says():
    """Its standard error is known for many results only; here are 120."""
    rng = np.random.default_rng(62)
    held = []
    for _ in range(500):
        years, values, _ = history(rng, n_results=120)
        interval = frontier_trend(years, values).interval
        held.append(interval.low <= SLOPE <= interval.high)
    assert 0.86 <= np.mean(held) <= 0.985


def test_results_of_one_laboratory_need_the_cluster_bootstrap():
    rng = np.random.default_rng(63)
    held = {"independent": [], "clusters": []}
    for _ in range(200):
        years, values, labs = history(rng, cluster_sd=0.04)
        intervals = {
            "independent": trend_over_time(years, values).interval,
            "clusters": clustered_trend(years, values, labs, rng, quantile=None, n_resamples=99).slope_interval,
        }
        for name, interval in intervals.items():
            held[name].append(interval.low <= SLOPE <= interval.high)
    assert np.mean(held["independent"]) < 0.88
    assert 0.86 <= np.mean(held["clusters"]) <= 0.98
