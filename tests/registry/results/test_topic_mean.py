"""What the page of a result, and the API, say of its topic scores."""

import numpy as np
import pytest
from scipy.stats import sem, t

from registry.results.models import Result
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_topic_scores,
    make_topics,
)
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def make_scored(scores, *, measure: str = "AP", **described) -> Result:
    collection = make_collection(n_topics=len(scores), **described)
    make_topics(collection, [str(topic) for topic in range(len(scores))])
    board = make_leaderboard(collection, make_measure(measure, ir_measures=measure))
    result = make_result(board, printed="0.3000")
    make_topic_scores(result, scores)
    return result


def found_of(client, result: Result):
    return client.get(f"/api/v1/results/{result.pk}/").json()["topic_mean"]


SCORES = np.random.default_rng(7).beta(1, 2, 50).round(4).tolist()


def test_the_mean_has_its_t_interval(client):
    result = make_scored(SCORES)
    low, high = t.interval(0.95, 49, loc=np.mean(SCORES), scale=sem(SCORES))
    found = found_of(client, result)
    assert (found["n_topics"], found["why_no_interval"]) == (50, "")
    assert (found["mean"], found["low"], found["high"]) == pytest.approx((np.mean(SCORES), low, high))
    page = read(client, f"/results/{result.pk}/")
    assert f"Its scores on 50 topics are on record; their mean is {np.mean(SCORES):.4f}." in page.text
    assert f"lies between {low:.4f} and {high:.4f}, at 95 % confidence" in page.text
    assert page.link("Topic by topic") == f"{result.leaderboard.get_absolute_url()}topics/"


def test_ends_stay_within_the_range_of_the_measure(client):
    found = found_of(client, make_scored([0.0] * 29 + [0.3]))
    assert found["low"] == 0.0
    assert found["high"] > found["mean"] > 0


@pytest.mark.parametrize(
    ("scores", "described", "why"),
    [
        (SCORES[:24], {}, "fewer than 25 topics"),
        (SCORES, {"measure": "RR"}, "RR has few distinct values here"),
        (SCORES, {"task": "known-item"}, "AP has few distinct values here"),
        ([0.25] * 50, {}, "all of them are equal"),
    ],
)
def test_where_it_would_not_hold_there_is_none(client, scores, described, why):
    result = make_scored(scores, **described)
    found = found_of(client, result)
    assert (found["low"], found["high"], found["why_no_interval"]) == (None, None, why)
    assert f"No interval is given: {why}." in read(client, f"/results/{result.pk}/").text


def test_topics_without_a_score_are_left_out(client):
    found = found_of(client, make_scored([*SCORES, None]))
    assert (found["n_topics"], found["mean"]) == (50, pytest.approx(np.mean(SCORES)))


def test_without_topic_scores_nothing_is_said(client):
    result = make_result()
    assert found_of(client, result) is None
    assert "Topic scores" not in read(client, f"/results/{result.pk}/").text


def test_it_is_what_was_known_on_a_day(client):
    result = make_scored(SCORES)
    result.topic_scores.update(recorded_at="2020-06-01T00:00Z")
    Result.objects.filter(pk=result.pk).update(recorded_at="2020-01-01T00:00Z")
    address = f"/api/v1/results/{result.pk}/?as_of="
    assert client.get(f"{address}2020-03-01").json()["topic_mean"] is None
    assert client.get(f"{address}2020-07-01").json()["topic_mean"]["n_topics"] == 50
