"""GET /systems/, /papers/, /measures/, /leaderboards/, their files; /sitemap.xml."""

import xml.etree.ElementTree as ET

import pytest

from registry.catalog.models import Leaderboard
from registry.search.services import index_registry
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_paper, make_result, make_system
from tests.registry.pages import read
from tests.thoroughness import every

_SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture
def robust() -> Leaderboard:
    board = make_leaderboard(make_collection("trec-2004-robust", name="TREC 2004 Robust"), make_measure("AP"))
    for name in ("ColBERT", "bm25", "=1+1"):
        make_result(board, make_system(name, team="team x"), paper=make_paper(f"Author of {name} (2020)"))
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    index_registry()
    return board


def test_a_long_list_comes_in_pages(client):
    board = make_leaderboard()
    for number in range(26):
        make_result(board, make_system(f"variant {number}"))
    index_registry()
    first, second = read(client, "/systems/"), read(client, "/systems/?page=2")
    assert (len(first.rows), len(second.rows)) == (26, 2)
    assert not {row[0] for row in first.rows[1:]} & {row[0] for row in second.rows[1:]}


def test_papers_are_narrowed_by_their_kind_and_by_whether_they_test(client):
    board = make_leaderboard()
    for number, (kind, tests) in enumerate([("article", True), ("misc", False), ("misc", None)]):
        paper = make_paper(f"Doe ({2000 + number})", kind=kind, reports_significance=tests)
        make_result(board, make_system(), paper=paper)
    index_registry()
    for query, n in (("kind=misc", 2), ("tests=yes", 1), ("tests=no", 1), ("kind=article&tests=no", 0)):
        assert len(client.get(f"/papers.csv?{query}").text.splitlines()) == 1 + n


def test_the_map_of_the_site_leads_to_pages_that_answer(client, robust):
    make_suite("robust", [robust])
    index_registry()
    assert (
        client.get("/sitemap.xml")["Content-Type"] == client.get("/sitemap-1.xml")["Content-Type"] == "application/xml"
    )
    parts = [tag.text for tag in ET.fromstring(client.get("/sitemap.xml").content).iter(f"{_SPACE}loc")]
    assert parts == ["http://testserver/sitemap-1.xml", "http://testserver/sitemap-2.xml"]
    addresses = [
        address.text for part in parts for address in ET.fromstring(client.get(part).content).iter(f"{_SPACE}loc")
    ]
    assert f"http://testserver{robust.get_absolute_url()}" in addresses
    assert len(addresses) == len(set(addresses)) > 20
    day = robust.results.latest("recorded_at").recorded_at.date()
    assert f"{robust.get_absolute_url()}</loc><lastmod>{day}</lastmod>" in client.get(parts[1]).text
    for address in every(2, addresses, __file__):
        assert client.get(address).status_code == 200, address
    assert [client.get(f"/sitemap-{number}.xml").status_code for number in (0, 3)] == [404, 404]
