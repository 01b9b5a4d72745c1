"""GET /systems/, /papers/, /measures/, /leaderboards/, their files; /robots.txt, /sitemap.xml; what 404 suggests."""

import csv
import xml.etree.ElementTree as ET
from datetime import UTC, datetime

import pytest

from registry.catalog.models import Leaderboard
from registry.results.models import Result
from registry.search.models import Thing
from registry.search.services import index_registry
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_paper, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read
from tests.registry.search.world import put
from tests.thoroughness import every

pytestmark = pytest.mark.django_db

_SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture
def robust() -> Leaderboard:
    board = make_leaderboard(make_collection("trec-2004-robust", name="TREC 2004 Robust"), make_measure("AP"))
    for name in ("ColBERT", "bm25", "=1+1"):
        make_result(board, make_system(name, team="team x"), paper=make_paper(f"Author of {name} (2020)"))
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    index_registry()
    return board


@pytest.mark.usefixtures("robust")
@pytest.mark.parametrize(
    ("path", "title"),
    [("/systems/", "ColBERT"), ("/papers/", "Author of ColBERT (2020)"), ("/measures/", "AP")],
)
def test_a_list_has_everything_of_its_kind_with_its_results(client, path, title):
    page = read(client, path)
    assert page.row(title)[0] == title
    assert f"{3 if title != 'AP' else 1} {path.strip('/') if title != 'AP' else 'measure'}" in page.text
    assert page.link(title).startswith(path)
    lists = {"leaderboards", "measures", "models", "papers", "systems"}
    assert {words for _, words in page.links} & lists == lists - {path.strip("/")}


@pytest.mark.usefixtures("robust")
def test_a_list_is_narrowed_down_by_words(client):
    page = read(client, "/systems/?q=colb")
    assert [row[0] for row in page.rows[1:]] == ["ColBERT"]
    assert page.link("show all") == "/systems/"
    assert "None has all of these words." in read(client, "/systems/?q=unheard").text


def test_leaderboards_stand_with_their_findings(client):
    board = make_board()
    analyse(board)
    index_registry()
    row = read(client, "/leaderboards/").row(f"{board.collection.name}, {board.measure.name}")
    assert row[3:5] == ["0.3100", "8"]
    assert row[1:5] == read(client, board.collection.get_absolute_url()).rows[1][1:5]


@pytest.mark.usefixtures("robust")
def test_a_list_can_be_taken_as_json_and_csv(client):
    body = client.get("/systems.json").json()
    assert body["count"] == 3
    assert {one["title"] for one in body["results"]} == {"ColBERT", "bm25", "=1+1"}
    lines = list(csv.reader(client.get("/systems.csv").content.decode().splitlines()))
    assert lines[0] == ["kind", "title", "detail", "url", "n_results"]
    assert "'=1+1" in {line[1] for line in lines}
    assert client.get("/papers.json?q=colbert").json()["count"] == 1
    assert client.get("/systems.csv?page=2").status_code == 400


def test_a_long_list_comes_in_pages(client):
    board = make_leaderboard()
    for number in range(26):
        make_result(board, make_system(f"variant {number}"))
    index_registry()
    first, second = read(client, "/systems/"), read(client, "/systems/?page=2")
    assert (len(first.rows), len(second.rows)) == (26, 2)
    assert not {row[0] for row in first.rows[1:]} & {row[0] for row in second.rows[1:]}


