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


def test_who_made_it_and_its_terms_are_said_and_can_be_opened(client):
    board = make_board()
    for thing in (board, board.collection):
        page = read(client, thing.get_absolute_url())
        (node,) = expanded(page.source)
        (creator,) = node[SCHEMA_ORG + "creator"]
        assert creator[SCHEMA_ORG + "name"] == [{"@value": "Plumbline"}]
        (terms,) = node[SCHEMA_ORG + "license"]
        assert client.get(terms.get("@value", terms.get("@id")).removeprefix(SITE)).status_code == 200
        assert [link["href"] for link in page.of("link") if link.get("rel") == "canonical"] == [
            SITE + thing.get_absolute_url()
        ]


def canonical(client, address: str) -> list[str]:
    page = read(client, address, status=404 if "nowhere" in address else 200)
    return [link["href"] for link in page.of("link") if link.get("rel") == "canonical"]


def test_every_page_names_its_own_address_and_none_that_shows_a_choice_or_nothing(client):
    board = make_board()
    snapshot = analyse(board).snapshot
    collection = board.collection.get_absolute_url()
    things = [thing.get_absolute_url() for thing in (snapshot, board.results.first())]
    pages = ["/", "/collections/", "/measures/", "/methods/verdict/", f"{collection}resolution/"]
    for address in (*things, *pages):
        assert canonical(client, address) == [SITE + address]
    assert canonical(client, "/collections/?q=robust") == canonical(client, "/nowhere/") == []
