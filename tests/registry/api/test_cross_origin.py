"""Pages of other sites may read what is for programs, also where it is an error or leads on."""

from tests.registry.leaderboards.boards import analysed, make_board


def test_answers_errors_and_redirects_can_be_read(client):
    board = analysed(make_board())
    twin, upper = board.get_absolute_url()[:-1], board.collection.slug.upper()
    for path, status in (
        ("/api/v1/", 200),
        (f"{twin}.json", 200),
        (f"{twin}.csv", 200),
        ("/api/v1/nothing/", 404),
        ("/api/v1/leaderboards/?x=1", 400),
        (f"/api/v1/collections/{upper}/", 301),
    ):
        response = client.get(path, headers={"Origin": "https://elsewhere.example"})
        assert (response.status_code, response["Access-Control-Allow-Origin"]) == (status, "*")
        assert "ETag" in response["Access-Control-Expose-Headers"]
        assert "Access-Control-Allow-Credentials" not in response
