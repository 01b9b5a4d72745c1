"""Pages of other sites may read what is for programs, and nothing else."""

import pytest

from tests.registry.leaderboards.boards import analyse, make_board

pytestmark = pytest.mark.django_db

ORIGIN = {"Origin": "https://elsewhere.example"}


def test_reading_is_allowed(client):
    board = make_board()
    analyse(board)
    twin = board.get_absolute_url()[:-1]
    for path in ("/api/v1/", f"/api/v1{board.get_absolute_url()}", f"{twin}.json", f"{twin}.csv"):
        response = client.get(path, headers=ORIGIN)
        assert response["Access-Control-Allow-Origin"] == "*"
        assert "ETag" in response["Access-Control-Expose-Headers"]
        assert "Access-Control-Allow-Credentials" not in response


def test_errors_and_redirects_can_be_read_too(client):
    board = make_board()
    for path in ("/api/v1/nothing/", "/api/v1/leaderboards/?x=1", f"/api/v1{board.get_absolute_url().upper()}"):
        assert client.get(path, headers=ORIGIN).get("Access-Control-Allow-Origin", "*") == "*"
    upper = f"/api/v1/collections/{board.collection.slug.upper()}/"
    response = client.get(upper, headers=ORIGIN)
    assert (response.status_code, response["Access-Control-Allow-Origin"]) == (301, "*")


def test_pages_for_people_are_not_shared(client):
    board = make_board()
    for path in ("/", board.get_absolute_url(), "/collections/", "/nothing/"):
        assert "Access-Control-Allow-Origin" not in client.get(path, headers=ORIGIN)


def test_a_browser_may_ask_whether_its_copy_is_fresh(client):
    asked = ORIGIN | {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "if-none-match"}
    response = client.options("/api/v1/leaderboards/", headers=asked)
    assert (response.status_code, response.content) == (204, b"")
    assert response["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "If-None-Match" in response["Access-Control-Allow-Headers"]


def test_writing_is_not_offered(client):
    asked = ORIGIN | {"Access-Control-Request-Method": "POST"}
    response = client.options("/api/v1/leaderboards/", headers=asked)
    assert "POST" not in response["Access-Control-Allow-Methods"]
    assert "Access-Control-Allow-Origin" not in client.post("/api/v1/leaderboards/", headers=ORIGIN)
