"""GET /leaderboards/<collection>/<measure>/badge.svg, and those of suites and snapshots."""

from tests.registry.leaderboards.boards import analysed, make_board


def test_other_sites_may_keep_it_and_ask_again(client):
    board = analysed(make_board())
    address = f"{board.get_absolute_url()}badge.svg"
    first = client.get(address)
    assert first["Cache-Control"] == "public, max-age=3600"
    assert "Cookie" not in first["Vary"]
    again = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again["Cache-Control"]) == (304, "public, max-age=3600")
