"""GET /api/v1/leaderboards/"""

import pytest

from tests.registry.factory import make_collection
from tests.registry.leaderboards.boards import VALUES, analyse, make_board

pytestmark = pytest.mark.django_db

PATH = "/api/v1/leaderboards/"


def listed(client, query: str = "") -> list[str]:
    return [board["url"] for board in client.get(PATH + query).json()["results"]]


def address(board) -> str:
    return board.get_absolute_url()


def test_the_headline_agrees_with_the_leaderboard(client):
    board = make_board()
    analyse(board)
    summary = client.get(PATH).json()["results"][0]
    document = client.get(f"/api/v1{address(board)}").json()
    for name in ("collection", "measure", "url", "analysis", "snapshot"):
        assert summary[name] == document[name]
    headline, verdict = summary["headline"], document["verdict"]
    assert headline["sentence"] == verdict["sentence"]
    assert headline["best"] == verdict["best"]["value"] == float(VALUES[0])
    assert headline["n_members"] == verdict["set"]["n_members"]
    assert (headline["n_results"], headline["n_families"]) == (verdict["tries"]["n_results"], 3)
    assert (headline["evidence"], headline["left_out"]) == (verdict["evidence"]["kind"], "")


def test_suite_language_and_number_of_results_narrow_it_down(client):
    small, large = make_board(), make_board((*VALUES, "0.11", "0.12"))
    large.collection.suite, large.collection.language = "TREC Web", "English queries, Thai documents"
    large.collection.save()
    for board in (small, large):
        analyse(board)
    for query in ("?suite=trec web", "?language=english", "?language=Thai", f"?min_results={len(VALUES) + 1}"):
        assert listed(client, query) == [address(large)]
    assert len(listed(client, f"?min_results={len(VALUES)}")) == 2
    assert listed(client, "?suite=nowhere") == []


def test_an_unknown_collection_is_refused_with_the_nearest(client):
    make_collection("trec-7-adhoc")
    response = client.get(f"{PATH}?collection=trec7-adhok")
    assert response.status_code == 400
    (error,) = response.json()["errors"]
    assert (error["field"], error["code"]) == ("collection", "unknown_collection")
    assert "did you mean trec-7-adhoc?" in error["message"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("min_results=0", "min_results"),
        ("min_results=-1", "min_results"),
        ("min_results=1e3", "min_results"),
        ("min_results=99999999999999999999", "min_results"),
        ("analysed=maybe", "analysed"),
        ("sort=inflation", "sort"),
        ("suite=" + "x" * 101, "suite"),
        ("measure=%00", "measure"),
        ("measure=" + "x" * 201, "measure"),
        ("language=" + "x" * 101, "language"),
        ("page_size=201", "page_size"),
        ("page_size=0", "page_size"),
    ],
)
def test_a_wrong_value_is_refused(client, query, field):
    response = client.get(f"{PATH}?{query}")
    assert response.status_code == 400
    assert [error["field"] for error in response.json()["errors"]] == [field]
