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
