"""GET /check/ where leaderboards are asked about that lack something, or turn round, or where nothing is asked."""

from urllib.parse import parse_qs

import numpy as np
import pytest

from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_topic_scores,
    make_topics,
)
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.suites import declare
from tests.registry.pages import read
from tests.registry.submissions.world import make_deep_learning
from tests.registry.tools.check.test_check import read_with

pytestmark = pytest.mark.django_db


def said_of(client, board, **query) -> str:
    answer = client.get(
        "/api/v1/check/", {"collection": board.collection.slug, "measure": board.measure.name, "score": "0.3"} | query
    )
    return " ".join(error["message"] for error in answer.json()["errors"]) if answer.status_code == 400 else ""


def verdict_of(client, board):
    analyse(board)
    return client.get(f"/api/v1/leaderboards/{board.collection.slug}/{board.measure.name}/").json()["verdict"]


def test_without_evidence_it_says_what_cannot_be_said(client):
    board = make_board(residual_variance=None, n_topics=None)
    answer = client.get(
        "/api/v1/check/", {"collection": board.collection.slug, "measure": board.measure.name, "score": "0.30"}
    ).json()
    assert answer["checked"]["may_be_best"] is None
    assert answer["checked"]["smallest_difference"] is None
    assert "can’t be said" in answer["headline"]
    assert "no margin can be given: " in answer["sentence"]
    page = read(
        client, f"/check/?collection={board.collection.slug}&measure={board.measure.name}&score=0.3&baseline=0.2"
    )
    assert "whether chance explains that can’t be said" in page.text


def test_where_lower_is_better_everything_turns_round(client):
    board = make_board(["0.10", "0.20", "0.30", "0.40", "0.50"], measure=make_measure("risk", higher_is_better=False))
    query = {"collection": board.collection.slug, "measure": "risk", "score": "0.25", "baseline": "0.45"}
    checked = client.get("/api/v1/check/", query).json()["checked"]
    assert checked["n_better"] == 2
    assert checked["behind"] == pytest.approx(0.15)
    assert checked["baseline"]["gain"] == pytest.approx(0.20)
    assert checked["baseline"]["runs"]["n_better"] == 4


def test_the_empty_form_asks(client):
    page = read(client, "/check/")
    assert "required" not in page.text
    assert 'aria-invalid="true"' not in page.source
    assert {one.get("name") for one in page.of("input")} >= {"collection", "measure", "score", "baseline", "tried"}
    assert ("/check/", "Check") in page.links


def test_a_name_of_several_is_a_choice_that_keeps_the_rest_of_the_question(client):
    make_deep_learning()
    address = {"collection": "DL19", "measure": "nDCG@10", "score": "0.7", "baseline": "0.5"}
    page = read_with(client, address, status=300)
    chosen = parse_qs(page.link("DL 2019 document ranking").removeprefix("?"))
    assert chosen == {name: [value] for name, value in (address | {"collection": "dl-doc"}).items()}
    assert client.get("/api/v1/check/", address).status_code == 400


def test_where_the_verdict_is_on_those_that_declare_no_training_the_score_is_one_of_them(client):
    board = make_board([f"0.{200 + 5 * number}" for number in range(20)])
    make_suite("zero", [board], is_zero_shot=True)
    for number, result in enumerate(board.results.order_by("value")):
        # The best two say nothing; of all others every fourth declares training.
        if number < 18:
            declare(result.system, board.collection, "no" if number % 4 else "yes")
    mark_changed(board)
    analyse(board)
    query = {"collection": board.collection.slug, "measure": board.measure.name}
    best = client.get("/api/v1/check/", query | {"score": "0.9"}).json()
    assert (best["checked"]["view"], best["checked"]["n_results"], best["checked"]["n_of_view"]) == (
        "declared-none",
        20,
        13,
    )
    assert best["checked"]["may_be_best"] is True
    assert "is beyond everything on record" in best["headline"]
    assert best["headline"].endswith("among those that declare no training or need none.")
    assert best["sentence"].startswith(f"Our {board.measure.name} of 0.9000 on {board.collection} is better than ")
    assert " the best of 13 published results that declare no training or need none (0.2850);" in best["sentence"]
    # Between the best of them and the two that say nothing.
    between = client.get("/api/v1/check/", query | {"score": "0.288"}).json()
    assert (between["checked"]["best"], between["checked"]["n_better"]) == (0.285, 2)
    assert between["checked"]["behind"] == pytest.approx(-0.003)
    assert between["checked"]["may_be_best"] is True
    assert "The verdict here is on the 13 of these that declare no training" in " ".join(between["of_score"])


