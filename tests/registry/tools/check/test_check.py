"""GET /check/ and GET /api/v1/check/"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.catalog.models import Leaderboard
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_question,
    make_result,
    make_system,
    make_variance,
)
from tests.registry.keeping import kept_on_record
from tests.registry.leaderboards.boards import analyse, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def make_robust() -> None:
    """Original runs, baselines of papers, runs of a toolkit; scores vary as a variance of its own says."""
    board = make_leaderboard(
        make_collection("trec-2004-robust", name="TREC 2004 Robust", aliases=["Robust04"], n_topics=249),
        make_measure("AP", aliases=["MAP"]),
    )
    for number in range(10):
        make_result(board, make_system(f"run {number}"), f"0.{20 + number}00", role="trec_run", year=2004)
        make_result(board, make_system(f"base {number}"), f"0.{22 + number}50", role="baseline", year=2010 + number)
        make_result(board, make_system(f"toolkit {number}"), f"0.{24 + number}70", role="reference_implementation")
    make_result(board, make_system("best"), "0.3686", role="proposed", year=2009)
    make_variance(board.measure, 0.012, board.collection)
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    analyse(board)


@pytest.fixture(scope="module", autouse=True)
def rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    with kept_on_record(django_db_blocker, make_robust):
        yield


@pytest.fixture
def robust() -> Leaderboard:
    return Leaderboard.objects.get(collection__slug="trec-2004-robust")


def asked(client, **query):
    return client.get("/api/v1/check/", {"collection": "Robust04", "measure": "MAP"} | query)


def test_a_score_near_the_best_may_be_the_best_until_the_tries_are_counted(client):
    alone = asked(client, score="0.3600").json()["checked"]
    assert (alone["may_be_best"], alone["luck"], alone["may_be_best_counted"]) == (True, 0.0, True)
    # The mean of the largest of two standard normal variables is 1 / sqrt(pi).
    answer = asked(client, score="0.3600", tried="2").json()
    two = answer["checked"]
    assert any(said.startswith("Had the 2 that were tried been equally good") for said in answer["of_score"])
    assert two["luck"] == pytest.approx((0.012 / 249) ** 0.5 / 3.14159265**0.5, rel=1e-6)
    edge = 0.3686 - alone["margin"] + 0.001
    many = asked(client, score=f"{edge:.4f}", tried="1000").json()
    assert (many["checked"]["may_be_best"], many["checked"]["may_be_best_counted"]) == (True, False)
    assert "could no longer be the best" in " ".join(many["of_score"])


def test_a_score_far_above_all_is_none_of_them_and_is_doubted_as_the_leaderboard_would(client):
    answer = asked(client, score="0.9").json()
    assert answer["headline"] == (
        "0.9000 is beyond everything on record on TREC 2004 Robust, and would be held back as an outlier."
    )
    margin = f"{answer['checked']['margin']:.4f}"
    assert answer["sentence"] == (
        "Our AP of 0.9000 on TREC 2004 Robust is better than the best of 31 published results (0.3686); none lies"
        f" within the margin of {margin}."
    )
    said = " ".join(answer["of_score"])
    assert f"None lies within the margin of {margin}: at 95 % confidence, chance alone has not put it before" in said
    assert "It would stand apart from all others here and be held back" in said
    assert answer["checked"]["cautions"] == ["stands-apart"]


def test_a_score_level_with_the_best_is_not_called_the_best(client):
    answer = asked(client, score="0.3686").json()
    assert answer["checked"]["behind"] == 0
    assert answer["headline"].startswith("0.3686 equals the best on TREC 2004 Robust so far, and can’t be told from ")
    assert answer["sentence"].startswith(
        "Our AP of 0.3686 on TREC 2004 Robust equals the best of 31 published results;"
    )
    assert "chance may have put it level with or before them" in " ".join(answer["of_score"])


def test_a_weak_baseline_is_called_so_among_all_that_is_known(client):
    answer = asked(client, score="0.30", baseline="0.2350").json()
    found = answer["checked"]["baseline"]
    assert found["gain"] == pytest.approx(0.065)
    assert (found["runs"]["n"], found["runs"]["n_better"], found["runs"]["percentile"]) == (10, 6, 40.0)
    assert "Of 10 runs of the original evaluation, 6 are better." in answer["of_baseline"]
    level = asked(client, score="0.30", baseline="0.23").json()
    assert "Of 10 runs of the original evaluation, 6 are better and 1 level." in level["of_baseline"]
    # Baselines of 2015 to 2019, the last five years: all from 0.2750 on.
    assert (found["baselines"]["since"], found["baselines"]["n"], found["baselines"]["n_better"]) == (2015, 5, 5)
    assert found["reference_implementations"]["n_better"] == 10
    assert (found["last_year_best"], found["first_year_better"]) == (None, 2004)
    assert "the baseline is worse than most of the original runs" in answer["headline"]
    assert answer["sentence"].endswith("; the baseline, 0.2350, is worse than 6 of 10 original runs.")
    assert any("toolkit 9, prints 0.3370" in sentence for sentence in answer["of_baseline"])


def test_a_gain_too_small_for_the_topics_is_said_to_be(client):
    answer = asked(client, score="0.3010", baseline="0.3000").json()
    assert answer["checked"]["baseline"]["gain_is_resolved"] is False
    margin = answer["checked"]["baseline"]["margin"]
    assert margin == pytest.approx(1.9695 * (2 * 0.012 / 249) ** 0.5, rel=0.1), "of one planned comparison"
    assert f"not told apart by means, which takes {margin:.4f} for an average pair" in answer["of_baseline"][0]
    tried = asked(client, score="0.3250", baseline="0.3000", tried="20").json()["checked"]["baseline"]
    alone = asked(client, score="0.3250", baseline="0.3000").json()["checked"]["baseline"]
    assert (alone["gain_is_resolved"], tried["gain_is_resolved"]) == (True, False), "the best of twenty by luck"
    # Two normal means over 249 topics: (1.96 + 0.84) standard errors of a difference.
    expected = 2.8016 * (2 * 0.012 / 249) ** 0.5
    assert answer["checked"]["smallest_difference"] == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"score": "30.5"}, "30.5 is no score of AP, which goes from 0 to 1. In percent? Then give 0.305."),
        ({"score": "x"}, "Enter a number."),
        ({"score": ""}, "This field is required."),
        ({"score": "0.3", "collection": "robust0"}, "unknown collection"),
        ({"score": "0.3", "measure": "nDCG@3"}, "unknown measure"),
        ({"score": "0.3", "tried": "0"}, "greater than or equal to 1"),
        ({"score": "nan"}, "Enter a number."),
    ],
)
def test_what_cannot_be_checked_is_said_beside_its_field(client, query, said):
    address = {"collection": "Robust04", "measure": "MAP"} | query
    assert said in read_with(client, address, status=400).text
    assert client.get("/api/v1/check/", address).status_code == 400


def test_a_name_that_means_several_under_one_measure_is_asked_about_there_alone(client, robust):
    half = make_collection("robust-new-topics", name="The new topics")
    make_question("All topics?", ["Robust04"], [robust.collection, half], only_with=[robust.measure])
    address = {"collection": "Robust04", "measure": "AP", "score": "0.3"}
    page = read_with(client, address, status=300)
    assert parse_qs(page.link("The new topics").removeprefix("?"))["collection"] == ["robust-new-topics"]
    make_result(make_leaderboard(robust.collection, make_measure("RR")), printed="0.4")
    assert read_with(client, address | {"measure": "RR"}).status == 200


def read_with(client, query, **options):
    return read(client, f"/check/?{urlencode(query)}", **options)


def test_nothing_is_kept(client):
    with CaptureQueriesContext(connection) as queries:
        read(client, "/check/?collection=robust04&measure=map&score=0.3051")
    reading = re.compile(r'\(?SELECT |DECLARE "\w+" NO SCROLL CURSOR (WITH HOLD )?FOR SELECT ')
    assert [one["sql"] for one in queries if not reading.match(one["sql"])] == []
    assert not any("0.3051" in one["sql"] for one in queries)


@pytest.mark.parametrize(
    ("score", "said"), [("0.3370", "level"), ("0.3380", "0.0010 better"), ("0.3360", "0.0010 worse")]
)
def test_a_score_that_equals_the_best_toolkit_is_level_with_it(client, score, said):
    sentences = " ".join(asked(client, score=score, baseline="0.2350").json()["of_baseline"])
    assert f" prints 0.3370; compared with it, the score is {said}. " in sentences


@pytest.mark.parametrize("score", ["0.337001", "0.336999"])
def test_a_difference_that_no_printed_digit_shows_is_called_level(client, score):
    sentences = " ".join(asked(client, score=score, baseline="0.2350").json()["of_baseline"])
    assert " prints 0.3370; compared with it, the score is level in the digits printed here. " in sentences


def test_a_score_is_held_against_the_results_of_its_own_collection(client, robust):
    other = make_leaderboard(make_collection("other", name="Other"), robust.measure)
    for printed in ("0.5", "0.6"):
        make_result(other, printed=printed)
    for name, n_results in (("Robust04", 31), ("Other", 2)):
        answer = asked(client, collection=name, score="0.4").json()
        assert (answer["leaderboard"]["measure"]["name"], answer["checked"]["n_results"]) == ("AP", n_results)
    make_collection("empty", name="Empty")
    assert (
        "No results are recorded for Empty under AP" in asked(client, collection="Empty", score="0.4").content.decode()
    )


_MEASURED = "How much scores vary between topics was measured on runs of this collection."


def test_all_that_is_said_of_the_best_of_many_tries(client):
    answer = asked(client, score="0.5", baseline="0.335", tried="50").json()
    margin, needed = f"{answer['checked']['margin']:.4f}", f"{answer['checked']['baseline']['margin']:.4f}"
    # The mean of the largest of 50 standard normal variables is 2.24907.
    luck = 2.24907 * (0.012 / 249) ** 0.5
    assert answer["of_score"][:-1] == [
        "0 of the 31 results that compete here are better.",
        f"None lies within the margin of {margin}: at 95 % confidence, chance alone has not put it before them.",
        "Had the 50 that were tried been equally good, each with luck of its own, the best of them would be expected"
        f" {luck:.4f} better than it is. Settings of one system share most of their luck, so that it is less for them.",
        f"With all of that taken off, {0.5 - luck:.4f} could still be the best.",
        _MEASURED,
    ]
    assert answer["of_baseline"] == [
        f"The score is 0.1650 better than the baseline: told apart by means, which takes {needed} for an average pair"
        " of systems, the score being the best of 50.",
        "Of 10 runs of the original evaluation, 0 are better.",
        "Of 5 baselines that papers printed since 2015, 0 are better.",
        "Of 10 runs of toolkits, 1 is better.",
        "The best of these, toolkit 9, prints 0.3370; compared with it, the score is 0.1630 better.",
        "The last year at whose end nothing on record with a year was better than the baseline is 2008.",
    ]
    assert "baseline" not in answer["headline"] + answer["sentence"]
    half = asked(client, score="0.2", baseline="0.247").json()
    assert half["of_baseline"][0] == "The score is not better than the baseline."
    assert "Of 10 runs of the original evaluation, 5 are better." in half["of_baseline"]
    assert "; most toolkits’ runs are better than the baseline." in half["headline"]
    level = asked(client, score="0.2", baseline="0.2").json()["of_baseline"]
    assert level[0] == "The score is not better than the baseline."
    best = asked(client, score="0.2", baseline="0.3686").json()["of_baseline"]
    assert best[0] == "The score is not better than the baseline."
    assert best[-1] == "Nothing on record with a year is better than the baseline."
    assert not any("The best of these" in sentence for sentence in best)


def test_what_is_held_back_is_left_out_of_the_answer_and_said(client, robust):
    make_result(robust, make_system("odd"), "0.9000", role="proposed", year=2012)
    mark_changed(robust)
    analyse(robust)
    answer = asked(client, score="0.36").json()
    checked = answer["checked"]
    assert (checked["n_held_back"], checked["best"], checked["behind"]) == (1, 0.3686, pytest.approx(0.0086))
    assert answer["headline"] == "0.3600 can’t be told from the best on TREC 2004 Robust."
    assert answer["of_score"][:3] == [
        "2 of the 32 results that compete here are better.",
        "1 of them is held back: what is said here is without; among all it could not be the best.",
        f"It lies 0.0086 below the best printed not held back, 0.3686, and the margin is {checked['margin']:.4f}: it"
        " can’t be told from it.",
    ]
    assert " from the best of 31 published results not held back (0.3686), within the margin" in answer["sentence"]
    ahead = asked(client, score="0.37").json()
    assert ahead["headline"].startswith("0.3700 is the best not held back on TREC 2004 Robust so far, and can’t be")
    assert "1 other result lies within the margin" in ahead["of_score"][2]
    assert ahead["of_score"][2].endswith(" so that chance may have put it before them.")
    beyond = asked(client, score="0.5").json()
    assert beyond["headline"] == "0.5000 is beyond everything on record not held back on TREC 2004 Robust."
    far = asked(client, score="0.2").json()
    assert far["of_score"][1] == "1 of them is held back: what is said here is without."


def test_a_name_that_means_two_grades_on_record_is_asked_about(client, robust):
    for name in ("R@1000", "R(rel=2)@1000"):
        make_result(make_leaderboard(robust.collection, make_measure(name)), printed="0.5")
    page = read_with(client, {"collection": "Robust04", "measure": "R@1000", "score": "0.6"}, status=300)
    chosen = [parse_qs(address.removeprefix("?")) for address, _ in page.links if address.startswith("?")]
    assert ["R(rel=2)@1000"] in [one["measure"] for one in chosen]
    assert all(one["score"] == ["0.6"] for one in chosen)
