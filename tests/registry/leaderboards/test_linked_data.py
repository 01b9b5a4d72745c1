"""What collections and leaderboards say of themselves in JSON-LD."""

import pytest

from tests.registry.dumps.test_data_page import SCHEMA_ORG, expanded
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.leaderboards.suites import analyse_all, make_members
from tests.registry.pages import read

pytestmark = pytest.mark.django_db
#: Other than what addresses without a site would be read against.
SITE = "https://scores.example"


@pytest.fixture(autouse=True)
def site(settings):
    settings.SITE_URL = SITE


def values(found: dict, name: str) -> list[str]:
    return [one.get("@value", one.get("@id")) for one in found[SCHEMA_ORG + name]]


def test_a_leaderboard_is_a_data_set_with_its_verdict_and_its_files(client):
    board = make_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    (found,) = expanded(page.source)
    assert found["@type"] == [SCHEMA_ORG + "Dataset"]
    assert values(found, "url") == [SITE + board.get_absolute_url()]
    (sentence,) = values(found, "description")
    assert sentence in page.text
    files = [one[SCHEMA_ORG + "contentUrl"][0]["@id"] for one in found[SCHEMA_ORG + "distribution"]]
    assert any(file.endswith(".json") for file in files)
    for file in files:
        assert client.get(file.removeprefix(SITE)).status_code == 200
    (catalog,) = found[SCHEMA_ORG + "isPartOf"]
    assert client.get(catalog[SCHEMA_ORG + "url"][0]["@id"].removeprefix(SITE)).status_code == 200


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


def test_a_collection_is_a_data_set_of_its_leaderboards(client):
    board = make_board()
    board.collection.aliases.create(alias="An alias </script>")
    (found,) = expanded(read(client, board.collection.get_absolute_url()).source)
    assert values(found, "alternateName") == ["An alias </script>"]
    (part,) = found[SCHEMA_ORG + "hasPart"]
    assert part[SCHEMA_ORG + "url"][0]["@id"] == SITE + board.get_absolute_url()


def test_a_suite_is_a_data_set_too(client):
    analyse_all(make_members())
    page = read(client, "/suites/beir/nDCG@10/")
    (found,) = expanded(page.source)
    assert (values(found, "url"), values(found, "license")) == ([f"{SITE}/suites/beir/nDCG@10/"], [f"{SITE}/sources/"])
    assert values(found, "description")[0] in page.text


def test_what_is_not_known_is_left_out(client):
    board = make_board()
    (found,) = expanded(read(client, board.get_absolute_url()).source)
    assert SCHEMA_ORG + "dateModified" not in found