def test_where_nothing_competes_there_is_nothing_to_compare_with(client):
    board = make_board(["0.3"], comparability="variant")
    query = {"collection": board.collection.slug, "measure": board.measure.name, "score": "0.3"}
    assert "No comparable result is recorded on" in read_with(client, query).text
    empty = make_leaderboard(board.collection, make_measure("RR"))
    said = f"No results are recorded for {board.collection} under RR, so there is nothing to compare with."
    assert said in read_with(client, query | {"measure": empty.measure.name}, status=400).text


@pytest.mark.parametrize(
    ("ends", "scores"),
    [
        (
            {"low": -1, "high": 1},
            {"-1": "", "1": "", "-1.01": "-1.01 is no score of M, which goes from -1 to 1.",
             "1.5": "1.5 is no score of M, which goes from -1 to 1. In percent? Then give 0.015.",
             "100": "100 is no score of M, which goes from -1 to 1. In percent? Then give 1.",
             "100.5": "100.5 is no score of M, which goes from -1 to 1."},
        ),
        (
            {"low": 0, "high": None},
            {"0": "", "40": "", "-0.5": "-0.5 is no score of M, which goes from 0.",
             "-0.00001234567": "-0.00001234567 is no score of M, which goes from 0."},
        ),
        ({"low": 0, "high": 5}, {"5": "", "30": "30 is no score of M, which goes from 0 to 5."}),
        ({"low": None, "high": None}, {"-3": "", "40": ""}),
        ({"low": None, "high": 5}, {"-3": "", "5": "", "30": "30 is no score of M, which goes to 5."}),
    ],
)  # fmt: skip
def test_a_score_is_one_that_its_measure_can_have(client, ends, scores):
    board = make_leaderboard(make_collection("one"), make_measure("M", **ends))
    make_result(board, printed="0.5")
    assert {score: said_of(client, board, score=score) for score in scores} == scores
    assert {score: said_of(client, board, baseline=score) for score in scores} == scores


@pytest.mark.parametrize("name", ["score", "baseline"])
@pytest.mark.parametrize("value", ["1e308", "-1e308", "1.1e12"])
def test_a_number_beyond_any_score_is_refused(client, name, value):
    board = make_board(measure=make_measure("M", low=None, high=None))
    said = said_of(client, board, **{name: value})
    assert said.startswith("Ensure this value is ")
    assert said_of(client, board, **{name: "1e12"}) == ""


def test_without_five_of_a_kind_a_baseline_has_no_place_among_them(client):
    board = make_board(["0.30", "0.20"], role="proposed", year=2001)
    query = {"collection": board.collection.slug, "measure": board.measure.name, "score": "0.25", "baseline": "0.21"}
    answer = client.get("/api/v1/check/", query).json()
    assert len(answer["of_baseline"]) == 2
    assert answer["of_baseline"][1] == (
        "The first year on record with a result better than the baseline is 2001, and no earlier year is on record."
    )
    assert "baseline" not in answer["headline"] + answer["sentence"]
    assert answer["leaderboard"]["collection"]["slug"] == board.collection.slug
    none = make_board(residual_variance=None, n_topics=None)
    query = {"collection": none.collection.slug, "measure": none.measure.name, "score": "0.25", "tried": "5"}
    answer = client.get("/api/v1/check/", query).json()
    assert answer["of_score"] == ["3 of the 8 results that compete here are better."]
    why = answer["checked"]["why_unknown"]
    assert answer["headline"] == f"Whether 0.2500 could be the best on {none.collection} can’t be said: {why}."
    assert answer["sentence"] == (
        f"Our {none.measure} of 0.2500 on {none.collection} compares with 8 published results, of which 3 are better;"
        f" no margin can be given: {why}."
    )


def test_of_one_result_it_speaks_in_the_words_of_one(client):
    board = make_board(["0.30"], residual_variance=None, n_topics=None)
    query = {"collection": board.collection.slug, "measure": board.measure.name, "score": "0.25"}
    answer = client.get("/api/v1/check/", query).json()
    assert answer["of_score"] == ["The only result that competes here is better."]
    assert "compares with the only published result, which is better; no margin can be given: " in answer["sentence"]
    board = make_board(["0.30"])
    query = {"collection": board.collection.slug, "measure": board.measure.name}
    behind, above = (client.get("/api/v1/check/", query | {"score": score}).json() for score in ("0.01", "0.35"))
    margin = f"{behind['checked']['margin']:.4f}"
    assert behind["sentence"].endswith(
        f" is 0.2900 from the only published result (0.3000), beyond the margin of {margin}."
    )
    assert above["of_score"][0] == "The only result that competes here is not better."
    assert " is better than the only published result (0.3000); " in above["sentence"]


