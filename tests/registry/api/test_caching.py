"""ETag and 304: answers change when, and only when, what they show does."""

from tests.registry.factory import make_entry, make_user
from tests.registry.leaderboards.boards import analyse, analysed, make_board, make_run, mark_changed


def again(client, path: str, etag: str):
    return client.get(path, headers={"If-None-Match": etag})


def test_the_same_answer_is_not_sent_twice(client):
    board = analysed(make_board())
    paths = ["/api/v1/", "/api/v1/leaderboards/", f"/api/v1{board.get_absolute_url()}", "/api/v1/schema/"]
    paths += [f"/api/v1/results/{board.results.first().pk}/", f"{board.get_absolute_url()[:-1]}.json"]
    for path in paths:
        first = client.get(path)
        second = again(client, path, first["ETag"])
        assert (second.status_code, second.content) == (304, b"")
        assert second["ETag"] == first["ETag"]
        assert first["Cache-Control"] == "no-cache"


def test_a_changed_leaderboard_has_another_answer(client):
    board = analysed(make_board())
    for path in (f"/api/v1{board.get_absolute_url()}", "/api/v1/leaderboards/"):
        before = client.get(path)["ETag"]
        make_run(board, "0.9")
        mark_changed(board)
        assert again(client, path, before).status_code == 200
        stale = client.get(path)["ETag"]
        analyse(board)
        assert again(client, path, stale).status_code == 200


def test_what_the_journal_records_has_another_answer(client):
    board = make_board()
    path = f"/api/v1/collections/{board.collection.slug}/"
    before = client.get(path)
    board.collection.name = "Renamed"
    board.collection.save()
    make_entry("catalog.collection.changed")
    assert again(client, path, before["ETag"]).json()["name"] == "Renamed"


def test_an_account_makes_no_difference(client):
    analyse(make_board())
    anonymous = client.get("/api/v1/leaderboards/")
    client.force_login(make_user())
    assert client.get("/api/v1/leaderboards/")["ETag"] == anonymous["ETag"]
