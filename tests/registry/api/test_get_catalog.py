"""GET /api/v1/collections/, /api/v1/measures/ and what they list."""

import pytest

from tests.registry.factory import make_collection, make_measure
from tests.registry.leaderboards.boards import VALUES, analyse, make_board
from tests.thoroughness import every

pytestmark = pytest.mark.django_db


def test_collections_with_results_are_listed(client):
    board = make_board()
    make_collection("without-results")
    found = client.get("/api/v1/collections/").json()
    assert [collection["slug"] for collection in found["results"]] == [board.collection.slug]
    assert found["results"][0]["n_topics"] == 50


def test_collections_are_searched_like_on_the_page(client):
    board, other = make_board(), make_board()
    board.collection.aliases.create(alias="Robust04")
    other.collection.suite = "TREC Web"
    other.collection.save()
    for query, wanted in (("q=robust04", board), ("suite=trec web", other), (f"q={other.collection.slug}", other)):
        found = client.get(f"/api/v1/collections/?{query}").json()["results"]
        assert [collection["slug"] for collection in found] == [wanted.collection.slug]


def test_a_search_of_many_words_is_answered(client):
    make_board()
    words = "+".join("abcdefghij" * 10)
    for path in every(2, ("/api/v1/collections/", "/collections/"), __file__):
        assert client.get(f"{path}?q={words[:200]}").status_code == 200


def test_a_collection_has_its_leaderboards(client):
    board = make_board()
    board.collection.aliases.create(alias="Robust04")
    analyse(board)
    found = client.get(f"/api/v1/collections/{board.collection.slug}/").json()
    assert found["aliases"] == ["Robust04"]
    assert [one["url"] for one in found["leaderboards"]] == [board.get_absolute_url()]
    assert found["leaderboards"][0]["headline"]["n_results"] == len(VALUES)


def test_a_measure_says_what_it_is(client):
    make_measure("AP", aliases=["map"], trec_eval="map", long_name="Average precision")
    found = client.get("/api/v1/measures/AP/").json()
    assert (found["trec_eval"], found["aliases"], found["low"], found["high"]) == ("map", ["map"], 0, 1)


@pytest.mark.parametrize(
    ("asked", "canonical"),
    [
        ("collections/Robust04/", "collections/robust/"),
        ("collections/ROBUST/", "collections/robust/"),
        ("measures/map/", "measures/AP/"),
        ("measures/ap/", "measures/AP/"),
    ],
)
def test_other_names_redirect(client, asked, canonical):
    make_collection("robust", aliases=["Robust04"])
    make_measure("AP", aliases=["map"])
    response = client.get(f"/api/v1/{asked}")
    assert (response.status_code, response["Location"]) == (301, f"/api/v1/{canonical}")


def test_unknown_names_are_404(client):
    for kind in ("collection", "measure"):
        response = client.get(f"/api/v1/{kind}s/nothing/")
        assert response.status_code == 404
        assert response.json()["error"] == f"No {kind} is called 'nothing'."


def test_the_page_of_a_measure_is_its_document(client):
    board = make_board()
    path = f"/measures/{board.measure.name}/"
    document = client.get(f"/api/v1{path}").json()
    asked = client.get(path, headers={"Accept": "application/json"})
    assert asked.json() == document
    assert "Accept" in asked["Vary"]
    assert board.measure.long_name in client.get(path, headers={"Accept": "text/html"}).text


def test_an_answer_that_is_computed_is_not_kept(client):
    path = "/api/v1/check/best-of/?n=10&topics=50&mean=0.2&best=0.3&sd=0.05"
    answer = client.get(path)
    assert answer.status_code == 200
    assert "ETag" not in answer
