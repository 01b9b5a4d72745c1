"""GET /api/v1/leaderboards/, /api/v1/collections/ and other lists."""

import pytest

from registry.leaderboards.models import Analysis
from tests.registry.api.shapes import assert_conforms, operations
from tests.registry.leaderboards.boards import VALUES, analyse, analysed, make_board

PATH = "/api/v1/leaderboards/"


def listed(client, query: str = "") -> list[str]:
    return [board["url"] for board in client.get(PATH + query).json()["results"]]


def test_a_headline_of_an_earlier_release_is_not_shown_until_it_is_made_anew(client):
    board = analysed(make_board())
    Analysis.objects.update(headline={"best": 0.4}, standings={})
    assert client.get(PATH).json()["results"][0]["headline"] is None
    for path in ("/leaderboards/", board.collection.get_absolute_url()):
        assert client.get(path).status_code == 200


def test_suite_language_and_number_of_results_narrow_it_down(client):
    small, large = make_board(), make_board((*VALUES, "0.11", "0.12"))
    large.collection.suite, large.collection.language = "TREC Web", "English queries, Thai documents"
    large.collection.save()
    for board in (small, large):
        analyse(board)
    for query in ("?suite=trec web", "?language=english", "?language=Thai", f"?min_results={len(VALUES) + 1}"):
        assert listed(client, query) == [large.get_absolute_url()]
    assert len(listed(client, f"?min_results={len(VALUES)}")) == 2
    assert listed(client, "?suite=nowhere") == []


def test_collections_are_searched_like_on_the_page(client):
    board, other = make_board(), make_board()
    board.collection.aliases.create(alias="Robust04")
    other.collection.suite = "TREC Web"
    other.collection.save()
    for query, wanted in (("q=robust04", board), ("suite=trec web", other), (f"q={other.collection.slug}", other)):
        listed = client.get(f"/api/v1/collections/?{query}").json()["results"]
        assert [collection["slug"] for collection in listed] == [wanted.collection.slug]


@pytest.mark.parametrize("name", ["list_collections", "list_measures", "list_suites", "list_leaderboards"])
def test_an_empty_registry_answers_too(client, name):
    response = client.get(operations()[name][0])
    assert response.json()["results"] == []
    assert_conforms(response, name)
