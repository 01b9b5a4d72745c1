"""GET /api/v1/collections/, /api/v1/measures/ and what they list."""

from tests.registry.leaderboards.boards import make_board


def test_collections_are_searched_like_on_the_page(client):
    board, other = make_board(), make_board()
    board.collection.aliases.create(alias="Robust04")
    other.collection.suite = "TREC Web"
    other.collection.save()
    for query, wanted in (("q=robust04", board), ("suite=trec web", other), (f"q={other.collection.slug}", other)):
        listed = client.get(f"/api/v1/collections/?{query}").json()["results"]
        assert [collection["slug"] for collection in listed] == [wanted.collection.slug]


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
