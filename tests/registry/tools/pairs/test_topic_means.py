"""The interval of the mean of one result's topic scores: when it is given, and what it says."""

import numpy as np
import pytest
from scipy import stats

from registry.catalog.models import Collection, Measure
from registry.tools.pairs.mean_documents import topic_mean
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_topic_scores,
    make_topics,
)

pytestmark = pytest.mark.django_db


def mean_of(scores: list[float | None], measure: Measure | None = None, **fields):
    collection = make_collection(n_topics=len(scores), **fields)
    make_topics(collection, [f"t{n}" for n in range(len(scores))])
    result = make_result(make_leaderboard(collection, measure or make_measure("AP")))
    make_topic_scores(result, scores)
    return topic_mean(result)


def drawn(n: int) -> list[float]:
    return np.random.default_rng(2).uniform(0.1, 0.6, n).tolist()


def test_it_is_the_t_interval_of_scipy():
    scores = drawn(25)
    found = mean_of([*scores, None])
    low, high = stats.t.interval(0.95, 24, np.mean(scores), stats.sem(scores))
    assert (found.n_topics, found.mean) == (25, pytest.approx(np.mean(scores)))
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.why_no_interval == ""


@pytest.mark.parametrize(
    ("scores", "measure", "fields", "why"),
    [
        (drawn(24), "AP", {}, "fewer than 25 topics"),
        ([0.3] * 25, "AP", {}, "all of them are equal"),
        (drawn(25), "P@1", {}, "P@1 has few distinct values here"),
        (drawn(25), "RR", {"task": Collection.Task.KNOWN_ITEM}, "RR has few distinct values here"),
    ],
)
def test_why_there_is_none_is_said(scores, measure, fields, why):
    found = mean_of(scores, make_measure(measure), **fields)
    assert (found.low, found.high) == (None, None)
    assert found.why_no_interval == why
    assert found.mean == pytest.approx(np.mean(scores))


def test_it_ends_within_the_range_of_the_measure():
    scores = [0.01, 0.0, 0.9] + [0.0] * 22
    low, high = stats.t.interval(0.95, 24, np.mean(scores), stats.sem(scores))
    assert low < 0
    assert (mean_of(scores).low, mean_of_open(scores)) == (0.0, pytest.approx((low, high)))
    top = mean_of([1 - one for one in scores], make_measure("nDCG"))
    assert (top.low, top.high) == (pytest.approx(1 - high), 1.0)


def mean_of_open(scores: list[float]) -> tuple[float, float]:
    found = mean_of(scores, make_measure("gain", low=None, high=None))
    return found.low, found.high


def test_without_topic_scores_there_is_no_mean():
    assert topic_mean(make_result()) is None
