"""Other names of collections and measures lead to the canonical address; unknown ones to a page that helps."""

import pytest

from tests.registry.factory import make_collection, make_leaderboard, make_measure
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def board(db):
    collection = make_collection("trec-2004-robust", aliases=["Robust04", "disks45/nocr/trec-robust-2004"])
    return make_leaderboard(collection, make_measure("nDCG@10", aliases=["ndcg_cut_10"]), results_version=1)


@pytest.mark.parametrize(
    "path",
    [
        "/leaderboards/robust04/nDCG@10/",
        "/leaderboards/ROBUST04/NDCG_CUT_10/",
        "/leaderboards/trec-2004-robust/ndcg@10/",
        "/leaderboards/TREC-2004-ROBUST/nDCG%4010/",
    ],
)
@pytest.mark.parametrize("query", ["", "?role=proposed&sort=-year"])
def test_an_alias_in_any_case_redirects_for_good(client, board, path, query):
    response = client.get(path + query)
    assert response.status_code == 301
    assert response["Location"] == board.get_absolute_url() + query


@pytest.mark.parametrize("suffix", ["json", "csv", "tex", "md"])
def test_a_format_redirects_to_the_same_format(client, board, suffix):
    response = client.get(f"/leaderboards/robust04/NDCG@10.{suffix}?sort=year")
    assert response.status_code == 301
    assert response["Location"] == f"{board.get_absolute_url()[:-1]}.{suffix}?sort=year"


def test_a_collection_redirects_too(client, board):
    response = client.get("/collections/Robust04/")
    assert (response.status_code, response["Location"]) == (301, "/collections/trec-2004-robust/")


def test_an_address_without_its_last_slash_is_completed(client, board):
    response = client.get("/leaderboards/trec-2004-robust/nDCG@10")
    assert (response.status_code, response["Location"]) == (301, "/leaderboards/trec-2004-robust/nDCG@10/")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/collections/robst04/", "No collection is called robst04; did you mean Robust04?"),
        ("/leaderboards/robst04/nDCG@10/", "No collection is called robst04; did you mean Robust04?"),
        ("/leaderboards/robust04/nDCG@1O/", "No measure is called nDCG@1O; did you mean nDCG@10?"),
        ("/leaderboards/robust04/zzz/", "No measure is called zzz."),
        ("/collections/" + "x" * 300 + "/", "No collection is called " + "x" * 59 + "…."),
        ("/collections/<b>/", "No collection is called <b>."),
    ],
)
def test_an_unknown_name_gets_the_nearest_known_one(client, board, path, words):
    assert words in read(client, path, status=404).text


def test_a_pair_without_results_is_404(client, board):
    make_measure("AP")
    page = read(client, "/leaderboards/robust04/AP/", status=404)
    assert "No results are recorded for robust04 under AP." in page.text


def test_programs_get_the_same_words_as_json(client, board):
    response = client.get("/leaderboards/robst04/nDCG@10.json")
    assert response.status_code == 404
    assert response.json()["error"] == "No collection is called robst04; did you mean Robust04?"


@pytest.mark.parametrize("path", ["/leaderboards/robust04/nDCG@10.xml", "/leaderboards/robust04/", "/leaderboards/"])
def test_what_is_no_address_is_404(client, board, path):
    assert client.get(path, follow=True).status_code == 404
