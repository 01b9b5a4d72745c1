"""What collections and leaderboards say of themselves in JSON-LD."""

import pytest

from tests.registry.dumps.test_data_page import SCHEMA_ORG, expanded
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read

#: Other than what addresses without a site would be read against.
SITE = "https://scores.example"


@pytest.fixture(autouse=True)
def site(settings):
    settings.SITE_URL = SITE


def values(found: dict, name: str) -> list[str]:
    return [one.get("@value", one.get("@id")) for one in found[SCHEMA_ORG + name]]


def test_who_made_it_and_its_terms_are_said_and_can_be_opened(client):
    board = make_board()
    for thing in (board, board.collection):
        page = read(client, thing.get_absolute_url())
        (found,) = expanded(page.source)
        (creator,) = found[SCHEMA_ORG + "creator"]
        assert creator[SCHEMA_ORG + "name"] == [{"@value": "Plumbline"}]
        (terms,) = values(found, "license")
        assert client.get(terms.removeprefix(SITE)).status_code == 200
        assert [one["href"] for one in page.of("link") if one.get("rel") == "canonical"] == [
            SITE + thing.get_absolute_url()
        ]


def canonical(client, address: str) -> list[str]:
    page = read(client, address, status=404 if "nowhere" in address else 200)
    return [one["href"] for one in page.of("link") if one.get("rel") == "canonical"]


def test_every_page_names_its_own_address_and_none_that_shows_a_choice_or_nothing(client):
    board = make_board()
    snapshot = analyse(board).snapshot
    collection = board.collection.get_absolute_url()
    things = [one.get_absolute_url() for one in (snapshot, board.results.first())]
    pages = ["/", "/collections/", "/measures/", "/methods/verdict/", f"{collection}resolution/"]
    for address in (*things, *pages):
        assert canonical(client, address) == [SITE + address]
    assert canonical(client, "/collections/?q=robust") == canonical(client, "/nowhere/") == []
