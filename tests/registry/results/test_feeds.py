"""Atom feeds of the log, of a collection, a result, a leaderboard: well-formed whatever people write."""

from xml.etree import ElementTree

import feedparser

from registry.results.services.endings import supersede_result, withdraw_result
from tests.registry.factory import make_paper, make_result, make_system, make_user
from tests.registry.leaderboards.boards import analyse, make_board

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = "<script>alert(1)</script> & ]]> \x0b\ud800".encode("utf-8", "replace").decode()


def entries(client, path: str) -> list[ElementTree.Element]:
    response = client.get(path)
    assert response.status_code == 200
    assert response["Content-Type"].startswith("application/atom+xml")
    return ElementTree.fromstring(response.content).findall(f"{ATOM}entry")


def feeds_of(result) -> list[str]:
    board = result.leaderboard
    return [
        "/log.atom",
        f"/collections/{board.collection.slug}/log.atom",
        f"/results/{result.pk}.atom",
        result.system.get_absolute_url()[:-1] + ".atom",
        result.paper.get_absolute_url()[:-1] + ".atom",
        f"/leaderboards/{board.collection.slug}/{board.measure.name}.atom",
    ]


def test_feedparser_reads_them_without_complaint_and_hostile_names_and_reasons_stay_text(client):
    result = make_result(system=make_system(HOSTILE), paper=make_paper(HOSTILE), source=HOSTILE)
    withdraw_result(result=result, actor=make_user("ada"), reason=HOSTILE)
    for path in feeds_of(result):
        feed = feedparser.parse(client.get(path).content)
        assert (feed.bozo, feed.version) == (False, "atom10"), path
        assert {entry.author for entry in feed.entries} >= {"ada"}
        assert all(entry.id and entry.title and entry.updated_parsed for entry in feed.entries)
        assert "<script" not in feed.entries[0].summary
        for entry in entries(client, path):
            # A summary is HTML to its readers: one more layer of escapes has to be left.
            assert "<" not in (entry.findtext(f"{ATOM}summary") or "")
            assert len(entry.find(f"{ATOM}title")) == 0


def test_ids_are_never_shared(client):
    board = make_board()
    old = board.results.first()
    supersede_result(result=old, changes={"printed": "0.2"}, actor=None, reason="typing error")
    analyse(board)
    ids = [entry.findtext(f"{ATOM}id") for entry in entries(client, f"{board.get_absolute_url()[:-1]}.atom")]
    assert len(ids) == len(set(ids)) == 11
    assert sum("/snapshots/" in feed_id for feed_id in ids) == 1
