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
from tests.registry.leaderboards.boards import analyse, analyse_again
from tests.registry.pages import read


def make_robust() -> None:
    """Make original runs, baselines of papers, runs of a toolkit; scores vary as a variance of its own says."""
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
    assert any(line.startswith("If all 2 runs tried were equally good, luck alone") for line in answer["of_score"])
    assert two["luck"] == pytest.approx((0.012 / 249) ** 0.5 / 3.14159265**0.5, rel=1e-6)
    edge = 0.3686 - alone["margin"] + 0.001
    many = asked(client, score=f"{edge:.4f}", tried="1000").json()
    assert (many["checked"]["may_be_best"], many["checked"]["may_be_best_counted"]) == (True, False)
    assert "would not be tied for first" in " ".join(many["of_score"])


def test_a_weak_baseline_is_called_so_among_all_that_is_known(client):
    answer = asked(client, score="0.30", baseline="0.2350").json()
    checked = answer["checked"]["baseline"]
    assert checked["gain"] == pytest.approx(0.065)
    assert (checked["runs"]["n"], checked["runs"]["n_better"], checked["runs"]["percentile"]) == (10, 6, 40.0)
    assert "Weak: 6 of 10 TREC runs score higher than 0.235." in answer["of_baseline"]
    level = asked(client, score="0.30", baseline="0.23").json()
    assert "Weak: 6 of 10 TREC runs score higher than 0.23; 1 score the same." in level["of_baseline"]
    # Baselines of 2015 to 2019, the last five years: all from 0.2750 on.
    assert (checked["baselines"]["since"], checked["baselines"]["n"], checked["baselines"]["n_better"]) == (2015, 5, 5)
    assert checked["reference_implementations"]["n_better"] == 10
    assert (checked["last_year_best"], checked["first_year_better"]) == (None, 2004)
    assert answer["headline"].endswith(", and its baseline is weak.")
    assert answer["sentence"].endswith(" The baseline, 0.235, is worse than 6 of 10 TREC runs.")
    assert any("The best of them, toolkit 9, has 0.3370" in sentence for sentence in answer["of_baseline"])


def test_a_gain_too_small_for_the_topics_is_said_to_be(client):
    answer = asked(client, score="0.3010", baseline="0.3000").json()
    assert answer["checked"]["baseline"]["gain_is_resolved"] is False
    margin = answer["checked"]["baseline"]["margin"]
    assert margin == pytest.approx(1.9695 * (2 * 0.012 / 249) ** 0.5, rel=0.1), "of one planned comparison"
    assert answer["of_gain"][0].startswith("0.001 over the baseline is not significant, if this is the one")
    assert f"({margin:.3f} needed)" in answer["of_gain"][0]
    tried = asked(client, score="0.3250", baseline="0.3000", tried="20").json()["checked"]["baseline"]
    alone = asked(client, score="0.3250", baseline="0.3000").json()["checked"]["baseline"]
    assert (alone["gain_is_resolved"], tried["gain_is_resolved"]) == (True, False), "the best of twenty by luck"
    # Two normal means over 249 topics: (1.96 + 0.84) standard errors of a difference.
    expected = 2.8016 * (2 * 0.012 / 249) ** 0.5
    assert answer["checked"]["smallest_difference"] == pytest.approx(expected, rel=0.01)


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
    assert [query["sql"] for query in queries if not reading.match(query["sql"])] == []
    assert not any("0.3051" in query["sql"] for query in queries)


def test_a_score_is_held_against_the_results_of_its_own_collection(client, robust):
    other = make_leaderboard(make_collection("other", name="Other"), robust.measure)
    for printed in ("0.5", "0.6"):
        make_result(other, printed=printed)
    for name, n_results in (("Robust04", 31), ("Other", 2)):
        answer = asked(client, collection=name, score="0.4").json()
        assert (answer["leaderboard"]["measure"]["name"], answer["checked"]["n_results"]) == ("AP", n_results)
    make_collection("empty", name="Empty")
    assert "No results on record for Empty under AP" in asked(client, collection="Empty", score="0.4").content.decode()


def test_what_is_held_back_is_left_out_of_the_answer_and_said(client, robust):
    make_result(robust, make_system("odd"), "0.9000", role="proposed", year=2012)
    analyse_again(robust)
    answer = asked(client, score="0.36").json()
    checked = answer["checked"]
    assert (checked["n_held_back"], checked["best"], checked["behind"]) == (1, 0.3686, pytest.approx(0.0086))
    assert answer["headline"] == "0.36 is tied for first on TREC 2004 Robust."
    assert answer["of_score"][:3] == [
        "2 of 32 reported scores are higher.",
        "1 score is excluded (needs evidence) and not counted here. Counting it, this one would not be tied for first.",
        "It is 0.009 below the best score that is not excluded (0.3686); a tie needs 0.030 or less.",
    ]
    assert " the best of 31 reported scores (0.3686) and statistically tied for first (margin" in answer["sentence"]
    ahead = asked(client, score="0.37").json()
    assert ahead["headline"] == "0.37 is higher than the best on TREC 2004 Robust and tied with 1 other."
    beyond = asked(client, score="0.5").json()
    assert beyond["headline"] == "0.5 would lead alone on TREC 2004 Robust."
    assert (
        asked(client, score="0.2").json()["of_score"][1] == "1 score is excluded (needs evidence) and not counted here."
    )


def test_a_name_that_means_two_grades_on_record_is_asked_about(client, robust):
    for name in ("R@1000", "R(rel=2)@1000"):
        make_result(make_leaderboard(robust.collection, make_measure(name)), printed="0.5")
    page = read_with(client, {"collection": "Robust04", "measure": "R@1000", "score": "0.6"}, status=300)
    chosen = [parse_qs(address.removeprefix("?")) for address, _ in page.links if address.startswith("?")]
    assert ["R(rel=2)@1000"] in [choice["measure"] for choice in chosen]
    assert all(choice["score"] == ["0.6"] for choice in chosen)
