"""GET /leaderboards/<collection>/<measure>/badge.svg, and those of suites and snapshots."""

from xml.etree import ElementTree

from tests.registry.factory import make_measure
from tests.registry.leaderboards.boards import analysed, make_board

SVG = "{http://www.w3.org/2000/svg}"


def texts(client, address: str) -> list[str]:
    """Return the description of a badge, then its lines."""
    response = client.get(address)
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "image/svg+xml"
    root = ElementTree.fromstring(response.content)
    assert root.get("role") == "img"
    return [element.text or "" for element in [*root.iter(f"{SVG}title"), *root.iter(f"{SVG}text")]]


def test_where_no_set_is_known_it_says_that(client):
    board = analysed(make_board(residual_variance=None, measure=make_measure("GMAP")))
    label = texts(client, f"{board.get_absolute_url()}badge.svg")[2]
    assert label.endswith("(GMAP), scores by topic are needed to rank these 8 results.")


def test_other_sites_may_keep_it_and_ask_again(client):
    board = analysed(make_board())
    address = f"{board.get_absolute_url()}badge.svg"
    first = client.get(address)
    assert first["Cache-Control"] == "public, max-age=3600"
    assert "Cookie" not in first["Vary"]
    again = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again["Cache-Control"]) == (304, "public, max-age=3600")
