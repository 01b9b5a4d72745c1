"""Pages, lists and feeds follow what is recorded, and are answered briefly where nothing changed."""

import feedparser
import pytest

from registry.catalog.models import Collection
from registry.leaderboards.services import save_suite_finding
from registry.leaderboards.studies import analyse_suite
from registry.leaderboards.views import collections as collections_pages
from registry.leaderboards.views import suites as suites_pages
from tests.registry.curation.lineage.world import load_paper_links
from tests.registry.curation.suites.world import add_member, make_boards, make_suite
from tests.registry.factory import make_collection, make_entry, make_measure, make_paper
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.suites import analyse_all, make_members

pytestmark = pytest.mark.django_db


def listed(client, query: str = "") -> list[str]:
    slugs = Collection.objects.values_list("slug", flat=True).order_by("slug")
    page = client.get(f"/collections/{query}").content.decode()
    return [slug for slug in slugs if f'href="/collections/{slug}/"' in page]


def test_the_list_of_collections_has_what_came_since(client, monkeypatch):
    first = make_board()
    make_collection("lacking")
    slug = first.collection.slug
    assert listed(client) == listed(client) == [slug]
    assert client.get("/collections.csv").content.count(b"\n") == 2
    assert client.get("/collections.json").json()["count"] == 1
    second = make_board()
    assert set(listed(client)) == {slug, second.collection.slug}
    assert client.get("/collections.csv").content.count(b"\n") == 3
    assert listed(client, "?results=none") == ["lacking"]
    monkeypatch.setattr(collections_pages, "COLLECTIONS_PER_PAGE", 1)
    third = make_board()
    pages = [listed(client, f"?page={number}") for number in (1, 2, 3)]
    assert [len(page) for page in pages] == [1, 1, 1]
    assert {one for page in pages for one in page} == {one.collection.slug for one in (first, second, third)}
    assert listed(client, "?page=4") == pages[2]
    assert client.get("/collections/?zebra=1").status_code == 400
    assert client.post("/collections/").status_code == 405


def test_a_collection_that_an_editor_adds_is_listed(client):
    assert client.get("/collections.csv?results=none").content.count(b"\n") == 1
    collection = make_collection("lacking")
    make_entry("catalog.collection.added", subject_type="collection", subject_id=collection.slug)
    assert client.get("/collections.csv?results=none").content.count(b"\n") == 2


def test_sources_have_the_papers_that_a_file_names(client, tmp_path):
    board = make_board()
    analyse(board)
    address = f"{board.get_absolute_url()[:-1]}.sources.bib"
    assert client.get(address).content == b""
    make_paper("Doe (2001)", title="On ranks")
    system = board.results.first().system
    load_paper_links(tmp_path, f"{system.name},{system.team},,Doe (2001),,introduces,its card")
    assert b"On ranks" in client.get(address).content


def test_the_page_of_a_suite_says_of_collections_what_the_catalog_says_today(client):
    boards = make_boards("first", "second")
    make_suite("few", boards, is_average=True)
    address = "/suites/few/nDCG@10.json"
    assert {one["domain"] for one in client.get(address).json()["members"]} == {""}
    Collection.objects.update(domain="news")
    make_entry("catalog.collection.edited", subject_type="collection", subject_id="first")
    assert {one["domain"] for one in client.get(address).json()["members"]} == {"news"}


@pytest.mark.parametrize("of", ["board", "site", "suite"])
def test_feeds_are_of_one_thing_and_the_same_is_answered_briefly(client, of):
    board = make_board(["0.31", "0.30"], measure=make_measure("nDCG@10"))
    other = make_board(["0.20"])
    make_suite("few", [board])
    address = {"board": board.get_absolute_url(), "site": "/", "suite": "/suites/few/nDCG@10/"}[of]
    feed = f"{address.rstrip('/')}.atom" if of != "site" else "/feed.atom"
    answer = client.get(feed)
    assert answer.status_code == 200
    found = feedparser.parse(answer.content)
    title = {"board": str(board), "site": "Plumbline: results", "suite": "FEW, nDCG@10"}[of]
    assert found.feed.title == title
    assert found.feed.link == f"http://testserver{address}"
    assert len(found.entries) == (3 if of == "site" else 2)
    again = client.get(feed, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    make_run(other, "0.5")
    make_run(board, "0.4")
    later = client.get(feed, headers={"If-None-Match": answer["ETag"]})
    assert (later.status_code, len(feedparser.parse(later.content).entries)) == (200, 5 if of == "site" else 3)
    assert client.get(f"{feed}?zebra=1").status_code == 400
    assert client.post(feed).status_code == 405


def test_the_page_of_a_leaderboard_has_what_came_since(client):
    board = make_board()
    analyse(board)
    address = board.get_absolute_url()
    first = client.get(address)
    same = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert same.status_code == 304
    make_run(board, "0.9")
    mark_changed(board)
    waiting = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (waiting.status_code, waiting["ETag"] == first["ETag"]) == (200, False)
    analyse(board)
    analysed = client.get(address, headers={"If-None-Match": waiting["ETag"]})
    assert (analysed.status_code, "0.9000" in analysed.content.decode()) == (200, True)


def test_members_of_a_list_are_shown_in_pages_with_their_drawings(client, monkeypatch):
    boards = make_members(3)
    suite = make_suite("listed", boards, is_average=False)
    (part,) = make_boards("a-part", measure=boards[0].measure)
    add_member(suite, part, 9, part_of=suite.members.first())
    shown = client.get("/suites/listed/")
    assert [(one.collection.slug, drawing) for one, drawing in shown.context["members"]] == [
        (f"member-{number}", None) for number in range(3)
    ]
    assert shown.context["has_drawings"] is False
    analyse(boards[2])
    later = client.get("/suites/listed/")
    assert [drawing is not None for _, drawing in later.context["members"]] == [False, False, True]
    assert later.context["has_drawings"] is True
    monkeypatch.setattr(suites_pages, "MEMBERS_PER_PAGE", 2)
    second = client.get("/suites/listed/?page=2")
    assert [one.collection.slug for one, _ in second.context["members"]] == ["member-2"]
    assert client.get("/suites/listed/?zebra=1").status_code == 400
    assert client.get("/suites/none/").status_code == 404


def test_the_page_of_a_suite_follows_its_members(client):
    members = make_members(3)
    analyse_all(members)
    address = "/suites/beir/nDCG@10/"
    first = client.get(address)
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    make_run(members[0], "0.9", source="later")
    mark_changed(members[0])
    analyse(members[0])
    stale = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (stale.status_code, stale.context["document"].analysis.state) == (200, "stale")
    save_suite_finding(analyse_suite("beir", "nDCG@10"))
    assert client.get(address).context["document"].analysis.state == "current"
