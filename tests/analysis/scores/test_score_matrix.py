"""Labelled scores of systems by topic: what is refused, how topics are aligned, parts of them."""

import numpy as np
import pytest

from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix

SCORES = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.7], [0.0, 0.4, 0.5]])
BY_TOPIC = {"a": {"301": 0.1, "302": 0.2, "303": 0.3}, "b": {"303": 0.7, "301": 0.3, "304": 0.9}}


def matrix(**changed: object) -> ScoreMatrix:
    return ScoreMatrix(**({"systems": ["a", "b", "c"], "topics": ["1", "2", "3"], "scores": SCORES} | changed))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"systems": ["a", "b"]}, "systems must hold 3 labels"),
        ({"systems": ["a", "b", "a"]}, r"systems must all be different; got \['a'\]"),
        ({"topics": ["1", "2", "2"]}, r"topics must all be different; got \['2'\]"),
        ({"topics": [1, 2, 3]}, "topics must hold text only"),
        ({"missing": "ignore"}, "missing must be"),
        ({"dropped_topics": "304"}, "dropped_topics must hold any number of labels"),
    ],
)
def test_what_can_not_be_treated_is_refused(changed, message):
    with pytest.raises(ArgumentError, match=message):
        matrix(**changed)


def test_the_scores_are_a_read_only_copy():
    given = SCORES.copy()
    found = matrix(scores=given)
    given[0, 0] = 1
    assert found.scores[0, 0] == 0.1
    with pytest.raises(ValueError, match="read-only"):
        found.scores[0, 0] = 1


def test_sizes_and_means():
    found = matrix(systems=["a", "b"], scores=SCORES[:2])
    assert (found.n_systems, found.n_topics, found.dropped_topics) == (2, 3, ())
    assert found.means == pytest.approx([0.2, 0.4])


def test_systems_that_lack_a_topic_are_refused_by_name():
    with pytest.raises(ArgumentError, match="'a' lacks '304'"):
        ScoreMatrix.from_topic_scores(BY_TOPIC)


def test_topics_of_all_systems_are_kept_where_that_is_chosen():
    found = ScoreMatrix.from_topic_scores(BY_TOPIC, missing="intersect")
    assert (found.topics, found.dropped_topics, found.missing) == (("301", "303"), ("302", "304"), "intersect")
    assert found.scores.tolist() == [[0.1, 0.3], [0.3, 0.7]]


def test_missing_topics_count_as_zero_where_that_is_chosen():
    found = ScoreMatrix.from_topic_scores(BY_TOPIC, missing="zero")
    assert (found.topics, found.dropped_topics) == (("301", "302", "303", "304"), ())
    assert found.scores.tolist() == [[0.1, 0.2, 0.3, 0.0], [0.3, 0.0, 0.7, 0.9]]


@pytest.mark.parametrize("given", [{}, [], {"a": [0.1, 0.2]}])
def test_what_is_no_mapping_of_mappings_is_refused(given):
    with pytest.raises(ArgumentError, match="must map at least one system to its scores by topic"):
        ScoreMatrix.from_topic_scores(given)


def test_a_policy_that_there_is_not_is_refused_where_nothing_is_missing():
    with pytest.raises(ArgumentError, match="missing must be"):
        ScoreMatrix.from_topic_scores({"a": {"1": 0.1, "2": 0.2}}, missing="ignore")


def test_statistics_say_how_many_systems_they_need():
    assert check_matrix(matrix(), n_systems=3).n_systems == 3
    with pytest.raises(ArgumentError, match=r"reference must hold at least 4 systems; got \('a', 'b', 'c'\)"):
        check_matrix(matrix(), "reference", n_systems=4)
    with pytest.raises(ArgumentError, match="matrix must be of type ScoreMatrix"):
        check_matrix(SCORES)


def test_some_systems_in_the_order_asked_for():
    found = matrix(missing="intersect", dropped_topics=["4"]).select(["c", "a"])
    assert found.systems == ("c", "a")
    assert found.scores.tolist() == SCORES[[2, 0]].tolist()
    assert (found.missing, found.dropped_topics) == ("intersect", ("4",))


@pytest.mark.parametrize(
    ("systems", "message"),
    [(["d"], r"must be among a, b, c; got \['d'\]"), ([], "must be among a, b, c"), (["a", "a"], "all be different")],
)
def test_systems_that_there_are_not_are_refused(systems, message):
    with pytest.raises(ArgumentError, match=message):
        matrix().select(systems)