def test_scores_that_differ_beyond_the_digits_of_the_measure_differ_by_less_than_these(client):
    board = make_board()
    query = {"collection": board.collection.slug, "measure": board.measure.name}
    answer = client.get("/api/v1/check/", query | {"score": "0.309999", "baseline": "0.309998"}).json()
    assert "It lies less than 0.0001 below the best printed, 0.3100, " in " ".join(answer["of_score"])
    assert answer["of_baseline"][0].startswith("The score is less than 0.0001 better than the baseline")
    assert " is less than 0.0001 from the best of 8 published results (0.3100), " in answer["sentence"]


def test_all_that_is_said_where_lower_is_better(client):
    board = make_board(["0.10", "0.20", "0.30", "0.40", "0.50"], measure=make_measure("cost", higher_is_better=False))
    query = {"collection": board.collection.slug, "measure": "cost", "tried": "3"}
    ruled_out = client.get("/api/v1/check/", query | {"score": "0.25", "baseline": "0.45"}).json()
    checked = ruled_out["checked"]
    said = f"It lies 0.1500 above the best printed, 0.1000, and the margin is {checked['margin']:.4f}: at 95 %"
    assert said in ruled_out["of_score"][1]
    assert ruled_out["headline"].startswith(f"0.2500 is ruled out as the best on {board.collection}")
    near = client.get("/api/v1/check/", query | {"score": "0.11"}).json()
    luck = near["checked"]["luck"]
    assert luck > 0
    counted = [sentence for sentence in near["of_score"] if sentence.startswith("With all of that taken off")]
    assert counted == [f"With all of that taken off, {0.11 + luck:.4f} could still be the best."]
    best = client.get("/api/v1/check/", query | {"score": "0.09"}).json()
    assert best["headline"].startswith(f"0.0900 is the best on {board.collection} so far, and can’t be told from 1 ")
    assert "your score 0.0900" not in read_with(client, query | {"score": "0.09"}).source, "nothing is drawn of it yet"
    analyse(board)
    drawn = read_with(client, query | {"score": "0.09"})
    assert "your score 0.0900" in drawn.text
    assert "your baseline" not in drawn.text


def test_topic_scores_of_the_leaderboard_say_how_much_scores_vary(client):
    board = make_board([f"0.{200 + 10 * number}" for number in range(12)], residual_variance=None, n_topics=30)
    make_topics(board.collection, [f"t{number}" for number in range(30)])
    drawn = np.random.default_rng(1).uniform(-0.1, 0.1, (12, 30))
    for result, vector in zip(board.results.order_by("value"), drawn - drawn.mean(axis=1)[:, None], strict=True):
        make_topic_scores(result, [round(result.value + one, 6) for one in vector])
    query = {"collection": board.collection.slug, "measure": board.measure.name, "score": "0.25"}
    by_topics = "The verdict of the leaderboard compares its systems topic by topic; of this score only the mean is "
    assert verdict_of(client, board)["evidence"]["kind"] == "own-topics"
    answer = client.get("/api/v1/check/", query).json()
    assert any(said.startswith(by_topics) for said in answer["of_score"])
    make_run(board, "0.2")
    mark_changed(board)
    verdict = verdict_of(client, board)
    answer = client.get("/api/v1/check/", query).json()
    assert answer["checked"]["evidence"] == verdict["evidence"]["kind"] == "own-variance"
    assert answer["checked"]["margin"] == pytest.approx(verdict["set"]["margin"], rel=0.02)
    assert not any(said.startswith(by_topics) for said in answer["of_score"])


def test_its_address_is_for_reading(client):
    assert client.post("/check/", {"score": "0.3"}).status_code == 405
    asks = client.get("/check/?collection=a&measure=b&score=0.3", headers={"Accept": "application/json"})
    assert asks["Location"] == "/api/v1/check/?collection=a&measure=b&score=0.3"
    many = client.get("/check/?n=3&topics=5&mean=0.2&best=0.3&sd=0.1", headers={"Accept": "application/json"})
    assert many["Location"] == "/api/v1/check/best-of/?n=3&topics=5&mean=0.2&best=0.3&sd=0.1"
