"""GET /leaderboards/<collection>/<measure>/badge.svg, and those of suites and snapshots."""

from html import unescape
from xml.etree import ElementTree

import pytest

from registry.leaderboards.models import Snapshot
from tests.registry.factory import make_measure, make_result
from tests.registry.leaderboards.boards import VALUES, analyse, make_board
from tests.registry.leaderboards.earlier_methods import OLD
from tests.registry.leaderboards.suites import analyse_all, make_members, suite_board
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"


def texts(client, address: str) -> list[str]:
    """The description of a badge, then its lines."""
    response = client.get(address)
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "image/svg+xml"
    root = ElementTree.fromstring(response.content)
    assert root.get("role") == "img"
    return [one.text or "" for one in [*root.iter(f"{SVG}title"), *root.iter(f"{SVG}text")]]


def test_it_says_what_the_verdict_says(client):
    board = make_board()
    verdict = client.get(f"{board.get_absolute_url()[:-1]}.json").json()["verdict"]
    assert verdict is None
    created = analyse(board).snapshot.created_at
    verdict = client.get(f"{board.get_absolute_url()[:-1]}.json").json()["verdict"]
    description, first, second = texts(client, f"{board.get_absolute_url()}badge.svg")
    assert description == f"{board}. {verdict['sentence']} Plumbline, {created:%Y-%m-%d}."
    assert "#0a6a66" in client.get(f"{board.get_absolute_url()}badge.svg").content.decode()
    chosen = texts(client, f"{board.get_absolute_url()}badge.svg?n_multiplier=2")[0]
    assert chosen == f"{board}, n_multiplier 2. {verdict['sentence']} Plumbline."
    assert first.startswith(f"{board.collection.name}, {board.measure.name}: printed 0.3100")
    assert second == f"{verdict['set']['n_members']} of {len(VALUES)} can’t be told from the best"


def test_a_leaderboard_without_a_verdict_says_so(client):
    board = make_board()
    title = str(board)
    why = "no verdict: this leaderboard has not been analysed yet; it is about to be"
    assert texts(client, f"{board.get_absolute_url()}badge.svg") == [f"{title}: {why}.", title, why]
    assert "#0a6a66" not in client.get(f"{board.get_absolute_url()}badge.svg").content.decode()
    fresh = make_result().leaderboard
    assert texts(client, f"{fresh.get_absolute_url()}badge.svg") == [f"{fresh}: no verdict.", str(fresh), "no verdict"]
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=OLD)
    assert texts(client, f"{old.get_absolute_url()}badge.svg")[1:] == [
        title, "no verdict: an earlier release made this analysis",
    ]  # fmt: skip


def test_where_no_set_is_known_it_says_that(client):
    board = make_board(residual_variance=None, measure=make_measure("GMAP"))
    analyse(board)
    assert texts(client, f"{board.get_absolute_url()}badge.svg")[2] == "not known which could be the best"


def test_an_earlier_day_and_filters_have_badges_that_name_them(client):
    board = make_board()
    analyse(board)
    _, first, second = texts(client, f"{board.get_absolute_url()}badge.svg?as_of=2000-01-01")
    assert "as_of 2000-01-01" in first
    assert second.startswith("no verdict: the registry knew none")
    assert client.get(f"{board.get_absolute_url()}badge.svg?nothing=1").status_code == 400


def test_suites_and_snapshots_have_one(client):
    analysis = analyse_all(make_members())
    for page in (suite_board().get_absolute_url(), analysis.snapshot.get_absolute_url()):
        description, first, second = texts(client, f"{page}badge.svg")
        assert analysis.headline["sentence"] in description
        assert ": mean " in first
        assert "can’t be told" in second or "ruled out" in second


def test_other_sites_may_keep_it_and_ask_again(client):
    board = make_board()
    analyse(board)
    address = f"{board.get_absolute_url()}badge.svg"
    first = client.get(address)
    assert first["Cache-Control"] == "public, max-age=3600"
    assert "Cookie" not in first["Vary"]
    again = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again["Cache-Control"]) == (304, "public, max-age=3600")


def test_other_spellings_redirect(client):
    board = make_board()
    address = board.get_absolute_url().lower()
    assert client.get(f"{address}badge.svg").headers["Location"] == f"{board.get_absolute_url()}badge.svg"


def test_pages_offer_it_to_copy(client):
    board = make_board()
    analysis = analyse(board)
    for page in (board.get_absolute_url(), analysis.snapshot.get_absolute_url()):
        told = unescape(read(client, page).text)
        address = f"http://testserver{page}"
        assert f"[![Plumbline: {board.collection.name}, {board.measure.name}]({address}badge.svg)]({address})" in told
        assert f'<a href="{address}"><img src="{address}badge.svg"' in told
