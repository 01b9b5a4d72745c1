"""The interval of the mean of one result's topic scores: when it is given, and what it says."""

import numpy as np
import pytest
from django.utils import timezone
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
        (drawn(25), "nDCG", {"task": Collection.Task.KNOWN_ITEM}, "nDCG has few distinct values here"),
    ],
)
def test_why_there_is_none_is_said(scores, measure, fields, why):
    found = mean_of(scores, make_measure(measure), **fields)
    assert (found.low, found.high) == (None, None)
    assert found.why_no_interval == why
    assert (found.n_topics, found.mean) == (len(scores), pytest.approx(np.mean(scores)))


def test_what_a_measure_is_follows_from_its_name_in_ir_measures_where_it_has_one():
    assert mean_of(drawn(25), make_measure("Precision", ir_measures="P@1")).why_no_interval == (
        "Precision has few distinct values here"
    )
    assert mean_of(drawn(25), make_measure("P@1", ir_measures="")).why_no_interval == "P@1 has few distinct values here"
    assert mean_of(drawn(25), make_measure("P@3", ir_measures="AP")).why_no_interval == ""


def test_it_ends_within_the_range_of_the_measure():
    scores = [0.01, 0.0, 0.9] + [0.0] * 22
    low, high = stats.t.interval(0.95, 24, np.mean(scores), stats.sem(scores))
    assert low < 0
    assert (mean_of(scores).low, mean_of_open(scores)) == (0.0, pytest.approx((low, high)))
    top = mean_of([1 - one for one in scores], make_measure("nDCG"))
    assert (top.low, top.high) == (pytest.approx(1 - high), 1.0)
    half_open = mean_of(scores, make_measure("DCG", high=None))
    assert (half_open.low, half_open.high) == (0.0, pytest.approx(high))


def mean_of_open(scores: list[float]) -> tuple[float, float]:
    found = mean_of(scores, make_measure("gain", low=None, high=None))
    return found.low, found.high


def test_without_topic_scores_there_is_no_mean():
    assert topic_mean(make_result()) is None


def test_as_it_was_before_the_scores_were_recorded_there_is_no_mean():
    collection = make_collection(n_topics=2)
    make_topics(collection, ["1", "2"])
    result = make_result(make_leaderboard(collection))
    before = timezone.now()
    make_topic_scores(result, [0.2, 0.4])
    assert topic_mean(result, before) is None
    assert topic_mean(result, timezone.now()).mean == pytest.approx(0.3)
