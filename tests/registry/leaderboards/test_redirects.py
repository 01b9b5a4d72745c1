"""Other names of collections and measures lead to the canonical address; unknown ones to a page that helps."""

import pytest

from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_question
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


@pytest.mark.parametrize("path", ["/leaderboards/nq/{}/", "/leaderboards/nq/{}.json", "/api/v1/leaderboards/nq/{}/"])
def test_what_a_measure_by_answers_was_called_leads_on(client, path):
    make_leaderboard(make_collection("nq"), make_measure("Top-20 accuracy (answers)"), results_version=1)
    make_measure("Success@20")
    response = client.get(path.format("top_20_accuracy"))
    assert (response.status_code, response["Location"]) == (301, path.format("Top-20%20accuracy%20(answers)"))
    assert client.get(response["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/collections/robst04/", "No collection is called 'robst04'; did you mean trec-2004-robust?"),
        ("/leaderboards/robst04/nDCG@10/", "No collection is called 'robst04'; did you mean trec-2004-robust?"),
        ("/leaderboards/robust04/nDCG@1O/", "No measure is called 'nDCG@1O'; did you mean nDCG@10?"),
        ("/leaderboards/robust04/zzz/", "No measure is called 'zzz'."),
        ("/collections/" + "x" * 300 + "/", "No collection is called '" + "x" * 59 + "…'."),
        ("/collections/<b>/", "No collection is called '<b>'."),
    ],
)
def test_an_unknown_name_gets_the_nearest_known_one(client, board, path, words):
    assert words in read(client, path, status=404).text


@pytest.fixture
def deep_learning(board):
    """Two collections that go by one name, and one whose id in ir_datasets holds slashes."""
    passage = make_collection("dl-passage", name="DL passage", n_topics=43)
    document = make_collection("dl-doc", name="DL document", n_topics=45)
    make_leaderboard(passage, board.measure, results_version=1)
    board.collection.aliases.create(alias="disks45/nocr")
    board.collection.ir_datasets_id = "disks45/nocr/trec-robust-2004"
    board.collection.save()
    make_question("Passage or document ranking?", ["DL19"], [passage, document])


@pytest.mark.parametrize(
    ("path", "addresses"),
    [
        ("/collections/DL19/", ["/collections/dl-passage/", "/collections/dl-doc/"]),
        (
            "/leaderboards/dl%2719/nDCG@10/?role=proposed",
            ["/leaderboards/dl-passage/nDCG@10/?role=proposed", "/leaderboards/dl-doc/nDCG@10/?role=proposed"],
        ),
        ("/collections/dl-19/log/", ["/collections/dl-passage/log/", "/collections/dl-doc/log/"]),
    ],
)
def test_an_ambiguous_name_asks_which_with_the_address_of_each(client, deep_learning, path, addresses):
    page = read(client, path, status=300)
    assert "Passage or document ranking?" in page.text
    assert "DL passage 43 topics" in page.text
    assert [href for href, _ in page.links if "/dl-" in href and "next=" not in href] == addresses
    assert client.get(addresses[0]).status_code == 200


@pytest.mark.parametrize(
    "path", ["/leaderboards/DL19/nDCG@10.json", "/api/v1/collections/DL19/", "/api/v1/leaderboards/dl_19/nDCG@10/"]
)
def test_programs_are_told_the_candidates(client, deep_learning, path):
    response = client.get(path)
    assert response.status_code == 404
    document = response.json()
    (error,) = document["errors"]
    assert document["error"] == error["message"]
    assert "may be dl-passage or dl-doc. Passage or document ranking?" in error["message"]
    assert (error["field"], error["code"]) == ("collection", "ambiguous")
    assert error["candidates"] == [
        {"value": "dl-passage", "label": "DL passage", "detail": "43 topics"},
        {"value": "dl-doc", "label": "DL document", "detail": "45 topics"},
    ]


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("/collections/disks45/nocr/trec-robust-2004/", "/collections/trec-2004-robust/"),
        ("/collections/disks45%2Fnocr%2Ftrec-robust-2004/", "/collections/trec-2004-robust/"),
        ("/collections/disks45/nocr/trec-robust-2004/log/", "/collections/trec-2004-robust/log/"),
        (
            "/leaderboards/disks45/nocr/trec-robust-2004/ndcg@10/?sort=year",
            "/leaderboards/trec-2004-robust/ndcg@10/?sort=year",
        ),
        ("/leaderboards/disks45/nocr/trec-robust-2004/nDCG@10.json", "/leaderboards/trec-2004-robust/nDCG@10.json"),
        ("/api/v1/collections/disks45/nocr/trec-robust-2004/", "/api/v1/collections/trec-2004-robust/"),
        (
            "/api/v1/leaderboards/disks45/nocr/trec-robust-2004/nDCG@10/",
            "/api/v1/leaderboards/trec-2004-robust/nDCG@10/",
        ),
        (
            "/api/v1/leaderboards/Disks45/NOCR/trec-robust-2004/nDCG@10/results/?format=csv",
            "/api/v1/leaderboards/trec-2004-robust/nDCG@10/results/?format=csv",
        ),
        ("/collections/disks45/nocr/", "/collections/trec-2004-robust/"),
    ],
)
def test_an_ir_datasets_id_leads_to_the_slug_whatever_comes_behind_it(client, deep_learning, path, canonical):
    response = client.get(path)
    assert (response.status_code, response["Location"]) == (301, canonical)
