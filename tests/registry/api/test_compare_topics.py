"""Two vectors of topic scores that a program sends."""

import json

import pytest

PATH = "/api/v1/compare/topics/"
FIRST, SECOND = [0.31, 0.2, 0.5, 0.44], [0.25, 0.22, 0.41, 0.3]


def ask(client, content_type="application/json", **body):
    return client.post(PATH, json.dumps(body), content_type=content_type)


def test_of_many_topics_the_tests_that_resample_are_left_out_with_the_size_that_they_take(client):
    every = ["randomization", "t", "bootstrap-shift", "wilcoxon", "sign"]
    for n_topics, left_out in ((2_000, []), (2_001, every[::2][:2]), (10_000, every[::2][:2])):
        scores = {"first": [0.3, 0.1] * 5_000, "second": [0.2, 0.15] * 5_000}
        answer = ask(client, **{name: vector[:n_topics] for name, vector in scores.items()}).json()
        assert [entry["test"] for entry in answer["tests"]] == [test for test in every if test not in left_out]
        assert answer["refused"] == [
            f"{test}: it resamples up to 2,000 topics, and these are {n_topics:,}; the t test says as much of so many"
            for test in left_out
        ]


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({"first": FIRST, "second": SECOND[1:]}, "second", "Of second there are 3, and of first 4."),
        ({"first": FIRST, "second": SECOND, "topics": ["a"]}, "topics", "Of topics there are 1, and of first 4."),
        ({"first": FIRST, "second": SECOND, "topics": list("abca")}, "topics", "Topic a is there twice."),
        ({"first": FIRST, "second": SECOND, "margin": 0}, "margin", "Give a number above 0."),
        ({"first": [0.1], "second": [0.2]}, "topics", "Give scores on two topics or more."),
        ({"first": [0.1] * 10_001, "second": [0.2] * 10_001}, "topics", "These are 10\u202f001 topics"),
        ({"first": FIRST, "second": ["x"] * 4}, "", "$.second[0]"),
        ({"first": FIRST, "second": SECOND, "third": []}, "", "third"),
        ({"first": FIRST}, "", "second"),
    ],
)
def test_what_is_wrong_is_said(client, body, field, message):
    answer = ask(client, **body)
    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    assert error["field"] == field
    assert message in error["message"]