def test_what_is_narrowed_down_comes_in_pages_too(client):
    for number in range(27):
        put(Thing.Kind.SYSTEM, number, f"variant {number:02}", 99 - number)
        put(Thing.Kind.SYSTEM, 100 + number, f"other {number}", 200)
    names = [f"variant {number:02}" for number in range(27)]
    for page, shown in (("", names[:25]), ("&page=2", names[25:]), ("&page=9", names[25:])):
        listed = read(client, f"/systems/?q=variant{page}")
        assert [row[0] for row in listed.rows[1:]] == shown
        assert "27 systems" in listed.text
        found = client.get(f"/search/?q=variant&kind=system{page}").context
        assert [one.title for one in found["things"]] == shown
        assert found["page"].paginator.count == 27
    assert [row[0] for row in read(client, "/systems/?page=2").rows[1:]][-4:] == names[19:23]
    for path in ("/search.json?q=variant", "/systems.json?q=variant", "/search.json?q=variant&kind=system"):
        assert [one["title"] for one in client.get(path).json()["results"]] == names, path
    assert client.get("/systems.json").json()["count"] == 54
    none = client.get("/search/?q=variant&kind=paper").context
    assert (list(none["things"]), none["page"].paginator.count, none["kinds"]) == ([], 0, [("system", "Systems", 27)])
    assert "None of these. See all 27." in read(client, "/search/?q=variant&kind=paper").text
    assert client.get("/papers/?q=variant").context["page"].paginator.count == 0
    assert client.get("/search.json?q=variant&page=2").status_code == 400


def test_an_empty_registry_has_empty_lists(client):
    for path in ("/systems/", "/papers/", "/measures/", "/leaderboards/"):
        assert "None yet." in read(client, path).text


def test_crawlers_are_told_what_to_read(client):
    response = client.get("/robots.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    lines = response.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert "Disallow: /accounts/" in lines
    assert "Disallow: /*?" in lines
    assert "Sitemap: http://testserver/sitemap.xml" in lines


def test_the_map_of_the_site_leads_to_pages_that_answer(client, robust):
    make_suite("robust", [robust])
    index_registry()
    assert (
        client.get("/sitemap.xml")["Content-Type"] == client.get("/sitemap-1.xml")["Content-Type"] == "application/xml"
    )
    parts = [one.text for one in ET.fromstring(client.get("/sitemap.xml").content).iter(f"{_SPACE}loc")]
    assert parts == ["http://testserver/sitemap-1.xml", "http://testserver/sitemap-2.xml"]
    addresses = [
        address.text for part in parts for address in ET.fromstring(client.get(part).content).iter(f"{_SPACE}loc")
    ]
    assert f"http://testserver{robust.get_absolute_url()}" in addresses
    assert len(addresses) == len(set(addresses)) > 20
    for address in every(2, addresses, __file__):
        assert client.get(address).status_code == 200, address
    assert [client.get(f"/sitemap-{number}.xml").status_code for number in (0, 3)] == [404, 404]


def test_the_map_says_when_results_last_came_or_went(client, robust):
    def day_of(thing) -> str | None:
        (found,) = (
            one for one in ET.fromstring(client.get("/sitemap-2.xml").content).iter(f"{_SPACE}url")
            if one.findtext(f"{_SPACE}loc") == f"http://testserver{thing.get_absolute_url()}"
        )  # fmt: skip
        return found.findtext(f"{_SPACE}lastmod")

    result = Result.objects.standing().first()
    board = result.leaderboard
    things = (board, board.collection, result.system)
    for moment in (datetime(2026, 3, 4, 12, tzinfo=UTC), datetime(2026, 5, 6, 12, tzinfo=UTC)):
        Result.objects.update(recorded_at=moment)
        Leaderboard.objects.filter(pk=board.pk).mark_changed()
        assert [day_of(one) for one in things] == [moment.date().isoformat()] * 3


@pytest.mark.usefixtures("robust")
@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("/collections/robst/", "/collections/trec-2004-robust/"),
        ("/collections/trec-2004-robus/", "/collections/trec-2004-robust/"),
        ("/leaderboards/robust/nothing/", "/collections/trec-2004-robust/"),
        ("/colbert/", "/systems/"),
    ],
)
def test_what_is_not_there_suggests_what_may_be_meant(client, path, link):
    page = read(client, path, status=404)
    assert (2, "Did you mean") in page.headings
    assert [address for address, _ in page.links if address.startswith(link)]


@pytest.mark.usefixtures("robust")
@pytest.mark.parametrize("path", ["/systems/999999/", "/zzzzqqqq/"])
def test_where_nothing_is_near_nothing_is_suggested(client, path):
    assert (2, "Did you mean") not in read(client, path, status=404).headings
